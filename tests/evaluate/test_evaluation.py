"""Evaluations from beginning to end on a small index: reports, comparisons, misses, copies, gates, storage."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.built import Built
from tests.evaluate.conftest import TOPICS, project

from fourfold import Index
from fourfold.evaluate.bench import Bench, write_tree
from fourfold.evaluate.configuration import changed, configuration_of
from fourfold.evaluate.evaluation import evaluate, mined_labels, own_labels
from fourfold.evaluate.gate import parse_gate
from fourfold.evaluate.metrics import Place
from fourfold.evaluate.missed import LOW, NOT_IN_POOL, WRONG_LINES, explain_miss
from fourfold.evaluate.page import page, write_page
from fourfold.evaluate.places import reports_dir, work_dir
from fourfold.evaluate.question import Question, Target
from fourfold.evaluate.report import LABELS
from fourfold.evaluate.stored import KEPT, list_reports, load_report, save_report
from fourfold.model.errors import LockHeld, UsageError


def report_of(index: Index, *changes: str, count: int = 24, **options: Any) -> dict[str, Any]:
    base = configuration_of(index.settings)
    others = [changed(base, change, index.settings) for change in changes]
    return evaluate(index, mined_labels(index, count=count), [base, *others], **options)


def timeless(report: dict[str, Any]) -> str:
    return json.dumps({key: value for key, value in report.items() if key != "times"})


def test_the_same_seed_gives_the_same_report_but_for_times(built: Built) -> None:
    first = report_of(built.index, "preset=text", seed=2)
    assert timeless(first) == timeless(report_of(built.index, "preset=text", seed=2))
    assert (
        first["configurations"][0]["metrics"] != report_of(built.index, seed=3, count=9)["configurations"][0]["metrics"]
    )


def test_a_report_says_how_good_each_configuration_is(built: Built) -> None:
    report = report_of(built.index, "preset=text", "chunker=lines")
    names = [one["name"] for one in report["configurations"]]
    assert names == ["preset=default", "preset=text", "preset=default,chunker=lines"]
    for one in report["configurations"]:
        assert set(one["metrics"]) == set(LABELS.values())
        for metric in one["metrics"].values():
            assert metric["low"] <= metric["value"] <= metric["high"]
        assert len(one["answers"]) == report["questions"]["count"]
        assert sum(group["n"] for group in one["by_kind"].values()) == report["questions"]["count"]
        assert set(report["times"]["latency_ms"][one["name"]]) == {"p50", "p95"}
    assert report["configurations"][0]["metrics"]["hit@5"]["value"] > 0.7


def test_what_a_question_was_made_of_is_not_in_the_index_that_is_asked(built: Built) -> None:
    labels = mined_labels(built.index, count=16, groups=["docs"])
    assert labels.mined is not None
    with Bench(built.index, labels.mined.texts) as bench:
        index = bench.index(configuration_of(built.index.settings))
        assert index.root != built.root and index.root.is_relative_to(built.index.location)
        assert not index.grep(TOPICS[0][2], literal=True, refresh=False).items
        assert built.index.grep(TOPICS[0][2], literal=True, refresh=False).items
    assert {path.name for path in (built.root / "src").iterdir()} == {path.rsplit("/")[1] for path in project()}


def test_everything_that_is_indexed_is_indexed_again(built: Built) -> None:
    odd = {
        ".gitignore": "kept.py\n",
        "kept.py": "def kept():\n    return 1\n",
        ".hidden/.x.py": "def hidden():\n    return 1\n",
        "node_modules/dep.js": "function dep() { return 1 }\n",
        "dist/notes.md": "# Notes\n\nwords\n",
    }
    settings = built.index.settings
    with Bench(built.index, odd) as bench:
        found = bench.index(configuration_of(settings))
        assert set(found._store.snapshot().records()) == set(odd)
        assert all(one.status == "indexed" for one in found._store.snapshot().records().values())


def test_a_copy_follows_its_texts(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a/b.py": "1", "a/c/d.py": "2", "e": "3"})
    unchanged = (tmp_path / "a/b.py").stat().st_mtime_ns
    write_tree(tmp_path, {"a/b.py": "1", "a/c": "now a file", "e/f.py": "now a folder"})
    assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()} == {
        "a/b.py",
        "a/c",
        "e/f.py",
    }
    assert (tmp_path / "a/b.py").stat().st_mtime_ns == unchanged


def test_copies_share_the_vectors_that_a_slow_model_made(built: Built) -> None:
    import sqlite3

    with Bench(built.index, {"a.py": "x = 1\n"}) as bench:
        bench.index(configuration_of(built.index.settings))
    (folder,) = work_dir(built.index.location).glob("*/cache")
    link = folder / "vectors.sqlite"
    shared = Path(built.index.settings.cache_dir) / "vectors.sqlite"
    assert link.is_symlink() and link.readlink() == shared
    connection = sqlite3.connect(link)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    assert shared.is_file() and not shared.is_symlink()


def test_two_evaluations_at_once_are_refused(built: Built) -> None:
    with Bench(built.index, {}), pytest.raises(LockHeld), Bench(built.index, {}):
        pass


def test_a_comparison_is_of_the_same_questions(built: Built) -> None:
    report = report_of(built.index, "preset=structural")
    (found,) = report["comparisons"]
    first, second = report["configurations"]
    gain = second["metrics"]["ndcg@10"]["value"] - first["metrics"]["ndcg@10"]["value"]
    assert found["gains"]["ndcg@10"]["value"] == pytest.approx(gain, abs=2e-4)
    assert found["gains"]["ndcg@10"]["low"] <= found["gains"]["ndcg@10"]["value"] <= found["gains"]["ndcg@10"]["high"]
    assert found["worse"] > 0 and len(found["most_worse"]) == min(found["worse"], 20)
    assert 0 < found["gains"]["ndcg@10"]["p"] <= 1


def test_own_questions_are_put_to_the_index_itself(built: Built, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    lines = [
        {"id": "a", "question": "queue_message", "targets": [{"symbol": "queue_message"}], "intent": "find_definition"},
        {
            "id": "b",
            "question": "queue_message",
            "targets": ["src/pages.py"],
            "intent": "find_references",
            "tags": ["x"],
        },
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    base = configuration_of(built.index.settings)
    report = evaluate(built.index, own_labels(built.index, path), [base], gates=[parse_gate("hit@1>=0.6")])
    first = report["configurations"][0]
    assert report["questions"]["source"] == "mine.jsonl"
    assert [answer["rank"] for answer in first["answers"]] == [1, 0]
    assert first["intent_as_meant"] == {"right": 1, "of": 2}
    assert report["gates"] == [{"gate": "hit@1>=0.6", "value": 0.5, "met": False}]
    assert not list(work_dir(built.index.location).glob("*/tree"))


def test_why_a_question_was_missed(built: Built) -> None:
    base = configuration_of(built.index.settings)
    text = "puts an envelope behind those that wait for the postman"
    results = [Place("src/mail.py", 1, 3)]
    wrong = explain_miss(built.index, base, Question("1", text, (Target("src/mail.py", 4, 14),)), results)
    assert (wrong.reason, wrong.rank) == (WRONG_LINES, 1)
    low = explain_miss(built.index, base, Question("2", text, (Target("src/mail.py", 4, 14),)), [])
    assert low.reason == LOW and 1 <= low.rank <= low.pool
    gone = explain_miss(built.index, base, Question("3", text, (Target("nowhere.py"),)), results)
    assert (gone.reason, gone.rank) == (NOT_IN_POOL, 0) and gone.pool > 0
    for miss in (wrong, low, gone):
        assert miss.sentence.startswith(miss.reason)


def test_reports_are_kept_newest_first_and_old_ones_go(built: Built) -> None:
    location = built.index.location
    with pytest.raises(UsageError, match="no evaluation"):
        load_report(location, "")
    report = report_of(built.index, count=6)
    names = []
    for minute in range(KEPT + 2):
        report["times"]["created"] = f"2026-01-01T00:{minute:02}:00+00:00"
        names.append(save_report(location, report))
    listed = list_reports(location)
    assert [one.id for one in listed] == sorted(names, reverse=True)[:KEPT]
    assert load_report(location, "") == load_report(location, names[-1]) == report
    assert listed[0].questions == report["questions"]["count"] and listed[0].gates_met
    with pytest.raises(UsageError, match="there is no report"):
        load_report(location, "../../secret")
    (reports_dir(location) / f"{names[-1]}.json").write_text("{", encoding="utf-8")
    assert [one.id for one in list_reports(location)] == [one.id for one in listed[1:]]
    with pytest.raises(UsageError, match="cannot be read"):
        load_report(location, names[-1])


def test_clearing_the_index_clears_what_evaluations_left(built: Built) -> None:
    save_report(built.index.location, report_of(built.index, count=6))
    assert work_dir(built.index.location).is_dir()
    built.index.clear()
    assert not work_dir(built.index.location).parent.exists()


def test_the_page_needs_nothing_from_elsewhere_and_escapes_what_it_shows(built: Built, tmp_path: Path) -> None:
    report = report_of(built.index, "preset=structural")
    report["configurations"][0]["answers"][0]["question"] = "<script>alert(1)</script>"
    report["configurations"][0]["answers"][0]["miss"] = {"reason": LOW, "rank": 12, "why": "<b>low</b>"}
    write_page(tmp_path / "r.html", report)
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert text == page(report)
    assert "<script" not in text and "<b>low" not in text and "&lt;script&gt;" in text
    assert not re.search(r"""(?:src|href)=|url\(|@import|style="|\son\w+=""", text)
    assert set(re.findall(r"https?://[^\"' <]+", text)) <= {"http://www.w3.org/2000/svg"}
    for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        ElementTree.fromstring(svg)
    assert len(re.findall("<svg", text)) >= 7
    with pytest.raises(UsageError, match="cannot be written"):
        write_page(tmp_path / "no" / "r.html", report)


def test_the_page_allows_exactly_its_own_style(built: Built) -> None:
    import base64
    import hashlib
    from html import unescape

    text = page(report_of(built.index, count=6))
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert style is not None and policy is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in unescape(policy[1]) and "default-src 'none'" in unescape(policy[1])
