"""Config files that no entry can be taken from do not end the command."""

from __future__ import annotations

from fourfold.interfaces.agents.plan import _difference


def test_a_file_that_does_not_get_shorter_shows_what_differs() -> None:
    assert _difference('{"a": [1]}', '{"a": [1]}') == ""
    assert _difference("ab", "abc") == ""
    assert "b" in _difference("a\nb\nc\n", "a\nc\n")
