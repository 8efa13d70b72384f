"""Work done by several threads at the same time, whose results come as they are ready."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def side_by_side(work: Callable[[T], R], items: Sequence[T], threads: int) -> Iterator[tuple[T, R]]:
    """(item, result) for each item, in the order in which they are done.

    The first exception ends it: it is raised here, what is under way is left to end by itself. With one thread the work
    is done by the caller's. Threads do not keep the program from ending: a person who presses Ctrl-C need not wait for
    a server.
    """
    if threads <= 1 or len(items) <= 1:
        for item in items:
            yield item, work(item)
        return
    todo: queue.SimpleQueue[T] = queue.SimpleQueue()
    for item in items:
        todo.put(item)
    done: queue.SimpleQueue[tuple[T, R] | BaseException] = queue.SimpleQueue()
    stop = threading.Event()

    def serve() -> None:
        while not stop.is_set():
            try:
                item = todo.get_nowait()
            except queue.Empty:
                return
            try:
                done.put((item, work(item)))
            except BaseException as error:
                done.put(error)
                return

    for _ in range(min(threads, len(items))):
        threading.Thread(target=serve, daemon=True).start()
    try:
        for _ in items:
            found = done.get()
            if isinstance(found, BaseException):
                raise found
            yield found
    finally:
        stop.set()
