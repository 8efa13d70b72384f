"""The HTTP interface: the engine's answers under ``/api/v1``, and the page, from one process."""
