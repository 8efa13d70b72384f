"""Evidence about candidates, gathered from a small index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.built import Built

from fourfold.embed.hash import HashEmbedder
from fourfold.model.path import file_stem
from fourfold.model.query import Filters
from fourfold.retrieve.evidence import LISTS, UNRANKED, Evidence, Gatherer
from fourfold.retrieve.mask import allowed_chunks
from fourfold.retrieve.name_words import match_names
from fourfold.store.local.corpus import Corpus
from fourfold.store.local.schema import FILE_FIELDS
from fourfold.store.local.vectors import Vectors
from fourfold.store.question import Question

FILES = {
    "src/session.py": '"""Sessions of users."""\n\n\nclass Session:\n    """One user."""\n\n'
    "    def expire(self):\n        return None\n",
    "src/config.py": "import session\n\n\ndef parse_config(path):\n    # expire nothing here\n    return path\n",
    "src/use.py": "from src import session\nfrom src import config\n\n\ndef run():\n    return session.expire()\n",
    "api/v1/session.py": "def old_session():\n    return 1\n",
    "api/v2/session.py": "def new_session():\n    return 2\n",
    "empty.py": "",
}
MODEL = HashEmbedder()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    with Built(tmp_path_factory.mktemp("evidence")) as built:
        yield built.write(FILES).corpus


def gather(corpus: Corpus, text: str, *names: str, filters: Filters | None = None, vectors: bool = True) -> Evidence:
    question = Question(text, names)
    query = MODEL.queries([text])[0] if vectors else None
    words = MODEL.queries(list(question.content)) if vectors and question.content else None
    allowed = allowed_chunks(corpus, filters or Filters())
    return Gatherer(corpus, Vectors(corpus)).gather(question, query, words, MODEL if vectors else None, allowed)


def of(found: Evidence, values: object) -> dict[str, float]:
    assert isinstance(values, np.ndarray)
    return dict(zip(found.paths, values.tolist(), strict=True))


def test_candidates_are_files_with_their_runs_of_chunks(corpus: Corpus) -> None:
    found = gather(corpus, "expire session")
    assert found.paths == sorted(found.paths)
    assert "empty.py" not in found.paths
    assert found.offsets[-1] == len(found.chunks) == len(found.kinds) == len(found.sizes)
    for position, number in enumerate(found.files):
        run = found.chunks[found.offsets[position] : found.offsets[position + 1]]
        assert (corpus.chunk_file[run] == number).all()
    assert [len(values) for values in found.ranks.values()] == [len(found.chunks)] * len(LISTS)


def test_scores_and_ranks_are_those_of_the_lists(corpus: Corpus) -> None:
    question = Question("expire session")
    found = gather(corpus, question.text)
    raw = corpus.words("raw", question.raw).bm25
    assert found.raw.tolist() == raw[found.chunks].tolist()
    best = int(np.argmax(found.raw))
    assert found.ranks["raw"][best] == 0
    assert (found.ranks["raw"][found.raw == 0] == UNRANKED).all()
    content, with_path = Vectors(corpus).cosines(MODEL.queries([question.text])[0], found.chunks)
    assert np.allclose(found.content, content, atol=1e-6)
    assert np.allclose(found.with_path, with_path, atol=1e-6)


def test_words_are_told_by_field(corpus: Corpus) -> None:
    found = gather(corpus, "expire session")
    by_field = {
        name: {path for path, held in zip(found.paths, found.word_fields[name][0], strict=True) if held}
        for name in FILE_FIELDS
    }
    assert by_field["definitions"] == {"src/session.py"}
    assert by_field["docs"] == {"src/config.py"}
    assert by_field["body"] == {"src/session.py", "src/config.py", "src/use.py"}
    assert by_field["path"] == set()
    paths = dict(zip(found.paths, found.word_fields["path"][1], strict=True))
    assert paths["src/session.py"]
    assert not paths["src/use.py"]
    assert found.word_idf.shape == (2,)
    assert found.field_scores.shape == (len(found.files), len(FILE_FIELDS))


def test_definitions_of_the_names_asked_for(corpus: Corpus) -> None:
    found = gather(corpus, "where is Session", "Session")
    assert of(found, found.exact)["src/session.py"] == 1.0
    assert of(found, found.exact_type)["src/session.py"] == 1.0
    assert of(found, found.exact)["src/use.py"] == 0.0
    marked = found.chunks[found.definition_bonus > 0]
    assert {corpus.paths[int(corpus.chunk_file[chunk])] for chunk in marked} == {"src/session.py"}
    other_case = gather(corpus, "where is session", "session")
    assert of(other_case, other_case.exact)["src/session.py"] == 0.5
    function = gather(corpus, "parse_config", "parse_config")
    assert of(function, function.exact)["src/config.py"] == 1.0
    assert of(function, function.exact_type)["src/config.py"] == 0.0


def test_imports_are_shared_among_files_of_one_stem(corpus: Corpus) -> None:
    found = of(gather(corpus, "session config"), gather(corpus, "session config").imported)
    # Two files import "session", three are called so; one imports "config", one is called so.
    assert found["src/session.py"] == pytest.approx(np.log1p(2 / 3))
    assert found["src/config.py"] == pytest.approx(np.log1p(1.0))
    assert found["src/use.py"] == 0.0


def test_pairs_of_words_that_are_neighbours_in_a_name(corpus: Corpus) -> None:
    found = gather(corpus, "where do we parse the config")
    assert of(found, found.name_pairs)["src/config.py"] == 1.0
    apart = gather(corpus, "config that we parse")
    assert of(apart, apart.name_pairs)["src/config.py"] == 0.0


def test_older_versions_are_marked(corpus: Corpus) -> None:
    found = gather(corpus, "session")
    marked = {path for path, value in of(found, found.superseded).items() if value}
    assert marked == {"api/v1/session.py"}


def test_an_older_version_that_is_asked_for_is_not_marked(corpus: Corpus) -> None:
    assert not gather(corpus, "the session of V1").superseded.any()
    assert gather(corpus, "the session of v2").superseded.any()


def test_filters_leave_no_other_candidate(corpus: Corpus) -> None:
    found = gather(corpus, "expire session", filters=Filters(paths=("api",)))
    assert found.paths == ["api/v1/session.py", "api/v2/session.py"]
    nothing = gather(corpus, "expire session", filters=Filters(paths=("nowhere",)))
    assert nothing.paths == []
    assert nothing.chunks.tolist() == []


def test_without_vectors_the_words_are_left(corpus: Corpus) -> None:
    found = gather(corpus, "expire session", vectors=False)
    assert "src/session.py" in found.paths
    assert not found.content.any()
    assert not found.file_centred.any()
    assert (found.ranks["with_path"] == UNRANKED).all()
    assert found.names.soft.shape[1] == len(found.chunks)


def test_names_of_chunks_are_matched_word_by_word(corpus: Corpus) -> None:
    files = np.array([number for number, path in enumerate(corpus.paths) if path == "src/config.py"])
    first, last = corpus.first_chunk[files[0]], corpus.first_chunk[files[0] + 1]
    words = MODEL.queries(["config", "nothing"])
    rows = np.arange(first, last)
    names = match_names(corpus, rows, words, MODEL)
    assert names.soft.shape == (2, last - first)
    assert names.soft[0].max() == pytest.approx(1.0, abs=1e-5)
    assert names.soft[1].max() < 0.9
    # Of "parse" and "config" one is asked for outright.
    assert 0.5 <= names.precision.max() < 1.0
    assert not match_names(corpus, rows, None, MODEL).precision.any()


def test_a_file_is_called_up_to_its_first_dot() -> None:
    assert [file_stem(path) for path in ("a/b.test.ts", "Makefile", ".env", "")] == ["b", "Makefile", ".env", ""]


def test_chunks_with_a_name_that_stands_in_few_are_marked_and_candidates(tmp_path: Path) -> None:
    files = {f"src/m{n}.py": f"def read_value_{n}(parser):\n    return parser.value({n})\n" for n in range(40)}
    with Built(tmp_path) as built:
        corpus = built.write({**files, "src/table.py": 'CODES = {"ERR676X27": 12}\n'}).corpus
        gatherer = Gatherer(corpus, None)
        question = Question("why does the parser read a value ERR676X27", (), ("ERR676X27",))
        found = gatherer.gather(question, None, None, None)
        at = found.paths.index("src/table.py")
        marked = found.chunks[found.rare]
        assert marked.tolist() == found.chunks[found.offsets[at] : found.offsets[at + 1]].tolist()
        allowed = np.ones(corpus.chunks, dtype=np.bool_)
        allowed[marked] = False
        assert not gatherer.gather(question, None, None, None, allowed).rare.any()
        usual = Question("why does the parser read a value", (), ("value",))
        assert not gatherer.gather(usual, None, None, None).rare.any()
