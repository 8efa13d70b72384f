"""What an index was made with. Where any of it changes, the index is rebuilt and says why."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from fourfold.embed.load import load_embedder
from fourfold.model.text import TOKENIZER_VERSION
from fourfold.source.secrets import POLICY_VERSION
from fourfold.store.contract import FORMAT_VERSION
from fourfold.syntax.version import SYNTAX_VERSION

if TYPE_CHECKING:
    from fourfold.index.refresh import RefreshOptions

_NAMES = {
    "format": "index format",
    "tokenizer": "word splitting",
    "chunker": "chunker",
    "model": "embedding model",
    "secrets": "secret redaction",
    "languages": "language map",
    "stages": "ingestion stages",
}


OTHER_MODEL = f"{_NAMES['model']} changed"
"""The reason of :func:`rebuild_reason` where nothing but the model differs: new vectors will do."""


@cache
def _model_key(name: str) -> str:
    """Asked before every search, while loading a model takes 8 ms; a model's files do not change under a process."""
    embedder = load_embedder(name)
    return embedder.identity.key() if embedder is not None else "none"


def index_identity(options: RefreshOptions) -> dict[str, str]:
    """The identity that an index made now would have."""
    return {
        "format": str(FORMAT_VERSION),
        "tokenizer": TOKENIZER_VERSION,
        "chunker": f"{options.chunker}-{SYNTAX_VERSION}",
        "model": _model_key(options.model),
        "secrets": POLICY_VERSION if options.walk.redact_secrets else "off",
        "languages": ",".join(f"{extension}={name}" for extension, name in sorted(options.languages.items())),
        # Those that do not ship, with their parameters and their places.
        "stages": "; ".join(f"{name}={stage!r}" for name, stage in options.stages),
    }


def rebuild_reason(meta: Mapping[str, str], identity: Mapping[str, str], generation: int) -> str:
    """Why the index must be made anew, in words; empty where it need not."""
    if generation == 0 or not meta:
        return ""
    changed = [_NAMES[key] for key in identity if meta.get(key, "") != identity[key]]
    return f"{', '.join(changed)} changed" if changed else ""
