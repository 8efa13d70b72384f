"""What the resolver must know of each language beyond its modules."""

from __future__ import annotations

import re
import sys

IMPLICIT_THIS = frozenset({"java", "kotlin", "scala", "csharp", "cpp", "swift", "ruby", "dart"})
"""Languages where a bare name inside a type may be one of its members."""
OPEN_TYPES = frozenset(
    {"ruby", "swift", "c", "cpp", "php", "elixir", "sql", "csharp", "kotlin", "scala", "dart", "vue", "svelte"}
)
"""Languages where a type may be named without an import that a reader of one file sees."""
OPEN_FUNCTIONS = frozenset({"c", "cpp", "ruby", "bash", "sql", "lua", "php", "elixir", "haskell", "swift"})
"""Languages where a function may be called without such an import."""
OVERLOADING = frozenset({"java", "kotlin", "scala", "csharp", "cpp", "swift"})
"""Languages where methods of one name differ in what they take, inherited ones among them."""
PASS_ON = frozenset({"python", "ecmascript", "rust", "paths"})
"""Families where what a module imports may be had from it."""
FOREIGN = frozenset(
    "int float double long short char byte bool boolean string str bytes object decimal list dict set tuple map array "
    "console window document process std os sys math json".split()
)
"""Receivers in lower case that are types and objects of languages and their libraries."""
BROWSER = frozenset({"console", "window", "document", "process"})
"""Those of them that only JavaScript has: elsewhere a variable may be called so."""
SELF = frozenset({"self", "this", "cls", "Self", "$this", "static", "@self", "me"})
SUPER = frozenset({"super", "super()"})
_SUPER_OF = {"php": frozenset({"parent"}), "csharp": frozenset({"base"})}
"""Elsewhere ``parent`` and ``base`` are variables like others."""
_STANDARD_ROOTS = {
    "ecmascript": re.compile(r"^node:"),
    "go": re.compile(r"^[^./]+(/[^.]*)?$"),
    "rust": re.compile(r"^(std|core|alloc)\b"),
    "packages": re.compile(r"^(javax?|kotlinx?|scala|System)\b"),
}
"""Modules of the languages' own libraries; Go's are those whose path does not begin with a host name."""
_SEPARATORS = {"rust": "::", "php": "\\", "cpp": "::", "ruby": "::"}
COMMON_MEMBERS = frozenset(
    "get set add append extend insert remove pop clear copy update items keys values index count sort reverse join "
    "split strip replace format encode decode startswith endswith lower upper find read write close open seek flush "
    "push shift unshift slice splice concat map filter reduce foreach forEach includes indexOf then catch finally "
    "toString equals hashCode size length isEmpty contains put next hasNext iterator stream collect of to_s to_i each "
    "inject select reject first last len iter unwrap expect clone into from as_ref is_some is_none ok err log print "
    "println printf info debug warn error test match exec call apply bind parse stringify String Error "
    "start stop run".split()
)
"""Members that types of standard libraries have too: a call on an unknown receiver says nothing of whose it is, even
where this repository defines the name once."""


def is_super(name: str, language: str) -> bool:
    """True for what an object calls what it inherits."""
    return name in _SUPER_OF.get(language, SUPER)


def separator(language: str) -> str:
    """What stands between the parts of a module path."""
    return _SEPARATORS.get(language, "" if language in ("javascript", "typescript", "tsx", "go") else ".")


def is_standard(family: str, module: str) -> bool:
    """True for a module of the language's own library, which nothing of this repository comes from."""
    if family == "python":
        return module.partition(".")[0] in sys.stdlib_module_names
    known = _STANDARD_ROOTS.get(family)
    return known is not None and known.match(module) is not None
