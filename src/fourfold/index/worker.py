"""A worker process: ``python -P -m fourfold.index.worker``, fed over its standard input.

The first message is a :class:`PrepareOptions`, answered by :data:`READY`; each further one is a list of tasks,
answered by one :class:`Prepared`.
The process ends with its input, so it cannot outlive the indexer.
"""

from __future__ import annotations

import os
import signal
import sys

from fourfold.index.frames import receive, send

READY = "ready"
"""First reply: everything that preparing needs is imported. What dies before it is a fault of the installation."""


def main() -> int:
    """Serve tasks until the input ends."""
    # Ctrl-C reaches the whole process group; the indexer decides when its workers stop.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever a library prints must not mix with the replies.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    requests = sys.stdin.buffer
    try:
        from fourfold.index.prepare import Preparer

        preparer = Preparer(receive(requests))
        send(replies, READY)
        while True:
            send(replies, preparer.prepare(receive(requests)))
    except (EOFError, BrokenPipeError):
        return 0


if __name__ == "__main__":
    sys.exit(main())
