"""Elixir: alias, import, require and use of modules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fourfold.model.reference import Import
from fourfold.syntax.facts.rules import Rules
from fourfold.syntax.facts.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_OWN_CALLS = """
    def defp defmodule defmacro defmacrop defguard defguardp defdelegate defstruct defexception defprotocol defimpl
    defoverridable defn defnp use import alias require if unless case cond with for receive try raise reraise throw
    quote
    unquote unquote_splicing fn is_nil is_list is_map is_atom is_binary is_integer is_function is_tuple is_boolean
    is_number is_float is_bitstring is_pid is_struct is_exception is_map_key test describe property setup setup_all
    assert refute assert_raise moduledoc doc spec type typep opaque callback macrocallback impl behaviour inspect
    to_string
    length hd tl elem map_size tuple_size byte_size bit_size send self spawn put_in get_in update_in and or not in when
    super struct apply node trunc round abs max min div rem exit optional_callbacks enforce_keys derive deprecated since
    tag moduletag describetag dialyzer compile external_resource
"""
_MODULE = re.compile(r"[A-Z][\w.]*|__MODULE__[\w.]*")
_GROUP = re.compile(r"([A-Z_][\w.]*)\.\{([^}]*)\}", re.DOTALL)
_AS = re.compile(r"\bas:\s*([A-Z]\w*)")
_ONLY = re.compile(r"\bonly:\s*\[([^\]]*)\]", re.DOTALL)
_KEY = re.compile(r"([\w?!]+):")


def _imports(node: Node, source: Source) -> Iterator[Import]:
    verb, _, rest = source.text(node).partition(" ")
    group = _GROUP.match(rest.lstrip(" ("))
    if group:
        for name in re.findall(r"[\w.]+", group.group(2)):
            yield _one(verb, f"{group.group(1)}.{name}")
        return
    found = _MODULE.match(rest.lstrip(" ("))
    if found is None:
        return
    module = found.group().rstrip(".")
    only, alias = _ONLY.search(rest), _AS.search(rest)
    if verb == "import" and only:
        for name in _KEY.findall(only.group(1)):
            yield Import(module, name)
    else:
        yield _one(verb, module, alias.group(1) if alias else "")


def _one(verb: str, module: str, alias: str = "") -> Import:
    return Import(module, "*" if verb in ("import", "use") else "", alias)


RULES = Rules(imports=_imports, selves=frozenset({"__MODULE__"}), ignored_calls=frozenset(_OWN_CALLS.split()))
