"""The local store: SQLite as the one truth, immutable segments beside it."""
