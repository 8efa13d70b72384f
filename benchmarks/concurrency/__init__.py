"""Everything at once on one index, each answer checked: ``python -m benchmarks.concurrency``."""
