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


def test_callees_are_never_callers(searcher: Searcher) -> None:
    items = searcher.answer(understand("what does slugify call", searcher.knows)).items
    paths = {searcher.corpus.paths[int(searcher.corpus.chunk_file[item.chunk])] for item in items}
    assert paths == {"src/text.py", "src/slugs.py"}


def test_a_plain_word_beside_a_name_of_code_counts_where_it_is_listed() -> None:
    assert names_meant("uses of parse_config in cache", ["parse_config", "cache"]) == ["parse_config"]
    assert names_meant("uses of parse_config or cache", ["parse_config", "cache"]) == ["parse_config", "cache"]
    assert names_meant("uses of cache", ["cache"]) == ["cache"]
