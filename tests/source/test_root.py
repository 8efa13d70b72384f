"""Finding, refusing and guarding the root."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fourfold.model.errors import PathOutsideRoot, RootRefused, UsageError
from fourfold.source.root import check_root, find_root, relative_path

Write = Callable[..., None]


def test_nearest_git_folder_or_file_wins(tmp_path: Path) -> None:
    outer, inner = tmp_path / "outer", tmp_path / "outer" / "a" / "inner"
    (inner / "deep").mkdir(parents=True)
    (outer / ".git").mkdir()
    (inner / ".git").write_text("gitdir: /elsewhere/.git/worktrees/x\n")
    assert find_root(inner / "deep") == inner.resolve()
    assert find_root(outer / "a") == outer.resolve()


def test_without_repository_the_folder_itself(tmp_path: Path, write: Write) -> None:
    write(tmp_path, {"a/b.py": ""})
    assert find_root(tmp_path / "a") == (tmp_path / "a").resolve()
    assert find_root(tmp_path / "a" / "b.py") == (tmp_path / "a").resolve()


def test_a_repository_over_the_home_directory_does_not_count(home: Path) -> None:
    (home / ".git").mkdir()
    project = home / "code" / "project"
    project.mkdir(parents=True)
    assert find_root(project) == project.resolve()
    assert find_root(home) == home.resolve()


def test_wide_roots_are_refused_unless_asked_for(home: Path) -> None:
    for wide in (home, home.parent, Path("/"), Path("/usr"), Path("/etc"), Path("/usr/lib")):
        with pytest.raises(RootRefused) as caught:
            check_root(wide)
        assert caught.value.hint
        assert caught.value.exit_code == 3
    assert check_root(home, allow_wide=True) == home.resolve()


def test_a_link_to_a_wide_place_is_refused(home: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(home)
    with pytest.raises(RootRefused):
        check_root(tmp_path / "link")


def test_a_root_must_be_a_folder(tmp_path: Path, write: Write) -> None:
    write(tmp_path, {"file": ""})
    for wrong in (tmp_path / "file", tmp_path / "missing"):
        with pytest.raises(UsageError):
            check_root(wrong)


def test_relative_path_forms(tmp_path: Path, write: Write) -> None:
    root = tmp_path / "repo"
    write(root, {"src/a.py": "", "src/new/b.py": ""})
    assert relative_path(root, "src/a.py") == "src/a.py"
    assert relative_path(root, "./src/../src/a.py") == "src/a.py"
    assert relative_path(root, root / "src" / "a.py") == "src/a.py"
    assert relative_path(root, "a.py", cwd=root / "src") == "src/a.py"
    assert relative_path(root, "../src/new", cwd=root / "src") == "src/new"
    assert relative_path(root, ".") == "."
    assert relative_path(root, "src/..") == "."
    assert relative_path(root, "src/none.py") == "src/none.py"
    assert relative_path(root, r"src\new\b.py") == "src/new/b.py"


def test_links_inside_the_root(tmp_path: Path, write: Write) -> None:
    root = tmp_path / "repo"
    write(root, {"real/a.py": ""})
    (root / "link.py").symlink_to("real/a.py")
    (root / "folder").symlink_to("real")
    assert relative_path(root, "link.py") == "link.py"
    assert relative_path(root, "folder/a.py") == "real/a.py"


@pytest.mark.parametrize(
    "path",
    [
        "..",
        "../repo-evil/x",
        "a/../../x",
        "/etc/passwd",
        "\0",
        "a\0b",
        "out/x",
        "out.txt",
        r"..\..\x",
        r"\\server\share",
        r"\\.\COM1",
        "C:\\x",
        "c:/x",
        "NUL",
        "src/con.txt",
        "AUX",
    ],
)
def test_whatever_leaves_the_root_is_refused(tmp_path: Path, write: Write, path: str) -> None:
    root = tmp_path / "repo"
    write(tmp_path, {"repo/src/a.py": "", "repo-evil/x": "", "secret/x": ""})
    (root / "out").symlink_to(tmp_path / "secret")
    (root / "out.txt").symlink_to(tmp_path / "secret" / "x")
    with pytest.raises(PathOutsideRoot) as caught:
        relative_path(root, path)
    assert "\0" not in str(caught.value)


def test_a_file_called_like_a_device_is_a_file_where_it_exists(tmp_path: Path, write: Write) -> None:
    write(tmp_path, {"aux.c": ""})
    assert relative_path(tmp_path, "aux.c") == "aux.c"
