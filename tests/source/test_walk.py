"""The walker, and the check of one path that must agree with it."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.source.found import REASONS
from fourfold.source.walk import Skip, WalkOptions, WalkResult, eligible, walk

Git = Callable[..., str]
Write = Callable[..., None]


def paths(result: WalkResult) -> list[str]:
    return [found.path for found in result.found]


def reasons(result: WalkResult) -> dict[str, str]:
    return {skip.path: skip.reason for skip in result.skipped}


def reason(root: Path, path: str, options: WalkOptions | None = None) -> str:
    skip = eligible(root, path, options)
    return skip.reason if skip else ""


def test_found_carries_the_stat(tmp_path: Path, write: Write) -> None:
    write(tmp_path, {"a.py": "x = 1\n"})
    (found,) = walk(tmp_path).found
    status = (tmp_path / "a.py").stat()
    assert (found.path, found.size, found.mtime_ns, found.ctime_ns, found.inode) == (
        "a.py",
        6,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
    )


def test_skip_reasons_by_name_and_size(tmp_path: Path, write: Write) -> None:
    write(
        tmp_path,
        {
            "a.py": "x\n",
            "logo.png": b"\x89PNG",
            "yarn.lock": "x\n",
            "app.min.js": "x",
            "app.js.map": "{}",
            ".env": "A=1\n",
            ".env.example": "A=\n",
            "big.txt": "x" * 2000,
            "png": "no extension\n",
        },
    )
    result = walk(tmp_path, WalkOptions(max_file_bytes=1000))
    assert paths(result) == [".env.example", "a.py", "png"]
    assert reasons(result) == {
        "logo.png": "binary",
        "yarn.lock": "generated",
        "app.min.js": "minified",
        "app.js.map": "generated",
        ".env": "secret",
        "big.txt": "too-large",
    }
    assert "2,000 bytes" in next(skip.detail for skip in result.skipped if skip.path == "big.txt")
    assert all(skip.reason in REASONS and skip.detail for skip in result.skipped)


def test_default_exclusions_need_an_unambiguous_name_or_a_marker(tmp_path: Path, write: Write) -> None:
    tag = "Signature: 8a477f597d28d172789f06886806bc55\n"
    write(
        tmp_path,
        {
            "node_modules/x/i.js": "",
            "pkg/__pycache__/a.txt": "",
            "env/pyvenv.cfg": "",
            "env/lib/a.py": "",
            "target/CACHEDIR.TAG": tag,
            "target/a.rs": "",
            "out/CMakeCache.txt": "",
            "out/a.c": "",
            "insource/CMakeCache.txt": "",
            "insource/CMakeLists.txt": "",
            "tagged/CACHEDIR.TAG": "no\n",
            "build/a.py": "",
            "dist/a.py": "",
            "lib/a.py": "",
            "vendor/a.py": "",
            "classes/A.java": "",
            ".hidden/a.py": "",
            ".eslintrc.js": "",
            "x.egg-info/top.txt": "",
        },
    )
    assert paths(walk(tmp_path)) == [
        ".eslintrc.js",
        "build/a.py",
        "classes/A.java",
        "dist/a.py",
        "insource/CMakeCache.txt",
        "insource/CMakeLists.txt",
        "lib/a.py",
        "tagged/CACHEDIR.TAG",
        "vendor/a.py",
    ]
    assert ".hidden/a.py" in paths(walk(tmp_path, WalkOptions(hidden=True)))
    assert [reason(tmp_path, path) for path in ("env/lib/a.py", "node_modules/x/i.js", ".hidden/a.py", "lib")] == [
        "excluded",
        "excluded",
        "hidden",
        "directory",
    ]


def test_tracked_files_count_whatever_ignores_them(tmp_path: Path, git: Git, write: Write) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "gen/\n*.log\n",
            "gen/kept.py": "",
            "gen/lost.py": "",
            "a.log": "",
            "b.log": "",
            ".github/ci.yml": "",
            ".github/new.yml": "",
            "node_modules/own/a.js": "",
            "node_modules/other.js": "",
        },
    )
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-f", ".gitignore", "gen/kept.py", "a.log", ".github/ci.yml", "node_modules/own/a.js")
    assert paths(walk(tmp_path)) == [
        ".github/ci.yml",
        ".gitignore",
        "a.log",
        "gen/kept.py",
        "node_modules/own/a.js",
    ]
    # Who names an ignored folder as the root means it; rules about what lies in it hold all the same.
    write(tmp_path, {"gen/c.log": "", "gen/d.log": ""})
    git(tmp_path, "add", "-f", "gen/d.log")
    assert paths(walk(tmp_path / "gen")) == ["d.log", "kept.py", "lost.py"]


def test_own_ignore_file_wins_over_git_and_tracking(tmp_path: Path, git: Git, write: Write) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "generated/\n*.log\n",
            ".fourfoldignore": "fixtures/\n!generated/api/\n!/keep.log\n",
            "generated/api/client.py": "",
            "generated/api/x.log": "",
            "generated/other.py": "",
            "keep.log": "",
            "fixtures/a.py": "",
            "sub/.fourfoldignore": "!x.log\nskip.py\n",
            "sub/x.log": "",
            "sub/skip.py": "",
            ".cfg/tool/a.py": "",
        },
    )
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    assert [path for path in paths(walk(tmp_path)) if "ignore" not in path] == [
        ".cfg/tool/a.py",
        "generated/api/client.py",
        "keep.log",
        "sub/x.log",
    ]
    skip = eligible(tmp_path, "fixtures/a.py")
    assert skip is not None
    assert (skip.reason, skip.detail) == ("ignored", ".fourfoldignore:1: fixtures/")


def test_options_have_the_last_word(tmp_path: Path, write: Write) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "out/\n",
            ".fourfoldignore": "docs/\n",
            "out/a.py": "",
            "out/b.py": "",
            "docs/a.md": "",
            ".agent/x.md": "",
            "src/a.py": "",
            "src/test_a.py": "",
            "node_modules/mine/a.js": "",
        },
    )
    options = WalkOptions(
        include=("out/a.py", "/docs/", ".agent/", "node_modules/mine/"), exclude=("test_*.py", ".*ignore")
    )
    assert paths(walk(tmp_path, options)) == [
        ".agent/x.md",
        "docs/a.md",
        "node_modules/mine/a.js",
        "out/a.py",
        "src/a.py",
    ]


def test_secrets_cannot_be_included(tmp_path: Path, git: Git, write: Write) -> None:
    write(tmp_path, {".env": "A=1\n", ".fourfoldignore": "!.env\n"})
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-f", ".env")
    options = WalkOptions(include=(".env",), hidden=True, ignore_files=False)
    assert reasons(walk(tmp_path, options)) == {".env": "secret"}


def test_links(tmp_path: Path, write: Write) -> None:
    root = tmp_path / "root"
    write(root, {"real/a.py": "x = 1\n", ".env": "A=1\n", ".git/HEAD": "ref: refs/heads/x\n"})
    write(tmp_path, {"outside.py": "", "root-evil/x.py": ""})
    for name, target in {
        "in.py": "real/a.py",
        "out.py": "../outside.py",
        "evil.py": "../root-evil/x.py",
        "gone.py": "nothing",
        "folder": "real",
        "loop": "loop",
        "up": ".",
        "notes.txt": ".env",
        "cfg": ".git/HEAD",
    }.items():
        (root / name).symlink_to(target)
    result = walk(root)
    assert paths(result) == ["in.py", "real/a.py"]
    assert result.found[0].size == 6
    assert reasons(result) == {
        ".env": "secret",
        "cfg": "link-outside",
        "evil.py": "link-outside",
        "folder": "link-to-directory",
        "gone.py": "link-broken",
        "loop": "link-broken",
        "notes.txt": "link-outside",
        "out.py": "link-outside",
        "up": "link-to-directory",
    }
    assert reason(root, "folder/a.py") == "link-to-directory"
    assert reason(root, "in.py") == ""


def test_special_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("sock")
        result = walk(tmp_path)
    assert {skip.path: (skip.reason, skip.detail) for skip in result.skipped} == {
        "pipe": ("special", "a pipe"),
        "sock": ("special", "a socket"),
    }


def test_a_name_that_is_no_unicode_is_reported(tmp_path: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.py")).write_text("x\n")
    except OSError:
        pytest.skip("this file system takes Unicode names only")
    assert [(skip.path, skip.reason) for skip in walk(tmp_path).skipped] == [("\\xff\\xfe.py", "bad-name")]


def test_ignore_files_that_are_no_files(tmp_path: Path, write: Write) -> None:
    """A pipe would block for ever, a link would read another tree's rules."""
    root = tmp_path / "root"
    write(tmp_path, {"rules": "*.py\n", "root/a.py": "", "root/sub/a.py": ""})
    (root / ".gitignore").symlink_to(tmp_path / "rules")
    os.mkfifo(root / "sub" / ".gitignore")
    assert paths(walk(root)) == ["a.py", "sub/a.py"]


def test_an_ignore_file_that_is_too_large_is_reported(tmp_path: Path, write: Write) -> None:
    write(tmp_path, {".gitignore": "*.py\n" * 500_000, "a.py": ""})
    result = walk(tmp_path, WalkOptions(max_file_bytes=10**7))
    assert "a.py" in paths(result)
    assert ".gitignore" in result.warnings[0]


def test_nested_repositories(tmp_path: Path, git: Git, write: Write) -> None:
    inner, outer = tmp_path / "inner", tmp_path / "outer"
    write(inner, {"i.py": "", "x.log": "", ".gitignore": "secret.py\n", "secret.py": ""})
    git(inner, "init", "-q")
    git(inner, "add", "i.py", "x.log", ".gitignore")
    git(inner, "commit", "-qm", "x")
    write(outer, {"o.py": "", ".gitignore": "*.log\n"})
    git(outer, "init", "-q")
    git(outer, "add", "-A")
    git(outer, "commit", "-qm", "x")
    git(outer, "submodule", "--quiet", "add", str(inner), "mods/sub")
    git(outer, "worktree", "add", "-q", "trees/w")
    git(outer, "clone", "-q", str(inner), "clone")
    write(outer / "mods" / "sub", {"secret.py": ""})
    result = walk(outer)
    assert paths(result) == [
        ".gitignore",
        ".gitmodules",
        "mods/sub/.gitignore",
        "mods/sub/i.py",
        "mods/sub/x.log",
        "o.py",
    ]
    assert reasons(result) == {"clone": "nested-repo", "trees/w": "nested-worktree"}
    assert "clone/i.py" in paths(walk(outer, WalkOptions(nested_repos=True)))
    assert [reason(outer, path) for path in ("clone/i.py", "trees/w/o.py", "mods/sub/i.py", "mods/sub/secret.py")] == [
        "nested-repo",
        "nested-worktree",
        "",
        "ignored",
    ]


def test_known_paths_are_checked_against_the_rules_of_today(tmp_path: Path, git: Git, write: Write) -> None:
    write(tmp_path, {"a.py": "", "b.log": "", "sub/c.py": ""})
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")

    def again(last: WalkResult, options: WalkOptions | None = None) -> WalkResult:
        known = {found.path: (found.size, found.mtime_ns) for found in last.found}
        result = walk(tmp_path, options, known, last.fingerprint)
        assert result == walk(tmp_path, options)
        return result

    last = walk(tmp_path)
    assert again(last) == last
    write(tmp_path, {".gitignore": "*.log\n"})
    last = again(last)
    assert "b.log" in paths(last)  # tracked
    git(tmp_path, "rm", "-q", "--cached", "b.log")
    last = again(last)
    assert "b.log" not in paths(last)
    write(tmp_path, {"sub/.fourfoldignore": "*.py\n"})
    last = again(last)
    assert paths(last) == [".gitignore", "a.py", "sub/.fourfoldignore"]
    assert "a.py" not in paths(again(last, WalkOptions(exclude=("a.py",))))
    (tmp_path / "a.py").unlink()
    (tmp_path / "a.py").mkdir()
    assert "a.py" not in paths(again(last))


def test_known_without_a_fingerprint_is_not_trusted(tmp_path: Path, write: Write) -> None:
    write(tmp_path, {".gitignore": "*.log\n", "a.log": ""})
    assert "a.log" not in paths(walk(tmp_path, None, {"a.log"}, ""))


def test_fingerprints_speak_of_rules_not_of_files(tmp_path: Path, write: Write) -> None:
    write(tmp_path, {".gitignore": "*.log\n", "a.py": ""})
    one = walk(tmp_path).fingerprint
    write(tmp_path, {"b.py": ""})
    assert walk(tmp_path).fingerprint == one
    assert walk(tmp_path, WalkOptions(hidden=True)).fingerprint != one
    write(tmp_path, {".gitignore": "*.txt\n"})
    assert walk(tmp_path).fingerprint != one


def test_eligible_names_what_is_not_there(tmp_path: Path, write: Write) -> None:
    write(tmp_path, {"a.py": "", "sub/b.py": ""})
    assert [reason(tmp_path, path) for path in ("none.py", "a.py/x", "sub/none/x.py", "sub", "sub/b.py")] == [
        "absent",
        "absent",
        "absent",
        "directory",
        "",
    ]


_PARTS = st.sampled_from(["a", "b.py", "c.log", "build", ".hid", "node_modules", ".env", "x.png"])
_LINES = st.sampled_from(
    ["*.log", "!c.log", "build/", "!build/a/", "/a", "a/b.py", "!.hid/", "**/a/**", "!node_modules/"]
)


@settings(max_examples=60, deadline=None)
@given(
    files=st.lists(st.lists(_PARTS, min_size=1, max_size=4).map("/".join), max_size=14),
    ignores=st.dictionaries(
        st.tuples(st.sampled_from(["", "a/", "build/"]), st.sampled_from([".gitignore", ".fourfoldignore"])).map(
            "".join
        ),
        st.lists(_LINES, max_size=3),
        max_size=3,
    ),
    hidden=st.booleans(),
    ignore_files=st.booleans(),
)
def test_walk_and_eligible_agree(
    tmp_path_factory: pytest.TempPathFactory,
    files: list[str],
    ignores: dict[str, list[str]],
    hidden: bool,
    ignore_files: bool,
) -> None:
    root = tmp_path_factory.mktemp("tree")
    for path, text in {
        **dict.fromkeys(files, "x\n"),
        **{k: "\n".join(v) for k, v in ignores.items()},
    }.items():
        target = root / path
        if any(parent.is_file() for parent in target.parents) or target.is_dir():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    options = WalkOptions(hidden=hidden, ignore_files=ignore_files)
    result = walk(root, options)
    found = set(paths(result))
    skipped = {skip.path: skip for skip in result.skipped}
    for file in root.rglob("*"):
        path = file.relative_to(root).as_posix()
        if file.is_dir():
            continue
        answer = eligible(root, path, options)
        assert (answer is None) == (path in found)
        if isinstance(answer, Skip) and path in skipped:
            assert answer == skipped[path]
