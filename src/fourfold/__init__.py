"""Fourfold: code search that understands the question.

The public Python API. Everything here is importable without loading numpy or a grammar; the heavy parts load when an
index is opened::

    from fourfold import Index

    index = Index.open(".")
    for hit in index.search("where is the retry back-off computed").items:
        print(hit.location, hit.symbol)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fourfold.engine import Index
    from fourfold.engine.workspace import Workspace
    from fourfold.model.errors import FourfoldError
    from fourfold.model.result import SearchResult

__version__ = "0.1.0"
__all__ = ["FourfoldError", "Index", "SearchResult", "Workspace", "__version__"]

_HOMES = {
    "FourfoldError": "fourfold.model.errors",
    "Index": "fourfold.engine",
    "SearchResult": "fourfold.model.result",
    "Workspace": "fourfold.engine.workspace",
}


def __getattr__(name: str) -> Any:
    """Load a public name from its module on first use (PEP 562), so that ``import fourfold`` costs nothing."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'fourfold' has no attribute {name!r}")
