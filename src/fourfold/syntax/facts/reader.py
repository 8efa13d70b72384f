"""From the matches of a query of references to the facts of a file.

What the queries ``<language>.refs.scm`` capture, per match:

- ``@ref.<kind>``: a use of a name, with ``@name``, ``@receiver`` and ``@args`` where the tree has them; without
``@name`` the node itself is a path, split at its last dot; - ``@import``: an import statement, read by the language's
rules; - ``@bind``: a variable with ``@name`` and ``@type``, ``@value`` or ``@listed`` (what it is one of);
``@bind.field``: one that belongs to the type around it; - ``@bind.meaning``: a type with the ``@value`` that it
stands for or the parameters with which it is ``@called``; - ``@returns``: the declared type of what the function
around it returns; - ``@package``: the name of the file's package; - ``@local``: a local variable, where ``@ref.bare``
takes a bare name for a call.

Kinds of uses besides those of :data:`~fourfold.model.reference.REFERENCE_KINDS`: ``ref.pass``, a value that is a
function without doubt; ``ref.token``, a call that stands in bare tokens; ``ref.bare``, a name alone that is a call
unless it is a local variable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourfold.model.reference import Facts, Import
from fourfold.syntax.facts.bindings import Bindings
from fourfold.syntax.facts.references import References
from fourfold.syntax.facts.scopes import Scopes
from fourfold.syntax.facts.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from fourfold.syntax.definitions import Definition
    from fourfold.syntax.facts.rules import Rules
    from fourfold.syntax.grammars import LoadedGrammar
    from fourfold.syntax.tree import Match

Captures = dict[str, "list[Node]"]
Roles = dict[str, "list[Captures]"]
"""Matches by what their pattern finds."""


def by_role(matches: list[Match], loaded: LoadedGrammar) -> Roles:
    """The matches of the patterns of references, by role, in the order in which they were met."""
    first, names = loaded.first_reference, loaded.roles
    roles: Roles = {name: [] for name in names}
    lists = [roles[name] for name in names]
    for number, captures in matches:
        if number >= first:
            lists[number - first].append(captures)
    return roles


def read_facts(
    roles: Roles, definitions: list[Definition], named: frozenset[int], content: bytes, rules: Rules
) -> Facts:
    """The facts in the matches of a reference query over `content`. `named` are the bytes where names of definitions
    begin."""
    source = Source(content)
    scopes = Scopes(definitions)
    bindings = Bindings(source, scopes, rules)
    for captures in roles.get("bind", ()):
        bindings.add(captures, is_field=False)
    for captures in roles.get("bind.field", ()):
        bindings.add(captures, is_field=True)
    for captures in roles.get("bind.meaning", ()):
        bindings.add_meaning(captures)
    for captures in roles.get("returns", ()):
        bindings.add_return(captures["returns"][0])
    imports = list(dict.fromkeys(_imports(roles, source, scopes, rules, bindings.exported)))
    locals_ = [captures["local"][0] for captures in roles.get("local", ())]
    references = References(source, scopes, rules, named, definitions, imports, locals_)
    for role, matches in roles.items():
        if role.startswith("ref."):
            references.add(role[4:], matches)
    package = next((source.path(captures["package"][0]) for captures in roles.get("package", ())), "")
    known = references.known
    return Facts(references.found(), tuple(imports), bindings.found(known), package, tuple(bindings.returns.items()))


def _imports(roles: Roles, source: Source, scopes: Scopes, rules: Rules, exported: set[str]) -> Iterable[Import]:
    for captures in roles.get("import", ()):
        node = captures["import"][0]
        scope = scopes.at(node.start_byte).block
        for one in rules.imports(node, source):
            line = one.line or node.start_point[0] + 1
            passed = one.reexport or (one.alias or one.name or one.module) in exported
            yield Import(one.module, one.name, one.alias, line, scope, passed)
