"""Embedding models that do not come with Fourfold: local ones of other packages, and servers. All opt-in."""
