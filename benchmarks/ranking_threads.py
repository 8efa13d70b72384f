"""Whether a second thread makes ranking faster: the same questions on one index by 1, 2 and 4 threads, in turn.

    python -m benchmarks.ranking_threads --root django

Printed for each number of threads: questions a second, processor milliseconds a question, median and 99th percentile of
the time from asking to answer with eight questions always waiting. The rounds alternate: the load of the machine meets
all alike. Compare within one run only.
"""

from __future__ import annotations

import argparse
import itertools
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.http_load import QUESTIONS
from fourfold import Index

THREADS = (1, 2, 4)
ROUNDS = 5
ENDLESS = itertools.cycle(QUESTIONS)
ASKED = 48
"""Questions of a round; the next round asks others, so that no answer is one that was kept."""


def one_round(index: Index, threads: int) -> tuple[float, float, list[float]]:
    """(wall seconds, processor seconds, times from asking to answer)."""
    times: list[float] = []

    def ask(question: str, asked: float) -> None:
        index.search(question, limit=10, refresh=False)
        times.append(time.perf_counter() - asked)

    begun, cpu = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        waiting = list(itertools.islice(ENDLESS, ASKED))
        while waiting:
            batch, waiting = waiting[:8], waiting[8:]
            asked = time.perf_counter()
            for future in [pool.submit(ask, question, asked) for question in batch]:
                future.result()
    return time.perf_counter() - begun, time.process_time() - cpu, times


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ranking_threads", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="the repository to ask, indexed before")
    chosen = parser.parse_args()
    with Index.open(chosen.root) as index:
        one_round(index, 1)
        found: dict[int, list[tuple[float, float, list[float]]]] = {threads: [] for threads in THREADS}
        for _ in range(ROUNDS):
            for threads in THREADS:
                found[threads].append(one_round(index, threads))
    print("threads  questions/s  cpu ms  median ms  p99 ms")
    for threads, rounds in found.items():
        asked = sum(len(times) for _, _, times in rounds)
        times = sorted(one * 1000 for _, _, some in rounds for one in some)
        rate = asked / sum(wall for wall, _, _ in rounds)
        cpu = 1000 * sum(cpu for _, cpu, _ in rounds) / asked
        print(f"{threads:7}  {rate:11.1f}  {cpu:6.2f}  {times[asked // 2]:9.1f}  {times[int(asked * 0.99)]:6.1f}")


if __name__ == "__main__":
    main()
