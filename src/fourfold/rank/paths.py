"""What a path says about the role of a file: one rule set for every retriever, filter and demotion.

Whole components and word boundaries decide, never substrings: ``latest.py``, ``contest/`` and
``testament.go`` are no tests. Paths are relative to the indexed root, with ``/`` (a backslash is taken for
one).
"""

from __future__ import annotations

import re
from functools import lru_cache

from fourfold.model.path import split_service
from fourfold.rank import path_rules as rules

_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+")
_INTEGRATION_TEST = re.compile(r"[a-z0-9]IT$")
_SEPARATED_PREFIX = re.compile(r"([a-z]+)[_\-.]")
_AB_TEST = re.compile(r"(^|[_\-.])(ab|a[_\-]b)[_\-]?tests?$", re.IGNORECASE)


@lru_cache(maxsize=65536)
def categories(path: str) -> frozenset[str]:
    """The categories of a path, a subset of :data:`path_rules.CATEGORIES`; empty for ordinary source."""
    inner = split_service(path)[1]  # what a service is called says nothing about the role of its files
    parts = [part for part in inner.replace("\\", "/").split("/") if part not in ("", ".")]
    if not parts:
        return frozenset()
    folders, name = parts[:-1], parts[-1]
    stem, extension = _split_name(name)
    return frozenset(_roles_of_folders(folders, extension) | _roles_of_name(name, stem, extension))


def is_test_path(path: str) -> bool:
    """True where the file is a test, a test helper or test data."""
    return "test" in categories(path)


def _split_name(name: str) -> tuple[str, str]:
    """``("x.spec", "ts")``; a leading dot belongs to the stem."""
    head, dot, tail = name.rpartition(".")
    return (head, tail.lower()) if dot and head else (name, "")


def _package_start(folders: list[str]) -> int:
    """Index from which on JVM folders are package names; ``len(folders)`` where there is none."""
    for index, folder in enumerate(folders):
        if folder in rules.JVM_SOURCE_ROOTS and index and folders[index - 1] not in rules.JVM_SOURCE_ROOTS:
            return index + 1
        if folder in rules.JVM_PACKAGE_HEADS:
            return index
    return len(folders)


def _roles_of_folders(folders: list[str], extension: str) -> set[str]:
    limit = _package_start(folders) if extension in rules.JVM_EXTENSIONS else len(folders)
    found: set[str] = set()
    below_source_root = False
    for index, folder in enumerate(folders[:limit]):
        lower = folder.lower()
        found.update(_plain_folder(folder, lower, extension))
        if not below_source_root and index <= rules.AMBIGUOUS_DEPTH:
            found.update(_ambiguous_folder(lower))
        below_source_root = below_source_root or lower in rules.SOURCE_ROOTS
    return found


_FOLDER_TABLE: tuple[tuple[str, frozenset[str]], ...] = (
    ("example", rules.EXAMPLE_DIRS),
    ("docs", rules.DOCS_DIRS),
    ("vendor", rules.VENDOR_DIRS),
    ("build", rules.BUILD_DIRS),
    ("archive", rules.ARCHIVE_DIRS),
    ("generated", rules.GENERATED_DIRS),
    ("compat", rules.COMPAT_DIRS),
    ("config", rules.CONFIG_DIRS),
)


def _plain_folder(folder: str, lower: str, extension: str) -> set[str]:
    found = {category for category, names in _FOLDER_TABLE if lower in names}
    if _is_test_folder(folder, lower, extension):
        found.add("test")
    if "example" not in found and _edge_word(folder, rules.EXAMPLE_DIR_WORDS):
        found.add("example")
    if lower in rules.CATALOGUE_DIRS and extension in rules.CATALOGUE_DATA:
        found.add("generated")
    if lower.endswith((".egg-info", ".dist-info")) or lower.startswith("bazel-"):
        found.add("build")
    return found


def _ambiguous_folder(lower: str) -> set[str]:
    found = set()
    if lower in rules.AMBIGUOUS_BUILD_DIRS:
        found.add("build")
    if lower in rules.AMBIGUOUS_ARCHIVE_DIRS:
        found.add("archive")
    if lower in rules.AMBIGUOUS_VENDOR_DIRS:
        found.add("vendor")
    return found


def _is_test_folder(folder: str, lower: str, extension: str) -> bool:
    if extension in rules.CASE_SENSITIVE_TEST_DIRS and folder != lower:
        return False
    if lower in rules.TEST_DIRS or (lower in rules.SPEC_DIRS and extension in rules.SPEC_EXTENSIONS):
        return True
    if lower == "t" and extension in ("pl", "pm", "t", "sql", "sh"):
        return True
    return "test" in lower and _edge_word(folder, rules.TEST_WORDS) and not _AB_TEST.search(folder)


def _edge_word(name: str, wanted: frozenset[str]) -> bool:
    """True where the first or the last word of a name of several words is wanted."""
    words = _WORDS.findall(name)
    return len(words) > 1 and (words[0].lower() in wanted or words[-1].lower() in wanted)


def _roles_of_name(name: str, stem: str, extension: str) -> set[str]:
    lower, lower_stem = name.lower(), stem.lower()
    found = set()
    if _is_test_name(lower, stem, extension):
        found.add("test")
    if extension not in rules.DOCS_EXTENSIONS and _is_example_name(stem):
        found.add("example")
    if lower.endswith(rules.GENERATED_SUFFIXES) or lower.startswith(rules.GENERATED_PREFIXES):
        found.add("generated")
    if lower in rules.DATA_FILES or extension in rules.DATA_EXTENSIONS | rules.CATALOGUE_EXTENSIONS:
        found.add("generated")
    if extension in rules.ARCHIVE_EXTENSIONS or lower.endswith("~"):
        found.add("archive")
    if lower_stem in rules.COMPAT_STEMS:
        found.add("compat")
    if lower in rules.INIT_FILES:
        found.add("init")
    if extension == "pyi" or lower.endswith((".d.ts", ".d.mts", ".d.cts")):
        found.add("type_stub")
    found.update(_config_or_docs(lower, lower_stem, extension))
    return found


def _config_or_docs(lower: str, lower_stem: str, extension: str) -> set[str]:
    if lower in rules.CONFIG_FILES or extension in rules.CONFIG_EXTENSIONS:
        return {"config"}
    if extension and lower_stem.endswith(rules.CONFIG_STEM_SUFFIXES):
        return {"config"}
    if lower.startswith(("requirements", "dockerfile.", ".env")) and extension not in ("py", "md"):
        return {"config"}
    if extension in rules.DOCS_EXTENSIONS or (not extension and lower in rules.DOCS_STEMS):
        return {"docs"}
    return set()


def _is_test_name(lower: str, stem: str, extension: str) -> bool:
    if lower in rules.TEST_FILES or extension in rules.TEST_EXTENSIONS:
        return True
    if not extension or extension in rules.DOCS_EXTENSIONS or extension in rules.CONFIG_EXTENSIONS:
        return False
    words = [word.lower() for word in _WORDS.findall(stem)]
    if not words or _AB_TEST.search(stem):
        return False
    last = words[-1] if words[-2:-1] != ["test"] else f"test{words[-1]}"
    if len(words) > 1 and (last in rules.TEST_SUFFIX_WORDS or extension in rules.SPEC_SUFFIXES.get(last, ())):
        return True
    if extension == "go":
        return False
    prefix = _SEPARATED_PREFIX.match(stem)
    if prefix is not None and prefix[1] in rules.TEST_PREFIX_WORDS:
        return True
    if extension in rules.CAMEL_TEST_PREFIX_EXTENSIONS:
        named_test = len(words) > 1 and words[0] == "test" and stem[0] == "T"
        return named_test or _INTEGRATION_TEST.search(stem) is not None
    return False


def _is_example_name(stem: str) -> bool:
    words = [word.lower() for word in _WORDS.findall(stem)]
    return bool(words) and (words[0] in rules.EXAMPLE_FILE_WORDS or words[-1] in rules.EXAMPLE_FILE_WORDS)
