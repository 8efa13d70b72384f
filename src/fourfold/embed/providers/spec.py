"""What the settings ask for, checked and completed from what is known of the model. Asks no file and no server."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.embed.providers.known import KnownModel, known_model
from fourfold.model.errors import BadConfig

if TYPE_CHECKING:
    from fourfold.config.settings import EmbeddingSettings

FLOAT = "float"
BINARY = "binary"
BINARY_PROVIDERS = ("voyage",)

DEFAULT_MODELS = {
    "model2vec": "minishlab/potion-code-16M",
    "fastembed": "BAAI/bge-small-en-v1.5",
    "sentence-transformers": "Alibaba-NLP/gte-modernbert-base",
    "minilm": "sentence-transformers/all-MiniLM-L6-v2",
    "openai": "text-embedding-3-small",
    "voyage": "voyage-code-3",
    "cohere": "embed-v4.0",
    "ollama": "qwen3-embedding:0.6b",
}
"""Provider -> the model used where ``embedding.model`` names none."""

ENDPOINTS = {
    "openai": "https://api.openai.com/v1",
    "voyage": "https://api.voyageai.com/v1",
    "cohere": "https://api.cohere.com/v2",
    "ollama": "http://127.0.0.1:11434",
}
"""Provider -> the address used where ``embedding.endpoint`` names none."""

KEY_VARIABLES = {"openai": "OPENAI_API_KEY", "voyage": "VOYAGE_API_KEY", "cohere": "CO_API_KEY", "ollama": ""}
"""Provider -> the variable its key is taken from where ``embedding.key_env`` names none *and* the address is the
provider's own: a key is never sent to another server than its own unasked."""

REMOTE: tuple[str, ...] = tuple(ENDPOINTS)


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """One model of one provider. `dimension` 0: the model's own, not known yet; `max_tokens` 0: no limit known."""

    provider: str
    model: str
    endpoint: str = ""
    key_env: str = ""
    dimension: int = 0
    asked_dimension: int = 0
    output: str = FLOAT
    max_tokens: int = 0
    query_prompt: str = ""
    document_prompt: str = ""
    licence: str = ""

    @property
    def remote(self) -> bool:
        """True where texts leave this process."""
        return self.provider in REMOTE

    def digest(self) -> str:
        """16 hex digits that tell vectors of one choice from those of another. What a model's files hold is not in
        it, and neither is what concerns questions only."""
        parts = (self.provider, self.model, self.endpoint, str(self.asked_dimension), self.output, self.document_prompt)
        state = hashlib.blake2b(digest_size=8)
        for part in (*parts, str(self.max_tokens)):
            state.update(f"{len(part)}:{part}".encode("utf-8", "surrogatepass"))
        return state.hexdigest()


def spec_of(settings: EmbeddingSettings) -> ModelSpec:
    """The model that the settings name. Raises BadConfig where they do not fit together."""
    provider = settings.provider
    name = settings.model or DEFAULT_MODELS[provider]
    known = known_model(name)
    own = ENDPOINTS.get(provider, "")
    endpoint = (settings.endpoint or own).rstrip("/")
    if settings.endpoint and not own:
        raise BadConfig(
            f"embedding.endpoint is set, but the provider {provider} asks no server",
            hint=f"servers are asked by: {', '.join(REMOTE)}",
        )
    if settings.output == BINARY and provider not in BINARY_PROVIDERS:
        raise BadConfig(
            f"the provider {provider} gives no binary vectors",
            hint=f"set embedding.output to float, or use: {', '.join(BINARY_PROVIDERS)}",
        )
    return ModelSpec(
        provider=provider,
        model=name,
        endpoint=endpoint,
        key_env=settings.key_env or (KEY_VARIABLES.get(provider, "") if endpoint == own else ""),
        dimension=settings.dimension or (known.dimension if known is not None else 0),
        asked_dimension=_checked_dimension(settings.dimension, known),
        output=settings.output,
        max_tokens=settings.max_tokens or (known.max_tokens if known is not None else 0),
        query_prompt=settings.query_prompt or (known.query_prompt if known is not None else ""),
        document_prompt=settings.document_prompt or (known.document_prompt if known is not None else ""),
        licence=known.licence if known is not None else "",
    )


def _checked_dimension(dimension: int, known: KnownModel | None) -> int:
    """The dimension to ask for, 0 for the model's own. Raises BadConfig where the model has none of that size."""
    if known is None or dimension in (0, known.dimension):
        return 0 if known is not None else dimension
    if dimension not in known.dimensions:
        given = sorted({known.dimension, *known.dimensions})
        allowed = f"{given[0]} to {given[-1]}" if len(given) > 8 else ", ".join(map(str, given))
        raise BadConfig(
            f"the embedding model {known.name} has no vectors of {dimension} dimensions",
            hint=f"embedding.dimension may be {allowed}, or 0 for the model's own",
        )
    return dimension
