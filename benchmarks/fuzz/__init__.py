"""Inputs made up at random, and what must hold of every one: ``python -m benchmarks.fuzz``."""
