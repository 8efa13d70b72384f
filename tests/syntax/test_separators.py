"""Signatures without a name that begin a line of an interface."""

from __future__ import annotations

from fourfold.syntax.mend.separators import separated
from fourfold.syntax.parse import parse_file

INTERFACE = """export type Before = string
export interface Take<A> {
  // one
  <P extends string>(path: P): Set<A>

  // two
  <P extends string>(path: P, other: A): Set<A>
}
export type After = number
"""


def test_a_semicolon_stands_in_place_of_a_blank() -> None:
    changed = separated(INTERFACE)
    assert len(changed) == len(INTERFACE)
    assert changed.count(" ;<P extends") == 1


def test_a_comparison_that_goes_on_is_left() -> None:
    assert separated("x = a\n  < b\n") == "x = a\n  < b\n"


def test_what_stands_around_is_found() -> None:
    names = {one.name for one in parse_file("a.ts", INTERFACE * 3, "typescript").symbols}
    assert names >= {"Before", "Take", "After"}


def test_attributes_of_bsd_are_no_types() -> None:
    text = "__dead void\nfatal(const char *msg, ...)\n{\n  abort();\n}\n"
    text += "static void\nf(__unused int a, __unused char *b)\n{\n}\n"
    found = {(one.name, one.kind) for one in parse_file("a.c", text, "c").symbols}
    assert found == {("fatal", "function"), ("f", "function")}
