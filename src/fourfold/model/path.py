"""Names inside a root-relative POSIX path."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=65536)
def file_stem(path: str) -> str:
    """The file name up to its first dot; the whole name where it begins with one."""
    name = path.rsplit("/", 1)[-1]
    return name.split(".")[0] or name


SERVICE_MARK = "//"
"""Between the name of a service and a path of it, where several services are searched as one: no path of a tree holds
two slashes in a row."""


def service_path(service: str, path: str) -> str:
    """A path of a service among others: ``web//src/app.py``."""
    return f"{service}{SERVICE_MARK}{path}"


def split_service(path: str) -> tuple[str, str]:
    """(service, path in it); the service is "" for a path of a single tree."""
    service, mark, inner = path.partition(SERVICE_MARK)
    return (service, inner) if mark else ("", path)
