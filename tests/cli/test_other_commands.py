"""``index``, ``status``, ``clear``, ``config show``, ``doctor`` and the frame around them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from fourfold import __version__
from fourfold.config.places import index_dir, prepare_index_dir
from fourfold.config.settings import Settings, options
from fourfold.model.errors import LockHeld
from fourfold.model.report import Check, PathStatus, Progress, RefreshPlan, RefreshReport, Status

REPORT = RefreshReport(
    added=12,
    changed=3,
    unchanged=2803,
    files=2818,
    skipped={"binary": 20, "secret": 4},
    chunks=9812,
    lines=488_000,
    seconds=11.24,
)


def test_index_summarises_what_it_did_and_skipped(engine: Any, fourfold: Any) -> None:
    engine.report = REPORT
    ran = fourfold("index")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == (
        "indexed  repo  2,818 files: 12 added, 3 changed · 9,812 chunks · 488,000 lines in 11.2 s\n"
        "skipped  24 files: 20 binary, 4 secret\n"
    )


def test_index_where_nothing_changed(engine: Any, fourfold: Any) -> None:
    engine.report = RefreshReport(unchanged=5, files=5, seconds=0.02)
    assert fourfold("index").err == "indexed  repo  5 files: nothing changed in 0.02 s\n"


def test_index_options_reach_the_engine(engine: Any, fourfold: Any, repo: Path) -> None:
    assert fourfold("index", "src", "--force", "--wide", "--wait", "2.5").code == 0
    assert engine.last("refresh")["force"] is True
    assert engine.last("refresh")["wait_s"] == 2.5
    assert engine.last("open")["allow_wide"] is True
    assert Path(engine.last("open")["path"]) == Path("src")


def test_a_root_indexed_on_purpose_is_searched_without_asking_again(
    engine: Any, fourfold: Any, repo: Path, tmp_path: Path
) -> None:
    fourfold("search", "x")
    assert engine.last("open")["allow_wide"] is False
    prepare_index_dir(repo, Settings(cache_dir=str(tmp_path / "cache")))
    fourfold("search", "x")
    assert engine.last("open")["allow_wide"] is True


def test_index_json_and_warnings(engine: Any, fourfold: Any) -> None:
    engine.report = RefreshReport(added=1, warnings=("~/.gitignore is not read",))
    ran = fourfold("index", "--json")
    assert json.loads(ran.out)["added"] == 1
    assert "warning: ~/.gitignore is not read" in ran.err


def test_no_progress_is_quiet(engine: Any, fourfold: Any) -> None:
    engine.progress = [Progress("index", 5, 10, 20, 300, 2.0)]
    assert "indexing" in fourfold("index", tty=True).err
    assert "indexing" not in fourfold("index", "--no-progress", tty=True).err


def test_an_interrupted_index_says_what_is_kept(engine: Any, fourfold: Any) -> None:
    engine.report = RefreshReport(added=40, interrupted=True, seconds=1.0)
    ran = fourfold("index")
    assert ran.code == 130
    assert "interrupted, what is indexed is kept" in ran.err


def test_d5_a_held_lock_is_exit_4_and_names_the_owner(engine: Any, fourfold: Any) -> None:
    engine.raises = LockHeld("process 4711 (index) writes this index", hint="wait for it with --wait 60")
    ran = fourfold("index")
    assert ran.code == 4
    assert "4711" in ran.err


def test_a18_a_dry_run_says_what_would_be_indexed(engine: Any, fourfold: Any) -> None:
    engine.plan = RefreshPlan(tuple(f"f{n}.py" for n in range(30)), ("c.py",), (), 7, {"binary": 2}, 12_000)
    ran = fourfold("index", "--dry-run")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0].endswith("repo: 31 files to read, 12.0 kB; 7 unchanged")
    assert "  and 10 more (--json has all)" in lines
    assert lines[-1] == "skip 2 files: 2 binary"
    assert len(json.loads(fourfold("index", "--dry-run", "--json").out)["added"]) == 30
    assert not any(name == "refresh" for name, _ in engine.calls)


def test_status_says_where_how_much_and_how_fresh(engine: Any, fourfold: Any) -> None:
    engine.status = Status(
        "/repo",
        "/cache/indexes/repo-0123",
        exists=True,
        generation=7,
        files=2818,
        chunks=900,
        lines=488_000,
        dead_chunks=100,
        bytes_on_disk=12_400_000,
        skipped={"binary": 20},
        languages={"python": 2700, "markdown": 118},
        indexed_commit="a" * 40,
        live_commit="b" * 40,
        branch="main",
        dirty_files=2,
        stale_files=3,
        model="static@1/256/1",
        format_version=1,
    )
    text = fourfold("status").out
    for said in (
        "/cache/indexes/repo-0123, 12.4 MB",
        "stale, 3 files changed since",
        "aaaaaaaaaaaa main, the tree is at bbbbbbbbbbbb, 2 files dirty",
        "2,818 files, 488,000 lines, 900 chunks",
        "2,700 python, 118 markdown",
        "20 binary",
        "100 dead chunks (10%)",
    ):
        assert said in text
    assert json.loads(fourfold("status", "--json").out)["generation"] == 7


def test_status_without_an_index_is_exit_3(engine: Any, fourfold: Any) -> None:
    engine.status = Status("/repo", "/cache/x", exists=False)
    ran = fourfold("status")
    assert (ran.code, ran.out) == (3, "")
    assert "there is no index of /repo yet" in ran.err
    ran = fourfold("status", "--json")
    assert ran.code == 3
    assert json.loads(ran.out)["exists"] is False


@pytest.mark.parametrize(
    ("found", "code", "said"),
    [
        (
            PathStatus("a.py", "indexed", language="python", lines=10, chunks=2),
            0,
            "a.py: indexed, python, 10 lines, 2 chunks",
        ),
        (PathStatus("a.bin", "skipped", "binary", "NUL byte"), 1, "a.bin: skipped: binary (NUL byte)"),
        (PathStatus("x.log", "ignored", ".gitignore", "*.log"), 1, "x.log: ignored: .gitignore (*.log)"),
        (PathStatus("n.py", "not-yet"), 1, "n.py: not indexed yet"),
        (PathStatus("z.py", "absent"), 1, "z.py: not there"),
        (PathStatus("a.c", "indexed", lines=1, note="parsed with errors"), 0, "(parsed with errors)"),
    ],
)
def test_a15_status_of_a_path_says_whether_and_why(
    engine: Any, fourfold: Any, found: PathStatus, code: int, said: str
) -> None:
    engine.path_status = found
    ran = fourfold("status", "README.md")
    assert ran.code == code
    assert said in ran.out


def test_status_paths_are_taken_from_the_folder_and_stay_in_the_root(engine: Any, fourfold: Any) -> None:
    fourfold("-C", "src/net", "status", "retry.py")
    assert engine.last("status_of") == {"path": "src/net/retry.py"}
    ran = fourfold("status", "../other")
    assert ran.code == 2
    assert "F104" in ran.err


def test_clear_clears_this_index_only(engine: Any, fourfold: Any) -> None:
    assert fourfold("clear").code == 0
    assert engine.calls[-2][0] == "clear"
    engine.calls.clear()
    engine.status = Status("/repo", "/cache/x", exists=False)
    ran = fourfold("clear")
    assert ran.code == 0
    assert "there is no index to delete" in ran.err
    assert not any(name == "clear" for name, _ in engine.calls)


def test_c14_clear_orphans_removes_those_whose_root_is_gone(
    engine: Any, fourfold: Any, tmp_path: Path, repo: Path
) -> None:
    settings = Settings(cache_dir=str(tmp_path / "cache"))
    gone = tmp_path / "gone"
    gone.mkdir()
    kept, orphan = prepare_index_dir(repo, settings), prepare_index_dir(gone, settings)
    shutil.rmtree(gone)
    ran = fourfold("clear", "--orphans")
    assert (ran.code, ran.out.startswith(f"deleted {orphan}")) == (0, True)
    assert kept.is_dir()
    assert not orphan.exists()
    assert kept == index_dir(repo, settings)
    assert "there is no orphaned index" in fourfold("clear", "--orphans").err


def test_config_show_lists_every_setting_with_its_origin(engine: Any, fourfold: Any, repo: Path) -> None:
    (repo / "fourfold.toml").write_text('[index]\nexclude = ["gen/**"]\nhiden = true\n')
    ran = fourfold("config", "show")
    assert ran.code == 0
    rows = {line.split()[0]: line for line in ran.out.splitlines()}
    assert set(rows) == set(options())
    assert rows["index.exclude"].endswith("  project fourfold.toml")
    assert '= ["gen/**"]' in rows["index.exclude"]
    assert rows["cache_dir"].endswith("environment FOURFOLD_CACHE_DIR")
    assert rows["search.limit"].endswith("default")
    assert "index.hidden" in ran.err
    data = json.loads(fourfold("config", "show", "--json").out)
    assert data["settings"]["index.exclude"] == {"value": ["gen/**"], "origin": "project fourfold.toml"}
    assert len(data["warnings"]) == 1


def test_a_wrong_setting_is_one_sentence(engine: Any, fourfold: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOURFOLD_SEARCH_LIMIT", "ten")
    ran = fourfold("search", "x")
    assert ran.code == 2
    assert "error F103: FOURFOLD_SEARCH_LIMIT" in ran.err


def test_config_without_a_command_shows_the_settings(engine: Any, fourfold: Any) -> None:
    alone, shown = fourfold("config"), fourfold("config", "show")
    assert alone == shown
    assert alone.code == 0
    assert "search.limit" in alone.out


def test_doctor_lists_checks_and_fails_where_one_does(engine: Any, fourfold: Any) -> None:
    engine.checks = [
        Check("model", True, "static, MIT"),
        Check("segments", False, "1 is missing", "run `fourfold index`"),
    ]
    ran = fourfold("doctor")
    assert ran.code == 1
    assert ran.out.splitlines() == [
        "ok      model     static, MIT",
        "failed  segments  1 is missing  hint: run `fourfold index`",
    ]
    assert "1 check failed" in ran.err
    engine.checks = engine.checks[:1]
    ran = fourfold("doctor", "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["ok"] is True


def test_help_and_version(fourfold: Any) -> None:
    assert fourfold("--version").out == f"fourfold {__version__}\n"
    for arguments in ([], ["--help"], ["-h"]):
        ran = fourfold(*arguments)
        assert ran.code == 0
        assert "Exit codes" in ran.out
