"""Messages between the indexer and its workers: a length, then a pickle. Only ever over pipes to our own children."""

from __future__ import annotations

import pickle
import struct
from typing import Any, BinaryIO

_LENGTH = struct.Struct("<Q")
MAX_BYTES = 1 << 34
"""No batch comes near this: what claims to be longer is something else that the child printed."""


def send(stream: BinaryIO, message: Any) -> None:
    """Write one message and flush. Raises BrokenPipeError where the other side is gone."""
    data = pickle.dumps(message, protocol=5)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Read one message; raises EOFError where the stream ends, also in the middle of a message, or holds none."""
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    if length > MAX_BYTES:
        raise EOFError("the other process sent no message")
    return pickle.loads(_exactly(stream, length))


def _exactly(stream: BinaryIO, count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise EOFError("the other process ended")
    return data
