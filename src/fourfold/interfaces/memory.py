"""Keeping the memory of a server flat.

The allocator of the GNU C library gives threads heaps of their own, up to eight for each core, and keeps what was freed
for the next need. A server that answers in ever new threads touches the same few megabytes once in each heap, and one
that has built an index or its graph goes on holding what only that took.
"""

from __future__ import annotations

import ctypes
import gc
from functools import lru_cache

_ARENA_MAX = -8
"""``M_ARENA_MAX`` of mallopt(3): how many heaps there may be."""


GARBAGE_THRESHOLD = 10_000
"""New objects between two looks for cyclic garbage in a server: a short command's threshold is for who never looks.
What answers a request ends in cycles (tasks, futures, tracebacks) that hold the answer, some hundred kilobytes."""


def settle() -> None:
    """For the start of a server: one heap for all threads, and regular looks for garbage that leave out what has been
    imported so far."""
    gc.freeze()
    gc.set_threshold(GARBAGE_THRESHOLD)
    _share_one_heap()


def _share_one_heap() -> None:
    """Have all threads that are started from now on allocate from one heap. They wait for each other no more than they
    do: Python's own lock lets one of them run at a time, and arrays above a few hundred kilobytes have no heap."""
    library = _gnu()
    if library is not None:
        library.mallopt(_ARENA_MAX, 1)


def give_back() -> None:
    """Give the system back what is free, at the cost of a few milliseconds: for after a large piece of work."""
    library = _gnu()
    if library is not None:
        library.malloc_trim(0)


@lru_cache(maxsize=1)
def _gnu() -> ctypes.CDLL | None:
    """The C library, None where it is another one."""
    try:
        library = ctypes.CDLL(None)
        return library if hasattr(library, "mallopt") and hasattr(library, "malloc_trim") else None
    except (OSError, TypeError):  # Windows has no library by no name
        return None
