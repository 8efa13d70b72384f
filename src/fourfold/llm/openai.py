"""A client of servers that speak the chat completions of OpenAI, through the standard library: Ollama, vLLM, LM Studio,
hosted ones and others."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fourfold.llm.decide import decided
from fourfold.llm.failed import unavailable
from fourfold.llm.protocol import Decision, Message
from fourfold.llm.sse import BadStream, events
from fourfold.llm.usage import Usage
from fourfold.net.failed import Failed, TookTooLong
from fourfold.net.http import Post, post
from fourfold.net.keys import is_loopback

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
        usage: Usage | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = model
        self.usage = usage if usage is not None else Usage()
        self._url = endpoint.rstrip("/") + "/chat/completions"
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._direct = is_loopback(endpoint)
        self._timeout_s = timeout_s
        self._sleep = sleep

    def stream(self, messages: Sequence[Message], max_tokens: int) -> Iterator[str]:
        """The reply in pieces (see :class:`fourfold.llm.protocol.LanguageModel`)."""
        yield from self._asked(messages, self._body(messages, max_tokens), _Reply())

    def decide(self, messages: Sequence[Message], decision: Decision, max_tokens: int) -> dict[str, Any]:
        """A tool call (see :class:`fourfold.llm.protocol.LanguageModel`). A server that knows no tools may write the
        object as text."""
        tool = {"name": decision.name, "description": decision.description, "parameters": decision.schema}
        body = self._body(messages, max_tokens) | {
            "tools": [{"type": "function", "function": tool}],
            "tool_choice": {"type": "function", "function": {"name": decision.name}},
        }
        reply = _Reply()
        text = "".join(self._asked(messages, body, reply))
        try:
            return decided(decision, reply.arguments, text)
        except Failed as error:
            raise unavailable(self.name, error, begun=False) from None

    def _asked(self, messages: Sequence[Message], body: dict[str, Any], reply: _Reply) -> Generator[str]:
        """The text of one reply; more than one attempt where that may help."""
        deadline = time.monotonic() + self._timeout_s
        request = Post(self._url, body, self._headers, self._direct)
        begun = False
        for attempt in range(1, ATTEMPTS + 1):
            try:
                for text in reply.texts(post(request, deadline)):
                    begun = True
                    yield text
                reply.count(self.usage, messages)
                return
            except Failed as error:
                wait = None if begun else _wait(error, attempt, deadline)
                if wait is None:
                    raise unavailable(self.name, error, begun=begun) from None
                self._sleep(wait)

    def _body(self, messages: Sequence[Message], max_tokens: int) -> dict[str, Any]:
        turns = [{"role": message.role, "content": message.content} for message in messages]
        streamed = {"stream": True, "stream_options": {"include_usage": True}}
        return {"model": self.name, "messages": turns, **streamed, "temperature": 0, "max_tokens": max_tokens}


def _wait(error: Failed, attempt: int, deadline: float) -> float | None:
    """Seconds before the next attempt, or None where there is to be none."""
    if error.status not in RETRIED or attempt >= ATTEMPTS or isinstance(error, TookTooLong):
        return None
    wait = max(FIRST_WAIT_S * 2 ** (attempt - 1), error.retry_after or 0.0)
    return wait if wait <= MAX_WAIT_S and time.monotonic() + wait < deadline else None


@dataclass(slots=True)
class _Reply:
    """A streamed reply as it grows: what it wrote, the arguments of the tool that it called, what it used."""

    arguments: str = ""
    chars: int = 0
    used: tuple[int, int] | None = None
    _ended: bool = False

    def texts(self, pieces: Iterable[bytes]) -> Iterator[str]:
        """The text in pieces. Raises Failed where the stream is none of a chat completion or is cut."""
        self._ended = False
        try:
            for data in events(pieces):
                if data.strip() == DONE:
                    return
                text = self._piece(data)
                self.chars += len(text)
                if text:
                    yield text
        except BadStream as error:
            raise Failed(f"sent what is no answer ({error})", status=-1) from None
        if not self._ended:
            raise Failed("broke off", status=-1)

    def count(self, usage: Usage, messages: Sequence[Message]) -> None:
        """Add what was used."""
        if self.used is not None:
            usage.add(*self.used)
        else:
            usage.estimate(messages, self.chars + len(self.arguments))

    def _piece(self, data: str) -> str:
        """The text of one event; what else it tells is kept."""
        try:
            event = json.loads(data)
            if "error" in event:
                raise Failed("reported an error", status=-1)
            if event.get("usage"):
                self.used = int(event["usage"]["prompt_tokens"]), int(event["usage"]["completion_tokens"])
            choices = event["choices"]
            if not choices:
                return ""  # the last event may tell the usage alone
            delta = choices[0].get("delta") or {}
            self.arguments += "".join(call["function"].get("arguments") or "" for call in delta.get("tool_calls") or ())
            self._ended = self._ended or choices[0].get("finish_reason") is not None
            text = delta.get("content") or ""
            if not isinstance(text, str):
                raise TypeError
            return text
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            raise Failed("sent what is no answer", status=-1) from None
