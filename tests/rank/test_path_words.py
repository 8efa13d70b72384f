"""How the words of a question meet the words of a path."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from fourfold.rank.path_words import PREFIX, SAME, SAME_STEM, PathMatch, PathMatcher, path_parts

STEMS = {"expired": "expir", "expire": "expir", "parsing": "pars", "parser": "pars", "routes": "rout"}


def stem(word: str) -> str:
    return STEMS.get(word, word)


def match(question: str, *paths: str, rarity: dict[str, float] | None = None) -> PathMatch:
    words = question.split()
    matcher = PathMatcher(stem, lambda word: (rarity or {}).get(word, 1.0))
    return matcher.match(words, [stem(word) for word in words], paths)


def test_words_of_a_path() -> None:
    assert path_parts("src/http_client/v2/retryPolicy.test.ts") == (
        ("retry", "policy"),
        (),
        ("src", "http", "client"),
    )
    assert path_parts("one/two/three/four/main.go")[2] == ("two", "three", "four")
    assert path_parts("Makefile") == (("makefile",), (), ())
    assert path_parts(".github/x.yml")[1] == ("github",)


@pytest.mark.parametrize(
    ("asked", "path", "worth"),
    [
        ("expire", "expire.py", SAME),
        ("expired", "expire.py", SAME_STEM),
        ("parsing", "parser.py", SAME_STEM),
        ("config", "configuration.py", PREFIX),
        ("configuration", "config.py", PREFIX),
        ("re", "retry.py", 0.0),
        ("retry", "entry.py", 0.0),
        ("session", "expire.py", 0.0),
    ],
)
def test_worth_of_one_word(asked: str, path: str, worth: float) -> None:
    assert match(asked, path).stem.tolist() == [[worth]]


def test_each_word_is_matched_with_stem_folder_and_directories() -> None:
    found = match("auth session", "web/auth/session_store.py", "session/main.py", "x.py")
    assert found.stem.tolist() == [[0, 0, 0], [1, 0, 0]]
    assert found.folder.tolist() == [[1, 0, 0], [0, 1, 0]]
    assert found.directories.tolist() == [[1, 0, 0], [0, 1, 0]]


def test_a_stem_is_complete_where_all_its_words_are_asked_for() -> None:
    found = match("session store", "session_store.py", "session.py", "session_cache.py")
    assert found.stem_complete.tolist() == [1.0, 1.0, 0.0]
    assert found.stem_precision.tolist() == [1.0, 1.0, 0.5]


def test_precision_weighs_the_words_of_a_stem_by_rarity() -> None:
    found = match("session", "session_cache.py", rarity={"session": 3.0, "cache": 1.0})
    assert found.stem_precision.tolist() == [0.75]


def test_nothing_asked_and_nothing_to_match() -> None:
    assert match("", "a.py").stem.shape == (0, 1)
    assert match("", "a.py").stem_complete.tolist() == [0.0]
    assert match("session").stem.shape == (1, 0)
    assert match("session", "1/2.py").stem.tolist() == [[0.0]]


def test_a_matcher_may_be_shared_between_threads() -> None:
    matcher = PathMatcher(stem, lambda word: float(len(word)))
    paths = [f"pkg{number}/mod_{number}/name{number % 7}_part.py" for number in range(300)]
    wanted = [matcher.match(["name3", "part"], ["name3", "part"], [path]).stem.tolist() for path in paths]
    fresh = PathMatcher(stem, lambda word: float(len(word)))

    def work(start: int) -> list[list[list[float]]]:
        order = paths[start:] + paths[:start]
        found = {path: fresh.match(["name3", "part"], ["name3", "part"], [path]).stem.tolist() for path in order}
        return [found[path] for path in paths]

    with ThreadPoolExecutor(8) as pool:
        assert all(answer == wanted for answer in pool.map(work, range(0, 300, 40)))
