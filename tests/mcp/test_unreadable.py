"""A client that sends something that is no message is told so."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter

from fourfold.interfaces.mcp.unreadable import Answering

PING = '{"jsonrpc":"2.0","id":9,"method":"ping"}'


def answers(*lines: str) -> tuple[list[Any], list[Any]]:
    """(what is sent back, messages that are passed on) for some lines, read as the SDK reads them."""
    sent: list[Any] = []
    passed: list[Any] = []

    async def keep(message: SessionMessage) -> None:
        sent.append(message.message.model_dump(by_alias=True))

    async def read() -> None:
        into, out = anyio.create_memory_object_stream[Any](len(lines))
        async with into:
            for line in lines:
                try:
                    await into.send(SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False)))
                except ValueError as error:
                    await into.send(error)
        async with Answering(out, keep) as messages:
            passed.extend([message async for message in messages])

    anyio.run(read)
    return sent, passed


@pytest.mark.parametrize(
    ("line", "code", "number"),
    [
        ("{bad", -32700, None),
        ("", -32700, None),
        ("[" * 50_000, -32700, None),
        ("[]", -32600, None),
        ("5", -32600, None),
        ('{"jsonrpc":"1.0","id":5,"method":"ping"}', -32600, 5),
        ('{"jsonrpc":"2.0","id":6,"method":"tools/call","params":"x"}', -32600, 6),
        ('{"jsonrpc":"2.0","id":true,"method":"tools/call","params":"x"}', -32600, None),
        ('{"jsonrpc":"2.0","id":"a","method":"x","params":{"query":"zebra \\ud800"}}', -32600, "a"),
        ('{"jsonrpc":"2.0","id":"\\ud800","method":"x"}', -32600, None),
    ],
)
def test_what_is_no_message_is_refused_under_its_id(line: str, code: int, number: object) -> None:
    sent, passed = answers(line, PING)
    assert [(one["error"]["code"], one["id"]) for one in sent] == [(code, number)]
    assert [message.message.id for message in passed] == [9]
