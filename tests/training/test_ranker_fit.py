"""Fitting the ranking: a known order is found again, answers are re-made as the program gives them."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.dataset import Question, Target
from benchmarks.metrics import Place, judge
from training.ranker import fit as fitting
from training.ranker.ablate import FAMILIES, ablate, gain_interval
from training.ranker.collected import load, save

from fourfold.evaluate.learn.asked import Asked, Collected
from fourfold.evaluate.learn.replay import answer, by, ndcg, over_repositories
from fourfold.evaluate.learn.softmax import Group, _Loss, deviation, fit
from fourfold.model.errors import BackendUnavailable
from fourfold.rank.features import FEATURES
from fourfold.rank.linear import parse_weights

NAMES = ("docs", "raw")
CHUNKS = ("names", "size")


def asked(
    repo: str,
    files: Sequence[Sequence[float]],
    right: Sequence[int],
    *,
    number: int = 0,
    lengths: Sequence[int] | None = None,
    chunks: Sequence[Sequence[float]] | None = None,
    chunk_hits: Sequence[int] | None = None,
    **record: Any,
) -> Asked:
    """A question on files with one chunk each, or as given; `right` are masks."""
    lengths = lengths or [1] * len(files)
    hits = np.array(right, np.int64)
    values = {
        "repo": repo, "id": f"{repo}-{number}", "language": "go", "category": "semantic", "query": "q", "tags": [],
        "targets": 1, "lined": 0, "is_name": False,
    }  # fmt: skip
    return Asked(
        values | record,
        [f"f{position}.go" for position in range(len(files))],
        np.array(files, np.float32),
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        np.array(chunks if chunks is not None else np.zeros((sum(lengths), 2)), np.float32),
        hits,
        np.repeat(hits, lengths) if chunk_hits is None else np.array(chunk_hits, np.int64),
    )


def collected(*questions: Asked) -> Collected:
    return Collected(NAMES, CHUNKS, questions)


def drawn(repo: str, count: int, seed: int, **record: Any) -> list[Asked]:
    """Questions whose right file is the one with the highest ``2 raw - docs``."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(count):
        files = rng.normal(size=(8, 2))
        best = int(np.argmax(2 * files[:, 1] - files[:, 0]))
        made.append(asked(repo, files.tolist(), [int(i == best) for i in range(8)], number=number, **record))
    return made


def test_a_known_order_is_recovered() -> None:
    groups = [Group(one.files, one.file_hits > 0) for one in drawn("a", 200, 1)]
    weights = fit(groups, 1e-4, deviation(groups))
    assert weights[1] > 0 > weights[0]
    assert -weights[1] / weights[0] == pytest.approx(2.0, abs=0.2)
    assert fit(groups, 1e-4, deviation(groups), np.array([9.0, 9.0])) == pytest.approx(weights)  # from anywhere


def test_gradient_and_curvature_are_those_of_the_loss() -> None:
    groups = [Group(one.files, one.file_hits > 0, 1.0 + n % 3) for n, one in enumerate(drawn("a", 12, 2))]
    loss = _Loss(groups, 0.01, np.array([1.0, 2.0]))
    at = np.array([0.3, -0.7])
    _, slope = loss(at)
    curvature = loss.curvature(at)
    for axis, step in enumerate(np.eye(2) * 1e-6):
        assert (loss(at + step)[0] - loss(at - step)[0]) / 2e-6 == pytest.approx(slope[axis], rel=1e-4)
        assert (loss(at + step)[1] - loss(at - step)[1]) / 2e-6 == pytest.approx(curvature[axis], rel=1e-4)


def test_a_penalty_draws_weights_to_nothing_and_a_heavy_question_decides() -> None:
    groups = [Group(one.files, one.file_hits > 0) for one in drawn("a", 30, 3)]
    scale = deviation(groups)
    assert np.abs(fit(groups, 10.0, scale)).max() < 0.1 < np.abs(fit(groups, 0.01, scale)).min()
    features = np.array([[1.0], [0.0]])
    for heavy, sign in ((9.0, 1.0), (1 / 9, -1.0)):
        pair = [Group(features, np.array([1, 0]), heavy), Group(features, np.array([0, 1]), 1.0)]
        assert np.sign(fit(pair, 0.01, np.ones(1))[0]) == sign


def test_a_feature_that_never_varies_keeps_no_weight() -> None:
    groups = [Group(np.array([[1.0, 5.0], [0.0, 5.0]]), np.array([1, 0]))]
    assert deviation(groups).tolist() == [0.5, 1.0]
    assert fit(groups, 0.1, deviation(groups))[1] == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(ValueError, match="nothing to fit"):
        fit([], 0.1, np.ones(2))


def test_what_teaches() -> None:
    assert fitting.teaches(asked("a", [[0, 0]], [1]))
    assert not fitting.teaches(asked("a", [[0, 0]], [0]))
    assert not fitting.teaches(asked("a", [[0, 0]], [1], is_name=True))
    assert not fitting.teaches(asked("a", [[0, 0]], [1], tags=["commit"]))


def test_chunks_are_learned_within_the_right_file_from_targets_with_lines() -> None:
    question = {"lengths": [3, 2], "chunks": [[0, 1], [1, 0], [0, 0], [5, 5], [9, 9]]}
    (group,) = fitting.chunk_groups(asked("a", [[0, 0]] * 2, [1, 0], chunk_hits=[0, 1, 0, 0, 0], lined=1, **question))
    assert group.features.tolist() == [[0, 1], [1, 0], [0, 0]]
    assert group.labels.tolist() == [False, True, False]
    whole = asked("a", [[0, 0]] * 2, [1, 0], chunk_hits=[1, 1, 1, 0, 0], **question)
    assert fitting.chunk_groups(whole) == []


def test_the_answer_is_in_the_order_of_worth_with_neighbours_as_one() -> None:
    """P(file) is .63, .23, .09, .03 ...; the first file's other likely chunk is worth .3 x .63 x .27 = .05."""
    files = [[0.0, float(-position)] for position in range(7)]
    hits = [0, 4, 1, 0, 0, 0, 0, 0, 2]
    one = asked("a", files, [1, 0, 0, 0, 0, 0, 2], lengths=[3, 1, 1, 1, 1, 1, 1], chunk_hits=hits, targets=3)
    apart = answer(one, one.files[:, 1], np.array([3.0, -50.0, 2.0, *[0.0] * 6]))
    assert apart[:4] == [0, 0, 0, 1]
    joined = answer(one, one.files[:, 1], np.array([-50.0, 3.0, 2.0, *[0.0] * 6]))
    assert joined[0] == 4 | 1
    assert answer(asked("a", files, [0] * 7, fixed=[0, 1]), one.files[:, 1], np.zeros(7)) == [0, 1]


def test_ndcg_of_masks_is_that_of_the_benchmarks() -> None:
    targets = tuple(Target(f"t{bit}.go") for bit in range(3))
    question = Question("a", "q", "go", "semantic", "text", targets)
    for ranks in itertools.product(range(13), repeat=2):
        paths = ["x.go"] * 12
        masks = [0] * 12
        for bit, rank in enumerate(ranks):
            if rank < 12 and paths[rank] == "x.go":
                paths[rank], masks[rank] = f"t{bit}.go", 1 << bit
        assert ndcg(masks, 3) == pytest.approx(judge(question, [Place(path) for path in paths]).ndcg)
    assert ndcg([3], 2) == pytest.approx(1 / (1 + 1 / np.log2(3)))  # one result for both targets
    assert ndcg([], 0) == 0.0


def test_means_are_over_repositories() -> None:
    questions = [asked(repo, [[0, 0]], [1], category=category) for repo, category in ("ax", "ax", "bx", "by")]
    values = list(zip(questions, (0.0, 1.0, 1.0, 0.0), strict=True))
    assert over_repositories(values) == 0.5
    assert by(values, lambda one: one.record["category"]) == {"x": (3, 0.75), "y": (1, 0.0)}
    assert over_repositories([]) == 0.0


def test_a_repository_is_never_judged_by_weights_that_saw_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found = collected(*(one for seed, repo in enumerate("abcde") for one in drawn(repo, 3, seed)))
    assert sorted(frozenset.union(*fitting.folds([one.repo for one in found.asked], 2))) == list("abcde")
    left_out: list[frozenset[str]] = []
    original = fitting.Fitter.files

    def noting(self: Any, names: Any, without: frozenset[str] = frozenset(), start: Any = None) -> Any:
        left_out.append(without)
        return original(self, names, without, start)

    monkeypatch.setattr(fitting.Fitter, "files", noting)
    fitter = fitting.Fitter(found, collected(*drawn("m", 5, 9)))
    values = fitting.cross_validate(fitter, NAMES, {"names": 1.0}, found, 2)
    assert left_out == [frozenset(), frozenset("ace"), frozenset("bd")]
    assert sorted(one.record["id"] for one, _ in values) == sorted(one.record["id"] for one in found.asked)
    assert over_repositories(values) > 0.9


def test_stored_questions_come_back_and_other_formats_are_refused(tmp_path: Path) -> None:
    found = collected(*drawn("a", 3, 1, fixed=[1, 0]))
    save(tmp_path / "a.npz", found)
    save(tmp_path / "b.npz", collected())
    read = load(tmp_path)
    assert (read.file_names, read.chunk_names, len(read.asked)) == (NAMES, CHUNKS, 3)
    for before, after in zip(found.asked, read.asked, strict=True):
        assert (after.record, after.paths) == (before.record, before.paths)
        for name in ("files", "offsets", "chunks", "file_hits", "chunk_hits"):
            assert np.array_equal(getattr(after, name), getattr(before, name)), name
    save(tmp_path / "c.npz", Collected(("raw",), CHUNKS, ()))
    with pytest.raises(ValueError, match="other features"):
        load(tmp_path)
    head = np.frombuffer(json.dumps({"format": 0}).encode(), np.uint8)
    np.savez(tmp_path / "c.npz", head=head)
    with pytest.raises(ValueError, match="format 0"):
        load(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"training\.ranker\.collect"):
        load(tmp_path / "nowhere")


def test_the_weights_are_written_as_the_program_reads_them(tmp_path: Path) -> None:
    out = tmp_path / "ranking.json"
    fitting.write(out, {"default": {"raw": 1.23456, "docs": -0.00001}})
    data = json.loads(out.read_text("utf-8"))
    ranker = parse_weights(data, {"default": frozenset(NAMES)})["default"]
    assert dict(ranker.weights) == {"raw": 1.2346, "docs": 0.0}
    assert "-0.0" not in out.read_text("utf-8")
    with pytest.raises(BackendUnavailable, match="version"):
        parse_weights(data | {"version": data["version"] + 1}, {"default": frozenset(NAMES)})


def test_the_command_fits_reports_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lined = {"lengths": [2, 1], "chunks": [[1, 0], [0, 1], [0, 0]], "chunk_hits": [1, 0, 0], "lined": 1}
    mined = [asked("m", [[0, 1], [1, 0]], [1, 0], **lined), *drawn("n", 20, 4)]
    save(tmp_path / "tuning" / "x.npz", collected(*drawn("x", 20, 5), *drawn("y", 20, 6)))
    save(tmp_path / "mined" / "m.npz", collected(*mined))
    out = tmp_path / "out.json"
    places = ["--tuning", str(tmp_path / "tuning"), "--mined", str(tmp_path / "mined")]
    fitting.main([*places, "--out", str(out), "--cross-validate", "--folds", "2"])
    made = json.loads(out.read_text("utf-8"))["rankers"]
    assert made["default"]["raw"] > 0 > made["default"]["docs"]
    assert made["chunk"]["names"] > 0
    said = capsys.readouterr().out
    assert "cross-validated, tuning: NDCG@10 1.0000" in said
    assert "semantic" in said


def test_every_feature_belongs_to_one_family() -> None:
    members = [name for names in FAMILIES.values() for name in names.split()]
    assert sorted(members) == sorted(FEATURES)


def test_a_family_that_decides_is_missed_where_it_is_left_out() -> None:
    found = collected(*(one for seed, repo in enumerate("abcd") for one in drawn(repo, 10, seed)))
    lined = {"lengths": [2, 1], "chunks": [[1, 0], [0, 1], [0, 0]], "chunk_hits": [1, 0, 0], "lined": 1}
    mined = collected(asked("m", [[0, 1], [1, 0]], [1, 0], **lined), *drawn("n", 10, 4))
    whole, without = ablate(fitting.Fitter(found, mined), {"the words": "raw"}, 2)
    assert "1.0000" in whole or "0.9" in whole
    loss = float(without.split("|")[2].split()[0])
    assert loss < -0.1
    assert "| the words |" in without


def test_the_interval_of_a_gain_holds_the_gain() -> None:
    before = [(one, 0.5) for one in drawn("a", 20, 1) + drawn("b", 20, 2)]
    after = [(one, 0.5 + (0.4 if number % 2 else 0.0)) for number, (one, _) in enumerate(before)]
    low, high = gain_interval(before, after)
    assert 0.1 < low < 0.2 < high < 0.3
    assert gain_interval(before, before) == (0.0, 0.0)
