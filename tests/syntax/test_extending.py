"""The page on adding a language shows the real files of one, and that language works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.graph.world import edges, graph_of

import fourfold
from fourfold.syntax.languages import language_of

SOURCE = Path(fourfold.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "extending.md"
SHOWN = {
    0: "syntax/languages/first_class.py",
    1: "syntax/queries/starlark.scm",
    2: "syntax/queries/starlark.refs.scm",
    3: "syntax/facts/languages/starlark.py",
}
DEFS = """KINDS = ["html", "pdf"]

def _impl(ctx):
    return []

document = rule(implementation = _impl)

def pages(name, srcs):
    document(name = name, srcs = srcs)
"""
BUILD = """load("//tools:defs.bzl", "pages", doc = "document")
load("@elsewhere//x:y.bzl", "far")

pages(name = "all", srcs = glob(["*.md"]))

doc(name = "one")

far(name = "two")
"""


@pytest.mark.parametrize("number", SHOWN)
def test_the_page_shows_the_files_as_they_are(number: int) -> None:
    blocks = re.findall(r"^```\w+\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    file = (SOURCE / SHOWN[number]).read_text("utf-8")
    assert len(blocks) == len(SHOWN)
    assert blocks[number] in file
    assert number == 0 or blocks[number] == file


def test_the_language_of_the_page_has_definitions_and_edges() -> None:
    assert language_of("site/BUILD") == language_of("tools/defs.bzl") == "starlark"
    graph = graph_of({"tools/defs.bzl": DEFS, "site/BUILD": BUILD})
    assert edges(graph) == {
        ("tools/defs.bzl:pages", "tools/defs.bzl:document", "resolved"),
        ("site/BUILD:all", "tools/defs.bzl:pages", "resolved"),
        ("site/BUILD:one", "tools/defs.bzl:document", "resolved"),
    }
    assert edges(graph, "references") == {("tools/defs.bzl:document", "tools/defs.bzl:_impl", "resolved")}
    assert ("site/BUILD", "tools/defs.bzl:pages", "resolved") in edges(graph, "imports")
