"""Several services asked as one: one ranking, names and refs of services, what a project may list."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.services.git_server import git

from fourfold import Index, Workspace
from fourfold.config.services import ServiceConfig, drop_service, load_services, project_services, save_service
from fourfold.engine.joined import JoinedIndex
from fourfold.model.errors import BadConfig, UsageError
from fourfold.model.query import Filters
from fourfold.model.result import ResultItem

WEB = {
    "web/login.py": 'def check_password(name, password):\n    """Compare a password with its hash."""\n',
    "web/retry.py": "from core.backoff import backoff_delay\n\n\ndef again():\n    return backoff_delay(3)\n",
    "tests/test_login.py": "def test_check_password():\n    assert 1\n",
}
CORE = {
    "core/__init__.py": "",
    "core/backoff.py": 'def backoff_delay(attempt):\n    """Exponential back-off with jitter."""\n',
    "core/store.py": 'class Store:\n    """Keeps sessions."""\n\n    def save_session(self):\n        return 1\n',
}


def write(folder: Path, files: dict[str, str]) -> Path:
    """Files of a project."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def two(tmp_path: Path, listed: list[Workspace]) -> Workspace:
    """Two folders, each a service; one is called as tests are."""
    web, core = write(tmp_path / "a", WEB), write(tmp_path / "b", CORE)
    listed.append(Workspace([ServiceConfig("web", path=str(web)), ServiceConfig("test", path=str(core))]))
    return listed[-1]


def named(items: tuple[ResultItem, ...]) -> list[str]:
    """Results as service and path."""
    return [f"{item.service}:{item.path}" for item in items]


def test_one_question_over_several_services(two: Workspace) -> None:
    assert named(two.search("compare a password with its hash").items)[0] == "web:web/login.py"
    assert named(two.search("exponential back-off with jitter").items)[0] == "test:core/backoff.py"
    assert {service.name for service in two.search("backoff_delay").meta.services} == {"web", "test"}


def test_an_answer_in_words_cites_the_files_of_its_services(two: Workspace) -> None:
    found = two.index(["web", "test"]).ask("how is a password compared with its hash", extractive=True)
    assert found.answer.citations
    assert not found.answer.removed
    shown = [found.answer.text, *(one.path for one in (*found.answer.citations, *found.items))]
    assert not any("//" in text for text in shown)
    index = two.index(["web", "test"])
    assert all(path.startswith(("web/", "test/")) and index.read(path).text for path in shown[1:])


def test_services_are_chosen_by_name_and_pattern(two: Workspace) -> None:
    assert {item.service for item in two.search("back-off delay", services=["web"]).items} == {"web"}
    assert {item.service for item in two.search("backoff_delay session password", services=["*e*"]).items} == {
        "web",
        "test",
    }
    with pytest.raises(UsageError, match="no service 'wep'") as caught:
        two.search("x", services=["wep"])
    assert "did you mean web?" in caught.value.hint


def test_joined_scores_are_those_of_one_index(two: Workspace, tmp_path: Path) -> None:
    """Two services rank as one index of all their files would: same order, and scores that differ only by the paths,
    which lie one folder deeper in the whole."""
    write(tmp_path / "whole" / "web", WEB)
    write(tmp_path / "whole" / "core", CORE)
    with Index.open(tmp_path / "whole", root=tmp_path / "whole") as whole:
        whole.refresh()
        for query in ("exponential back-off with jitter", "keeps sessions", "compare a password"):
            apart = two.search(query, limit=3).items
            together = whole.search(query, limit=3).items
            assert [item.path for item in apart] == [item.path.partition("/")[2] for item in together]
            searchers = two.index()._open_searcher(), whole._open_searcher()
            assert searchers[0].corpus.live_chunk_count == searchers[1].corpus.live_chunk_count


def test_the_name_of_a_service_says_nothing_of_the_role_of_its_files(two: Workspace) -> None:
    found = two.search("exponential back-off with jitter", explain=True).items[0]
    assert found.service == "test"
    assert not any(name == "is_test" for name, _ in found.why.signals)


def test_filters_are_told_from_the_root_of_each_service(two: Workspace) -> None:
    found = two.search("backoff_delay", filters=Filters(paths=("core",))).items
    assert {item.service for item in found} == {"test"}
    assert not two.search("back-off path:test").items


def test_references_are_followed_from_service_to_service(two: Workspace) -> None:
    found = two.index().usages("backoff_delay")
    assert [(item.service, item.path, item.confidence) for item in found.items] == [("web", "web/retry.py", "resolved")]
    assert [(item.service, item.path) for item in found.symbols] == [("test", "core/backoff.py")]


def test_lines_and_files_name_their_service(two: Workspace) -> None:
    index = two.index()
    lines = index.grep("backoff_delay").items
    assert {(line.service, line.path) for line in lines} == {("test", "core/backoff.py"), ("web", "web/retry.py")}
    assert index.read("web/web/login.py").text == WEB["web/login.py"]
    assert index.status_of("test/core/store.py").status == "indexed"
    assert index.similar("test/core/backoff.py", 1).items


def test_a_work_tree_is_fresh_at_every_question(two: Workspace, tmp_path: Path) -> None:
    two.search("anything")
    write(tmp_path / "b", {"core/late.py": "def a_late_addition():\n    return 1\n"})
    assert named(two.search("a_late_addition").items)[0] == "test:core/late.py"
    (tmp_path / "b" / "core" / "late.py").unlink()
    assert "test:core/late.py" not in named(two.search("a_late_addition").items)


def test_a_service_that_is_gone_is_said_and_the_others_answer(two: Workspace, tmp_path: Path) -> None:
    two.services["gone"] = type(two.services["web"])(ServiceConfig("gone", path=str(tmp_path / "nowhere")))
    result = two.search("compare a password")
    assert result.items[0].service == "web"
    assert "gone: there is no folder" in (result.meta.degraded or "")
    assert [service.searched for service in result.meta.services] == [True, True, False]


def test_a_service_never_fetched_is_said(two: Workspace) -> None:
    remote = ServiceConfig("far", git="https://example.org/team/far.git")
    two.services["far"] = type(two.services["web"])(remote)
    assert "has not been fetched yet" in (two.search("compare a password").meta.degraded or "")


def test_a_ref_of_a_folder_is_read_from_its_repository(tmp_path: Path, listed: list[Workspace]) -> None:
    folder = write(tmp_path / "repo", CORE)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "one")
    git(folder, "tag", "v1")
    (folder / "core" / "backoff.py").write_text("def something_else():\n    return 1\n", encoding="utf-8")
    listed.append(Workspace([ServiceConfig("old", path=str(folder), ref="v1", exclude=("store.py",))]))
    result = listed[-1].search("exponential back-off with jitter")
    assert named(result.items)[0] == "old:core/backoff.py"
    assert result.items[0].ref == "v1"
    assert "old:core/store.py" not in named(result.items)
    assert not list((folder).glob(".fourfold*"))
    with pytest.raises(UsageError, match="no branch, tag or commit 'v9'"):
        Workspace([ServiceConfig("old", path=str(folder), ref="v9")]).index()


def test_links_in_a_commit_stay_inside(tmp_path: Path, listed: list[Workspace]) -> None:
    folder = write(tmp_path / "repo", {"real/code.py": "def linked_code():\n    return 1\n"})
    (folder / "inside.py").symlink_to("real/code.py")
    (folder / "outside.py").symlink_to("/etc/hostname")
    (folder / "up.py").symlink_to("../../secret.py")
    (folder / "round.py").symlink_to("round.py")
    (folder / "folder").symlink_to("real")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "one")
    listed.append(Workspace([ServiceConfig("links", path=str(folder), ref="main")]))
    index = listed[-1].services["links"].open()
    index.refresh()
    reasons = {path: record.reason for path, record in index._store.snapshot().records().items()}
    assert reasons == {
        "real/code.py": "",
        "inside.py": "",
        "outside.py": "link-outside",
        "up.py": "link-outside",
        "round.py": "link-broken",
        "folder": "link-to-directory",
    }


def test_own_ignore_files_and_secrets_hold_in_a_commit(tmp_path: Path, listed: list[Workspace]) -> None:
    files = {
        ".fourfoldignore": "generated/\n!generated/keep.py\n",
        "generated/a.py": "a = 1\n",
        "src/.gitignore": "*\n",
        "src/app.py": "def app():\n    return 1\n",
        ".env": "TOKEN=abc\n",
        "logo.png": "not a picture",
    }
    folder = write(tmp_path / "repo", files)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "-m", "one")
    listed.append(Workspace([ServiceConfig("own", path=str(folder), ref="main")]))
    index = listed[-1].services["own"].open()
    index.refresh()
    records = index._store.snapshot().records()
    assert {path for path, record in records.items() if record.status == "indexed"} >= {"src/app.py", ".fourfoldignore"}
    assert "generated/a.py" not in records
    assert (records[".env"].reason, records["logo.png"].reason) == ("secret", "binary")


def test_the_list_is_saved_and_read_back(tmp_path: Path) -> None:
    config = ServiceConfig(
        "web-1.x",
        git="https://example.org/web.git",
        ref='we"ird',
        root="a b/c",
        exclude=("*.snap", "ü\\x"),
        token_env="T",
    )
    save_service(config)
    (read,) = load_services()
    assert read.to_table() == config.to_table()
    with pytest.raises(UsageError, match="already"):
        save_service(config)
    drop_service("web-1.x")
    assert not load_services()
    with pytest.raises(UsageError, match="no service"):
        drop_service("web-1.x")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("services = 3", "is not a table"),
        ('[services.web]\npath = "a"\ngit = "b"', "either a path or a git address"),
        ("[services.web]\n", "either a path or a git address"),
        ('[services.web]\npath = "a"\nreff = "x"', "no setting 'reff'"),
        ('[services.web]\npath = "a"\nexclude = "x"', "must be a list of texts"),
        ('[services.web]\npath = "a"\nroot = "../b"', "no folder inside"),
        ('[services.web]\ngit = "https://x/y"\ntoken_env = "gh-p 123"', "name of an environment variable"),
        ('[services."a b"]\npath = "a"', "no name of a service"),
    ],
)
def test_faults_in_the_list_are_said(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "list.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadConfig, match=said):
        load_services(file)


def test_a_project_may_name_its_own_folders_only(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    project = write(tmp_path / "project", {"packages/app/a.py": "a = 1\n"})
    (project / "way-out").symlink_to(tmp_path / "outside")
    (project / "fourfold.toml").write_text(
        '[services.app]\npath = "packages/app"\n'
        '[services.evil]\ngit = "https://evil.example/x.git"\n'
        '[services.ref]\npath = "packages/app"\nref = "main"\n'
        '[services.up]\npath = ".."\n'
        '[services.link]\npath = "way-out"\n',
        encoding="utf-8",
    )
    kept, warnings = project_services(project)
    assert [service.name for service in kept] == ["app"]
    assert len(warnings) == 4
    with Index.open(project, root=project) as index:
        assert not [text for text in index.warnings if "services" in text], "the table is known there"


def test_one_name_is_listed_once(tmp_path: Path) -> None:
    save_service(ServiceConfig("web", path=str(tmp_path)))
    (tmp_path / "config" / "config.toml").write_text(f'[services.web]\npath = "{tmp_path}"\n', encoding="utf-8")
    with pytest.raises(BadConfig, match="is listed in"):
        load_services()


def test_an_index_of_several_is_not_written_as_one(two: Workspace) -> None:
    index = two.index()
    assert isinstance(index, JoinedIndex)
    for refused in (index.clear, index.plan):
        with pytest.raises(UsageError, match="one by one"):
            refused()
    assert index.refresh().unchanged + index.refresh().unchanged >= len(WEB) + len(CORE)
    assert index.status().files >= len(WEB)


def test_the_same_file_of_two_services_is_parsed_once(
    tmp_path: Path, listed: list[Workspace], monkeypatch: pytest.MonkeyPatch
) -> None:
    from fourfold.index import pool, stages

    folder = write(tmp_path / "repo", CORE | WEB)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "one")
    git(folder, "branch", "other")
    configs = [ServiceConfig("one", path=str(folder), ref="main"), ServiceConfig("two", path=str(folder), ref="other")]
    listed.append(Workspace(configs))
    parsed: list[str] = []
    parse_file = stages.parse_file

    def counted(path: str, *rest: Any, **options: Any) -> Any:
        parsed.append(path)
        return parse_file(path, *rest, **options)

    monkeypatch.setattr(stages, "parse_file", counted)
    monkeypatch.setattr(pool, "_little", pool._in_process)  # where this process can count
    for service in listed[-1].services.values():
        service.sync()
    assert sorted(parsed) == sorted([*CORE, *WEB])
    first, second = (service.open()._store.snapshot() for service in listed[-1].services.values())
    for path in first.records():
        assert first.chunks_of(path) == second.chunks_of(path)
        assert first.symbols_of(path) == second.symbols_of(path)
        assert first.facts_of(path) == second.facts_of(path)
        assert first.text(path) == second.text(path)


def test_a_cache_of_parsed_files_that_is_damaged_is_no_reason_to_fail(tmp_path: Path, listed: list[Workspace]) -> None:
    folder = write(tmp_path / "repo", CORE)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "one")
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "parsed.sqlite").write_bytes(b"this is no database at all" * 200)
    listed.append(Workspace([ServiceConfig("one", path=str(folder), ref="main")]))
    assert listed[-1].sync()[0][0].report.added == len(CORE)
