"""The hand-written questions, their checker, and how answers to them are judged."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.structural.__main__ import answers
from benchmarks.structural.truth import Truth
from benchmarks.written import Expected, Written

from benchmarks import answerable, check_questions, large, overlap, written
from fourfold.evaluate.metrics import Place
from fourfold.model.query import INTENTS

ALPHA = """class Base:
    def run(self):
        return helper(1)


class Middle(Base):
    pass


class Leaf(Middle):
    def run(self):
        return helper(2)


def helper(number):
    return number


def start():
    return Leaf().run()
"""


def one(**changes: object) -> Written:
    question = Written(
        id="x/1",
        repo="scrapy",
        text="is this seen before",
        language="python",
        natural="en",
        intent="understand_code",
        kind="easy",
        primary=(Expected("a.py", 1, 3, "Base"),),
    )
    return replace(question, **changes)  # type: ignore[arg-type]


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    package = tmp_path / "packages" / "scrapy"
    package.mkdir(parents=True)
    (package / "a.py").write_text(ALPHA, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("name", "least"), [("large", 120), ("unshared", 150), ("languages", 108), ("structural", 60)])
def test_sets_are_whole(name: str, least: int) -> None:
    questions = written.load(written.file_of(name))
    assert len(questions) >= least
    assert all(question.primary and question.intent in INTENTS for question in questions)
    assert max(Counter(question.id for question in questions).values()) == 1
    assert max(Counter((question.repo, question.text) for question in questions).values()) == 1
    for place in (place for question in questions for place in question.expected):
        assert not place.path.startswith("/")
        assert (place.start_line is None) == (place.end_line is None)


def test_large_asks_for_everything_and_half_of_it_is_sealed() -> None:
    questions = written.load(written.file_of("large"))
    assert {question.intent for question in questions} == set(INTENTS)
    assert {question.kind for question in questions} == {"easy", "abstract"}
    assert all(question.sealed == written.is_sealed(question.repo, question.text) for question in questions)
    sealed, opened = written.halves(questions, "sealed"), written.halves(questions, "open")
    assert len(sealed) + len(opened) == len(written.halves(questions, "all"))
    assert 0.4 < len(sealed) / len(questions) < 0.6
    for half in (sealed, opened):
        assert {question.intent for question in half} == set(INTENTS)


def test_each_language_has_eighteen_questions() -> None:
    counted = Counter(question.natural for question in written.load(written.file_of("languages")))
    assert set(counted) == {"zh", "id", "es", "de", "fr", "ja"}
    assert min(counted.values()) >= 18


def test_unanswerable_are_ten_a_repository() -> None:
    counted = Counter(question.repo for question in answerable.unanswerable())
    assert counted == dict.fromkeys(answerable.REPOS, 10)


def test_questions_are_read_as_they_were_written(tmp_path: Path) -> None:
    questions = [one(sealed=True), one(id="x/2", secondary=(Expected("b.py", None, None, text="x"),))]
    written.save(tmp_path / "q.jsonl", questions)
    assert written.load(tmp_path / "q.jsonl") == questions


@pytest.mark.parametrize("line", ["{broken", '{"query_id": "a"}'])
def test_a_broken_line_is_named(tmp_path: Path, line: str) -> None:
    written.save(tmp_path / "q.jsonl", [one()])
    with (tmp_path / "q.jsonl").open("a", encoding="utf-8") as out:
        out.write(line + "\n")
    with pytest.raises(ValueError, match=r"q\.jsonl, line 2"):
        written.load(tmp_path / "q.jsonl")


def test_an_unknown_set_is_refused() -> None:
    with pytest.raises(ValueError, match="choose one of large"):
        written.file_of("huge")


def test_a_missing_corpus_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"benchmarks\.prepare"):
        written.root_of("scrapy", tmp_path)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"primary": (Expected("no.py", 1, 2),)}, "no file no.py"),
        ({"primary": (Expected("a.py", 1, 99),)}, "a.py has 20 lines, not 1-99"),
        ({"primary": (Expected("a.py", 4, 3),)}, "not 4-3"),
        ({"primary": (Expected("a.py", 1, 3, "Leaf.start"),)}, "'start' is not in a.py:1-3"),
        ({"primary": (Expected("a.py", 1, 3, text="return helper(3)"),)}, "'return helper(3)' is not in"),
        ({"primary": ()}, "no target"),
        ({"intent": "dance"}, "unknown intent 'dance'"),
        ({"natural": "tlh"}, "unknown natural language 'tlh'"),
    ],
)
def test_faults_are_found(corpora: Path, changes: dict[str, object], fault: str) -> None:
    found = list(check_questions.faults("languages", [one(**changes)], check_questions.Sources(corpora)))
    assert len(found) == 1
    assert fault in found[0]


def test_good_questions_have_no_faults(corpora: Path) -> None:
    places = (Expected("a.py", 1, 3, "Base.run"), Expected("a.py"), Expected("a.py", 15, 16, "helper", "return number"))
    questions = [one(primary=places, sealed=written.is_sealed("scrapy", "is this seen before"))]
    assert not list(check_questions.faults("large", questions, check_questions.Sources(corpora)))


def test_twice_the_same_and_a_wrong_half_are_found(corpora: Path) -> None:
    question = one(sealed=not written.is_sealed("scrapy", "is this seen before"))
    found = list(check_questions.faults("large", [question, question], check_questions.Sources(corpora)))
    assert sum("occurs 2 times" in fault for fault in found) == 2
    assert sum("sealed should be" in fault for fault in found) == 2


def test_a_word_of_the_signature_is_shared(corpora: Path) -> None:
    helper = Expected("a.py", 15, 16, "helper")
    asked = [one(text=text, primary=(helper,)) for text in ("which numbers come out", "what comes out")]
    shared, clean = (list(check_questions.faults("unshared", [q], check_questions.Sources(corpora))) for q in asked)
    assert shared == ["x/1: shares number with a.py helper"]
    assert not clean


def test_stems_take_identifiers_apart() -> None:
    assert overlap.stems("parseHTTPHeaders of_the cached_responses") >= {"pars", "http", "header", "cach", "respons"}
    assert not overlap.stems("is this the one which they had")
    assert overlap.shared("caching of a response", "ResponseCache.get") == {"cach", "respons"}
    assert overlap.covered("caching a song", "def cache(): pass") == 0.5


def test_only_what_answers_counts_as_a_hit_and_the_rest_counts_in_ndcg() -> None:
    question = one(primary=(Expected("a.py", 1, 3), Expected("a.py", 10, 12)), secondary=(Expected("b.py"),))
    row = large.judged(question, [Place("b.py", 5, 6), Place("a.py", 12, 20), Place("c.py")])
    assert row.scores["hit_at_1"] == 0
    assert row.scores["hit_at_5"] == row.scores["hit_at_10"] == 1
    assert row.scores["recall_at_10"] == 0.5
    assert row.scores["mrr"] == 0.5
    # Slots 1 and 2 are filled of an ideal three: (1 + 1/log2 3) / (1 + 1/log2 3 + 1/2).
    assert row.scores["ndcg"] == pytest.approx(1.63093 / 2.13093, abs=1e-5)


def test_tables_have_a_line_a_system_and_a_group() -> None:
    rows = [
        large.judged(one(), [Place("a.py", 2, 2)]),
        large.judged(one(id="x/2", intent="find_similar"), [Place("z.py", 2, 2)]),
    ]
    found = large.records({"default": rows})
    assert found[0]["hit_at_1"] == 0.5
    assert found[0]["by"]["intent"]["find_similar"]["mrr"] == 0
    assert "| default | 2 |" in large.whole_table(found)
    assert large.group_table(found, "intent").count("\n") == 3
    assert not large.group_table(found, "repository")
    assert large.misses(rows) == ["x/2 'is this seen before': wanted a.py:1 Base, first z.py:2"]


def test_misses_of_the_sealed_half_are_not_listed() -> None:
    assert not large.misses([large.judged(one(sealed=True), [])])


def test_truth_of_calls_and_classes(corpora: Path) -> None:
    pytest.importorskip("jedi")
    truth = Truth(corpora / "packages" / "scrapy", "jedi")
    helper, base = truth.symbol("a.py", "helper"), truth.symbol("a.py", "Base")
    assert [place.symbol for place in truth.callers(helper)] == ["Leaf.run", "Base.run"]
    assert [place.symbol for place in truth.subclasses(base)] == ["Middle", "Leaf"]
    direct, further = answers(truth, "impact", helper)
    assert {place.symbol for place in direct} == {"Leaf.run", "Base.run"}
    assert {place.symbol for place in further} == {"start"}
    with pytest.raises(ValueError, match="defines no Nothing"):
        truth.symbol("a.py", "Nothing")


def test_answerable_questions_are_seeded_and_different(corpora: Path) -> None:
    root = corpora / "packages" / "scrapy"
    first, second = answerable.answerable(root, "1"), answerable.answerable(root, "1")
    assert first == second
    assert len(set(first)) == len(first) >= 3
    assert len(answerable.answerable(root, "1", count=2)) == 2


def test_absent_words_are_looked_for_in_texts_and_paths(corpora: Path) -> None:
    root = corpora / "packages" / "scrapy"
    asked = answerable.Unanswerable("scrapy", "where is the kraken", "kraken")
    assert not answerable.present(asked, root)
    (root / "Kraken.txt").write_text("fish", encoding="utf-8")
    assert answerable.present(asked, root) == ["Kraken.txt"]


def test_what_was_told_is_counted() -> None:
    answer = answerable.Answer
    good = [answer("r", "a", 3, ""), answer("r", "b", 0, "try other words"), answer("r", "c", 2, "perhaps not")]
    bad = [answer("r", "d", 0, "try other words"), answer("r", "e", 9, ""), answer("r", "f", 4, "nothing fits")]
    said = answerable.report(good, bad)
    assert "3 questions with an answer: 1 (33.3%) come back empty, 1 (33.3%) with a doubt" in said
    assert "3 questions without one: 2 (66.7%) are told so (1 (33.3%) come back empty), 2 (66.7%) with" in said
