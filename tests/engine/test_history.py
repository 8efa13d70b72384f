"""The history: read once, followed afterwards, whatever happens to it; questions, filters, secrets, refusals."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fourfold import Index
from fourfold.config.load import load_settings
from fourfold.engine.history import HistoryResult, moment
from fourfold.index import history as index_history
from fourfold.index.history import FILE_NAME, FOLDER, HistoryReport
from fourfold.model.errors import BadFilter, BadQuery, IndexUnavailable, LockHeld
from fourfold.model.query import Filters
from fourfold.source.gitrun import git_program
from fourfold.source.history import below_top, reachable, read_commits, repository, tip
from fourfold.store.local.lock import WriteLock

KEY = "AKIA" + "Q7Z3M5P2X9K4J6H8"


class Repo:
    """A repository whose commits are a day apart, and its index."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "repo"
        self.root.mkdir()
        self.cache = folder / "cache"
        self.day = 0
        self.git("init", "-q", "-b", "main")
        self.index = self.open(self.root)

    def open(self, path: Path, root: Path | None = None) -> Index:
        settings = load_settings(self.root, {"cache_dir": str(self.cache), "embedding.model": "none"}, environ={})
        return Index.open(path, root=root, settings=settings.settings)

    def git(self, *arguments: str, author: str = "Jane Doe <jane@example.org>") -> str:
        name, _, email = author[:-1].partition(" <")
        date = f"2024-03-{self.day % 28 + 1:02d}T12:00:00+0000"
        env = {
            **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
            **{f"GIT_{who}_NAME": name for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_EMAIL": email for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_DATE": date for who in ("AUTHOR", "COMMITTER")},
        }
        done = subprocess.run(
            ["git", "-c", "commit.gpgsign=false", *arguments],
            cwd=self.root,
            env=env,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def commit(self, message: str, *paths: str, author: str = "Jane Doe <jane@example.org>") -> str:
        """A commit that changes `paths`; returns its hash."""
        self.day += 1
        for path in paths:
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(f"{self.day}\n")
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, author=author)
        return self.git("rev-parse", "HEAD")

    def subjects(self, query: str = "", **keywords: object) -> list[str]:
        return [item.subject for item in self.index.history(query, **keywords).items]  # type: ignore[arg-type]

    @property
    def folder(self) -> Path:
        return self.index.location / FOLDER


@pytest.fixture
def repo(tmp_path: Path) -> Iterator[Repo]:
    made = Repo(tmp_path)
    made.commit("Add the connection pool", "src/pool.py", "src/net/é x.py")
    made.commit("Retry with back-off\n\nThe server refuses when parseConfig is called\ntwice in a row.", "src/retry.py")
    made.commit("Document sessions", "docs/sessions.md", author="Ümit Yılmaz <umit@example.net>")
    yield made
    made.index.close()


def test_words_of_subject_body_and_path_find_a_commit(repo: Repo) -> None:
    assert repo.subjects("connections")[0] == "Add the connection pool"
    assert repo.subjects("parse_config refused") == ["Retry with back-off"]
    assert repo.subjects("config") == ["Retry with back-off"]
    assert repo.subjects("where is retry.py")[0] == "Retry with back-off"
    assert repo.subjects("nothingofthesort") == []


def test_an_answer_tells_commit_date_author_files_and_score(repo: Repo) -> None:
    result = repo.index.history("pool")
    item = result.items[0]
    assert item.commit == repo.git("rev-parse", "HEAD~2")
    assert (item.rank, item.date, item.author) == (1, "2024-03-02T12:00:00Z", "Jane Doe")
    assert item.files == ("src/pool.py", "src/net/é x.py")  # the one that answers stands first
    assert item.files_total == 2 and item.score > 0
    data = result.to_dict()
    assert data["schema"] == "fourfold/1" and data["query"]["text"] == "pool"
    assert data["items"][0]["files"] == ["src/pool.py", "src/net/é x.py"]
    assert data["meta"]["indexed_commit"] == data["meta"]["live_commit"] == repo.git("rev-parse", "HEAD")
    assert not result.meta.stale and result.meta.degraded is None


def test_the_newest_stand_first_where_nothing_is_asked(repo: Repo) -> None:
    assert repo.subjects() == ["Document sessions", "Retry with back-off", "Add the connection pool"]
    result = repo.index.history(limit=1)
    assert (result.meta.truncated, result.meta.dropped) == (True, 2)


def test_recency_only_orders_what_is_equal(repo: Repo) -> None:
    old = repo.commit("Tune the cache", "a.txt")
    new = repo.commit("Tune the cache", "a.txt")
    exact = [item.commit for item in repo.index.history("tune the cache").items]
    assert exact == [new, old]
    repo.commit("Tune another thing altogether", "b.txt")
    assert [item.commit for item in repo.index.history("tune the cache").items][:2] == [new, old]


def test_the_beginning_of_a_hash_finds_its_commit(repo: Repo) -> None:
    first = repo.git("rev-parse", "HEAD~2")
    for digits in (7, 8, 40):
        assert [item.commit for item in repo.index.history(first[:digits]).items] == [first]
    assert repo.subjects("00000000a") == []


def test_filters_narrow(repo: Repo) -> None:
    assert repo.subjects(filters=Filters(paths=("src",))) == ["Retry with back-off", "Add the connection pool"]
    assert repo.subjects(filters=Filters(paths=("*.md",))) == ["Document sessions"]
    assert repo.subjects(filters=Filters(not_paths=("src",))) == ["Document sessions"]
    assert repo.subjects(author="ÜMİT".replace("İ", "I").casefold()[:2]) == ["Document sessions"]
    assert repo.subjects(author="example.NET") == ["Document sessions"]
    assert repo.subjects(since="2024-03-03") == ["Document sessions", "Retry with back-off"]
    assert repo.subjects(until="2024-03-03") == ["Retry with back-off", "Add the connection pool"]
    assert repo.subjects(until="2024-03-03T11:59") == ["Add the connection pool"]
    assert repo.subjects("pool retry", since="2024-03-03", filters=Filters(paths=("src",))) == ["Retry with back-off"]


def test_a_deleted_file_is_still_known(repo: Repo) -> None:
    (repo.root / "src" / "pool.py").unlink()
    repo.commit("Drop it")
    assert repo.subjects(filters=Filters(paths=("src/pool.py",))) == ["Drop it", "Add the connection pool"]


def test_only_new_commits_are_read(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    assert repo.index.refresh_history().added == 3
    asked: list[list[str]] = []
    real = index_history.git.read_commits

    def noted(root: Path, hashes: list[str], prefix: str = "") -> object:
        asked.append(list(hashes))
        return real(root, hashes, prefix)

    monkeypatch.setattr(index_history.git, "read_commits", noted)
    assert replace(repo.index.refresh_history(), seconds=0) == HistoryReport(commits=3)
    new = repo.commit("Another one", "z.py")
    assert replace(repo.index.refresh_history(), seconds=0) == HistoryReport(added=1, commits=4)
    assert asked == [[new]]


def test_a_rewritten_history_is_followed(repo: Repo) -> None:
    repo.index.refresh_history()
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.commit("Rewritten sessions", "docs/other.md")
    assert replace(repo.index.refresh_history(), seconds=0) == HistoryReport(added=1, removed=1, commits=3)
    assert repo.subjects() == ["Rewritten sessions", "Retry with back-off", "Add the connection pool"]
    assert repo.subjects("sessions") == ["Rewritten sessions"]


def test_a_rewritten_history_whose_old_commits_are_gone_is_followed(repo: Repo) -> None:
    repo.index.refresh_history()
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.commit("Rewritten sessions", "docs/other.md")
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    assert replace(repo.index.refresh_history(), seconds=0) == HistoryReport(added=1, removed=1, commits=3)
    assert "Document sessions" not in repo.subjects()


def test_another_branch_is_another_history_and_coming_back_reads_nothing(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.git("checkout", "-q", "-b", "side", "HEAD~1")
    repo.commit("Work aside", "side.py")
    repo.git("checkout", "-q", "main")
    assert "Work aside" not in repo.subjects()
    repo.git("checkout", "-q", "side")
    assert repo.subjects() == ["Work aside", "Retry with back-off", "Add the connection pool"]
    repo.git("checkout", "-q", "main")
    monkeypatch.setattr(index_history.git, "read_commits", lambda *_: pytest.fail("was read before"))
    assert repo.subjects()[0] == "Document sessions"


def test_many_commits_set_aside_are_dropped_and_the_rest_is_still_found(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_history, "MIN_DEAD", 1)
    repo.index.refresh_history()
    repo.git("reset", "-q", "--hard", "HEAD~1")
    assert repo.subjects("sessions") == []
    with sqlite3.connect(repo.folder / FILE_NAME) as rows:
        assert rows.execute("SELECT count(*) FROM commits").fetchone() == (2,)
        assert rows.execute("SELECT count(*) FROM paths WHERE path LIKE 'docs/%'").fetchone() == (0,)
        assert rows.execute("SELECT count(*) FROM words WHERE words MATCH 'sessions'").fetchone() == (0,)
    rows.close()
    assert repo.subjects("parse_config") == ["Retry with back-off"]


def test_an_interrupted_reading_goes_on_where_it_was(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_history, "BATCH", 1)
    real, calls = index_history.git.read_commits, []

    def interrupted(root: Path, hashes: list[str], prefix: str = "") -> object:
        calls.append(list(hashes))
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(root, hashes, prefix)

    monkeypatch.setattr(index_history.git, "read_commits", interrupted)
    with pytest.raises(KeyboardInterrupt):
        repo.index.refresh_history()
    partial = repo.index.history("sessions", refresh=False)
    assert [item.subject for item in partial.items] == ["Document sessions"]
    assert partial.meta.stale and "not read to its end" in (partial.meta.degraded or "")
    assert len(repo.subjects()) == 3
    assert sorted(name for names in calls for name in names) == sorted(
        [*reachable(repo.root, tip(repo.root)), calls[1][0]]
    )


def test_going_back_after_an_interrupted_move_shows_no_commit_of_the_other_branch(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.index.refresh_history()
    repo.commit("One ahead", "p.py")
    repo.commit("Two ahead", "q.py")
    monkeypatch.setattr(index_history, "BATCH", 1)
    real, calls = index_history.git.read_commits, []

    def interrupted(root: Path, hashes: list[str], prefix: str = "") -> object:
        calls.append(hashes)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(root, hashes, prefix)

    monkeypatch.setattr(index_history.git, "read_commits", interrupted)
    with pytest.raises(KeyboardInterrupt):
        repo.index.refresh_history()
    repo.git("reset", "-q", "--hard", "HEAD~2")
    assert repo.subjects() == ["Document sessions", "Retry with back-off", "Add the connection pool"]


def test_secrets_in_messages_are_neither_stored_nor_shown(repo: Repo) -> None:
    repo.commit(f"Rotate {KEY}\n\nold: https://bob:hunter2secret@example.com/x and {KEY}", "k.txt")
    item = repo.index.history("rotate").items[0]
    assert item.subject == "Rotate " + "*" * len(KEY)
    assert "hunter2secret" not in item.snippet and KEY not in item.snippet and "example.com" in item.snippet
    stored = b"".join(path.read_bytes() for path in repo.folder.iterdir())
    assert KEY.encode() not in stored and KEY.lower().encode() not in stored and b"hunter2secret" not in stored


def test_a_token_in_the_name_of_a_file_is_neither_stored_nor_shown(repo: Repo) -> None:
    token = "ghp_" + "9aB3kLmZq7Rt2XvYw5Nc8Jd4Hf6Gs1Pe0Uo3"
    repo.commit("Add notes", f"{token}.txt")
    found = repo.index.history("notes")
    assert found.items and token not in str(found)
    stored = b"".join(path.read_bytes() for path in repo.cache.rglob("*") if path.is_file())
    assert token.encode() not in stored and token.lower().encode() not in stored


def test_strange_messages_and_names_are_taken_as_they_are(repo: Repo) -> None:
    repo.commit(
        "\n".join(["wrapped", "subject", "", "\x01\x1e body", "", "* last"]), "new\nline.py", ' "q".py', "-x.py"
    )
    repo.git("commit", "-q", "--allow-empty", "--allow-empty-message", "-m", "")
    first, second = repo.index.history(limit=2).items
    assert {first.subject, second.subject} == {"", "wrapped subject"}
    named = first if first.subject else second
    assert named.snippet == "\x01\x1e body\n\n* last"
    assert set(named.files) == {"new\nline.py", ' "q".py', "-x.py"}


def test_a_merge_has_its_message_and_no_files(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "side", "HEAD~1")
    repo.commit("Work aside", "side.py")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "-m", "Merge the aside work", "side")
    found = {item.subject: item for item in repo.index.history("aside work").items}
    assert found["Merge the aside work"].files == () and found["Work aside"].files == ("side.py",)
    assert list(found) == ["Work aside", "Merge the aside work"]


def test_results_are_narrowed_to_the_folder_that_was_opened(repo: Repo) -> None:
    with repo.open(repo.root / "docs") as inside:
        assert [item.subject for item in inside.history().items] == ["Document sessions"]
        assert [item.files for item in inside.history().items] == [("docs/sessions.md",)]


def test_a_root_below_the_top_knows_its_own_files_only(repo: Repo) -> None:
    assert below_top(repo.root / "src", repository(repo.root / "src")) == "src/"
    with repo.open(repo.root / "src", root=repo.root / "src") as inside:
        found = {item.subject: item.files for item in inside.history().items}
    assert found == {"Retry with back-off": ("retry.py",), "Add the connection pool": ("net/é x.py", "pool.py")}


def test_a_deepened_clone_is_read_again(repo: Repo, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(
        ["git", "clone", "-q", "--depth", "1", repo.root.as_uri(), str(clone)], check=True, capture_output=True
    )
    with repo.open(clone) as index:
        assert len(index.history().items) == 1
        subprocess.run(["git", "fetch", "-q", "--unshallow"], cwd=clone, check=True, capture_output=True)
        assert len(index.history().items) == 3


def test_nothing_that_a_repository_configures_is_run(repo: Repo, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {mark}\n")
    program.chmod(0o755)
    settings = {
        **dict.fromkeys(
            ("core.fsmonitor", "core.pager", "gpg.program", "diff.external", "core.sshCommand"), str(program)
        ),
        **dict.fromkeys(("diff.x.textconv", "diff.x.command", "remote.origin.uploadpack"), str(program)),
        "log.showSignature": "true",
        "remote.origin.url": str(tmp_path / "other"),
        "remote.origin.promisor": "true",
        "diff.relative": "true",
        "color.ui": "always",
        "log.follow": "true",
        "protocol.file.allow": "always",
        "diff.renames": "copies",
        "core.quotePath": "true",
        "diff.noprefix": "true",
    }
    for key, value in settings.items():
        repo.git("config", key, value)
    (repo.root / ".gitattributes").write_text("* diff=x\n")
    expected = ["Document sessions", "Retry with back-off", "Add the connection pool"]
    assert repo.subjects() == expected
    assert repo.index.history("pool").items[0].files[0] == "src/pool.py"
    tree = repo.git("rev-parse", "HEAD^{tree}")
    (repo.root / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    repo.index.clear()
    with pytest.raises(IndexUnavailable, match="git cannot read the history"):
        repo.index.history()
    assert not mark.exists()
    subprocess.run(["git", "log", "--name-only"], cwd=repo.root, check=False, capture_output=True)
    assert mark.exists(), "plain git falls into this trap; where it does not, this test shows nothing"


def test_a_damaged_file_is_made_anew(repo: Repo) -> None:
    repo.index.refresh_history()
    (repo.folder / FILE_NAME).write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    assert repo.subjects("pool") == ["Add the connection pool"]
    (repo.folder / FILE_NAME).write_bytes(b"no database at all" * 100)
    assert repo.subjects("pool") == ["Add the connection pool"]


def test_damage_that_shows_only_in_the_words_is_mended(repo: Repo) -> None:
    repo.index.refresh_history()
    with sqlite3.connect(repo.folder / FILE_NAME) as rows:
        rows.execute("UPDATE words_data SET block = zeroblob(8) WHERE id > 10")
        rows.execute("UPDATE words_data SET block = x'ffffffffffff' WHERE id = 10")
    rows.close()
    assert repo.subjects("pool") == ["Add the connection pool"]


def test_while_another_process_reads_the_last_state_answers(repo: Repo) -> None:
    lock = WriteLock(repo.folder)
    repo.folder.mkdir(parents=True)
    lock.acquire("history", 0.0)
    try:
        with pytest.raises(LockHeld):
            repo.index.history("pool")
        lock.release()
        repo.index.refresh_history()
        repo.commit("Newer", "n.py")
        lock.acquire("history", 0.0)
        result = repo.index.history("pool")
    finally:
        lock.release()
    assert [item.subject for item in result.items] == ["Add the connection pool"]
    assert result.meta.stale and "answered from what was read so far" in (result.meta.degraded or "")


def test_without_refresh_nothing_is_read(repo: Repo) -> None:
    with pytest.raises(IndexUnavailable, match="not been read yet"):
        repo.index.history("pool", refresh=False)
    repo.index.refresh_history()
    repo.commit("Newer", "n.py")
    result: HistoryResult = repo.index.history(refresh=False)
    assert result.items[0].subject == "Document sessions" and result.meta.stale


def test_the_history_lies_apart_and_goes_with_the_index(repo: Repo) -> None:
    repo.index.refresh_history()
    assert not repo.index.status().exists
    repo.index.refresh()
    assert repo.folder.is_dir()
    repo.index.clear()
    assert not repo.folder.exists()


def test_it_is_cleared_on_a_full_disk(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("Add notes", "notes.txt")
    repo.index.refresh()
    repo.index.history("notes")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("fourfold.store.local.lock._write_owner", full)
    repo.index.clear()
    assert not repo.index.location.joinpath(FOLDER).exists()


def test_no_repository_no_commit_no_git(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain").mkdir()
    with repo.open(tmp_path / "plain", root=tmp_path / "plain") as plain, pytest.raises(IndexUnavailable) as refused:
        plain.history("x")
    assert "is not in a git repository" in refused.value.message
    (tmp_path / "new").mkdir()
    subprocess.run(["git", "init", "-q", str(tmp_path / "new")], check=True)
    with repo.open(tmp_path / "new") as new, pytest.raises(IndexUnavailable, match="has no commit yet"):
        new.history("x")
    monkeypatch.setenv("PATH", str(tmp_path))
    git_program.cache_clear()
    try:
        with pytest.raises(IndexUnavailable, match="git is not installed"):
            repo.index.history("x")
    finally:
        git_program.cache_clear()


def test_only_hashes_reach_git(repo: Repo) -> None:
    for name in ("--output=x", "HEAD", "a" * 39, ""):
        with pytest.raises(IndexUnavailable, match="is no commit"):
            list(read_commits(repo.root, [name]))


@pytest.mark.parametrize(
    ("text", "end", "expected"),
    [
        ("2024-05-31", False, datetime(2024, 5, 31, tzinfo=UTC)),
        ("2024-05-31", True, datetime(2024, 5, 31, 23, 59, 59, tzinfo=UTC)),
        ("2024-05-31T12:00", True, datetime(2024, 5, 31, 12, tzinfo=UTC)),
        ("2024-05-31T12:00+02:00", False, datetime(2024, 5, 31, 10, tzinfo=UTC)),
        ("3 weeks", False, datetime(2024, 5, 10, 12, tzinfo=UTC)),
        ("3 weeks ago", False, datetime(2024, 5, 10, 12, tzinfo=UTC)),
        ("2d", False, datetime(2024, 5, 29, 12, tzinfo=UTC)),
    ],
)
def test_dates(text: str, end: bool, expected: datetime) -> None:
    assert moment(text, datetime(2024, 5, 31, 12, tzinfo=UTC), end=end) == expected.timestamp()


@pytest.mark.parametrize("text", ["yesterday", "2024-13-01", "99999y", "5 parsecs", "--all"])
def test_what_is_no_date_is_refused(repo: Repo, text: str) -> None:
    with pytest.raises(BadFilter, match="is no date"):
        repo.index.history("x", since=text)


def test_a_question_too_long_is_refused(repo: Repo) -> None:
    with pytest.raises(BadQuery):
        repo.index.history("x" * 20_001)
