"""What a tester broke, each told in one sentence with the exit code that it has."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from fourfold import Index
from fourfold.config.load import load_settings
from fourfold.index import pool
from fourfold.index.freshness import NOT_BUILT
from fourfold.interfaces.cli.program import run
from fourfold.model.errors import RootRefused

posix = pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("FOURFOLD_EMBEDDING_MODEL", "none")
    root = tmp_path / "repo"
    root.mkdir()
    (root / ".git").mkdir()
    for number in range(6):
        (root / f"part{number}.py").write_text(f"def retry_{number}():\n    return {number}\n")
    monkeypatch.chdir(root)
    return root


def test_status_of_a_link_that_leads_outside_says_so(
    repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "outside.py").write_text("x = 1\n")
    (repo / "link.py").symlink_to(tmp_path / "outside.py")
    assert run(["status", "link.py"]) == 1
    assert "link.py: skipped: link-outside" in capsys.readouterr().out
    assert run(["status", "../outside.py"]) == 2
    assert "F104" in capsys.readouterr().err


@pytest.mark.parametrize("question", ["retry kind:", "retry -path:", "lang: path:src retry", "kind:"])
def test_a_filter_without_a_value_is_told(repo: Path, question: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", question]) == 2
    said = capsys.readouterr().err
    assert "has no value" in said
    assert "as in:" in said


@pytest.mark.parametrize("question", ["kind: retry", "retry \\kind:", '"retry kind:"'])
def test_what_only_looks_like_one_is_text(repo: Path, question: str) -> None:
    assert run(["search", question]) in (0, 1)


def test_a_bare_repository_is_no_folder_to_index(tmp_path: Path) -> None:
    bare = tmp_path / "web.git"
    subprocess.run(["git", "init", "-q", "--bare", str(bare)], check=True)
    with pytest.raises(RootRefused, match="is a bare git repository") as caught:
        Index.open(bare)
    assert "fourfold service add NAME" in (caught.value.hint or "")


@posix
def test_results_that_nobody_can_read_are_no_success(repo: Path) -> None:
    command = [sys.executable, "-c", "from fourfold.interfaces.cli.main import main; main()", "search", "retry"]
    ran = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *command], capture_output=True, text=True, check=False)
    assert ran.returncode == 74
    assert "cannot write the output: it is closed" in ran.stderr
    assert "Traceback" not in ran.stderr and "Exception ignored" not in ran.stderr


def cut_short(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """The next builds store two files and then fail."""
    real = pool.prepare_all

    def prepare(tasks: list[object], *rest: object) -> object:
        yield from real(tasks[:2], *rest)  # type: ignore[arg-type]
        raise error

    monkeypatch.setattr(pool, "prepare_all", prepare)


def test_an_answer_from_a_part_of_the_files_is_marked(
    repo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patch:
        cut_short(patch, OSError(errno.ENOSPC, "No space left on device", "segment"))
        assert run(["search", "retry_1"]) == 3
        shown = capsys.readouterr()
        assert "part1.py" in shown.out
        assert f"{NOT_BUILT}No space left on device" in shown.err
        assert run(["search", "--json", "retry_1"]) == 3
        assert NOT_BUILT in capsys.readouterr().out
    assert run(["search", "retry_5"]) == 0


def test_what_a_build_that_is_taken_up_again_tells_is_the_whole(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Index.open(repo, settings=load_settings(repo).settings) as index:
        with monkeypatch.context() as patch:
            cut_short(patch, KeyboardInterrupt())
            assert index.refresh().interrupted
        told = []
        report = index.refresh(progress=told.append)
        assert (report.added, report.chunks, report.lines) == (4, 6, 12)
        assert (told[-1].done, told[-1].chunks) == (6, 6)
