"""Pairs of questions and code: what is taken for a definition, a sentence, a licence, a translation."""

from __future__ import annotations

import json
import random

import pytest
from training.embedding.catalogues import document_messages, jed_messages, json_messages, po_messages, tldr_messages
from training.embedding.choose import choose, wanted
from training.embedding.copyright import is_permissive, parse_copyright
from training.embedding.from_code import definitions, pairs_of
from training.embedding.from_tests import Outlined, pairs_of_tests
from training.embedding.headings import pairs_of_headings
from training.embedding.outline import outline
from training.embedding.packages import excluded_names, load_packages
from training.embedding.prose import sentences

JAVA = """package a;

/** Keeps what was asked for lately. */
public class Cache {
    /**
     * Drops the entries that nobody asked for in a while.
     *
     * @param age seconds
     */
    @Override
    public void evictOldEntries(int age) {
        for (Entry entry : entries) {
            if (entry.age() > age) {
                throw new IllegalStateException("the entry is too old to be kept around");
            }
        }
    }

    /** Says how many there are. */
    int size();
}
"""

PYTHON = '''
class Reader:
    def parse_config_file(self, path):
        """Read the settings of a file.

        Missing ones get their defaults.
        """
        values = load(path)
        merged = defaults | values
        return Settings(merged)
'''


def found(text: str, language: str) -> list[tuple[str, str]]:
    return [
        (pair.kind, pair.question)
        for pair in pairs_of("p", "a", language, text, definitions(text, language), random.Random(1))
    ]


def test_java_definitions_with_their_comments() -> None:
    seen = {one.qualified: (one.start, one.end, one.doc.strip()) for one in outline(JAVA, "java")}
    assert seen["Cache"] == (4, 21, "Keeps what was asked for lately.")
    assert seen["Cache.evictOldEntries"][:2] == (11, 17)
    assert seen["Cache.evictOldEntries"][2].startswith("Drops the entries")
    assert seen["Cache.size"] == (20, 20, "Says how many there are.")


@pytest.mark.parametrize(
    ("language", "text", "name", "end"),
    [
        ("go", "// Add sums.\nfunc (t *T) Add(a int) int {\n\treturn a\n}\n", "Add", 4),
        ("rust", "/// Add sums.\npub async fn add<T>(a: T) -> T {\n    a\n}\n", "add", 4),
        ("ruby", "# Add sums.\ndef self.add(a)\n  a\nend\n", "add", 4),
        ("haskell", "-- | Add sums.\nadd :: Int -> Int\nadd x = x\n\nother = 1\n", "add", 3),
        ("typescript", "/** Add sums. */\nexport const add = async (a: number) => {\n  return a;\n};\n", "add", 4),
        ("kotlin", "/** Add sums. */\nsuspend fun add(a: Int): Int {\n  return a\n}\n", "add", 4),
        ("csharp", "/// <summary>Add sums.</summary>\n[Pure]\npublic int Add(int a)\n{\n  return a;\n}\n", "Add", 6),
        ("lua", "-- Add sums.\nlocal function add(a)\n  return a\nend\n", "add", 4),
    ],
)
def test_definitions_of_other_languages(language: str, text: str, name: str, end: int) -> None:
    (one, *_) = outline(text, language)
    assert (one.name, one.end) == (name, end)
    assert "Add sums." in one.doc


def test_pairs_of_documentation_names_and_errors() -> None:
    pairs = found(JAVA, "java")
    assert ("doc", "Drops the entries that nobody asked for in a while.") in pairs
    assert ("error", "the entry is too old to be kept around") in pairs


def test_a_body_does_not_hold_its_question() -> None:
    text = PYTHON
    (pair,) = [
        one
        for one in pairs_of("p", "a.py", "python", text, definitions(text, "python"), random.Random(1))
        if one.kind == "doc"
    ]
    assert pair.question == "Read the settings of a file."
    assert pair.symbol == "Reader.parse_config_file"
    assert "Read the settings" not in pair.body
    assert "defaults | values" in pair.body


def test_tests_are_paired_with_the_one_function_they_name() -> None:
    code, test = (
        "def parse_header(line):\n    return line.split(':')\n",
        "def test_parse_header_without_colon():\n    pass\n",
    )
    files = [
        Outlined(path, "python", text, definitions(text, "python"))
        for path, text in (("a/http.py", code), ("tests/test_http.py", test))
    ]
    (pair,) = pairs_of_tests("p", files)
    assert (pair.question, pair.symbol, pair.path) == ("parse header without colon", "parse_header", "a/http.py")
    assert list(pairs_of_tests("p", [*files, files[0]])) == []


def test_headings_with_code() -> None:
    code = "upload(path, parts=8, retries=3, wait=1, on_error=log, name=key, bucket=b)"
    text = f"# Upload a large file\n\nSend it in parts that are retried.\n\n```py\n{code}\n```\n"
    assert [pair.question for pair in pairs_of_headings("p", "README.md", text)] == [
        "Upload a large file",
        "Send it in parts that are retried.",
    ]


@pytest.mark.parametrize(
    "doc",
    [
        "Copyright 2020 by somebody, all rights reserved.",
        "eslint-disable no-undef in this file",
        "TODO write this",
        "x",
    ],
)
def test_what_is_no_question(doc: str) -> None:
    assert sentences(doc) == []


@pytest.mark.parametrize(
    ("licence", "allowed"),
    [
        ("Expat", True), ("Apache-2.0", True), ("BSD-3-clause and Expat", True), ("GPL-2 or Apache-2.0", True),
        ("GPL-2+", False),
        ("LGPL-2.1 or MPL-1.1", False), ("Apache-2.0 and GPL-3", False), ("CC-BY-SA-4.0", False), ("", False),
    ],
)  # fmt: skip
def test_permissive_licences(licence: str, allowed: bool) -> None:
    assert is_permissive(licence) is allowed


def test_the_last_matching_rule_decides() -> None:
    rules = parse_copyright(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\n"
        "Files: *\nLicense: Expat\n\nFiles: programs/*\n tests/?.c\nLicense: GPL-2+\n"
    )
    assert rules is not None
    assert [rules.permits(path) for path in ("lib/a.c", "programs/a.c", "tests/a.c", "tests/ab.c")] == [
        True,
        False,
        False,
        True,
    ]
    assert parse_copyright("This package was debianized by hand.") is None


def test_catalogues() -> None:
    text = '#, fuzzy\nmsgid "old"\nmsgstr "alt"\n\n'
    text += 'msgid ""\n"a \\"file\\"\\n"\n"here"\nmsgstr "eine \\"Datei\\"\\nhier"\n\nmsgid "x"\nmsgstr ""\n'
    assert list(po_messages(text)) == [('a "file"\nhere', 'eine "Datei"\nhier')]
    assert list(json_messages('{"a": {"b": "on"}, "c": "off"}', '{"a": {"b": "an"}}')) == [("on", "an")]
    assert list(json_messages("[", "{}")) == []
    catalogue = {"": {"domain": "lab"}, "menu\x04Open": ["Öffnen"], "Save": [""], "%1 cell": ["%1 Zelle", "%1 Zellen"]}
    assert list(jed_messages(json.dumps(catalogue))) == [("Open", "Öffnen"), ("%1 cell", "%1 Zelle")]


def test_documents_are_paired_block_by_block_where_they_have_as_many() -> None:
    english = "<h1>App</h1><pre><p>code()</p></pre><p>Ends the <b>program</b> &amp; waits.</p>"
    german = "<h1>App</h1><p>Beendet das <b>Programm</b> &amp; wartet.</p>"
    documents = {
        "en-US": {"/app": {"html": english}, "/menu": {"html": "<p>one</p><p>two</p>"}},
        "de-DE": {"/app": {"html": german}, "/menu": {"html": "<p>eins</p>"}},
        "ru-RU": {"/app": {"html": german}},
    }
    found = list(document_messages(json.dumps(documents), {"de-de": "de"}))
    assert found == [("de", "App", "App"), ("de", "Ends the program & waits.", "Beendet das Programm & wartet.")]
    page = "# tar\n\n> {}.\n\n- {}:\n\n`tar cf {{{{file}}}}`\n"
    assert list(tldr_messages(page.format("Archive", "Create"), page.format("Archiv", "Anlegen"))) == [
        ("Archive.", "Archiv."),
        ("Create", "Anlegen"),
    ]


def test_what_is_left_out() -> None:
    excluded = frozenset({"redis"})
    assert wanted("src/a.py", excluded)
    assert not any(
        wanted(path, excluded) for path in ("vendor/a.py", "src/redis/a.py", "src/Redis.py", "a/third_party/b.c")
    )
    long = "def a():\n    '''x'''\n" * 4
    assert [path for path, _, _ in choose([("b.py", long), ("a.txt", long), ("c.py", "x")], 10, random.Random(1))] == [
        "b.py"
    ]


def test_the_manifest_holds_nothing_that_is_measured_on() -> None:
    packages = load_packages()
    names = {part for package in packages for part in (package.name.lower(), package.name.lower().rpartition("/")[2])}
    assert not names & excluded_names()
    assert {"django", "sympy", "scikit-learn", "sqlalchemy", "wagtail", "celery", "zod", "prisma"} <= excluded_names()
    assert all(package.version and package.licence for package in packages)
    assert len({package.key for package in packages}) == len(packages)
