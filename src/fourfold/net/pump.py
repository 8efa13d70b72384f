"""What arrives in pieces, within a deadline.

The source runs in a thread of its own, so that neither a slow name server nor bytes that trickle in can hold the caller
beyond its deadline.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator
from typing import TypeVar

from fourfold.net.failed import Failed, TookTooLong

T = TypeVar("T")

WAITING_PIECES = 64
"""Pieces that may wait for the caller before the thread stops reading."""


def pumped(source: Callable[[], Generator[T]], deadline: float, failed: Callable[[Exception], Failed]) -> Iterator[T]:
    """The items of `source` as they come; `deadline` is a time of ``time.monotonic()``.

    Raises Failed, before the first item or between two: what `failed` makes of an exception of the source, TookTooLong
    at the deadline.
    """
    waiting: queue.Queue[tuple[T] | Failed | None] = queue.Queue(WAITING_PIECES)
    stop = threading.Event()

    def put(item: tuple[T] | Failed | None) -> bool:
        while not stop.is_set():
            try:
                waiting.put(item, timeout=0.1)
                return True
            except queue.Full:
                continue
        return False

    def pump() -> None:
        items = source()
        try:
            for item in items:
                if not put((item,)):
                    break
            last = None
        except Failed as error:
            last = error
        except Exception as error:  # whatever a client may raise: it crosses to the caller as a Failed
            last = failed(error)
        finally:
            items.close()
        put(last)

    threading.Thread(target=pump, daemon=True).start()
    try:
        while True:
            try:
                found = waiting.get(timeout=max(deadline - time.monotonic(), 0.0))
            except queue.Empty:
                raise TookTooLong from None
            if found is None:
                return
            if isinstance(found, Failed):
                raise found
            yield found[0]
    finally:
        stop.set()
