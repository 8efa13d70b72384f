"""Fitting to one repository: what is learned, what is not, what is installed and how it is used and undone."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.built import Built
from tests.evaluate.conftest import TOPICS

from fourfold import Index
from fourfold.evaluate import tune as tuning
from fourfold.evaluate.evaluation import Labels
from fourfold.evaluate.learn.asked import Asked, Collected
from fourfold.evaluate.learn.modalities import LEAST, ModalityTuner, fork, neighbours, prepare
from fourfold.evaluate.learn.tuning import Fitted, Gain, Tuned, Tuner, by_file, gain_of, surest
from fourfold.evaluate.question import Question, Target
from fourfold.model.errors import UsageError
from fourfold.pipeline.ranker import KNOWN, Ranking, learned_weights, rankers, read_ranking
from fourfold.rank.weights import WEIGHTS

FILES = ("told", "noise")
CHUNKS = ("said",)


def asked(number: int, rng: random.Random, *, helps: bool, fixed: bool = False) -> Asked:
    """A question with six candidate files of one chunk each; the right one is told by the first feature, or by none."""
    right = rng.randrange(6)
    features = np.array([[rng.random(), rng.random() * 3] for _ in range(6)], np.float32)
    if helps:
        features[right, 0] += 1.0
    record: dict[str, Any] = {
        "repo": "r", "id": str(number), "kind": "function", "tags": ["function"], "file": f"f{number // 2}.py",
        "targets": 1, "lined": 1, "is_name": False,
    }  # fmt: skip
    if fixed:
        record["fixed"] = [1]
    hits = np.array([int(place == right) for place in range(6)], np.int64)
    chunks = np.zeros((6, 1), np.float32)
    return Asked(record, [f"{n}.py" for n in range(6)], features, np.arange(7), chunks, hits, hits)


def collected(count: int, *, helps: bool, fixed: bool = False) -> Collected:
    rng = random.Random(5)
    return Collected(FILES, CHUNKS, tuple(asked(n, rng, helps=helps, fixed=fixed) for n in range(count)))


MISLED = Fitted({"told": 0.0, "noise": 1.0}, {"said": 0.0})


def test_a_feature_that_tells_the_answer_is_learned() -> None:
    tuned = Tuner(collected(80, helps=True), MISLED).tune()
    assert tuned.fitted.files["told"] > 1 and tuned.fitted.files["told"] > 5 * abs(tuned.fitted.files["noise"])
    assert tuned.gain.real and tuned.gain.after > tuned.gain.before + 0.2
    assert tuned.gain.low < tuned.gain.after - tuned.gain.before < tuned.gain.high
    assert tuned.by_kind["function"] == (pytest.approx(tuned.gain.before), pytest.approx(tuned.gain.after), 80)


def test_where_nothing_tells_the_answer_no_gain_is_claimed() -> None:
    tuned = Tuner(collected(60, helps=False), Fitted({"told": 0.3, "noise": 0.0}, {"said": 0.0})).tune()
    assert not tuned.gain.real


def test_questions_that_the_weights_do_not_decide_teach_nothing_and_gain_nothing() -> None:
    tuner = Tuner(collected(20, helps=True, fixed=True), MISLED)
    assert tuner.teaching == 0
    tuned = tuner.tune()
    assert tuned.fitted.files == MISLED.files
    assert (tuned.gain.before, tuned.gain.after, tuned.gain.better) == (1.0, 1.0, 0)


def test_tuning_is_the_same_each_time() -> None:
    first, second = (Tuner(collected(40, helps=True), MISLED).tune() for _ in range(2))
    assert first == second


def test_nothing_is_changed_for_what_chance_may_bring() -> None:
    chance = [0.5, -0.4, 0.3, -0.3, 0.2]  # the mean is .06, its standard error .17
    assert surest({(0.0, False): [0.0] * 5, (3.0, False): chance}) == (0.0, False)
    assert surest({(0.0, False): [0.0] * 5, (3.0, False): [0.1, 0.12, 0.09, 0.1, 0.11]}) == (3.0, False)


def test_folds_keep_the_questions_of_a_file_together() -> None:
    groups = by_file(collected(41, helps=True).asked, 5)
    files = [{one.record["file"] for one in group} for group in groups]
    assert sum(map(len, groups)) == 41 and len(groups) == 5
    assert sum(map(len, files)) == len(set().union(*files))


def test_a_gain_by_hand() -> None:
    questions = collected(4, helps=True).asked
    gain = gain_of(questions, [0.5, 0.5, 0.0, 1.0], [1.0, 0.25, 0.0, 1.0])
    assert (gain.before, gain.after, gain.better, gain.worse, gain.questions) == (0.5, 0.5625, 1, 1, 4)
    assert gain.low <= 0.0625 <= gain.high and not gain.real


def labels() -> Labels:
    """A sentence for every function of the project, asked as it stands."""
    questions = tuple(
        Question(f"q{n}", topic[2], (Target(f"src/{topic[0]}.py", 4, 14),), tags=("function",))
        for n, topic in enumerate(TOPICS)
    )
    return Labels(questions, "mined")


def test_too_few_questions_are_no_ground_to_learn_on(built: Built) -> None:
    with pytest.raises(UsageError, match="too few questions teach the ranking anything"):
        tuning.tune(built.index, labels())


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight questions are enough, and the gain is real: what happens then is looked at, not whether it is."""
    fitted = Fitted(dict.fromkeys(KNOWN["default"], 0.0) | {"depth": -9.0}, {"size": 1.0}, 0.3, True)
    tuned = Tuned(fitted, Gain(0.5, 0.7, 0.1, 0.3, 8, 4, 0), 8, {"function": (0.5, 0.7, 8)})
    monkeypatch.setattr(tuning, "MIN_TEACHING", 1)
    monkeypatch.setattr(Tuner, "tune", lambda self, folds, say=None: tuned)


def scores(index: Index) -> list[tuple[str, float]]:
    found = index.search("puts an envelope behind those that wait for the postman", refresh=False)
    return [(item.path, item.score) for item in found.items]


def test_installed_weights_are_used_until_they_are_undone(built: Built, eager: None) -> None:
    before = scores(built.index)
    report = tuning.tune(built.index, labels())
    path = built.index.ranking_file
    assert path is not None and report["installed"] and report["file"] == str(path) and path.is_file()
    assert not path.is_relative_to(built.root)
    after = scores(built.index)
    assert after != before
    with Index.open(built.root, root=built.root, settings=built.index.settings) as other:
        other.use_ranking(path)
        assert scores(other) == after
        found = other.search("wait for the postman", refresh=False)
        assert found.meta.degraded is None
    assert tuning.undo(built.index)
    assert scores(built.index) == before
    assert not path.exists() and not tuning.undo(built.index)


def test_a_dry_run_installs_nothing(built: Built, eager: None) -> None:
    before = scores(built.index)
    assert not tuning.tune(built.index, labels(), install=False)["installed"]
    assert built.index.ranking_file is not None and not built.index.ranking_file.exists()
    assert scores(built.index) == before


def test_a_gain_that_may_be_chance_installs_nothing(built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    base = Fitted({}, {})
    tuned = Tuned(base, Gain(0.5, 0.51, -0.01, 0.03, 8, 4, 3), 8)
    monkeypatch.setattr(tuning, "MIN_TEACHING", 1)
    monkeypatch.setattr(Tuner, "tune", lambda self, folds, say=None: tuned)
    assert not tuning.tune(built.index, labels())["installed"]


def weights_file(path: Path, **changes: Any) -> Path:
    made = {"default": dict(rankers()["default"].weights), "chunk": dict(rankers()["chunk"].weights)}
    data = learned_weights("2026", "m", made, {"understand_code": {"text": 0.7, "semantic": 0.3}}, {})
    path.write_text(json.dumps({**data, **changes}), encoding="utf-8")
    return path


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    found = read_ranking(weights_file(tmp_path / "w.json"), "m")
    assert found.rankers == dict(rankers()) and found.problem == "" and found.fitted == "2026"
    assert found.modalities == {"understand_code": {"text": 0.7, "semantic": 0.3}}
    assert read_ranking(None, "m") == read_ranking(tmp_path / "nope.json", "m") == Ranking()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"version": 99}, "another version"),
        ({"features": {"default": 3, "chunk": 14}}, "other features"),
        ({"rankers": {"default": {"unheard": 1.0}}}, "other features"),
        ({"rankers": {"other": {}}}, "other features"),
        ({"rankers": {"chunk": {"size": "1"}}}, "damaged"),
        ({"rankers": {"chunk": {"size": float("inf")}}}, "damaged"),
        ({"rankers": []}, "damaged"),
        ({"model": "n"}, "another embedding model"),
        ({"modalities": {"understand_code": {"smell": 1}}}, "damaged"),
        ({"modalities": {"understand_code": {"text": -1}}}, "damaged"),
    ],
)
def test_weights_that_do_not_fit_are_not_used_and_why_is_said(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    found = read_ranking(weights_file(tmp_path / "w.json", **changes), "m")
    assert found.rankers == dict(rankers()) and not found.modalities
    assert said in found.problem and "eval tune" in found.problem


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b'"x"', b"[" * 100_000])
def test_a_broken_file_of_weights_is_no_reason_to_fail(built: Built, content: bytes) -> None:
    path = built.index.ranking_file
    assert path is not None
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    found = built.index.search("wait for the postman", refresh=False)
    assert found.items and "are damaged and are not used" in (found.meta.degraded or "")


def test_weights_move_by_tenths_and_none_that_counts_falls_to_nothing() -> None:
    table = WEIGHTS["find_definition"]
    found = neighbours(table)
    assert found and all(sum(one.values()) == pytest.approx(1.0) for one in found)
    assert all(weight >= LEAST for one in found for weight in one.values())
    assert all(one["semantic"] == one["graph"] == 0 for one in neighbours(WEIGHTS["exact_match"]))


def test_lists_fused_again_give_the_answer_of_the_preset(built: Built) -> None:
    questions = labels().questions
    prepared = prepare(built.index, questions)
    assert len(prepared) == len(questions)
    tuner = ModalityTuner(built.index, prepared, "understand_code")
    values = tuner.values(dict(WEIGHTS["understand_code"]))
    from fourfold.evaluate.metrics import Place, judge

    for one, value in zip(prepared, values, strict=True):
        found = built.index.search(one.question.text, preset="contract", refresh=False).items
        assert value == judge(one.question.targets, [Place(i.path, i.start_line, i.end_line) for i in found]).ndcg


def test_other_weights_of_the_modalities_change_the_fusion(built: Built) -> None:
    one = prepare(built.index, labels().questions[:1])[0]
    searcher = built.index._open_searcher()
    kept = {name: list(items) for name, items in one.state.lists.items()}
    state = fork(one.state, one.intent, {"semantic": 0.0, "text": 1.0, "structural": 0.0, "graph": 0.0})
    assert state.modality_weights["text"] == 1.0 and state.modality_weights["semantic"] == 0.0
    assert one.state.lists == kept
    searcher.ranking = Ranking()
    assert state.modality_weights == WEIGHTS[one.intent]


def test_weighing_never_does_worse_on_what_it_was_fitted_on(built: Built) -> None:
    tuner = ModalityTuner(built.index, prepare(built.index, labels().questions), "understand_code")
    found, gain = tuner.tune(folds=3)
    before = tuner.values(dict(WEIGHTS["understand_code"]))
    assert sum(tuner.values(found)) >= sum(before)
    assert gain.questions == len(before)


def test_the_doctor_tells_of_fitted_weights(built: Built, eager: None) -> None:
    def checks() -> list[tuple[bool, str]]:
        return [(one.ok, one.detail) for one in built.index.doctor() if one.name == "ranking"]

    assert checks() == []
    tuning.tune(built.index, labels())
    ((ok, detail),) = checks()
    assert ok and detail.startswith("fitted on this repository, 20")
    assert built.index.ranking_file is not None
    built.index.ranking_file.write_text("{", encoding="utf-8")
    assert checks() == [(False, "the weights fitted on this repository are damaged and are not used")]
