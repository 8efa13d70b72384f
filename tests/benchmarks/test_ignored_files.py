"""The tree of ignored files: what it holds, and that just the rest is indexed."""

from __future__ import annotations

from pathlib import Path

from benchmarks.ignored_files import committed, grow

from fourfold import Index


def test_what_is_kept_is_what_is_indexed(tmp_path: Path) -> None:
    root = tmp_path / "code"
    kinds = grow(root, 2_000, 3)
    assert kinds["in ignored folders"] + kinds["beside"] + kinds["nested"] == kinds["ignored"] == 2_000
    files = [path for path in root.rglob("*") if path.is_file()]
    assert len(files) == kinds["ignored"] + kinds["kept"]
    committed(root)
    with Index.open(root, root=root) as index:
        index.refresh()
        assert index.status().files == kinds["kept"] == 6
