"""A syntax tree within a deadline.

Parsing is stopped by the core's progress callback. Queries are not: the query callback of tree-sitter 0.26 keeps a
pointer to a dead stack frame and crashes the process (seen with 0.26.1 on any query that has matches). What makes
them run away is known, though, and refused or bounded beforehand:

- an ERROR node with n children costs n squared, since the cursor looks at all later siblings at every step
  (200,000 unclosed brackets: 28 s);
- a chain n levels deep costs n squared (``a.b.a.b.`` in Ruby, 4,000 levels: 2 s): no match begins below
  :data:`MAX_START_DEPTH`;
- ``a<a<a<`` makes the Java and C# parsers try every reading at once, between two calls of the callback
  (20,000 open angle brackets: 13 s and 4.5 GB).
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourfold.syntax.grammars import LoadedGrammar

if TYPE_CHECKING:
    from tree_sitter import Node, Point, Query, Range, Tree

Match = tuple[int, "dict[str, list[Node]]"]

MAX_ERROR_CHILDREN = 20_000
"""Children of one ERROR node above which its query is not run: 20,000 squared x 0.7 ns = 0.3 s (measured
slope).
"""

MAX_ERROR_NODES = 20_000
"""Nodes looked at while searching for wide ERROR nodes; a tree with more broken nodes than this is not worth
a query.
"""

MAX_START_DEPTH = 400
"""Depth of the tree below which no definition is looked for; code nested 50 blocks deep stays far above it."""

MAX_OPEN_ANGLES = 1_000
"""Open angle brackets in one statement of Java or C# above which it is not parsed; 1,000 cost 13 MB."""

_ANGLE_GRAMMARS = frozenset({"tree_sitter_java", "tree_sitter_c_sharp"})
_STATEMENT_END = re.compile(rb"[;{}]")

_READ_BYTES = 65_536
"""How much of the source the parser is handed at a time."""

_PREDICATE_BYTES = 256
"""How much is handed out per call once the tree stands: query predicates then read short names, not the file.
"""


class TooSlowError(Exception):
    """Parsing or querying would outlast the deadline; the message is the reason, on one line."""


def parse_tree(loaded: LoadedGrammar, source: bytes, deadline: float, only: Sequence[Range] = ()) -> Tree:
    """The tree of `source` (UTF-8), or of the stretches `only` of it. `deadline` is a reading of
    :func:`time.thread_time`; raises :class:`TooSlowError`.
    """
    if loaded.module in _ANGLE_GRAMMARS:
        _refuse_open_angles(source)
    size = _READ_BYTES

    def read(offset: int, point: Point) -> bytes:
        return source[offset : offset + size]

    def stop(offset: int, has_error: bool) -> bool:
        return time.thread_time() > deadline

    loaded.parser.included_ranges = list(only)
    try:
        tree = loaded.parser.parse(read, progress_callback=stop)
    except ValueError as error:
        loaded.parser.reset()
        raise TooSlowError("parsing took longer than allowed") from error
    size = _PREDICATE_BYTES
    return tree


def run_query(query: Query, tree: Tree, deadline: float, top: Query | None = None) -> list[Match]:
    """All matches of a query in `tree`, and those of `top` that begin at its root (numbered -1). Raises
    :class:`TooSlowError` where the tree's shape forbids it."""
    from tree_sitter import QueryCursor

    root = tree.root_node
    if root.has_error:
        _refuse_wide_errors(root, deadline)
    if time.thread_time() > deadline:
        raise TooSlowError("parsing took longer than allowed")
    cursor = QueryCursor(query)
    cursor.set_max_start_depth(MAX_START_DEPTH)
    found: list[Match] = cursor.matches(root)
    if top is not None:
        cursor = QueryCursor(top)
        cursor.set_max_start_depth(0)
        found += [(-1, captures) for _, captures in cursor.matches(root)]
    return found


@dataclass(frozen=True, slots=True)
class Unread:
    """What of a tree its grammar could not read: so many bytes (what it only missed counts as one), the (first, last)
    rows of each stretch and of each place where it missed something, and whether it missed anything."""

    count: int = 0
    stretches: tuple[tuple[int, int], ...] = ()
    misses: bool = False


def unread(tree: Tree, deadline: float) -> Unread:
    """What the grammar could not read. Raises :class:`TooSlowError`."""
    root = tree.root_node
    if not root.has_error:
        return Unread()
    _refuse_wide_errors(root, deadline)
    count, misses, stretches, stack = 0, False, [], [root]
    while stack:
        node = stack.pop()
        if node.is_error:
            count += max(1, node.end_byte - node.start_byte)
            stretches.append((node.start_point[0], node.end_point[0]))
        elif node.is_missing:
            count += 1
            misses = True
            stretches.append((node.start_point[0], node.end_point[0]))
        else:
            stack.extend(child for child in node.children if child.has_error)
    return Unread(max(1, count), tuple(stretches), misses)


def _refuse_open_angles(source: bytes) -> None:
    if source.count(b"<") <= MAX_OPEN_ANGLES:
        return
    for statement in _STATEMENT_END.split(source):
        if statement.count(b"<") - statement.count(b">") > MAX_OPEN_ANGLES:
            raise TooSlowError("hostile source: thousands of open angle brackets in one statement")


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
