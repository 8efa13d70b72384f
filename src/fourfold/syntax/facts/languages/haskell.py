"""Haskell: imports with lists, qualified or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.rules import Rules
from fourfold.syntax.facts.source import Source, child_at

if TYPE_CHECKING:
    from tree_sitter import Node

_OWN_TYPES = """
    Int Integer Bool Char String Double Float IO Maybe Either Ordering Show Eq Ord Enum Bounded Read Num Functor
    Applicative Monad Monoid Semigroup Foldable Traversable Word Rational Type Generic Typeable
"""
_OWN_CALLS = """
    return pure map filter foldr foldl fmap show print putStrLn error undefined id const fst snd mapM mapM_ sequence
    concat concatMap length null not and or otherwise maybe either fromIntegral zip unwords lines words replicate seq
"""


def _imports(node: Node, source: Source) -> Iterator[Import]:
    module = source.field(node, "module")
    alias = source.field(node, "alias")
    words = source.text(node).split()
    qualified = "qualified" in words[1:4]
    names = node.child_by_field_name("names")
    if qualified or alias:
        yield Import(module, "", alias)
    if qualified:
        return
    if names is None or "hiding" in words:
        yield Import(module, "*")
        return
    for one in names.named_children:
        name = source.text(child_at(one, 0)) if one.named_child_count else ""
        if name:
            yield Import(module, name.strip("()"), "", one.start_point[0] + 1)


RULES = Rules(
    imports=_imports,
    selves=frozenset(),
    ignored_types=frozenset(_OWN_TYPES.split()),
    ignored_calls=frozenset(_OWN_CALLS.split()),
)
