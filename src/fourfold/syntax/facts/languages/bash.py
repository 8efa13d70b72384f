"""Bash: commands that may be functions, files that are sourced."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.rules import Rules
from fourfold.syntax.facts.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_OWN_CALLS = """
    . : [ [[ alias bg bind break builtin caller cd command compgen complete continue declare dirs disown echo enable
    eval
    exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read
    readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias
    unset wait cat cp mv rm mkdir rmdir ls grep egrep fgrep sed awk cut sort uniq head tail tr wc find xargs tee touch
    chmod chown ln basename dirname date sleep env which id uname mktemp readlink realpath expr seq tar curl wget git
    sudo make diff
"""


def _imports(node: Node, source: Source) -> Iterator[Import]:
    argument = node.child_by_field_name("argument")
    path = source.text(argument).strip("\"'")
    if path:
        yield Import(path, "*")


def _clean(name: str) -> str:
    return name if all(char.isalnum() or char in "_-:." for char in name) and name[:1] not in "-.:" else ""


RULES = Rules(imports=_imports, clean=_clean, ignored_calls=frozenset(_OWN_CALLS.split()))
