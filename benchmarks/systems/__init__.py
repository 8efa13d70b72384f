"""The systems that are compared: Fourfold's presets, plain BM25 and ripgrep."""
