"""How a collection is laid out: its vectors, its payload indexes, and how it is spread over a cluster.

One collection holds all services. Kinds of points (payload ``point``): ``chunk`` and ``file`` are code, with vectors;
``blob`` is a part of something kept whole (columns of a batch, statistics, a graph); ``manifest``, ``lease`` and
``schema`` are one each, the first two for a service. Only the manifest says which generation is published.
"""

from __future__ import annotations

from dataclasses import dataclass

SCHEMA_VERSION = 1
"""Version of this layout; a collection of another one is refused."""

CODE, CONTENT, WORDS = "code", "content", "words"
"""Named vectors. ``code`` is the unit vector of content plus path, ``content`` that of content alone; ``words`` is
sparse: term saturations, which the engine multiplies with the idf of the service."""

LIVE = 2**53 - 1
"""``valid_to`` of a point that is current: the largest whole number that a range filter compares exactly."""

KEYWORDS = ("point", "path", "language", "kind", "symbol", "names", "name", "owner", "stamp")
INTEGERS = ("file", "valid_from", "valid_to", "changed", "grams", "until", "generation")
TENANT = "service"
"""The keyword that separates services: the engine keeps the points of one together (`is_tenant`)."""

QUANTISATIONS = ("none", "int8", "binary")


@dataclass(frozen=True, slots=True)
class Layout:
    """What a collection is made with. `dimension` 0: no dense vectors. Changes need ``fourfold store reshape``."""

    dimension: int
    shards: int = 1
    replicas: int = 1
    quantisation: str = "int8"
    on_disk: bool = True
