"""The retrievers over one small index: words, meaning, definitions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from tests.built import Built

from fourfold.embed.hash import HashEmbedder
from fourfold.model.hit import Hit
from fourfold.model.query import Filters
from fourfold.retrieve.mask import allowed_chunks
from fourfold.retrieve.semantic import semantic_hits
from fourfold.retrieve.structural import bare, knows, structural_hits
from fourfold.retrieve.text import text_hits
from fourfold.store.local.corpus import Corpus
from fourfold.store.local.vectors import Vectors
from fourfold.store.question import Question

FILES = {
    "z/router.py": "class Router:\n    def route(self, request):\n        return self.routes[request.path]\n",
    "a/routing.py": "def routing_table(routes):\n    return dict(routes)\n",
    "a/config.py": "ROUTER = 'default'\n\n\ndef router(name):\n    return ROUTER\n",
    "b/same.py": "def twin():\n    return 'twin'\n",
    "b/same2.py": "def twin():\n    return 'twin'\n",
    "gone.py": "class Router:\n    pass\n",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    with Built(tmp_path_factory.mktemp("retrievers")) as built:
        yield built.write(FILES).write({}, removed=("gone.py",)).corpus


def places(corpus: Corpus, hits: list[Hit]) -> list[str]:
    return [corpus.paths[int(corpus.chunk_file[hit.chunk])] for hit in hits]


def test_words_find_other_forms_of_a_word_by_stem_only(corpus: Corpus) -> None:
    question = Question("routing")
    assert places(corpus, text_hits(corpus, question, 10, stems=False)) == ["a/routing.py"]
    both = places(corpus, text_hits(corpus, question, 10))
    assert both[0] == "a/routing.py"
    assert set(both) == {"a/routing.py", "z/router.py", "a/config.py"}


def test_hits_are_sorted_bounded_and_named(corpus: Corpus) -> None:
    hits = text_hits(corpus, Question("router routes request"), 2)
    assert len(hits) == 2
    assert hits[0].score >= hits[1].score > 0
    assert {hit.modality for hit in hits} == {"text"}
    assert text_hits(corpus, Question("unheard_of"), 10) == []


def test_equal_hits_come_by_path(corpus: Corpus) -> None:
    hits = text_hits(corpus, Question("return twin"), 10, stems=False)
    twins = [place for place in places(corpus, hits) if place.startswith("b/")]
    assert twins == ["b/same.py", "b/same2.py"]


def test_a_mask_holds_for_words_and_meaning(corpus: Corpus) -> None:
    allowed = allowed_chunks(corpus, Filters(paths=("z",)))
    query = HashEmbedder().queries(["router"])[0]
    for hits in (
        text_hits(corpus, Question("router"), 10, allowed),
        semantic_hits(corpus, Vectors(corpus), query, 10, allowed),
        structural_hits(corpus, ["Router"], 10, allowed),
    ):
        assert places(corpus, hits) == ["z/router.py"]


def test_meaning_never_gives_a_dead_chunk(corpus: Corpus) -> None:
    hits = semantic_hits(corpus, Vectors(corpus), HashEmbedder().queries(["class router"])[0], 100)
    assert hits
    assert "" not in places(corpus, hits)
    assert all(before.score >= after.score for before, after in zip(hits, hits[1:], strict=False))  # noqa: RUF007


def test_a_question_without_a_known_word_has_no_meaning(corpus: Corpus) -> None:
    assert semantic_hits(corpus, Vectors(corpus), np.zeros(64, np.float32), 10) == []


def test_definitions_as_written_come_first_types_before_functions(corpus: Corpus) -> None:
    hits = structural_hits(corpus, ["Router"], 10)
    assert places(corpus, hits) == ["z/router.py", "a/config.py"]
    assert hits[0].line == 1
    assert hits[0].score > hits[1].score
    lower = structural_hits(corpus, ["router"], 10)
    assert places(corpus, lower) == ["a/config.py", "z/router.py"]
    assert lower[0].line == 4


def test_names_are_known_by_their_last_part_in_any_case(corpus: Corpus) -> None:
    assert bare("pkg.Router.route") == "route"
    assert bare("route") == "route"
    for name in ("Router", "router", "z.Router", "ROUTING_TABLE"):
        assert knows(corpus, name)
    assert not knows(corpus, "nothing")
    assert places(corpus, structural_hits(corpus, ["pkg.Router.route", "route"], 10)) == ["z/router.py"]
    assert structural_hits(corpus, ["nothing"], 10) == []
    assert len(structural_hits(corpus, ["twin"], 1)) == 1


def test_equal_definitions_come_by_path(corpus: Corpus) -> None:
    assert places(corpus, structural_hits(corpus, ["twin"], 10)) == ["b/same.py", "b/same2.py"]
