"""The facade behind every interface: one object, one index.

::

    from fourfold import Index

    with Index.open("path/to/project") as index:
        index.refresh()
        for hit in index.search("where is the retry back-off computed").items:
            print(hit.location, hit.symbol, hit.score)
"""

from __future__ import annotations

from fourfold.engine.index import Index

__all__ = ["Index"]
