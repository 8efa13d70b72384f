"""Models whose facts are known: so that nobody has to look up a dimension, a prompt or a licence.

Facts are those of the models' cards and their providers' documentation as of November 2026. A model that is not in the
table works too: its dimension is asked for once (servers) or read from its files, its licence from its card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_CODE_TASK = "Given a question about a code base, retrieve the code that answers it"
_QWEN_QUERY = f"Instruct: {_CODE_TASK}\nQuery:"
"""The form of Qwen3-Embedding's card ("Instruct: ...\\nQuery:..."), with a task for code; documents take none."""
_F2LLM_QUERY = f"Instruct: {_CODE_TASK}\nQuery: "
_BGE_QUERY = "Represent this sentence for searching relevant passages: "


@dataclass(frozen=True, slots=True)
class KnownModel:
    """One model. `name` is the usual one (of the hub, or of the server); `providers` are the values of
    ``embedding.provider`` it can be had from. `dimensions` are what may be asked for besides `dimension` (empty: that
    alone). `max_tokens` is what it reads. `licence` is an SPDX name or "proprietary"; `commercial` is False where it
    forbids commercial use."""

    name: str
    providers: tuple[str, ...]
    dimension: int
    max_tokens: int
    licence: str
    query_prompt: str = ""
    document_prompt: str = ""
    dimensions: tuple[int, ...] = ()
    commercial: bool = True
    aliases: tuple[str, ...] = ()


_HUB = ("sentence-transformers", "openai")
_HUB_FASTEMBED = ("fastembed", *_HUB)
_MATRYOSHKA = (256, 512, 1024, 2048)

KNOWN: tuple[KnownModel, ...] = (
    KnownModel(
        "sentence-transformers/all-MiniLM-L6-v2",
        ("minilm", "fastembed", *_HUB, "ollama"),
        384,
        256,
        "Apache-2.0",
        aliases=("all-MiniLM-L6-v2", "all-minilm"),
    ),
    KnownModel("BAAI/bge-small-en-v1.5", _HUB_FASTEMBED, 384, 512, "MIT", _BGE_QUERY),
    KnownModel("Alibaba-NLP/gte-modernbert-base", _HUB, 768, 8192, "Apache-2.0"),
    KnownModel(
        "Qwen/Qwen3-Embedding-0.6B",
        (*_HUB, "ollama"),
        1024,
        32_768,
        "Apache-2.0",
        _QWEN_QUERY,
        dimensions=tuple(range(32, 1025)),
        aliases=("qwen3-embedding:0.6b",),
    ),
    KnownModel("codefuse-ai/F2LLM-v2-0.6B", _HUB, 1024, 32_768, "Apache-2.0", _F2LLM_QUERY),
    KnownModel("jinaai/jina-embeddings-v2-base-code", _HUB_FASTEMBED, 768, 8192, "Apache-2.0"),
    KnownModel("microsoft/unixcoder-base", _HUB, 768, 512, "Apache-2.0", "<encoder-only> ", "<encoder-only> "),
    KnownModel(
        "nomic-ai/CodeRankEmbed",
        _HUB,
        768,
        8192,
        "MIT",
        "Represent this query for searching relevant code: ",
    ),
    KnownModel("minishlab/potion-code-16M", ("model2vec",), 256, 0, "MIT"),
    KnownModel("minishlab/potion-base-8M", ("model2vec",), 256, 0, "MIT"),
    KnownModel("minishlab/potion-retrieval-32M", ("model2vec",), 512, 0, "MIT"),
    KnownModel(
        "nomic-ai/nomic-embed-text-v1.5",
        (*_HUB_FASTEMBED, "ollama"),
        768,
        8192,
        "Apache-2.0",
        "search_query: ",
        "search_document: ",
        aliases=("nomic-embed-text",),
    ),
    KnownModel("voyage-code-3", ("voyage",), 1024, 32_000, "proprietary", dimensions=_MATRYOSHKA),
    KnownModel("voyage-3.5", ("voyage",), 1024, 32_000, "proprietary", dimensions=_MATRYOSHKA),
    KnownModel("voyage-3.5-lite", ("voyage",), 1024, 32_000, "proprietary", dimensions=_MATRYOSHKA),
    KnownModel("text-embedding-3-small", ("openai",), 1536, 8191, "proprietary", dimensions=tuple(range(1, 1537))),
    KnownModel("text-embedding-3-large", ("openai",), 3072, 8191, "proprietary", dimensions=tuple(range(1, 3073))),
    KnownModel("embed-v4.0", ("cohere",), 1536, 128_000, "proprietary", dimensions=(256, 512, 1024, 1536)),
    KnownModel("embed-english-v3.0", ("cohere",), 1024, 512, "proprietary"),
    KnownModel("embed-multilingual-v3.0", ("cohere",), 1024, 512, "proprietary"),
    KnownModel("jinaai/jina-embeddings-v3", _HUB_FASTEMBED, 1024, 8192, "CC-BY-NC-4.0", commercial=False),
    KnownModel("jinaai/jina-code-embeddings-0.5b", _HUB, 896, 32_768, "CC-BY-NC-4.0", commercial=False),
    KnownModel("jinaai/jina-code-embeddings-1.5b", _HUB, 1536, 32_768, "CC-BY-NC-4.0", commercial=False),
    KnownModel("nvidia/NV-Embed-v2", ("sentence-transformers",), 4096, 32_768, "CC-BY-NC-4.0", commercial=False),
    KnownModel("Salesforce/SFR-Embedding-Code-400M_R", _HUB, 1024, 8192, "CC-BY-NC-4.0", commercial=False),
)
"""Everything that is known of models, in the order in which it is shown."""


def short_name(name: str) -> str:
    """A model's name without its owner, in lower case: servers often leave the owner out."""
    return name.rstrip("/").rpartition("/")[2].lower()


def known_model(name: str, models: Sequence[KnownModel] = KNOWN) -> KnownModel | None:
    """The record of a model by its name, one of its aliases, or its name without owner; None where there is none."""
    wanted = name.lower()
    for model in models:
        if wanted in (model.name.lower(), *(alias.lower() for alias in model.aliases)):
            return model
    return next((model for model in models if short_name(model.name) == short_name(name)), None)
