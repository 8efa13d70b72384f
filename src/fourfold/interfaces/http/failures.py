"""One shape for every error: ``{"error": {"code", "message", "hint"}}``, without paths of the machine."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fourfold.model.errors import FourfoldError

CODES = {
    400: "F100",
    401: "F901",
    403: "F902",
    404: "F904",
    405: "F905",
    408: "F600",
    413: "F906",
    414: "F906",
    421: "F903",
    422: "F100",
    429: "F907",
    500: "F999",
    503: "F908",
}
"""Codes of errors that HTTP alone knows, by status."""


class HttpFailure(FourfoldError):
    """A request that HTTP itself refuses, with its status."""

    def __init__(self, status: int, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.status = status


@dataclass(frozen=True, slots=True)
class Scrubber:
    """Takes the machine's paths out of what is said to clients and logs."""

    root: str
    places: tuple[str, ...]

    @classmethod
    def of(cls, root: Path, others: Sequence[Path]) -> Scrubber:
        """Hides `root` (said as its name), `others` and the home folder."""
        places = {os.fspath(path) for path in others} | {os.path.expanduser("~")}  # noqa: PTH111
        places |= {os.path.realpath(place) for place in places}
        return cls(os.fspath(root), tuple(sorted((p for p in places if len(p) > 1), key=len, reverse=True)))

    def clean(self, text: str) -> str:
        """`text` with the root as its folder's name and other places as "…"."""
        text = text.replace(self.root, Path(self.root).name)
        for place in self.places:
            text = text.replace(place, "…")
        return text


def status_of(error: FourfoldError) -> int:
    """The HTTP status of an error."""
    return error.status if isinstance(error, HttpFailure) else error.http_status


def code_of(error: FourfoldError) -> str:
    """The stable code of an error."""
    return CODES.get(error.status, "F000") if isinstance(error, HttpFailure) else error.code


def body(code: str, message: str, hint: str = "") -> dict[str, Any]:
    """The JSON of an error."""
    return {"error": {"code": code, "message": message, "hint": hint}}


def body_bytes(status: int, message: str, hint: str = "") -> bytes:
    """The JSON of an error that HTTP alone knows, as bytes."""
    return json.dumps(body(CODES.get(status, "F000"), message, hint)).encode()


def faults(errors: Sequence[Any]) -> str:
    """The faults that a validation found, as one sentence."""
    parts = []
    for error in errors[:3]:
        place = ".".join(str(part) for part in error["loc"][1:]) or str(error["loc"][0])
        parts.append(f"{place}: {str(error['msg'])[:200]}")
    return "; ".join(parts) or "the request is not valid"
