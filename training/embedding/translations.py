"""Bilingual pairs: an English text about software and what it is in another language."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from training.embedding.catalogues import (
    document_messages,
    jed_messages,
    json_messages,
    lcl_messages,
    po_messages,
    tldr_messages,
)
from training.embedding.copyright import Copyright, parse_copyright
from training.embedding.packages import Package, files_of
from training.embedding.prose import plain

MAX_CHARS = 300
"""Longer texts are paragraphs: what of them corresponds is not told."""
PER_PACKAGE = 40_000
"""Texts of one package and language."""

CODES: dict[str, str] = {
    "zh": "zh", "zh_cn": "zh", "zh_hans": "zh", "zh-hans": "zh", "zh-cn": "zh", "zh_hans_cn": "zh", "chs": "zh",
    "id": "id", "id_id": "id", "es": "es", "es_es": "es", "es-es": "es", "esn": "es",
    "de": "de", "de_de": "de", "de-de": "de", "deu": "de", "fr": "fr", "fr_fr": "fr", "fr-fr": "fr", "fra": "fr",
    "ja": "ja", "ja_jp": "ja", "ja-jp": "ja", "jpn": "ja",
}  # fmt: skip
"""The languages that questions are asked in besides English, by what folders and files are called."""

DOCUMENTS = ("electron-i18n", "dist/docs.json")
"""A package and the file in which it keeps its documents of all languages."""

_PLACEHOLDER = re.compile(
    r"%\(\w+\)[sd]|%[-+0-9.]*[a-zA-Z]|\{\{?[^}]*\}?\}|\$\{?\w+\}?|:\w+:`|``?[^`]*``?|\\\w|&\w+;|<[^>]*>"
)


@dataclass(frozen=True, slots=True)
class Translation:
    """An English text and the same in `language`."""

    english: str
    foreign: str
    language: str
    package: str


def translations_of(package: Package, corpora: Path, barred: Container[str] = ()) -> Iterator[Translation]:
    """The bilingual pairs of a package, without repetitions and without the English messages that are `barred`."""
    seen: set[tuple[str, str]] = set()
    used: Counter[str] = Counter()
    for language, english, foreign in _found(package, corpora):
        if english in barred:
            continue
        one, other = _clean(english), _clean(foreign)
        fits = 2 <= len(one) <= MAX_CHARS and 1 <= len(other) <= MAX_CHARS and one.lower() != other.lower()
        if fits and re.search(r"[A-Za-z]{3}", one) and (one, other) not in seen and used[language] < PER_PACKAGE:
            seen.add((one, other))
            used[language] += 1
            yield Translation(one, other, language, package.key)


def save_translations(path: Path, packages: Iterable[Package], corpora: Path, barred: Container[str] = ()) -> int:
    """Write the pairs of all packages, one JSON object a line; returns how many."""
    count = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_suffix(".part")
    with scratch.open("w", encoding="utf-8") as file:
        for package in packages:
            found = Counter[str]()
            for pair in translations_of(package, corpora, barred):
                file.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")
                found[pair.language] += 1
            count += sum(found.values())
            if found:
                print(package.key, dict(found), file=sys.stderr, flush=True)
    scratch.rename(path)
    return count


def load_translations(path: Path) -> Iterator[Translation]:
    """The pairs of a file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield Translation(**json.loads(line))


def _found(package: Package, corpora: Path) -> Iterator[tuple[str, str, str]]:
    """(language, English, foreign) as they stand in the package."""
    rules: Copyright | None = None
    sheets: defaultdict[str, dict[str, str]] = defaultdict(dict)
    own = CODES.get(package.language, "") if package.kind == "git" else ""
    for path, content in files_of(package, corpora):
        if path == "debian/copyright":
            rules = parse_copyright(content.decode("utf-8", "replace"))
        elif rules is None or rules.permits(path):
            language = own or _language(path)
            if path.endswith(".po") and language:
                yield from ((language, *pair) for pair in po_messages(content.decode("utf-8", "replace")))
            elif path.endswith(".lcl") and language:
                yield from ((language, *pair) for pair in lcl_messages(content.decode("utf-8-sig", "replace")))
            elif "/LC_MESSAGES/" in path and path.endswith(".json") and language:
                yield from ((language, *pair) for pair in jed_messages(content.decode("utf-8", "replace")))
            elif (package.name, path) == DOCUMENTS:
                yield from document_messages(content.decode("utf-8", "replace"), CODES)
            elif re.search(r"(^|/)(translations|locales?|i18n|pages(\.\w+)?)/", path) and path.endswith(
                (".json", ".md")
            ):
                sheets[_sheet(path)][language or _english(path)] = content.decode("utf-8", "replace")
    for name, versions in sheets.items():
        read = tldr_messages if name.endswith(".md") else json_messages
        for language in versions.keys() & set(CODES.values()) if "en" in versions else ():
            yield from ((language, *pair) for pair in read(versions["en"], versions[language]))


def _language(path: str) -> str:
    """The language that a folder or file name states, "" where none does."""
    for part in reversed(re.split(r"[/.]", path.lower())[:-1]):
        if part in CODES:
            return CODES[part]
    return ""


def _english(path: str) -> str:
    return "en" if re.search(r"(^|[/.])en(-US)?([/.]|$)|(^|/)pages/", path) else ""


def _sheet(path: str) -> str:
    """The path without what names the language: files of one sheet say the same things."""
    return "/".join(
        re.sub(r"^(\w[\w-]*)\.json$", "json", part) if part.endswith(".json") and _stated(part) else
        "pages" if part.startswith("pages") else part
        for part in path.split("/")
        if not (part.lower() in CODES or part in ("en", "en-US"))
    )  # fmt: skip


def _stated(part: str) -> bool:
    stem = part.removesuffix(".json").lower()
    return stem in CODES or stem == "en"


def _clean(text: str) -> str:
    return plain(_PLACEHOLDER.sub(" ", text.replace("&", "", 1) if text.count("&") == 1 else text)).strip(" .:。：…")
