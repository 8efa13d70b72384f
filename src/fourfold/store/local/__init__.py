"""The local store: SQLite as the one truth, immutable segments beside it. :class:`~.store.LocalStore` opens
one."""
