"""Messages that are none: a client that sends one is told so instead of waiting for an answer for ever."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anyio
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError

from fourfold.interfaces.mcp.lines import TOO_LONG

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

Reading = Any
"""A stream of the SDK: messages, or the exceptions of lines that hold none."""


class Answering:
    """A stream of messages without the unreadable ones: those are answered with an error as JSON-RPC 2.0 has it, under
    their id where one can be read."""

    def __init__(self, stream: Reading, send: Callable[[SessionMessage], Awaitable[None]]) -> None:
        self._stream = stream
        self._send = send

    @property
    def last_context(self) -> Any:
        """The context of the last message, as the SDK's own streams tell it."""
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> SessionMessage:
        """The next message. Raises ``anyio.EndOfStream`` behind the last."""
        while True:
            item = await self._stream.receive()
            if not isinstance(item, Exception):
                message: SessionMessage = item
                return message
            await self._send(SessionMessage(refusal(item)))

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    def __aiter__(self) -> Answering:
        return self

    async def __anext__(self) -> SessionMessage:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Answering:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def refusal(error: Exception) -> JSONRPCError:
    """What is answered to a line that the SDK could not read as a message."""
    found = _parsed(error)
    if found is None:
        said = ErrorData(code=PARSE_ERROR, message=_not_json(error))
        return JSONRPCError(jsonrpc="2.0", id=None, error=said)
    given = found.get("id") if isinstance(found, dict) else None
    known = isinstance(given, str) or (isinstance(given, int) and not isinstance(given, bool))
    text = "this is no JSON-RPC 2.0 message: see jsonrpc, id, method and params"
    if isinstance(given, str) and not _encodable(given):
        known = False
    return JSONRPCError(jsonrpc="2.0", id=given if known else None, error=ErrorData(code=INVALID_REQUEST, message=text))


def _not_json(error: Exception) -> str:
    """Why a line is none; of one that was too long the SDK was given something else to read."""
    try:
        given = error.errors(include_url=False)[0]["input"]  # type: ignore[attr-defined]
    except (AttributeError, LookupError, TypeError):
        given = ""
    return f"{TOO_LONG} is not read; send less at once" if given == TOO_LONG else "this line is not JSON"


def _parsed(error: Exception) -> Any:
    """The JSON of the line that an error of the SDK speaks of; None where it is none. A lone surrogate is JSON, too."""
    try:
        faults = error.errors(include_url=False)  # type: ignore[attr-defined]
        lines = [fault["input"] for fault in faults if fault["type"] == "json_invalid"]
        found: Any = next((fault["input"] for fault in faults if _has_id(fault["input"])), {})
        return json.loads(lines[0]) if lines else found
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError):
        return None


def _has_id(value: Any) -> bool:
    return isinstance(value, dict) and "id" in value


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
