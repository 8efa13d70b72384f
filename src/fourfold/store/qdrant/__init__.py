"""The Qdrant store: an index on a server or a cluster (docs/qdrant.md)."""
