"""Definitions beside those of Universal Ctags: which of them the syntax layer knows, by language and kind.

A tag counts as known where a symbol of its bare name holds its line. Left out are kinds that are no definitions here
(imports, packages, accessors made at run time) and, by hand-checked patterns, what ctags reads wrongly.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.structure.calls import sources
from benchmarks.structure.site import ToolMissing
from benchmarks.structure.truth.lines import run
from fourfold.model.symbol import Symbol
from fourfold.syntax.parse import parse_file

KINDS = {
    "Python": "class function member variable",
    "Java": "annotation class enumConstant field enum interface method",
    "JavaScript": "constant getter field setter class function generator method variable",
    "TypeScript": "constant generator alias class enumerator function enum interface method namespace property "
    "variable",
    "Go": "talias const func interface member methodSpec struct type var",
    "C": "macro enumerator function enum member struct typedef union variable",
    "C++": "class macro enumerator function enum member namespace struct typedef union variable",
    "C#": "event class enumerator field enum interface method namespace property struct",
    "Ruby": "class method module singletonMethod constant",
    "PHP": "class define function interface trait variable",
    "Lua": "function",
    "Kotlin": "constant typealias class interface method object variable",
    "Elixir": "macro delegate exception function guard module protocol type",
    "Haskell": "constructor function module type",
    "Sh": "function",
    "Rust": "macro method enumerator function enum interface field module struct typedef variable",
    "SQL": "function procedure table view index trigger",
}
"""Kinds of ctags that are definitions here too."""

_LANGUAGES = {
    "python": "Python", "java": "Java", "javascript": "JavaScript", "typescript": "TypeScript", "go": "Go", "c": "C",
    "cpp": "C++", "csharp": "C#", "ruby": "Ruby", "php": "PHP", "lua": "Lua", "kotlin": "Kotlin", "elixir": "Elixir",
    "haskell": "Haskell", "bash": "Sh", "rust": "Rust", "sql": "SQL",
}  # fmt: skip
"""Our name of a language -> that of ctags."""

_READ_WRONGLY = tuple(
    (language, frozenset(kinds.split()), re.compile(line))
    for language, kinds, line in (
        # A file of the module is its definition; this only mounts it.
        ("Rust", "module", r"^(?:#\[.*\]\s*)?(?:pub(?:\(.*\))?\s+)?mod \w+;"),
        # Types that an import or export list names, and branches of conditional types.
        ("TypeScript", "alias", r"^(?!.*\btype\s+[\w$]+\s*(?:<|=|$))"),
        ("TypeScript", "property method enum", r"\bextends\b.*\?|^\)|\bas any\b|^(?:if|for|while|switch|new)\b|^\) =>"),
        # Parameters: of methods that are one expression, and of lambdas.
        ("C#", "field property struct class", r"^where\b|=> .*// |\w[>?\]]? \w+(?:<[^>]*>)?\(.*\)\s*(?:=>|$)"),
        ("Kotlin", "method", r"^(?!.*\b(?:fun|get|set|constructor|init)\b)"),
        ("Sh", "function", r"^(?:(?:local|declare|readonly|typeset)\b.*)?\w+=\("),
        # Lines with the word function that hold a call, a comparison, a comment or a text; keys that are no names.
        ("Lua", "function", r"^(?!.*(?:\bfunction\s+[\w.:]+\s*\(|[\w\]]\s*=\s*(?:function\b|.*\bor function\b)))"),
        ("Lua", "function", r"\[\w+\] = function|^end\] ="),
        # Variables of a script at its top; only properties are definitions.
        ("PHP", "variable", r"^(?!.*\b(?:public|protected|private|var|static|readonly)\b)"),
        ("Java", "enumConstant field", r"^@|\bdefault\b"),
        ("Ruby", "constant", r"=>"),
        ("Haskell", "function", r"^(?:class|infix[lr]?)\b"),
        ("Haskell", "module", r"^module \w+\."),
        ("Haskell", "function", r"^[,{(]|^(?:newtype|data|type|deriving)\b|^\S+\s*$"),
    )
)
"""Language, kinds and lines of source that ctags takes for definitions and that are none: each pattern was written
after reading what it drops."""

_HEREDOC = re.compile(r'"""')
_VALUES = frozenset({"variable", "constant"})
_ANONYMOUS = re.compile(r"__anon|^Anonymous|^<lambda>|^\s*$")


@dataclass(frozen=True, slots=True)
class Tag:
    """A definition as ctags tells it."""

    path: str
    line: int
    name: str
    kind: str
    language: str


@dataclass(slots=True)
class Recall:
    """Tags of one kind, and those of them that are known."""

    count: int = 0
    known: int = 0

    @property
    def share(self) -> float:
        """Share of the tags that is known."""
        return self.known / self.count if self.count else 0.0


def tags(root: Path, files: dict[str, str]) -> Iterator[Tag]:
    """The tags of files (path below root -> language as ctags calls it). Raises ToolMissing."""
    ctags = shutil.which("ctags")
    if ctags is None or "json" not in run([ctags, "--list-features"]):
        raise ToolMissing("definitions are compared with Universal Ctags with JSON output: install universal-ctags")
    for language in sorted(set(files.values())):
        paths = [str(root / path) for path, its in files.items() if its == language]
        for start in range(0, len(paths), 500):
            command = [
                ctags,
                "--options=NONE",
                f"--language-force={language}",
                "--output-format=json",
                "--fields=NFnKl",
            ]
            for line in run([*command, "-f", "-", *paths[start : start + 500]]).split("\n"):
                if line.startswith("{"):
                    yield from _tag(json.loads(line), root)


def _tag(record: dict[str, object], root: Path) -> Iterator[Tag]:
    if record.get("_type") != "tag" or "name" not in record:
        return
    name, kind = str(record["name"]), str(record.get("kind", ""))
    language = str(record.get("language", ""))
    if kind not in KINDS.get(language, "").split() or _ANONYMOUS.search(name):
        return
    path = Path(str(record["path"])).relative_to(root).as_posix()
    yield Tag(path, int(str(record["line"])), name, kind, language)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Recall by (language, kind), unknown tags with their line of source, and how many tags are no definitions."""

    found: dict[tuple[str, str], Recall]
    unknown: list[tuple[Tag, str]]
    left_out: int


def compare(root: Path) -> Comparison:
    """Ask ctags about the source below a folder. Raises ToolMissing."""
    texts: dict[str, list[str]] = {}
    symbols: dict[str, dict[str, list[Symbol]]] = {}
    files: dict[str, str] = {}
    for path, text, given in sources(root):
        parsed = parse_file(path, text, given)
        if parsed.language not in _LANGUAGES or parsed.fallback:
            continue
        files[path] = _LANGUAGES[parsed.language]
        texts[path] = text.split("\n")
        by_name = symbols[path] = defaultdict(list)
        for symbol in parsed.symbols:
            by_name[symbol.name].append(symbol)
    found: dict[tuple[str, str], Recall] = defaultdict(Recall)
    unknown = []
    left_out = 0
    for tag in tags(root, files):
        if _is_misread(tag, texts[tag.path]) or (tag.kind in _VALUES and _is_local(tag, symbols[tag.path])):
            left_out += 1
            continue
        row = found[tag.language, tag.kind]
        row.count += 1
        if is_known(tag, symbols[tag.path].get(bare(tag), ())):
            row.known += 1
        else:
            unknown.append((tag, texts[tag.path][min(tag.line, len(texts[tag.path])) - 1].strip()))
    return Comparison(dict(found), unknown, left_out)


def bare(tag: Tag) -> str:
    """A tag's name as symbols have it: ctags keeps owners and arities in it."""
    if tag.language == "Lua":
        return re.split(r"[.:]", tag.name)[-1].strip("[]\"' ")
    if tag.language == "Elixir":
        return tag.name.partition("/")[0]
    if tag.name.startswith("operator "):
        return tag.name.replace(" ", "") if not tag.name[9:10].isalpha() else tag.name
    return tag.name.rpartition(".")[2] if tag.language in ("JavaScript", "C#") else tag.name


def is_known(tag: Tag, named: Sequence[Symbol]) -> bool:
    """True where one of the symbols of its name holds the line of a tag."""
    return any(one.start_line <= tag.line <= one.end_line for one in named)


def _is_misread(tag: Tag, lines: list[str]) -> bool:
    """True where ctags takes something else for a definition."""
    line = lines[min(tag.line, len(lines)) - 1].strip()
    if tag.language == "Elixir":  # examples in documentation
        return sum(len(_HEREDOC.findall(one)) for one in lines[: tag.line]) % 2 == 1
    return _is_another_word(tag, line) or any(
        language == tag.language and tag.kind in kinds and pattern.search(line)
        for language, kinds, pattern in _READ_WRONGLY
    )


_CONST = re.compile(r"\bconst\s+([\w$]+)")


def _is_another_word(tag: Tag, line: str) -> bool:
    """True where ctags takes another word of a typed constant for its name (``core`` in ``const X: core.Maker``), and
    for members of objects, which are no definitions here."""
    if tag.language != "TypeScript" or tag.kind != "constant":
        return False
    found = _CONST.search(line)
    return not line.startswith("export") and ":" in line if found is None else found[1] != tag.name


def _is_local(tag: Tag, symbols: dict[str, list[Symbol]]) -> bool:
    """True inside of a function, or of what a variable holds: some parsers of ctags give local variables, which are no
    definitions here."""
    holders = {"function", "method", "test", *(_VALUES if tag.language == "TypeScript" else ())}
    return any(
        one.kind in holders and one.name != tag.name and one.start_line < tag.line <= one.end_line
        for named in symbols.values()
        for one in named
    )


def report(root: Path, show: int) -> None:
    """Print recall by language and kind, and so many unknown tags of each kind."""
    told = compare(root)
    found, unknown = told.found, told.unknown
    for language in sorted({language for language, _ in found}):
        rows = {kind: row for (its, kind), row in found.items() if its == language}
        count, known = sum(row.count for row in rows.values()), sum(row.known for row in rows.values())
        worst = sorted((row for row in rows.items() if row[1].known < row[1].count), key=lambda item: item[1].share)
        detail = ", ".join(f"{kind} {row.known}/{row.count}" for kind, row in worst)
        print(f"{root.name}: {language:10} {known:6}/{count:<6} {known / count:.4f}  {detail}")
    print(f"{root.name}: {told.left_out} tags that are no definitions left out")
    shown: Counter[tuple[str, str]] = Counter()
    for tag, line in unknown if show else ():
        shown[tag.language, tag.kind] += 1
        if shown[tag.language, tag.kind] <= show:
            print(f"  {tag.language} {tag.kind} {tag.name} {tag.path}:{tag.line} | {line[:100]}")
