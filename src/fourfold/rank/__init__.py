"""Intent, weights, fusion, signals and demotion: pure functions, no I/O and no model."""
