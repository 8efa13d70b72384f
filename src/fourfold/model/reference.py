"""What a file refers to: uses of names, imports, and what it says of the types of its variables."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

REFERENCE_KINDS: tuple[str, ...] = ("call", "new", "inherit", "decorator", "type", "value")
"""How a name is used; ``value`` is a function or type that is passed or read by name. Stored as a position in this
tuple: append only."""

BINDING_SOURCES: tuple[str, ...] = ("annotation", "constructor", "call", "alias", "argument", "meaning")
"""How a file says what type a variable has. Stored as a position in this tuple: append only."""

MAX_RECEIVER_CHARS = 80
"""A longer receiver is cut: what stands at its beginning decides where it leads."""

MAX_LINES = 3
"""Of identical references (scope, name, receiver, kind) the first so many are kept."""

FACTS_FORMAT = 1
"""Version of the bytes of :func:`encode`."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One use of a name. `line` counts from 1.

    `name` is the bare name ("request"). `receiver` is the expression before its last dot: blanks removed, calls
    reduced to ``f()`` and subscripts to ``a[]``, ``->`` and ``?.`` written as ``.``, at most
    :data:`MAX_RECEIVER_CHARS` characters; ``::`` stays ("self.client", "np.linalg", "super()", "Client()", "pkg::mod",
    "$this.repo"); "" for a plain name. `scope` is the qualified name of the innermost definition around it ("" at
    module level). `arguments` is how many arguments are passed, -1 where nothing is called or it is not known.
    """

    name: str
    kind: str
    line: int
    receiver: str = ""
    scope: str = ""
    arguments: int = -1


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name. `line` counts from 1.

    `module` is written as in the source ("..pkg.mod", "./util", "java.util", "crate::net", ``<stdio.h>``,
    ``"x.h"``); "" means this file (an export under another name: ``export default Foo`` has the name "Foo" and the
    alias "default"). `name` is "" for the module itself and "*" for everything in it; `alias` is the local name
    where it differs. `scope` is the innermost function or type around it. `reexport`: others may import the name from
    here.
    """

    module: str
    name: str = ""
    alias: str = ""
    line: int = 0
    scope: str = ""
    reexport: bool = False


@dataclass(frozen=True, slots=True)
class Binding:
    """What the source says of the type of a variable. `line` counts from 1.

    `scope` is the enclosing type for a field (``self.client`` is "client"), the enclosing function for a parameter
    or local, "" for a variable of the module. `type` is a bare name without type arguments, pointers and "or nothing".
    `source`: "annotation" (declared), "constructor" (``x = Client()``), "call" (``x = make()``: `type` is the callee,
    "make" or "mod.make"), "alias" (``x = y.z``: `type` is "y.z"), "argument" (a parameter of a function that is
    passed: `type` is "callee#argument#parameter", the two by number), "meaning" (what the type that is `scope` stands
    for, as written: "A & B", "(c: Context) => R"; `name` is "()" for what a type takes when it is called, else "=").
    A list of things of a type is "Thing[]".
    """

    scope: str
    name: str
    type: str
    source: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of one file. `package` is the package, namespace or module it declares; `returns` are pairs of the
    qualified name of a function and the bare name of the type that it is declared to return."""

    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    bindings: tuple[Binding, ...] = ()
    package: str = ""
    returns: tuple[tuple[str, str], ...] = ()


class _Words:
    """Texts by number, each once."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {"": 0}

    def numbers(self, texts: Iterable[str]) -> list[int]:
        known = self.texts
        return [known.setdefault(text, len(known)) for text in texts]


def encode(facts: Facts) -> bytes:
    """`facts` as compressed JSON: a format number, the texts, and for each kind of fact one list a column."""
    words = _Words()
    references, imports, bindings = facts.references, facts.imports, facts.bindings
    columns = [
        words.numbers(one.name for one in references),
        [REFERENCE_KINDS.index(one.kind) for one in references],
        [one.line for one in references],
        words.numbers(one.receiver for one in references),
        words.numbers(one.scope for one in references),
        [one.arguments for one in references],
        words.numbers(one.module for one in imports),
        words.numbers(one.name for one in imports),
        words.numbers(one.alias for one in imports),
        [one.line for one in imports],
        words.numbers(one.scope for one in imports),
        [int(one.reexport) for one in imports],
        words.numbers(one.scope for one in bindings),
        words.numbers(one.name for one in bindings),
        words.numbers(one.type for one in bindings),
        [BINDING_SOURCES.index(one.source) for one in bindings],
        [one.line for one in bindings],
        words.numbers(name for name, _ in facts.returns),
        words.numbers(kind for _, kind in facts.returns),
        words.numbers([facts.package]),
    ]
    text = json.dumps([FACTS_FORMAT, list(words.texts), columns], ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 1)


def decode(data: bytes) -> Facts:
    """The facts that :func:`encode` wrote. Raises ValueError where `data` is damaged or of another version."""
    try:
        content = json.loads(zlib.decompress(data).decode("utf-8", "surrogatepass"))
        if not isinstance(content, list) or content[0] != FACTS_FORMAT:
            raise ValueError("facts of another version")
        return _decoded(content[1], content[2])
    except (zlib.error, LookupError, TypeError, AttributeError) as error:
        raise ValueError("facts are damaged") from error


def _decoded(words: Sequence[str], columns: Sequence[Sequence[int]]) -> Facts:
    text = words.__getitem__
    name, kind, line, receiver, scope, arguments = columns[:6]
    references = map(
        Reference,
        map(text, name),
        map(REFERENCE_KINDS.__getitem__, kind),
        line,
        map(text, receiver),
        map(text, scope),
        arguments,
    )
    module, name, alias, line, scope, reexport = columns[6:12]
    imports = map(
        Import, map(text, module), map(text, name), map(text, alias), line, map(text, scope), map(bool, reexport)
    )
    scope, name, kind, source, line = columns[12:17]
    sources = map(BINDING_SOURCES.__getitem__, source)
    bindings = map(Binding, map(text, scope), map(text, name), map(text, kind), sources, line)
    returns = zip(map(text, columns[17]), map(text, columns[18]), strict=True)
    package = text(columns[19][0])
    return Facts(tuple(references), tuple(imports), tuple(bindings), package, tuple(returns))
