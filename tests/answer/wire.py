"""What servers of language models send, on both wire protocols: text, tool calls, cut and broken streams."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.answer.conftest import Script, raw

PIECE = 7


def _sent(data: Mapping[str, Any], *, named: bool = False) -> bytes:
    name = f"event: {data['type']}\n" if named else ""
    return f"{name}data: {json.dumps(data)}\n\n".encode()


def _pieces(text: str) -> list[str]:
    return [text[at : at + PIECE] for at in range(0, len(text), PIECE)]


def openai_stream(text: str = "", arguments: str = "", *, whole: bool = True, usage: bool = True) -> bytes:
    """Chat completion chunks; `arguments` are those of one tool call."""

    def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return _sent({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]})

    found = [chunk({"role": "assistant", "content": part}) for part in _pieces(text)]
    for number, part in enumerate(_pieces(arguments)):
        call: dict[str, Any] = {"index": 0, "function": {"arguments": part}}
        if not number:
            call |= {"id": "call_1", "type": "function"}
            call["function"] |= {"name": "choose"}
        found.append(chunk({"tool_calls": [call]}))
    if whole:
        found.append(chunk({}, "tool_calls" if arguments else "stop"))
        if usage:
            counts = {"prompt_tokens": 120, "completion_tokens": 8, "total_tokens": 128}
            found.append(
                _sent({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [],
                       "usage": counts})
            )  # fmt: skip
        found.append(b"data: [DONE]\n\n")
    return b"".join(found)


def anthropic_stream(text: str = "", arguments: str = "", *, whole: bool = True) -> bytes:
    """Events of the messages API; `arguments` are those of one tool call."""
    message = {
        "id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None,
        "stop_sequence": None, "usage": {"input_tokens": 120, "output_tokens": 1},
    }  # fmt: skip
    found = [_sent({"type": "message_start", "message": message}, named=True), _sent({"type": "ping"}, named=True)]
    if arguments:
        block: dict[str, Any] = {"type": "tool_use", "id": "t", "name": "choose", "input": {}}
        deltas = [{"type": "input_json_delta", "partial_json": part} for part in _pieces(arguments)]
    else:
        block = {"type": "text", "text": ""}
        deltas = [{"type": "text_delta", "text": part} for part in _pieces(text)]
    found.append(_sent({"type": "content_block_start", "index": 0, "content_block": block}, named=True))
    found += [_sent({"type": "content_block_delta", "index": 0, "delta": one}, named=True) for one in deltas]
    if whole:
        end = {"stop_reason": "end_turn", "stop_sequence": None}
        found.append(_sent({"type": "content_block_stop", "index": 0}, named=True))
        found.append(_sent({"type": "message_delta", "delta": end, "usage": {"output_tokens": 8}}, named=True))
        found.append(_sent({"type": "message_stop"}, named=True))
    return b"".join(found)


def tool(arguments: Any) -> Script:
    """A call of the tool that was asked for, on the protocol of OpenAI."""
    return raw(openai_stream(arguments=json.dumps(arguments)))
