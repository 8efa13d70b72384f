"""The manifest, and fetching from local copies."""

from __future__ import annotations

import io
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest
from benchmarks.dataset import load_questions, questions_file
from benchmarks.manifest import GROUPS, Corpus, corpora_for, corpus_named
from benchmarks.obtain import FetchError, obtain

EXAM = """
abseil-cpp aeson aiohttp axios bash-it circe cobra commons-lang dapper express fastapi flask gin guzzle http4s httpx
jackson-databind kotlinx-coroutines ktor lazy.nvim libuv mini.nvim monolog newtonsoft-json nlohmann-json nvm pandoc
phoenix plug pydantic rack redis serde sinatra snapkit starlette tokio trpc vapor vitest zig zls
sqlalchemy celery wagtail matrix-js-sdk containerd jsoup lighttpd rustls
"""
"""Repositories that other sets are measured on: neither tuned on nor mined."""


@pytest.mark.parametrize("group", GROUPS)
def test_every_corpus_is_pinned(group: str) -> None:
    corpora = corpora_for(group)
    assert corpora
    assert len({corpus.place for corpus in corpora}) == len(corpora)
    for corpus in corpora:
        assert corpus.version.replace(".", "").isalnum()
        assert corpus.kind != "git" or len(corpus.version) == 40
        assert corpus.kind != "git" or corpus.url.startswith("https://")


def test_no_held_back_repository_is_used() -> None:
    used = {corpus.name.lower() for group in GROUPS for corpus in corpora_for(group)}
    assert not used & set(EXAM.split())


def test_every_question_has_its_corpus(tmp_path: Path) -> None:
    for name in ("tuning", "long"):
        questions = load_questions(questions_file(name, tmp_path))
        repos = {question.repo.rsplit("/", 1)[-1] for question in questions}
        assert repos == {corpus.name for corpus in corpora_for(name)}
        assert len({question.id for question in questions}) == len(questions)


def test_unknown_names_list_what_exists() -> None:
    with pytest.raises(ValueError, match="tuning"):
        corpora_for("exam")
    with pytest.raises(ValueError, match="django"):
        corpus_named("djano")


def test_a_commit_is_exported_from_a_local_repository(tmp_path: Path) -> None:
    work = tmp_path / "local" / "thing"
    (work / "src").mkdir(parents=True)
    (work / "src" / "a.py").write_text("first = 1\n")
    (work / "other.txt").write_text("no\n")
    _git(work, "init", "--quiet")
    _git(work, "add", ".")
    _git(work, "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "--quiet", "-m", "one")
    commit = _git(work, "rev-parse", "HEAD").strip()
    (work / "src" / "a.py").write_text("later = 2\n")
    corpus = Corpus(
        "thing", "git", commit, "MIT", ("mined",), "thing", url="https://example.org/o/thing.git", keep=("src",)
    )
    obtain(corpus, tmp_path / "out" / "thing", tmp_path / "local")
    assert (tmp_path / "out" / "thing" / "src" / "a.py").read_text() == "first = 1\n"
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["thing"]
    assert not (tmp_path / "out" / "thing" / "other.txt").exists()


def test_a_wheel_is_unpacked_without_compiled_files(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "My_Pkg-1.2-py3-none-any.whl", "w") as wheel:
        wheel.writestr("my_pkg/a.py", "x = 1\n")
        wheel.writestr("my_pkg/fast.so", "binary")
    obtain(Corpus("my-pkg", "wheel", "1.2", "MIT", ("speed",), "my-pkg"), tmp_path / "out", tmp_path)
    assert sorted(path.name for path in (tmp_path / "out" / "my_pkg").iterdir()) == ["a.py"]


@pytest.mark.parametrize(("kind", "ending"), [("sdist", ".tar.gz"), ("npm", ".tgz")])
def test_an_archive_loses_its_top_folder(tmp_path: Path, kind: str, ending: str) -> None:
    with tarfile.open(tmp_path / f"pkg-3.0{ending}", "w:gz") as packed:
        for name in ("package/src/a.ts", "package/docs/b.md"):
            entry = tarfile.TarInfo(name)
            entry.size = 2
            packed.addfile(entry, io.BytesIO(b"x\n"))
    corpus = Corpus("pkg", kind, "3.0", "MIT", ("mined",), "pkg", keep=("src",))
    obtain(corpus, tmp_path / "out", tmp_path)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["src"]
    assert (tmp_path / "out" / "src" / "a.ts").read_text() == "x\n"


def test_a_failed_fetch_leaves_nothing(tmp_path: Path) -> None:
    corpus = Corpus("gone", "git", "0" * 40, "MIT", ("mined",), "gone", url=(tmp_path / "none.git").as_uri())
    with pytest.raises(FetchError, match="fetch"):
        obtain(corpus, tmp_path / "out" / "gone", tmp_path)
    assert list((tmp_path / "out").iterdir()) == []


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout
