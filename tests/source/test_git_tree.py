"""Blobs, bounded programs, addresses: the parts beneath services over git."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path

import pytest
from tests.services.git_server import git

from fourfold.model.errors import UsageError
from fourfold.source.blobs import Blobs, sizes
from fourfold.source.bounded import MAX_PROCESSES, TooManyProcessesError, run_bounded
from fourfold.source.found import WalkOptions
from fourfold.source.git_address import check_address, check_ref, looks_remote, shown
from fourfold.source.git_tree import GitTree, _found, hash_of
from fourfold.source.objects import Entry, GitObjects


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one small and one larger file."""
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "small.py").write_text("a = 1\n", encoding="utf-8")
    (folder / "large.py").write_text("b = 2\n" * 4_000, encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "one")
    return folder


@pytest.mark.parametrize("length", [40, 64])
def test_a_hash_survives_as_stat_values(length: int) -> None:
    digits = ("0" * 9 + "00f1e2d3c4b5a697" * 5)[:length]
    found = _found("a.py", Entry("100644", digits), 7)
    assert all(0 <= value < 1 << 63 for value in (found.mtime_ns, found.ctime_ns, found.inode))
    assert digits.startswith(hash_of(found, length))
    assert len(hash_of(found, length)) >= 40


def test_blobs_are_read_by_one_process_up_to_a_limit(repository: Path) -> None:
    small, large = (git(repository, "rev-parse", f"HEAD:{name}") for name in ("small.py", "large.py"))
    blobs = Blobs(repository / ".git")
    assert blobs.read(small, 100) == b"a = 1\n"
    process = blobs._process
    assert blobs.read(large, 10) == (b"b = 2\n" * 2)[:11]
    assert blobs.read(small[:12], 100) == b"a = 1\n", "after a blob that was cut, by an abbreviated hash"
    assert blobs.read("0" * 40, 100) is None
    assert blobs.read(git(repository, "rev-parse", "HEAD"), 100) is None, "a commit is no blob"
    assert blobs._process is process
    assert process is not None
    process.kill()
    process.wait()
    assert blobs.read(small, 100) is None
    assert blobs.read(small, 100) == b"a = 1\n", "another process after one that died"
    blobs.close()
    assert sizes(repository / ".git", [small, large, "0" * 40]) == {small: 6, large: 24_000}


def test_a_tree_knows_its_files_and_why_not(repository: Path) -> None:
    commit = git(repository, "rev-parse", "HEAD")
    tree = GitTree(GitObjects(repository / ".git"), commit, "main", label="repo")
    options = WalkOptions(max_file_bytes=1_000)
    walked = tree.walk(options)
    assert [found.path for found in walked.found] == ["small.py"]
    assert [(skip.path, skip.reason) for skip in walked.skipped] == [("large.py", "too-large")]
    assert tree.why_not("small.py", options) is None
    reasons = {path: tree.why_not(path, options) for path in ("large.py", "nowhere.py")}
    assert {path: skip.reason for path, skip in reasons.items() if skip} == {
        "large.py": "too-large",
        "nowhere.py": "absent",
    }
    assert tree.fingerprint(options) != tree.fingerprint(WalkOptions())
    assert str(tree) == "repo@main"
    with pytest.raises(FileNotFoundError):
        tree.look("nowhere.py")
    with pytest.raises(UsageError, match="no folder 'src'"):
        GitTree(GitObjects(repository / ".git"), commit, root="src").listing()
    tree.close()


def test_a_program_that_multiplies_is_ended_with_all_it_started() -> None:
    many = (
        "import subprocess, sys, time\n"
        "sleep = [sys.executable, '-S', '-c', 'import time; time.sleep(60)']\n"
        f"own = [subprocess.Popen(sleep) for _ in range({MAX_PROCESSES + 5})]\n"
        "time.sleep(60)\n"
    )
    if sys.platform != "linux":
        pytest.skip("only Linux tells of a session's processes without further packages")
    with pytest.raises(TooManyProcessesError):
        run_bounded([sys.executable, "-S", "-c", many], {}, b"", 50.0)


def test_a_program_is_ended_in_time_and_gets_what_it_is_given() -> None:
    echo = [sys.executable, "-S", "-c", "import sys; sys.stdout.write(sys.stdin.read().upper())"]
    assert run_bounded(echo, {}, b"given", 30.0).stdout == b"GIVEN"
    with pytest.raises(subprocess.TimeoutExpired):
        run_bounded([sys.executable, "-S", "-c", "import time; time.sleep(60)"], {}, b"", 0.2)


@pytest.mark.parametrize(
    ("text", "protocol"),
    [
        ("https://github.com/team/app.git", "https"),
        ("ssh://git@example.org:2222/team/app", "ssh"),
        ("git@example.org:team/app.git", "ssh"),
        ("http://127.0.0.1:8000/app.git", "http"),
        ("http://localhost/app", "http"),
    ],
)
def test_addresses_that_may_be_asked(text: str, protocol: str) -> None:
    assert check_address(text).protocol == protocol
    assert looks_remote(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "-uevil", "--upload-pack=touch /tmp/x", "ext::sh -c touch", "ext::sh", "fd::17", "git://example.org/x",
        "ftp://example.org/x", "http://example.org/x", "https://u:p@example.org/x", "https://user@example.org/x",
        "https://example.org", "https:///x", "ssh://-oProxyCommand=x/y", "https://ex ample.org/x", "https://h/x\ny",
        "https://example.org/x?y", "https://example.org/x#y", "/no/such/folder", "file:///no/such", "https://[::1/x",
    ],
)  # fmt: skip
def test_addresses_that_are_refused(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        check_address(text)
    assert "u:p@" not in str(caught.value)


@pytest.mark.parametrize("ref", ["main", "v1.2", "feature/x-y", "a" * 40, "release@2", "ü"])
def test_refs(ref: str) -> None:
    assert check_ref(ref) == ref


@pytest.mark.parametrize(
    "ref", ["", "-x", "a..b", "a b", "a~1", "a^{}", "a:b", "@{-1}", "a//b", "/a", "a/", ".a", "a/.b", "x.lock", "@"]
)
def test_refs_that_are_none(ref: str) -> None:
    with pytest.raises(UsageError):
        check_ref(ref)


def test_shown_addresses_hold_no_password() -> None:
    assert shown("fatal: https://me:secret@example.org/x not found") == "fatal: https://example.org/x not found"


@pytest.mark.parametrize("ask", ["listing", "dirty", "changed"])
def test_a_repository_that_lacks_an_object_starts_no_program(tmp_path: Path, ask: str) -> None:
    """A partial copy may name a program as its remote, allow that, and lack an object that git then asks for."""
    from fourfold.source.git import changed_files, dirty_count

    folder, marker = tmp_path / "repo", tmp_path / "started"
    (folder / "inner").mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    (folder / "inner" / "code.py").write_text("a = 1\n", encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "one")
    missing = git(folder, "rev-parse", "HEAD:inner")
    place = folder / ".git" / "objects" / missing[:2] / missing[2:]
    place.chmod(0o644)
    place.unlink()
    settings = {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"ext::touch {marker}",
        "protocol.ext.allow": "always",
    }
    commit = git(folder, "rev-parse", "HEAD")
    for key, value in settings.items():
        git(folder, "config", key, value)
    subprocess.run(["git", "ls-tree", "-r", "HEAD"], cwd=folder, capture_output=True, check=False)
    assert marker.exists(), "git itself would start it"
    marker.unlink()
    if ask == "listing":
        with pytest.raises(UsageError):
            GitTree(GitObjects(folder / ".git"), commit).listing()
    elif ask == "dirty":
        dirty_count(folder)
    else:
        with contextlib.suppress(UsageError):
            changed_files(folder, "HEAD")
    assert not marker.exists()
