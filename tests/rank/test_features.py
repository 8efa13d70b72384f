"""Features of candidate files, on evidence written by hand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.rank.made import FIELDS, evidence

from fourfold.rank.chunks import ChunkOrder
from fourfold.rank.features import (
    FEATURES,
    NEEDS_VECTORS,
    STANDARDISED,
    by_file,
    definition_strength,
    features,
    penalty,
    plain_fusion,
    reciprocal,
    symbol_score,
)
from fourfold.rank.path_words import PathMatch
from fourfold.retrieve.evidence import UNRANKED, Evidence
from fourfold.retrieve.name_words import Names

PATHS = ("src/retry.py", "tests/test_retry.py", "src/other.py")


def no_match(words: int, files: int) -> PathMatch:
    """No word of the question is in any path."""
    nothing = np.zeros((words, files))
    return PathMatch(nothing, nothing.copy(), nothing.copy(), np.zeros(files), np.zeros(files))


def of(found: Evidence, paths: PathMatch | None = None, wanted: str = "") -> dict[str, NDArray[np.float64]]:
    """All features; `wanted` is the one path category that the question asks for."""
    words = len(found.word_idf)
    match = paths or no_match(words, len(found.files))
    return features(found, match, words, lambda role: role == wanted)


def test_every_named_feature_is_computed_for_every_file() -> None:
    found = of(evidence(PATHS, [2, 1, 3], words=2))
    assert set(found) == FEATURES
    assert all(values.shape == (3,) and np.isfinite(values).all() for values in found.values())
    assert NEEDS_VECTORS | STANDARDISED <= FEATURES


def test_chunks_are_reduced_to_files() -> None:
    made = evidence(PATHS, [2, 1, 3], raw=[1, 5, 2, 0, 3, 4])
    assert by_file(made, made.raw).tolist() == [5, 2, 4]
    assert by_file(made, made.raw, np.add).tolist() == [6, 2, 7]
    words = np.array([[1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1]], np.float32)
    assert by_file(made, words).tolist() == [[2, 3, 6], [6, 4, 3]]
    assert by_file(made, np.zeros((0, 6), np.float32)).shape == (0, 3)


def test_features_without_a_unit_are_compared_within_the_question() -> None:
    found = of(evidence(PATHS, [1, 1, 1], raw=[1.0, 2.0, 3.0]))
    assert found["raw"].tolist() == pytest.approx([-1.224745, 0.0, 1.224745], abs=1e-6)
    assert found["stems"].tolist() == [0.0, 0.0, 0.0]  # all alike: nobody stands out


def test_reciprocal_ranks() -> None:
    ranks = np.array([0, 1, 99, 100, UNRANKED])
    assert reciprocal(ranks).tolist() == pytest.approx([1 / 61, 1 / 62, 1 / 160, 0, 0])
    assert reciprocal(ranks, 1).tolist() == pytest.approx([1 / 61, 0, 0, 0, 0])


def test_agreement_adds_the_lists_of_one_chunk() -> None:
    made = evidence(
        PATHS, [1, 1, 1], ranks={"stems": [0, 1, UNRANKED], "with_path": [1, UNRANKED, 0], "raw": [0, 1, UNRANKED]}
    )
    found = of(made)["agreement"]
    assert found.tolist() == pytest.approx([1 / 61 + 1 / 62 + 0.5 / 61, 1 / 62 + 0.5 / 62, 1 / 61])
    assert plain_fusion(made).tolist() == pytest.approx([0.5 / 61 + 0.5 / 62, 0.5 / 62, 0.5 / 61])


def test_roles_count_only_where_they_are_not_asked_for() -> None:
    made = evidence(PATHS, [1, 1, 1])
    assert of(made)["is_test"].tolist() == [0, 1, 0]
    assert of(made, wanted="test")["is_test"].tolist() == [0, 0, 0]
    deep = evidence(("a/b/c.py", "a/d.py", "a/e/f/g.py"), [1, 1, 1])
    assert of(deep)["depth"].tolist() == [1, 0, 2]


def test_words_met_by_path_and_fields_are_shares_of_the_question() -> None:
    match = no_match(2, 3)
    match.stem[0] = [1.0, 0.95, 0.0]
    match.folder[1] = [0.0, 0.0, 1.0]
    made = evidence(PATHS, [1, 1, 1], words=2, word_idf=np.array([3.7, 0.7]))
    found = of(made, match)
    # idf + 0.3 weighs the words: 4 and 1 of 5.
    assert found["stem_words"].tolist() == pytest.approx([0.8, 0.76, 0.0])
    assert found["folder_words"].tolist() == pytest.approx([0.0, 0.0, 0.2])
    assert found["path_ratio"].tolist() == [0.5, 0.5, 0.5]
    assert found["stem_complete"].tolist() == [0.0, 0.0, 0.0]
    made.word_fields["definitions"][1, 2] = True
    assert of(made, match)["named_words"].tolist() == pytest.approx([0.8, 0.76, 0.2 * 0.8])


def test_a_whole_stem_that_is_asked_for_counts_as_complete() -> None:
    match = no_match(1, 3)
    match.stem[0] = [1.0, 1.0, 0.0]
    match.stem_complete[:] = [1.0, 0.5, 0.0]
    assert of(evidence(PATHS, [1, 1, 1], words=1), match)["stem_complete"].tolist() == [1.0, 0.0, 0.0]


def test_field_scores_keep_their_columns() -> None:
    scores = np.arange(15, dtype=np.float32).reshape(3, 5) ** 2
    found = of(evidence(PATHS, [1, 1, 1], field_scores=scores))
    for name in ("definitions", "docs", "head", "body"):
        column = scores[:, FIELDS.index(name)].astype(np.float64)
        assert found[name].tolist() == pytest.approx(((column - column.mean()) / column.std()).tolist())


def test_soft_matches_are_a_share_of_the_question() -> None:
    soft = np.array([[1.0, 0.0, 0.5], [0.0, 0.0, 0.5]], np.float32)
    made = evidence(PATHS, [1, 1, 1], words=2, names=Names(soft, np.zeros(3, np.float32)))
    values = of(made)["soft"]  # shares 0.5, 0, 0.5, standardised
    assert values[0] == pytest.approx(values[2])
    assert values[1] < values[0]


def test_a_namesake_nearer_to_the_root_is_told_from_the_deeper_one() -> None:
    paths = ("src/Cache/Store.php", "src/Contracts/Cache/Store.php", "src/Cache/store.ts", "a/b/c/d/Other.php")
    assert of(evidence(paths, [1] * 4))["is_deeper_twin"].tolist() == [0, 1, 0, 0]


def test_a_stem_that_extends_another_candidates_stem_counts_by_what_nobody_asked_for() -> None:
    paths = (
        "InsertStatement.kt",
        "BatchInsertStatement.kt",
        "StatementInsert.kt",
        "Statement.kt",
        "a/1.kt",
        "x/Unit.kt",
    )
    match = no_match(0, 6)
    match.stem_precision[:] = [1.0, 0.75, 0.0, 0.0, 0.0, 0.0]
    # The first has all words of the fourth, but every word of it is asked for; the fifth has no word at all.
    assert of(evidence(paths, [1] * 6), match)["extends_other"].tolist() == [0.0, 0.25, 1.0, 0.0, 0.0, 0.0]
    alone = of(evidence(paths[1:2], [1]), no_match(0, 1))
    assert alone["extends_other"].tolist() == [0.0]


def test_scores_relative_to_the_best_candidate() -> None:
    scores = np.zeros((3, 5), np.float32)
    scores[:, FIELDS.index("definitions")] = [0.0, 2.0, 8.0]
    found = of(evidence(PATHS, [1, 2, 1], stems=[1.0, 3.0, 4.0, 2.0], field_scores=scores))
    assert found["stems_relative"].tolist() == [0.25, 1.0, 0.5]
    assert found["definitions_relative"].tolist() == [0.0, 0.25, 1.0]
    assert of(evidence(PATHS, [1, 1, 1]))["stems_relative"].tolist() == [0.0, 0.0, 0.0]


def test_a_file_is_named_by_the_chunk_whose_names_fit_best() -> None:
    # Shares of the question met: 1, 0.5, 0, 0.5; of the names asked for: 0.25, 1, 0, 0.5.
    soft = np.array([[1.0, 1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0]], np.float32)
    names = Names(soft, np.array([0.25, 1.0, 0.0, 0.5], np.float32))
    found = of(evidence(PATHS, [2, 1, 1], words=2, names=names))
    assert found["name_precision"].tolist() == [1.0, 0.0, 0.5]
    assert found["name_match"].tolist() == pytest.approx([2 / 3, 0.0, 0.5])


def test_documents_that_are_asked_for_are_not_behind_for_having_no_names() -> None:
    soft = np.array([[0.5, 0.0, 1.0]], np.float32)
    made = evidence(("a.py", "docs/a.md", "b.py"), [1] * 3, words=1, names=Names(soft, np.array([1, 0, 1], np.float32)))
    assert of(made)["name_match"].tolist() == pytest.approx([2 / 3, 0.0, 1.0])
    assert of(made, wanted="test")["name_precision"].tolist() == [1.0, 0.0, 1.0]
    asked = of(made, wanted="docs")
    assert asked["name_match"].tolist() == pytest.approx([2 / 3, 1.0, 1.0])
    assert asked["name_precision"].tolist() == [1.0, 1.0, 1.0]


def test_a_question_without_content_words_has_no_shares() -> None:
    found = of(evidence(PATHS, [1, 1, 1], words=0))
    for name in ("stem_words", "folder_words", "named_words", "found_words", "soft", "path_ratio"):
        assert found[name].tolist() == [0.0, 0.0, 0.0], name


def test_penalties_of_roles() -> None:
    paths = ("src/a.py", "tests/test_a.py", "docs/a.md", "src/__init__.py", "v1/a.py", "tests/__init__.py")
    made = evidence(paths, [1] * 6, superseded=[0, 0, 0, 0, 1, 0])
    assert penalty(of(made)).tolist() == pytest.approx([1.0, 0.3, 0.5, 0.5, 0.3, 0.15])


def test_definitions_of_types_weigh_most() -> None:
    made = evidence(PATHS, [1, 1, 1], exact=[1.0, 1.0, 0.5], exact_type=[1.0, 0.0, 0.0])
    assert definition_strength(made).tolist() == pytest.approx([1.0, 0.6, 0.3])


def test_a_name_goes_to_its_definition_then_to_the_file_called_like_it() -> None:
    made = evidence(
        ("src/uses.py", "src/session.py", "src/defines.py", "tests/test_session.py"),
        [1, 1, 1, 1],
        ranks={"raw": [0, 3, 2, 1], "with_path": [0, 3, 2, 1]},
        exact=[0.0, 0.0, 1.0, 1.0],
        exact_type=[0.0, 0.0, 1.0, 1.0],
    )
    found = of(made)
    scores = symbol_score(made, found, np.array([False, True, False, False]))
    assert int(scores.argmax()) == 2
    assert scores[3] < 0.4 * scores[2]  # as good a definition, in a test
    unnamed = symbol_score(made, found, np.zeros(4, np.bool_))
    assert (scores - unnamed).tolist() == pytest.approx([0, 0.5, 0, 0])
    both = symbol_score(made, found, np.array([False, False, True, False]))
    assert both[2] - unnamed[2] == pytest.approx(3.0 * 0.5 + 0.5)


def test_the_chunk_shown_is_the_best_of_its_file_and_the_first_of_equals() -> None:
    made = evidence(PATHS, [3, 2, 1])
    scores = np.array([1.0, 4.0, 4.0, 0.0, 2.0, 9.0])
    chunks = ChunkOrder(made, scores)
    assert chunks.best().tolist() == [1, 4, 5]
    assert [column.tolist() for column in chunks.top(2)] == [[0, 0, 1, 1, 2], [0, 1, 0, 1, 0], [1, 2, 4, 3, 5]]
    assert [chunks.more(position) for position in range(3)] == [[2], [], []]


def test_chunks_that_the_filters_hide_are_never_named() -> None:
    scores = np.array([1.0, 4.0, 4.0, 0.0, 2.0, 9.0])
    chunks = ChunkOrder(evidence(PATHS, [3, 2, 1], shown=[True, False, True, True, False, True]), scores)
    assert chunks.best().tolist() == [2, 3, 5]
    assert [column.tolist() for column in chunks.top(2)] == [[0, 0, 1, 2], [0, 1, 0, 0], [2, 0, 3, 5]]
    assert chunks.odds()[[1, 4]].tolist() == [0.0, 0.0]
    assert [chunks.more(position) for position in range(3)] == [[], [], []]


def test_no_candidates_no_features() -> None:
    made = evidence((), [], words=1)
    assert by_file(made, made.raw).tolist() == []
    assert all(not len(values) for values in of(made, no_match(1, 0)).values())
    assert definition_strength(made).tolist() == []
