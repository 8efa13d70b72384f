"""Services read as archives from GitHub and GitLab: no git, nothing asked twice, nothing unpacked, clear refusals."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.services.conftest import FILES
from tests.services.forge_server import TOKEN, ForgeServer
from tests.services.git_server import Repository
from tests.services.test_git_server import failure, places, synced

from fourfold import Workspace
from fourfold.config.services import ServiceConfig
from fourfold.model.errors import BackendUnavailable, IndexUnavailable, UsageError
from fourfold.net.get import may_follow
from fourfold.source.archive import Archive, ArchiveObjects
from fourfold.source.forge import forge_of
from fourfold.source.git_address import Address
from fourfold.source.git_tree import GitTree

VIA = ("github", "gitlab")
HOSTILE_NAMES = ("top/../../escape.py", "/etc/absolute.py", "top/a/../b.py", "top/back\\slash.py", "top//two.py")
SOON = "in half an hour, as seconds since the epoch"


@pytest.fixture
def forge(app: Repository) -> Iterator[ForgeServer]:
    """The application on a forge."""
    made = ForgeServer(app)
    yield made
    made.stop()


@pytest.fixture
def no_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading must not run git."""

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("git was run")

    for place in ("source.git_remote.run_bounded", "source.objects.run_git", "source.git_mirror.run_git"):
        monkeypatch.setattr(f"fourfold.{place}", fail)


def opened(forge: ForgeServer, listed: list[Workspace], via: str, **changes: str) -> Workspace:
    """A workspace with the application as a service."""
    listed.append(Workspace([ServiceConfig("app", git=forge.url, via=via, **changes)]))
    return listed[-1]


@pytest.mark.parametrize("via", VIA)
@pytest.mark.usefixtures("no_git")
def test_an_archive_is_searched_at_its_commit(forge: ForgeServer, listed: list[Workspace], via: str) -> None:
    workspace = opened(forge, listed, via)
    report = synced(workspace)
    assert (report.fetched, report.report.added) == (len(FILES), len(FILES))
    found = workspace.search("exponential back-off delay").items[0]
    assert (found.path, found.ref) == ("src/retry.py", "default branch")
    text = workspace.services["app"].read("src/retry.py", live=True)
    assert text.text == FILES["src/retry.py"]
    assert report.commit[:12] in text.origin


@pytest.mark.parametrize("via", VIA)
def test_where_nothing_changed_one_short_question_is_asked(
    forge: ForgeServer, listed: list[Workspace], via: str
) -> None:
    workspace = opened(forge, listed, via, ref="main")
    synced(workspace)
    forge.asked.clear()
    report = synced(workspace)
    assert (report.changed, report.fetched) == (False, 0)
    assert [sent.get("if-none-match", "")[:2] for _, sent in forge.asked] == ["W/"]


def test_equal_files_of_two_commits_are_read_once(forge: ForgeServer, app: Repository, listed: list[Workspace]) -> None:
    workspace = opened(forge, listed, "github")
    synced(workspace)
    app.commit({"src/new.py": "def brand_new_function():\n    return 1\n", "docs/guide.md": None})
    report = synced(workspace)
    counts = report.report
    assert (report.fetched, counts.added, counts.removed, counts.unchanged) == (1, 1, 1, 2)
    assert places(workspace, "brand_new_function")[0] == "src/new.py"
    copy = workspace.services["app"].copy
    assert isinstance(copy, Archive)
    app.commit({"src/new.py": None})
    synced(workspace)
    assert len(list(copy.folder.glob("*.zip"))) == 2, "what is read now, and what may still be read"


@pytest.mark.parametrize("via", VIA)
def test_folders_refs_and_commits_are_found(
    forge: ForgeServer, app: Repository, listed: list[Workspace], via: str
) -> None:
    first = app.commit({"deep/down/only.py": "ONLY = 1\n"})
    app.commit({"deep/down/only.py": "LATER = 2\n"})
    at_commit = opened(forge, listed, via, ref=first, root="deep/down")
    synced(at_commit)
    assert at_commit.services["app"].read("only.py").text == "ONLY = 1\n"
    missing = opened(forge, listed, via, ref="no-such-branch")
    error = failure(missing)
    assert isinstance(error, UsageError)
    assert "no branch, tag or commit 'no-such-branch'" in error.message
    nowhere = opened(forge, listed, via, root="not/here")
    assert "no folder 'not/here'" in failure(nowhere).message


@pytest.mark.parametrize("via", VIA)
def test_a_token_opens_a_private_repository_and_stays_with_its_host(
    forge: ForgeServer, listed: list[Workspace], via: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    forge.private = True
    assert "may be read" in failure(opened(forge, listed, via)).message
    workspace = opened(forge, listed, via, token_env="APP_TOKEN")
    assert "APP_TOKEN" in failure(workspace).message
    monkeypatch.setenv("APP_TOKEN", "wrong-token")
    assert "token is not accepted" in failure(workspace).message
    monkeypatch.setenv("APP_TOKEN", TOKEN)
    synced(workspace)
    cached = workspace.services["app"].copy.folder
    assert not any(TOKEN.encode() in file.read_bytes() for file in cached.rglob("*") if file.is_file())


def test_a_redirect_to_another_place_is_not_followed(forge: ForgeServer, listed: list[Workspace]) -> None:
    forge.elsewhere = "http://169.254.169.254/latest/meta-data"
    assert "leads to another place" in failure(opened(forge, listed, "github")).message


@pytest.mark.parametrize(
    ("target", "allowed"),
    [
        ("https://codeload.github.com/o/r/legacy.zip/abc", True),
        ("https://api.github.com/repositories/1/commits/HEAD", True),
        ("https://codeload.github.com.evil.example/o", False),
        ("https://evilgithub.com/o", False),
        ("http://codeload.github.com/o", False),
        ("file:///etc/passwd", False),
        ("https://127.0.0.1/o", False),
        ("https://api.github.com:443/o", True),
        ("https://api.github.com:8443/o", False),
        ("https://api.github.com:port/o", False),
    ],
)
def test_where_redirects_may_lead(target: str, allowed: bool) -> None:
    assert may_follow("https://api.github.com/repos/o/r/zipball/abc", target) is allowed


def test_the_key_is_not_sent_along_to_another_host() -> None:
    assert not may_follow("https://10.0.0.1/api", "https://10.0.0.2/api"), "numbers have no parent domain"


@pytest.mark.parametrize(
    ("status", "headers", "said"),
    [
        (403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": SOON}, "in 30 min"),
        (429, {"RateLimit-Remaining": "0", "RateLimit-Reset": SOON}, "in 30 min"),
        (429, {"Retry-After": "42"}, "for 42 s"),
        (403, {}, "may be read"),
        (404, {}, "may be read"),
        (500, {}, "HTTP 500"),
        (301, {"Location": "/round/in/a/circle"}, "circle"),
    ],
)
def test_a_refusal_is_told_and_the_last_index_serves(
    forge: ForgeServer, listed: list[Workspace], status: int, headers: dict[str, str], said: str
) -> None:
    workspace = opened(forge, listed, "github")
    synced(workspace)
    reset = str(int(time.time()) + 1810)
    headers = {name: reset if value == SOON else value for name, value in headers.items()}
    forge.refuse = (status, headers, b"{}")
    error = failure(workspace)
    assert isinstance(error, BackendUnavailable)
    assert said in error.message
    assert places(workspace)[0] == "src/retry.py"


def test_a_broken_archive_leaves_the_last_one(forge: ForgeServer, app: Repository, listed: list[Workspace]) -> None:
    workspace = opened(forge, listed, "gitlab")
    synced(workspace)
    for spoil in (lambda data: data[: len(data) // 2], lambda _: b"<html>sign in</html>", lambda _: b""):
        app.commit({"src/app.py": f"SPOILT = {id(spoil)}\n"})
        forge.spoil = spoil
        assert "cannot be read" in failure(workspace).message
        assert places(workspace)[0] == "src/retry.py"
        assert not list(workspace.services["app"].copy.folder.glob(".*")), "no half of a download is left"
    forge.spoil = bytes
    synced(workspace)
    assert "SPOILT" in workspace.services["app"].read("src/app.py").text


def test_damage_in_the_cache_is_told_and_mended_by_a_new_fetch(forge: ForgeServer, listed: list[Workspace]) -> None:
    workspace = opened(forge, listed, "github")
    synced(workspace)
    folder = workspace.services["app"].copy.folder
    workspace.services["app"].close()
    for file in folder.glob("*.zip"):
        file.write_bytes(b"damaged")
    for file in folder.glob("*.json"):
        file.unlink()
    synced(workspace)
    assert workspace.services["app"].read("src/retry.py").text == FILES["src/retry.py"]


def test_names_in_an_archive_lead_nowhere(tmp_path: Path, forge: ForgeServer, listed: list[Workspace]) -> None:
    def hostile(_: bytes) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for name in (
                "top/../../escape.py",
                "/etc/absolute.py",
                "top/a/../b.py",
                "top/back\\slash.py",
                "top//two.py",
            ):
                archive.writestr(name, "EVIL = 1\n")
            link = zipfile.ZipInfo("top/link.py")
            link.create_system, link.external_attr = 3, 0o120777 << 16
            archive.writestr(link, "/etc/passwd")
            archive.writestr("top/good.py", "GOOD = 1\n")
            archive.writestr("top/good.py/inside.py", "ODD = 1\n")
            archive.writestr("other/better.py", "EVIL = 1\n")
        return out.getvalue()

    forge.spoil = hostile
    workspace = opened(forge, listed, "github")
    synced(workspace)
    tree = workspace.services["app"].tree()
    assert isinstance(tree, GitTree)
    assert isinstance(tree.objects, ArchiveObjects)
    assert sorted(tree.listing()) == ["good.py", "link.py"]
    assert {item.path for item in workspace.search("EVIL GOOD ODD").items} == {"good.py"}
    assert not list(tmp_path.rglob("escape.py"))


def test_a_cache_that_is_not_to_be_written_is_told(
    forge: ForgeServer, listed: list[Workspace], monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = opened(forge, listed, "github")
    monkeypatch.setattr("fourfold.source.archive.MAX_MEMBER_BYTES", 0)  # nothing is read to be hashed: only written

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("fourfold.source.archive.replace_text", full)
    error = failure(workspace)
    assert isinstance(error, IndexUnavailable)
    assert "No space left" in error.message


def test_without_git_the_public_forges_are_read_as_archives() -> None:
    hub, lab, other = (
        Address(f"https://{host}/team/app.git", "https") for host in ("github.com", "gitlab.com", "git.example.org")
    )
    assert forge_of(hub, "", "", git=True) is None
    chosen = [forge_of(address, "", "", git=False) for address in (hub, lab, other)]
    assert [forge.kind if forge else None for forge in chosen] == ["github", "gitlab", None]
    assert forge_of(hub, "git", "", git=False) is None
    assert chosen[0] is not None
    assert chosen[0]._repository == "https://api.github.com/repos/team/app"
    assert chosen[1] is not None
    assert chosen[1]._repository == "https://gitlab.com/api/v4/projects/team%2Fapp"
