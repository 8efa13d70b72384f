"""``fourfold eval``: measured, compared, gated, kept, tuned."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.evaluate.conftest import project

from fourfold.interfaces.cli.eval_progress import bar_text
from fourfold.interfaces.cli.width import width
from fourfold.model.report import Progress

Fourfold = Callable[..., Any]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A documented project as the working directory, with a private cache and user folder."""
    root = tmp_path / "shop"
    for name, text in project().items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    (tmp_path / "user.toml").write_text('[embedding]\nmodel = "hash"\n', encoding="utf-8")
    monkeypatch.setenv("FOURFOLD_CONFIG", str(tmp_path / "user.toml"))
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(root)
    return root


def test_a_report_for_people(here: Path, fourfold: Fourfold) -> None:
    ran = fourfold("eval", "-n", "16", "--compare", "preset=structural", "--missed", "1")
    assert ran.code == 0, ran.err
    head = ran.out.split("\n")[0]
    assert head.startswith("shop: 16 questions mined · seed 0 · ")
    assert "preset=default -> preset=structural" in ran.out
    assert "by kind" in ran.out and "understood as meant:" in ran.out
    assert list(here.rglob("*.json")) == []


@pytest.mark.parametrize("columns", [60, 80, 140])
def test_lines_fit_the_terminal(here: Path, fourfold: Fourfold, columns: int) -> None:
    ran = fourfold("--no-color", "eval", "-n", "12", "--compare", "preset=structural", tty=True, columns=columns)
    assert ran.code == 0, ran.err
    assert max(width(line) for line in ran.out.split("\n")) <= columns


def test_json_is_one_object_and_what_is_stored(here: Path, fourfold: Fourfold) -> None:
    ran = fourfold("eval", "-n", "12", "--json")
    report = json.loads(ran.out)
    assert (report["schema"], report["report"], report["questions"]["count"]) == ("fourfold/1", "evaluation", 12)
    again = json.loads(fourfold("eval", "show", report["times"]["id"], "--json").out)
    again["times"]["id"] = report["times"]["id"]
    assert again == report
    listed = json.loads(fourfold("eval", "show", "--list", "--json").out)
    assert [one["id"] for one in listed["items"]] == [report["times"]["id"]]
    assert report["times"]["id"] in fourfold("eval", "show", "--list").out


def test_a_gate_decides_the_exit_code(here: Path, fourfold: Fourfold) -> None:
    met = fourfold("eval", "-n", "12", "--gate", "hit@10>=0.1", "--gate", "tokens<=1e9")
    assert met.code == 0 and "gate hit@10>=0.1:" in met.err and "not met" not in met.err
    failed = fourfold("eval", "-n", "12", "--gate", "hit@10>=0.1", "--gate", "tokens<=1")
    assert failed.code == 1 and "not met" in failed.err


def test_questions_are_written_and_asked_again(here: Path, fourfold: Fourfold, tmp_path: Path) -> None:
    assert fourfold("eval", "-n", "8", "--kind", "names", "--write-questions", str(tmp_path / "q.jsonl")).code == 0
    ran = fourfold("eval", "--questions", str(tmp_path / "q.jsonl"), "--html", str(tmp_path / "r.html"), "--json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["questions"]["source"] == "q.jsonl"
    assert "<svg" in (tmp_path / "r.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--questions", "nope.jsonl"), "nope.jsonl cannot be read"),
        (("--questions", "q.jsonl", "--kind", "docs"), "--kind is for questions that are mined"),
        (("--compare", "preset=nope"), "there is no preset 'nope'"),
        (("--compare", "preset=default"), "two of the configurations are the same"),
        (("--gate", "hit@5"), "is no METRIC>=VALUE"),
        (("--set", "size=3"), "'size' cannot be compared"),
        (("-n", "0"), "must be a whole number of at least 1"),
        (("show", "x"), "no evaluation of this repository is stored"),
        (("tune", "--undo", "--dry-run"), "--undo goes with no other option"),
        (("tnue",), "unexpected extra argument"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(
    here: Path, fourfold: Fourfold, arguments: tuple[str, ...], said: str
) -> None:
    ran = fourfold("eval", *arguments)
    assert ran.code == 2 and said in ran.err and ran.out == "" and "Traceback" not in ran.err


def test_a_repository_with_nothing_to_ask_for(tmp_path: Path, here: Path, fourfold: Fourfold) -> None:
    (tmp_path / "empty").mkdir()
    ran = fourfold("-C", str(tmp_path / "empty"), "eval")
    assert ran.code == 1 and ran.out == "" and "no question can be mined here" in ran.err
    assert fourfold("-C", str(tmp_path / "empty"), "eval", "show", "--list").code == 1


def test_tuning_on_too_little_is_refused_and_undoing_nothing_is_said(here: Path, fourfold: Fourfold) -> None:
    ran = fourfold("eval", "tune", "-n", "20")
    assert ran.code == 2 and "too few questions teach the ranking anything" in ran.err
    ran = fourfold("eval", "tune", "--undo")
    assert ran.code == 1 and "no weights are fitted on this repository" in ran.err


def test_the_whole_root_is_evaluated_from_a_folder_in_it(
    here: Path, fourfold: Fourfold, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / ".git").mkdir()
    monkeypatch.chdir(here / "src")
    assert fourfold("eval", "-n", "8").out.startswith("shop: 8 questions mined")


def test_progress_is_a_bar_with_what_is_left() -> None:
    assert bar_text(Progress("eval", 5, 20, seconds=10.0), "questions") == (
        "#####............... 5/20 questions · 30 s left"
    )
    assert bar_text(Progress("eval", 20, 20, seconds=10.0), "questions") == "#################### 20/20 questions"
    assert bar_text(Progress("eval", 0, 0), "folds") == ".................... 0/0 folds"
