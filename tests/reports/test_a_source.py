"""Field reports of group A: what gets indexed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from fourfold.model.errors import RootRefused
from fourfold.source.root import check_root
from fourfold.source.walk import WalkOptions, eligible, walk


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home directory, so that no configuration of this machine takes part."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return folder


def make(root: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def found(root: Path, options: WalkOptions | None = None) -> list[str]:
    return [file.path for file in walk(root, options).found if "ignore" not in file.path]


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)


def test_a1_negation_keeps_tracked_dirs(tmp_path: Path) -> None:
    rules = "wp-content/plugins/*\n!wp-content/plugins/app\n"
    make(tmp_path, {".gitignore": rules, "wp-content/plugins/app/a.php": "", "wp-content/plugins/x/b.php": ""})
    assert found(tmp_path) == ["wp-content/plugins/app/a.php"]


def test_a2_leading_and_trailing_slash(tmp_path: Path) -> None:
    make(
        tmp_path,
        {".gitignore": "/Library/\nlog/\n", "Library/a.cs": "", "src/Library/b.cs": "", "log": "a file\n"},
    )
    assert found(tmp_path) == ["log", "src/Library/b.cs"]


def test_a4_home_gitignore_is_no_global_excludes_file(tmp_path: Path, home: Path) -> None:
    make(tmp_path, {"a.py": ""})
    (home / ".gitignore").write_text("*\n")
    assert found(tmp_path) == ["a.py"]
    assert walk(tmp_path).warnings == []


@pytest.mark.parametrize("configured", [False, True])
def test_a4_a_bare_star_from_the_global_file_is_refused_with_a_warning(
    tmp_path: Path, home: Path, configured: bool
) -> None:
    make(tmp_path, {"a.py": "", "b.swp": ""})
    place = home / "excludes" if configured else home / ".config" / "git" / "ignore"
    make(home, {place.relative_to(home).as_posix(): "*\n*.swp\n"})
    if configured:
        (home / ".gitconfig").write_text("[core]\n\texcludesFile = ~/excludes\n")
    assert found(tmp_path) == ["a.py"]
    (warning,) = walk(tmp_path).warnings
    assert f"{place}:1: *" in warning


def test_a6_directories_are_pruned_before_they_are_entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, {".gitignore": "build/\n", "build/x/y.js": "", "node_modules/z/i.js": "", "a.js": ""})
    listed: list[str] = []
    real = os.scandir

    def scandir(path: str) -> object:
        listed.append(os.path.relpath(path, tmp_path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert found(tmp_path) == ["a.js"]
    assert listed == ["."]


def test_a8_one_switch_turns_every_ignore_file_off(tmp_path: Path, home: Path) -> None:
    files = {"a.one": "", "a.two": "", "a.three": "", "a.four": ""}
    make(tmp_path, {**files, ".gitignore": "*.one\n", ".fourfoldignore": "*.four\n"})
    git(tmp_path, "init", "-q")
    make(tmp_path, {".git/info/exclude": "*.two\n"})
    make(home, {".config/git/ignore": "*.three\n"})
    assert found(tmp_path) == []
    assert found(tmp_path, WalkOptions(ignore_files=False)) == sorted(files)


def test_a10_ignore_rules_stay_with_their_root(tmp_path: Path) -> None:
    one = make(tmp_path / "one", {".gitignore": "*.log\n", "a.log": ""})
    two = make(tmp_path / "two", {"a.log": ""})
    assert (found(one), found(two), found(one)) == ([], ["a.log"], [])


def test_a11_an_explicit_path_gets_the_same_answer(tmp_path: Path) -> None:
    make(tmp_path, {".gitignore": "secret/\n", "secret/a.py": "", "b.py": ""})
    skip = eligible(tmp_path, "secret/a.py")
    assert skip is not None
    assert (skip.reason, skip.detail) == ("ignored", ".gitignore:1: secret/")
    assert eligible(tmp_path, "b.py") is None


def test_a12_unreadable_folders_and_broken_links_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, {"d/a.py": "", "b.py": ""})
    (tmp_path / "dangling").symlink_to("nowhere")
    real = os.scandir

    def scandir(path: str) -> object:
        if str(path).rstrip("/").endswith("/d"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    result = walk(tmp_path)
    assert [file.path for file in result.found] == ["b.py"]
    assert [(skip.path, skip.reason, skip.detail) for skip in result.skipped] == [
        ("d", "unreadable", "Permission denied"),
        ("dangling", "link-broken", "it leads to nothing, or round in a circle"),
    ]


def test_a13_hidden_folders_by_tracking_option_or_pattern(tmp_path: Path) -> None:
    make(tmp_path, {".github/ci.yml": "", ".agent/x.md": "", "a.py": ""})
    assert found(tmp_path) == ["a.py"]
    assert found(tmp_path, WalkOptions(hidden=True)) == [".agent/x.md", ".github/ci.yml", "a.py"]
    assert found(tmp_path, WalkOptions(include=(".agent/",))) == [".agent/x.md", "a.py"]
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".github")
    assert found(tmp_path) == [".github/ci.yml", "a.py"]


def test_a14_own_ignore_file_re_includes(tmp_path: Path) -> None:
    make(
        tmp_path,
        {".gitignore": "gen/\n", ".fourfoldignore": "!gen/sdk/\n", "gen/sdk/c.py": "", "gen/x.py": ""},
    )
    assert found(tmp_path) == ["gen/sdk/c.py"]


def test_a15_no_extension_is_skipped_in_silence(tmp_path: Path) -> None:
    names = ["a.kjs", "b.rsc", "noext", "scripts/c.cjs", "weird.ext-1"]
    make(tmp_path, dict.fromkeys(names, "x\n"))
    assert found(tmp_path) == names


@pytest.mark.parametrize("name", ["dist", "lib", "out", "classes", "build", "target", "bin", "vendor", "env"])
def test_a16_packages_with_suspicious_names_stay(tmp_path: Path, name: str) -> None:
    make(tmp_path, {f"src/{name}/A.java": ""})
    assert found(tmp_path) == [f"src/{name}/A.java"]


def test_a17_there_is_no_cap_on_the_number_of_files(tmp_path: Path) -> None:
    make(tmp_path, {f"{n % 7}/f{n}.py": "" for n in range(2500)})
    assert len(found(tmp_path)) == 2500


def _wide(home: Path) -> Iterator[Path]:
    yield from (home, Path("/"), home.parent, Path("/usr"))


def test_a18_home_and_system_folders_are_refused(home: Path) -> None:
    for place in _wide(home):
        with pytest.raises(RootRefused) as caught:
            check_root(place)
        assert "--root" in caught.value.hint
