"""Faults done to a real index, and what became of it: ``python -m benchmarks.faults``."""
