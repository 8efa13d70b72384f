"""What an index was made with. Where any of it changes, the index is rebuilt and says why."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from fourfold.embed.load import load_embedder
from fourfold.model.errors import NewerFormat
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


NUMBERED = ("tokenizer", "chunker", "secrets")
"""Parts of the identity that end in a number which only grows from version to version of the program."""
_NUMBER = re.compile(r"(.*?)(\d+)")


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
    """Why the index must be made anew, in words; empty where it need not.

    Raises NewerFormat where a newer program made it: two versions on one index (a server that went on while the program
    was updated, and the command line) would else make it anew in turn, for every question.
    """
    if generation == 0 or not meta:
        return ""
    for key in NUMBERED:
        if _is_newer(meta.get(key, ""), identity[key]):
            raise NewerFormat(
                f"the index was made by a newer version of Fourfold ({_NAMES[key]} {meta[key]}, here {identity[key]})",
                hint="update this one, restart it if it has been, or run `fourfold clear` and index again",
            )
    changed = [_NAMES[key] for key in identity if meta.get(key, "") != identity[key]]
    return f"{', '.join(changed)} changed" if changed else ""


def _is_newer(stored: str, ours: str) -> bool:
    """True where both are of one kind and the stored one has the larger number."""
    one, two = _NUMBER.fullmatch(stored), _NUMBER.fullmatch(ours)
    return one is not None and two is not None and one[1] == two[1] and int(one[2]) > int(two[2])
