"""Licences of models: read from the card, refused where they forbid commercial use and nobody accepted that."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from fourfold.embed.providers.known import known_model
from fourfold.model.errors import BackendUnavailable

UNKNOWN = "unknown"
_HEAD_BYTES = 8_000
_LICENCE = re.compile(r"^licen[cs]e(?:_name)?:[ \t]*['\"]?([A-Za-z0-9.+_-]+)", re.MULTILINE)
_NON_COMMERCIAL = re.compile(r"(?:^|[-_ ])(?:nc|non-?commercial|research(?:-only)?)(?:[-_ ]|$)", re.IGNORECASE)


def licence_in(folder: Path) -> str:
    """The licence that the card (``README.md``) in a model's folder states, else "unknown"."""
    try:
        with (folder / "README.md").open("rb") as file:
            head = file.read(_HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        return UNKNOWN
    found = [name for name in _LICENCE.findall(head) if name.lower() != "other"]
    return found[0] if found else UNKNOWN


def is_non_commercial(licence: str) -> bool:
    """True where a licence's name says that it forbids commercial use (``cc-by-nc-4.0``)."""
    return _NON_COMMERCIAL.search(licence) is not None


def check_licence(model: str, licence: str, accepted: Collection[str]) -> None:
    """Raise BackendUnavailable for a model whose licence forbids commercial use, unless it is accepted by name."""
    known = known_model(model)
    forbidden = is_non_commercial(licence) or (known is not None and not known.commercial)
    if forbidden and model not in accepted:
        name = licence if licence != UNKNOWN or known is None else known.licence
        raise BackendUnavailable(
            f"the licence of the embedding model {model} ({name}) forbids commercial use",
            hint=f'choose another model, or accept it by name: embedding.accept_licence = ["{model}"]',
        )
