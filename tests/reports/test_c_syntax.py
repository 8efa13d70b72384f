"""Field reports on freshness, as far as the syntax layer answers for them."""

from __future__ import annotations

import sys

from fourfold.syntax import grammars
from fourfold.syntax.parse import parse_file


def test_c15_a_failed_parse_says_so_and_is_made_good_later(monkeypatch):
    text = "def f():\n    return 1\n"
    grammars.forget_grammars()
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "tree_sitter_python", None)
        failed = parse_file("a.py", text, "python")
        assert failed.fallback
        assert failed.symbols == ()
    grammars.forget_grammars()
    again = parse_file("a.py", text, "python")
    assert again.fallback == ""
    assert [one.name for one in again.symbols] == ["f"]


def test_c15_a_parse_that_ran_out_of_time_says_so_and_spoils_nothing():
    text = "def f():\n    return [1, 2, 3]\n" * 4000
    late = parse_file("a.py", text, "python", deadline_s=0.0)
    assert late.fallback == "parsing took longer than allowed"
    assert late.symbols == ()
    assert late.chunks
    again = parse_file("b.py", "def g():\n    return 2\n", "python")
    assert [one.name for one in again.symbols] == ["g"]
