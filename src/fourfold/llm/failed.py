"""How a request to a language model that brought no whole reply is told to a person."""

from __future__ import annotations

from fourfold.model.errors import BackendUnavailable
from fourfold.net.failed import Failed, TookTooLong

_HINTS = {
    400: "the server does not take the request; check llm.model",
    401: "the server does not accept the key; check the variable that llm.key_env names",
    403: "the server does not accept the key; check the variable that llm.key_env names",
    404: "check llm.endpoint (it usually ends in /v1) and llm.model",
    429: "the server allows no more requests for now; try again later, or ask with --extractive",
}


def unavailable(model: str, error: Failed, *, begun: bool) -> BackendUnavailable:
    """The failure in one sentence, with what to do about it. What the server sent is not repeated: it may quote the
    key. `begun` says that a part of the reply had come."""
    hint = _HINTS.get(error.status, "check llm.endpoint and llm.model, or ask with --extractive")
    if isinstance(error, TookTooLong):
        hint = "raise llm.timeout_s, or ask with --extractive"
    end = " in the middle of its answer" if begun else ""
    return BackendUnavailable(f"the language model {model} {error.reason}{end}", hint=hint)
