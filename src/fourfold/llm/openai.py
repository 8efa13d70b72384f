"""A client of servers that speak the chat completions of OpenAI: hosted ones, Ollama, vLLM, LM Studio and others."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from fourfold.llm.http import Failed, Post, TookTooLong, post
from fourfold.llm.load import is_loopback
from fourfold.llm.protocol import Message
from fourfold.llm.sse import BadStream, events
from fourfold.model.errors import BackendUnavailable

RETRIED = frozenset({0, 408, 425, 429, 500, 502, 503, 504, 529})
"""HTTP statuses that a later attempt may not meet (0: no connection)."""
ATTEMPTS = 3
FIRST_WAIT_S = 0.5
"""Before the second attempt; twice that before the third. A server's own Retry-After counts instead where it is
longer."""
MAX_WAIT_S = 20.0
"""A server that asks for a longer wait is not waited for."""
DONE = "[DONE]"


class OpenAIModel:
    """One model of one server. `key` is sent as a bearer token, and never written anywhere."""

    def __init__(
        self,
        endpoint: str,
        model: str,
        key: str = "",
        *,
        timeout_s: float = 60.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = model
        self._url = endpoint.rstrip("/") + "/chat/completions"
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._direct = is_loopback(endpoint)
        self._timeout_s = timeout_s
        self._sleep = sleep

    def stream(self, messages: Sequence[Message], max_tokens: int) -> Iterator[str]:
        """The reply in pieces (see :class:`fourfold.llm.protocol.LanguageModel`)."""
        deadline = time.monotonic() + self._timeout_s
        request = Post(self._url, self._body(messages, max_tokens), self._headers, self._direct)
        begun = False
        for attempt in range(1, ATTEMPTS + 1):
            try:
                for text in _texts(post(request, deadline)):
                    begun = True
                    yield text
                return
            except Failed as error:
                wait = None if begun else _wait(error, attempt, deadline)
                if wait is None:
                    raise self._unavailable(error, begun) from None
                self._sleep(wait)

    def _body(self, messages: Sequence[Message], max_tokens: int) -> dict[str, Any]:
        turns = [{"role": message.role, "content": message.content} for message in messages]
        return {"model": self.name, "messages": turns, "stream": True, "temperature": 0, "max_tokens": max_tokens}

    def _unavailable(self, error: Failed, begun: bool) -> BackendUnavailable:
        """The failure in one sentence, with what to do about it. What the server sent is not repeated: it may quote
        the key."""
        hint = _HINTS.get(error.status, "check llm.endpoint and llm.model, or ask with --extractive")
        if isinstance(error, TookTooLong):
            hint = "raise llm.timeout_s, or ask with --extractive"
        end = " in the middle of its answer" if begun else ""
        return BackendUnavailable(f"the language model {self.name} {error.reason}{end}", hint=hint)


_HINTS = {
    400: "the server does not take the request; check llm.model",
    401: "the server does not accept the key; check the variable that llm.key_env names",
    403: "the server does not accept the key; check the variable that llm.key_env names",
    404: "check llm.endpoint (it usually ends in /v1) and llm.model",
    429: "the server allows no more requests for now; try again later, or ask with --extractive",
}


def _wait(error: Failed, attempt: int, deadline: float) -> float | None:
    """Seconds before the next attempt, or None where there is to be none."""
    if error.status not in RETRIED or attempt >= ATTEMPTS or isinstance(error, TookTooLong):
        return None
    wait = max(FIRST_WAIT_S * 2 ** (attempt - 1), error.retry_after or 0.0)
    return wait if wait <= MAX_WAIT_S and time.monotonic() + wait < deadline else None


def _texts(pieces: Iterable[bytes]) -> Iterator[str]:
    """The text of a streamed reply. Raises Failed where the stream is none of a chat completion or is cut."""
    ended = False
    try:
        for data in events(pieces):
            if data.strip() == DONE:
                return
            text, finished = _piece(data)
            ended = ended or finished
            if text:
                yield text
    except BadStream as error:
        raise Failed(f"sent what is no answer ({error})", status=-1) from None
    if not ended:
        raise Failed("broke off", status=-1)


def _piece(data: str) -> tuple[str, bool]:
    """(text, whether the reply ends with it) of one event."""
    try:
        event = json.loads(data)
        if "error" in event:
            raise Failed("reported an error", status=-1)
        choices = event["choices"]
        if not choices:
            return "", False  # the last event may tell the usage alone
        text = (choices[0].get("delta") or {}).get("content") or ""
        if not isinstance(text, str):
            raise TypeError
        return text, choices[0].get("finish_reason") is not None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise Failed("sent what is no answer", status=-1) from None
