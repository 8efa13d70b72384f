"""An empty answer says what was not searched."""

from __future__ import annotations

from pathlib import Path

from fourfold.engine import Index


def test_files_that_may_hold_it_and_are_left_out_are_counted(tmp_path: Path) -> None:
    (tmp_path / "long.py").write_text(f"def before(): pass\nX = '{'a' * 30_000}'\ndef after(): pass\n")
    (tmp_path / "short.py").write_text("def zebra(): pass\n")
    said = "not searched: 1 minified (fourfold status says which)"
    with Index.open(tmp_path) as index:
        assert index.grep("after").meta.suggestion == said
        assert index.grep("zebra").meta.suggestion is None


def test_nothing_is_said_where_everything_was_searched(tmp_path: Path) -> None:
    (tmp_path / "short.py").write_text("def zebra(): pass\n")
    with Index.open(tmp_path) as index:
        assert index.grep("after").meta.suggestion is None


def test_paths_that_hold_nothing_are_named(tmp_path: Path) -> None:
    (tmp_path / "short.py").write_text("def zebra(): pass\n")
    (tmp_path / ".git").mkdir()
    (tmp_path / "empty").mkdir()
    with Index.open(tmp_path / ".git", root=tmp_path) as index:
        for found in (index.search("zebra"), index.grep("zebra"), index.symbol("zebra")):
            assert not found.items
            assert found.meta.suggestion == (
                ".git is never read: it belongs to version control; ask from the folder above it"
            )
    with Index.open(tmp_path / "empty", root=tmp_path) as index:
        assert index.search("zebra").meta.suggestion == "no file that fits empty is indexed"
