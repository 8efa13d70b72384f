"""A syntax tree within a deadline.

Parsing is stopped by the core's progress callback. Queries are not: the query callback of tree-sitter 0.26
keeps a pointer to a dead stack frame and crashes the process (seen with 0.26.1 on any query that has
matches). What makes a query slow is known, though: the cursor looks at all later siblings at every step, so
an ERROR node with n children costs n squared (measured: 200,000 unclosed brackets take 28 s). Such trees are
refused before the query runs.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from fourfold.syntax.grammars import LoadedGrammar

if TYPE_CHECKING:
    from tree_sitter import Node, Point, Tree

Match = tuple[int, "dict[str, list[Node]]"]

MAX_ERROR_CHILDREN = 20_000
"""Children of one ERROR node above which its query is not run: 20,000 squared x 0.7 ns = 0.3 s (measured
slope).
"""

MAX_ERROR_NODES = 20_000
"""Nodes looked at while searching for wide ERROR nodes; a tree with more broken nodes than this is not worth
a query.
"""

_READ_BYTES = 65_536
"""How much of the source the parser is handed at a time."""

_PREDICATE_BYTES = 256
"""How much is handed out per call once the tree stands: query predicates then read short names, not the file.
"""


class TooSlowError(Exception):
    """Parsing or querying would outlast the deadline; the message is the reason, on one line."""


def parse_tree(loaded: LoadedGrammar, source: bytes, deadline: float) -> Tree:
    """The tree of `source` (UTF-8). `deadline` is a reading of :func:`time.thread_time`; raises
    :class:`TooSlowError`.
    """
    size = _READ_BYTES

    def read(offset: int, point: Point) -> bytes:
        return source[offset : offset + size]

    def stop(offset: int, has_error: bool) -> bool:
        return time.thread_time() > deadline

    try:
        tree = loaded.parser.parse(read, progress_callback=stop)
    except ValueError as error:
        loaded.parser.reset()
        raise TooSlowError("parsing took longer than allowed") from error
    size = _PREDICATE_BYTES
    return tree


def run_query(loaded: LoadedGrammar, tree: Tree, deadline: float) -> list[Match]:
    """All matches of the language's query in `tree`. Raises :class:`TooSlowError` where the tree's shape
    forbids it.
    """
    from tree_sitter import QueryCursor

    root = tree.root_node
    if root.has_error:
        _refuse_wide_errors(root, deadline)
    if time.thread_time() > deadline:
        raise TooSlowError("parsing took longer than allowed")
    return QueryCursor(loaded.query).matches(root)


def _refuse_wide_errors(root: Node, deadline: float) -> None:
    stack = [root]
    seen = 0
    while stack:
        node = stack.pop()
        count = node.child_count
        if count > MAX_ERROR_CHILDREN and (node.is_error or node.type == "ERROR"):
            raise TooSlowError(f"broken source: {count} tokens in one unreadable stretch")
        seen += count
        if seen > MAX_ERROR_NODES * 10 or time.thread_time() > deadline:
            raise TooSlowError("broken source: too many unreadable stretches")
        stack.extend(child for child in node.children if child.has_error)
