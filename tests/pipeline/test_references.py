"""Questions about uses: which way they go, and what the graph knows before what only mentions the name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.built import Built

from fourfold.pipeline.intent_model import understand
from fourfold.pipeline.references import names_meant
from fourfold.pipeline.searcher import Searcher

FILES = {
    "src/text.py": "def normalise(text):\n    return text.strip()\n\n\ndef calls():\n    return 0\n",
    "src/slugs.py": "from src.text import normalise\n\n\ndef slugify(text):\n    return normalise(text).lower()\n",
    "src/page.py": "from src.slugs import slugify\n\n\ndef page_url(page):\n    return slugify(page.title)\n",
    "src/notes.py": "# whoever calls slugify(text) must know its calls\n\n\ndef unrelated():\n    return 1\n",
    "src/cache.py": "class BaseCache:\n    def get(self, key):\n        raise NotImplementedError\n",
    "src/files.py": "from src.cache import BaseCache\n\n\nclass FileCache(BaseCache):\n    def get(self, key):\n"
    "        return open(key).read()\n",
    "src/use.py": "from src.cache import BaseCache\n\n\ndef make(key):\n    return BaseCache().get(key)\n",
    "src/opened.py": "from src.files import FileCache\n\n\ndef opened():\n    return FileCache()\n",
    "src/reply.rs": "pub struct Reply;\n\nimpl IntoResponse for Reply {\n    fn into(self) -> u8 { 1 }\n}\n",
    "tests/web.rs": "use axum::IntoResponse;\n\nfn implements() { IntoResponse::into(IntoResponse::new()) }\n",
    "tests/test_slugs.py": "from src.slugs import slugify\n\n\ndef test_slugs():\n    assert slugify(' A') == 'a'\n",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with Built(tmp_path_factory.mktemp("references")) as built:
        built.write(FILES)
        yield built.index._open_searcher()


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("who calls slugify", ["src/page.py", "tests/test_slugs.py", "src/notes.py"]),
        ("what does slugify call", ["src/text.py", "src/slugs.py"]),
        ("callees of slugify", ["src/text.py", "src/slugs.py"]),
        ("which tests cover slugify", ["tests/test_slugs.py", "src/page.py", "src/notes.py"]),
        ("tests for slugify", ["tests/test_slugs.py", "src/page.py"]),
        ("subclasses of BaseCache", ["src/files.py", "src/use.py"]),
        ("which classes inherit BaseCache", ["src/files.py", "src/use.py"]),
    ],
)
def test_the_question_says_which_way_to_go(searcher: Searcher, question: str, first: list[str]) -> None:
    answer = searcher.answer(understand(question, searcher.knows))
    assert (answer.strategy, answer.method) == ("direct", "references")
    paths = [searcher.corpus.paths[int(searcher.corpus.chunk_file[item.chunk])] for item in answer.items]
    assert paths[: len(first)] == first
    assert len({item.chunk for item in answer.items}) == len(answer.items)
    scores = [item.score for item in answer.items]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what inherits from FileCache", "nothing inherits from FileCache; these use it"),
        ("subclasses of FileCache", "nothing inherits from FileCache; these use it"),
        ("what inherits from BaseCache", ""),
        ("who calls slugify", ""),
    ],
)
def test_where_nothing_inherits_that_is_said(searcher: Searcher, question: str, said: str) -> None:
    answer = searcher.answer(understand(question, searcher.knows))
    assert answer.items
    assert answer.note == said


def test_what_implements_a_trait_of_another_project_is_found_by_its_name(searcher: Searcher) -> None:
    items = searcher.answer(understand("what implements IntoResponse", searcher.knows)).items
    paths = [searcher.corpus.paths[int(searcher.corpus.chunk_file[item.chunk])] for item in items]
    assert paths[0] == "src/reply.rs"
    assert "graph" in items[0].ranks
    assert paths.count("src/reply.rs") == 1


def test_callees_are_never_callers(searcher: Searcher) -> None:
    items = searcher.answer(understand("what does slugify call", searcher.knows)).items
    paths = {searcher.corpus.paths[int(searcher.corpus.chunk_file[item.chunk])] for item in items}
    assert paths == {"src/text.py", "src/slugs.py"}


def test_a_plain_word_beside_a_name_of_code_counts_where_it_is_listed() -> None:
    assert names_meant("uses of parse_config in cache", ["parse_config", "cache"]) == ["parse_config"]
    assert names_meant("uses of parse_config or cache", ["parse_config", "cache"]) == ["parse_config", "cache"]
    assert names_meant("uses of cache", ["cache"]) == ["cache"]
