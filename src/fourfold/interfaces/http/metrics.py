"""Counters and times in the text form that Prometheus reads (exposition format 0.0.4)."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the buckets of durations, in seconds (the usual ones of Prometheus clients)."""


class Metrics:
    """What the server has done since it started. Labels are methods, route templates and statuses only."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets: dict[str, list[int]] = {}
        self._sums: Counter[str] = Counter()
        self._seconds: dict[str, float] = {}

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request."""
        method = method if method in ("GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS") else "OTHER"
        with self._lock:
            self._requests[method, route, status] += 1
            buckets = self._buckets.setdefault(route, [0] * (len(BUCKETS_S) + 1))
            buckets[bisect_left(BUCKETS_S, seconds)] += 1
            self._sums[route] += 1
            self._seconds[route] = self._seconds.get(route, 0.0) + seconds

    def text(self, gauges: Mapping[str, tuple[str, float]]) -> str:
        """Everything as text; `gauges` maps further names to (help, value)."""
        lines = [
            "# HELP fourfold_http_requests_total Requests answered.",
            "# TYPE fourfold_http_requests_total counter",
        ]
        with self._lock:
            for (method, route, status), count in sorted(self._requests.items()):
                labels = f'method="{method}",route="{_escaped(route)}",status="{status}"'
                lines.append(f"fourfold_http_requests_total{{{labels}}} {count}")
            name = "fourfold_http_request_seconds"
            lines += [f"# HELP {name} Time to answer, in seconds.", f"# TYPE {name} histogram"]
            for route in sorted(self._buckets):
                lines += self._histogram(name, route)
        for name, (about, value) in gauges.items():
            lines += [f"# HELP {name} {about}", f"# TYPE {name} gauge", f"{name} {value:g}"]
        return "\n".join(lines) + "\n"

    def _histogram(self, name: str, route: str) -> list[str]:
        label = f'route="{_escaped(route)}"'
        lines, total = [], 0
        for bound, count in zip((*map(str, BUCKETS_S), "+Inf"), self._buckets[route], strict=True):
            total += count
            lines.append(f'{name}_bucket{{{label},le="{bound}"}} {total}')
        lines.append(f"{name}_sum{{{label}}} {self._seconds[route]:.6f}")
        lines.append(f"{name}_count{{{label}}} {self._sums[route]}")
        return lines


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
