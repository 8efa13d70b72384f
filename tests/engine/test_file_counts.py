"""A refresh and the status tell the same numbers of files, whatever is left out and why."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from fourfold import Index
from fourfold.interfaces.cli.commands.index import summary
from fourfold.interfaces.cli.commands.status import status_facts

LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 12345\n"
LEFT_OUT = {  # what an ignore file names is no file of the tree, nor what lies in folders that are never entered
    "binary": 2,
    "generated": 1,
    "lfs-pointer": 1,
    "link-broken": 1,
    "link-outside": 1,
    "link-to-directory": 1,
    "minified": 1,
    "nested-repo": 1,
    "secret": 1,
    "special": 1,
    "too-large": 1,
    "bad-name": 1,
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files that are indexed beside one or two of each sort that is not."""
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "elsewhere.py").write_text("x = 1\n")
    root = tmp_path / "tree"
    for folder in (".git", ".hidden", "node_modules/lib", "src", "other/.git"):
        (root / folder).mkdir(parents=True)
    texts = {
        "src/a.py": "def a():\n    return 1\n",
        "src/b.py": "def b():\n    return 2\n",
        ".gitignore": "*.log\n",
        "trace.log": "ignored\n",
        ".hidden/a.py": "x = 1\n",
        "node_modules/lib/a.js": "let a = 1;\n",
        "package-lock.json": '{"name": "x"}\n',
        "photo.dat": LFS,
        "app.min.js": "var a=1;" * 9_000 + "\n",
        ".env": "TOKEN=1\n",
        "big.txt": "word word\n" * 200_000,
    }
    for path, text in texts.items():
        (root / path).write_text(text)
    (root / "one.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    (root / "two.bin").write_bytes(bytes(range(256)) * 8)
    (root / "gone.py").symlink_to("nowhere.py")
    (root / "away.py").symlink_to(tmp_path / "elsewhere.py")
    (root / "folder").symlink_to("src")
    os.mkfifo(root / "pipe")
    Path(os.fsdecode(os.fsencode(root) + b"/\xff.py")).write_text("x = 1\n")
    for folder in (root, root / "other"):
        (folder / ".git").rmdir()
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return root


def test_a_refresh_and_the_status_count_alike(tree: Path) -> None:
    with Index.open(tree) as index:
        report, status = index.refresh(), index.status()
        assert report.skipped == status.skipped == LEFT_OUT
        assert (report.files, report.added, report.unchanged) == (status.files, 3, 0)
        again = index.refresh()
        assert (again.files, again.added, again.changed, again.unchanged) == (3, 0, 0, 3)
        forced = index.refresh(force=True)
        assert (forced.files, forced.changed, forced.unchanged) == (3, 3, 0)


def test_they_say_it_in_the_same_words(tree: Path) -> None:
    with Index.open(tree) as index:
        done, left_out = summary(index.refresh(), "tree")
        facts = dict(status_facts(index.status()))
    assert done.startswith("indexed  tree  3 files: 3 added")
    assert facts["holds"].startswith("3 files, ")
    assert left_out == f"skipped  {facts['skipped']}"
    assert left_out.startswith("skipped  13 files: 2 binary, 1 bad-name, ")


@pytest.mark.parametrize("change", ["binary", "empty", "deleted"])
def test_a_file_that_can_no_longer_be_indexed_counts_as_removed(tree: Path, change: str) -> None:
    with Index.open(tree) as index:
        index.refresh()
        target = tree / "src/b.py"
        if change == "deleted":
            target.unlink()
        else:
            target.write_bytes(bytes(range(256)) if change == "binary" else b"")
        report = index.refresh()
        moved = (report.files, report.added, report.changed, report.removed, report.unchanged)
        assert moved == ((3, 0, 1, 0, 2) if change == "empty" else (2, 0, 0, 1, 2))
        assert report.files == index.status().files
