"""Services over a real git server: what is fetched, what is read again, and what is said when it fails."""

from __future__ import annotations

import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.services.conftest import FILES
from tests.services.git_server import GitServer, Repository, git

from fourfold import Workspace
from fourfold.config.services import ServiceConfig
from fourfold.engine.service import Service, SyncReport
from fourfold.model.errors import BackendUnavailable, FourfoldError, UsageError
from fourfold.source.git_mirror import Mirror


def synced(workspace: Workspace, name: str = "app") -> SyncReport:
    """One service brought up to date, which must succeed."""
    done, failed = workspace.sync([name])
    assert not failed, failed
    return done[0]


def failure(workspace: Workspace, name: str = "app") -> FourfoldError:
    """Why a sync fails, which it must."""
    done, failed = workspace.sync([name])
    assert not done
    return failed[name]


def places(workspace: Workspace, query: str = "exponential back-off delay") -> list[str]:
    """Where a question is answered."""
    return [item.path for item in workspace.search(query).items]


def service(app: Repository, listed: list[Workspace], **changes: str) -> Workspace:
    """A workspace with one service of the repository."""
    listed.append(Workspace([ServiceConfig("app", git=app.url, **changes)]))
    return listed[-1]


def test_a_clone_is_bare_partial_and_searched_at_its_commit(workspace: Workspace, app: Repository) -> None:
    report = synced(workspace)
    assert report.changed
    assert report.report.added == len(FILES)
    assert report.fetched == len(FILES), "each blob of the ref is asked for, in one request"
    mirror = workspace.services["app"].copy
    assert isinstance(mirror, Mirror)
    assert mirror.partial
    assert not (mirror.folder / "index").exists(), "no work tree was made"
    found = workspace.search("exponential back-off delay").items[0]
    assert (found.service, found.ref, found.path) == ("app", "default branch", "src/retry.py")
    assert report.commit == git(app.work, "rev-parse", "HEAD")


def test_a_fetch_reads_only_what_changed(workspace: Workspace, app: Repository, server: GitServer) -> None:
    app.commit({f"pkg/module_{n}.py": f"def work_{n}():\n    return {n}\n" for n in range(60)})
    synced(workspace)
    before = server.sent
    app.commit({"pkg/module_7.py": "def seven_renamed():\n    return 7\n", "docs/guide.md": None})
    report = synced(workspace)
    assert (report.fetched, report.report.changed, report.report.removed, report.report.added) == (1, 1, 1, 0)
    assert server.sent - before < 6_000, "a commit and one blob, not the repository"
    assert places(workspace, "seven_renamed")[0] == "pkg/module_7.py"


def test_where_nothing_changed_one_question_is_asked(workspace: Workspace, server: GitServer) -> None:
    synced(workspace)
    server.requests.clear()
    report = synced(workspace)
    assert not report.changed
    assert report.report.unchanged == len(FILES)
    assert len(server.requests) <= 2, "the refs, and no pack"


def test_an_equal_blob_is_known_by_its_hash(workspace: Workspace, app: Repository) -> None:
    synced(workspace)
    git(app.work, "mv", "src/retry.py", "src/again.py")
    app.commit({})
    report = synced(workspace)
    assert report.fetched == 0, "the same content under another name is here already"
    assert "src/again.py" in places(workspace)
    assert "src/retry.py" not in places(workspace)


def test_after_a_forced_push_the_new_history_is_read(workspace: Workspace, app: Repository) -> None:
    synced(workspace)
    git(app.work, "checkout", "-q", "--orphan", "fresh")
    app.commit({"src/retry.py": "def backoff_rewritten():\n    return 1\n"}, push=False)
    app.push("fresh:main")
    report = synced(workspace)
    assert report.changed
    assert report.report.changed == 1
    assert places(workspace, "backoff_rewritten")[0] == "src/retry.py"


def test_a_deleted_branch_is_said_and_its_last_state_serves(
    app: Repository, listed: list[Workspace], server: GitServer
) -> None:
    app.push("HEAD:refs/heads/feature")
    workspace = service(app, listed, ref="feature")
    synced(workspace)
    app.push(":refs/heads/feature")
    error = failure(workspace)
    assert isinstance(error, UsageError)
    assert "no branch or tag 'feature'" in error.message
    assert places(workspace)[0] == "src/retry.py"
    assert workspace.services["app"].state.error == error.message


def test_a_tag_that_moves_is_followed(app: Repository, listed: list[Workspace]) -> None:
    git(app.work, "tag", "-a", "-m", "one", "v1")
    app.push("refs/tags/v1")
    workspace = service(app, listed, ref="v1")
    first = synced(workspace)
    assert first.commit == git(app.work, "rev-parse", "v1^{commit}"), "the commit, not the tag object"
    app.commit({"src/retry.py": "def backoff_moved():\n    return 1\n"})
    assert not synced(workspace).changed
    git(app.work, "tag", "-f", "-a", "-m", "two", "v1")
    app.push("refs/tags/v1")
    assert synced(workspace).changed
    assert places(workspace, "backoff_moved")[0] == "src/retry.py"


def test_a_commit_is_read_by_its_hash(app: Repository, listed: list[Workspace], server: GitServer) -> None:
    old = git(app.work, "rev-parse", "HEAD")
    app.commit({"src/retry.py": None})
    workspace = service(app, listed, ref=old)
    assert synced(workspace).commit == old
    assert places(workspace)[0] == "src/retry.py"
    server.requests.clear()
    synced(workspace)
    assert not server.requests, "what a hash names never changes"


def test_a_commit_that_is_not_there_is_said(app: Repository, listed: list[Workspace]) -> None:
    error = failure(service(app, listed, ref="12" * 20))
    assert "does not have the commit" in error.message


def test_submodules_and_lfs_pointers_are_left_out_and_said(
    app: Repository, server: GitServer, workspace: Workspace
) -> None:
    other = server.repository("other", {"inner.py": "def inner_of_submodule():\n    return 1\n"})
    git(app.work, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.bare), "vendor/other")
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "a" * 64 + "\nsize 12345\n"
    app.commit({"data/table.csv": pointer})
    report = synced(workspace)
    assert report.report.skipped == {"submodule": 1, "lfs-pointer": 1}
    assert any("submodules are not followed" in note for note in report.notes)
    assert any("git LFS" in note for note in report.notes)
    assert not places(workspace, "inner_of_submodule") or "inner.py" not in places(workspace, "inner_of_submodule")
    said = workspace.services["app"].open().status_of("data/table.csv")
    assert (said.status, said.reason) == ("skipped", "lfs-pointer")


def test_a_shallow_server_can_be_read(app: Repository, server: GitServer, listed: list[Workspace]) -> None:
    app.commit({"src/more.py": "def more():\n    return 1\n"})
    shallow = server.folder / "served" / "shallow.git"
    git(server.folder, "clone", "-q", "--bare", "--depth", "1", f"file://{app.bare}", str(shallow))
    git(shallow, "config", "uploadpack.allowFilter", "true")
    listed.append(Workspace([ServiceConfig("app", git=f"{server.url}/shallow.git")]))
    assert synced(listed[-1]).report.added == len(FILES) + 1


def test_a_server_that_does_not_filter_is_copied_whole_and_that_is_said(app: Repository, workspace: Workspace) -> None:
    git(app.bare, "config", "uploadpack.allowFilter", "false")
    report = synced(workspace)
    assert report.report.added == len(FILES)
    assert any("does not filter" in note for note in report.notes)


def test_a_token_is_sent_and_stored_nowhere(
    app: Repository, server: GitServer, listed: list[Workspace], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    server.token = "s3cr3t-token-of-the-test"
    workspace = service(app, listed, token_env="APP_TOKEN")
    monkeypatch.setenv("APP_TOKEN", server.token)
    assert synced(workspace).report.added == len(FILES)
    for path in (tmp_path / "cache").rglob("*"):
        if path.is_file():
            assert server.token.encode() not in path.read_bytes(), path


@pytest.mark.parametrize(
    ("given", "expected"), [("wrong", "user and password that are wrong or missing"), (None, "is not set")]
)
def test_wrong_and_missing_tokens_are_said_and_never_shown(
    app: Repository,
    server: GitServer,
    listed: list[Workspace],
    monkeypatch: pytest.MonkeyPatch,
    given: str | None,
    expected: str,
) -> None:
    server.token = "s3cr3t-token-of-the-test"
    if given is not None:
        monkeypatch.setenv("APP_TOKEN", given + "-but-secret")
    error = failure(service(app, listed, token_env="APP_TOKEN"))
    assert expected in error.message
    assert "secret" not in error.message + error.hint


def test_without_a_token_nobody_is_asked_for_one(workspace: Workspace, server: GitServer) -> None:
    server.token = "s3cr3t-token-of-the-test"
    error = failure(workspace)
    assert isinstance(error, BackendUnavailable)
    assert "--token-env" in error.hint


def test_a_server_that_is_gone_leaves_the_last_index(workspace: Workspace, server: GitServer) -> None:
    synced(workspace)
    server.stop()
    error = failure(workspace)
    assert isinstance(error, BackendUnavailable)
    assert "cannot be reached" in error.message
    assert places(workspace)[0] == "src/retry.py"


def test_an_unknown_host_is_said(listed: list[Workspace]) -> None:
    listed.append(Workspace([ServiceConfig("app", git="https://no-such-host.invalid/team/app.git")]))
    error = failure(listed[-1])
    assert "its host is unknown" in error.message


@pytest.mark.parametrize(("broken", "expected"), [("cut", "broke off"), (500, "500"), (403, "does not allow access")])
def test_a_server_that_fails_is_said_and_the_next_sync_goes_on(
    workspace: Workspace, app: Repository, server: GitServer, broken: str | int, expected: str
) -> None:
    synced(workspace)
    app.commit({"src/retry.py": "def backoff_newer():\n    return 1\n"})
    server.broken = broken
    assert expected in failure(workspace).message
    assert places(workspace)[0] == "src/retry.py"
    server.broken = ""
    assert synced(workspace).report.changed == 1
    assert places(workspace, "backoff_newer")[0] == "src/retry.py"


def test_a_repository_that_is_not_there_is_said(server: GitServer, listed: list[Workspace]) -> None:
    listed.append(Workspace([ServiceConfig("app", git=f"{server.url}/nothing.git")]))
    assert "no repository that may be read" in failure(listed[-1]).message


def test_an_empty_repository_is_said(server: GitServer, listed: list[Workspace]) -> None:
    git(server.folder, "init", "-q", "--bare", str(server.folder / "served" / "empty.git"))
    listed.append(Workspace([ServiceConfig("app", git=f"{server.url}/empty.git")]))
    assert "is empty" in failure(listed[-1]).message


@contextmanager
def full_disk(limit: int) -> Iterator[None]:
    """No file may grow above `limit` bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_said_and_the_last_index_serves(workspace: Workspace, app: Repository) -> None:
    synced(workspace)
    noise = {f"big/b{n}.py": "\n".join(f"value_{n}_{k} = {hash((n, k))}" for k in range(900)) for n in range(12)}
    app.commit(noise)
    with full_disk(20_000):
        error = failure(workspace)
        assert "disk is full or a size limit was met" in error.message
        assert places(workspace)[0] == "src/retry.py"
    assert synced(workspace).report.added == len(noise)


def test_a_root_narrows_to_a_folder(app: Repository, listed: list[Workspace]) -> None:
    workspace = service(app, listed, root="docs")
    assert synced(workspace).report.added == 1
    assert places(workspace, "how to start the server") == ["guide.md"]
    wrong = service(app, listed, root="no/such")
    assert "no folder 'no/such'" in failure(wrong).message


def test_two_services_share_one_copy(app: Repository, server: GitServer, listed: list[Workspace]) -> None:
    app.push("HEAD:refs/heads/other")
    configs = [ServiceConfig("one", git=app.url, ref="main"), ServiceConfig("two", git=app.url, ref="other")]
    listed.append(Workspace(configs))
    synced(listed[-1], "one")
    before = server.sent
    report = synced(listed[-1], "two")
    assert report.fetched == 0
    assert server.sent - before < 3_000
    assert listed[-1].services["one"].copy.folder == listed[-1].services["two"].copy.folder


def test_a_live_read_asks_for_the_newest_state_and_says_which_it_is(
    workspace: Workspace, app: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced(workspace)
    old = git(app.work, "rev-parse", "--short=12", "HEAD")
    app.commit({"src/retry.py": "def backoff_newest():\n    return 1\n"})
    found = workspace.services["app"]
    assert found.read("src/retry.py").text == FILES["src/retry.py"]
    assert old in found.read("src/retry.py").origin
    monkeypatch.setattr("fourfold.engine.service.LIVE_S", -1.0)
    live = found.read("src/retry.py", live=True)
    assert "backoff_newest" in (live.text or "")
    assert git(app.work, "rev-parse", "--short=12", "HEAD") in live.origin


def test_offline_nobody_is_asked(workspace: Workspace, server: GitServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOURFOLD_OFFLINE", "true")
    server.requests.clear()
    error = failure(workspace)
    assert "offline" in error.message
    assert not server.requests


def test_forgetting_deletes_the_index_and_the_copy(workspace: Workspace, tmp_path: Path) -> None:
    synced(workspace)
    found: Service = workspace.services["app"]
    assert found.copy.folder.exists()
    found.forget()
    assert not found.copy.folder.exists()
    assert not found.state.commit
    assert shutil.which("git")
