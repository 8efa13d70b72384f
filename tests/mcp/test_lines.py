"""Messages are read line by line, none without a limit."""

from __future__ import annotations

import io
from typing import Any

import pytest
from pydantic import TypeAdapter

from fourfold.interfaces.mcp.lines import MAX_BYTES, TOO_LONG, Lines
from fourfold.interfaces.mcp.unreadable import refusal


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"a\nb\n", ["a\n", "b\n"]),
        (b"no end", ["no end"]),
        (b"\xff\n", ["\ufffd\n"]),
        (b"123456789\n", ["123456789\n"]),
        (b"0123456789\nb\n", [TOO_LONG, "b\n"]),
        (b"x" * 1000 + b"\nb\n", [TOO_LONG, "b\n"]),
        (b"x" * 1000 + b"\n" + b"y" * 1000 + b"\nb", [TOO_LONG, TOO_LONG, "b"]),
        (b"x" * 1000, [TOO_LONG]),
        (b"x" * 20 + b"\n\nb\n", [TOO_LONG, "\n", "b\n"]),
    ],
)
def test_a_line_has_a_limit_and_the_next_one_is_read(data: bytes, lines: list[str]) -> None:
    reading = Lines(io.BytesIO(data), most=10)
    assert list(iter(reading.next, None)) == lines


class Endless(io.RawIOBase):
    """A stream without an end of line, which counts what is taken from it."""

    taken = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        Endless.taken += len(buffer)
        buffer[:] = b"x" * len(buffer)
        return len(buffer)


def test_an_endless_message_is_refused_before_it_ends() -> None:
    endless: Any = Endless()
    reading = Lines(io.BufferedReader(endless))
    assert reading.next() == TOO_LONG
    assert Endless.taken <= 2 * MAX_BYTES


def test_the_refusal_names_the_limit() -> None:
    with pytest.raises(ValueError) as caught:
        TypeAdapter(dict).validate_json(TOO_LONG)
    assert refusal(caught.value).error.message == "a message of more than 4 MB is not read; send less at once"
    with pytest.raises(ValueError) as caught:
        TypeAdapter(dict).validate_json("{")
    assert refusal(caught.value).error.message == "this line is not JSON"
