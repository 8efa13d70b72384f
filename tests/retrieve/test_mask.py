"""Filters as masks: paths, globs, languages, kinds, versions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.built import Built

from fourfold.model.chunk import KINDS
from fourfold.model.query import Filters
from fourfold.retrieve.mask import allowed_chunks, path_allowed, path_matcher
from fourfold.retrieve.versions import Versions


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        ("src", ["src/a.py", "src/x/b.py"], ["srcs/a.py", "lib/src/a.py", "src.py"]),
        ("src/a.py", ["src/a.py"], ["src/a.pyi", "src/b.py"]),
        ("./src/", ["src/a.py"], ["a.py"]),
        (".", ["a.py", "src/a.py"], []),
        ("", ["a.py"], []),
        ("*.py", ["a.py", "src/x/b.py"], ["a.pyi", "py"]),
        ("test_*", ["tests/test_a.py"], ["test_dir/a.py"]),
        ("src/*.py", ["src/a.py", "src/x/b.py"], ["lib/a.py"]),
        ("src/**/b.py", ["src/x/b.py", "src/x/y/b.py", "src/b.py"], ["b.py", "src/xb.pyc"]),
        ("**/tests/**", ["a/tests/b.py"], ["a/test/b.py"]),
        ("app/[[]slug]/page.tsx", ["app/[slug]/page.tsx"], ["app/s/page.tsx"]),
        ("m?.py", ["m1.py"], ["m12.py"]),
    ],
)
def test_a_path_filter(pattern: str, inside: list[str], outside: list[str]) -> None:
    matches = path_matcher(pattern)
    assert [path for path in inside if not matches(path)] == []
    assert [path for path in outside if matches(path)] == []


def test_values_of_a_field_are_alternatives_and_fields_are_joined() -> None:
    allowed = path_allowed(
        Filters(paths=("src", "lib"), not_paths=("src/gen",), languages=("python", "go"), not_languages=("go",))
    )
    assert allowed("src/a.py", "python")
    assert allowed("lib/a.py", "python")
    assert not allowed("src/gen/a.py", "python")
    assert not allowed("src/a.go", "go")
    assert not allowed("src/a.ts", "typescript")
    assert not allowed("a.py", "python")


def test_an_exact_set_of_paths_is_taken_as_it_is() -> None:
    allowed = path_allowed(Filters(only_paths=frozenset({"a.py"})))
    assert (allowed("a.py", "python"), allowed("a.py/b", "python"), allowed("b.py", "")) == (True, False, False)
    assert not path_allowed(Filters(only_paths=frozenset()))("a.py", "python")


@pytest.fixture
def built(tmp_path: Path) -> Iterator[Built]:
    with Built(tmp_path, model="none") as made:
        yield made.write(
            {
                "a.py": "class Alpha:\n    pass\n",
                "src/b.py": "def beta():\n    return 1\n",
                "c.md": "# Gamma\n\nText.\n",
                "gone.py": "def gone(): pass\n",
            }
        ).write({}, removed=("gone.py",))


def allowed_paths(built: Built, filters: Filters) -> set[str]:
    corpus = built.corpus
    mask = allowed_chunks(corpus, filters)
    assert mask is not None
    assert mask.shape == (corpus.chunks,)
    return {corpus.paths[number] for number in corpus.chunk_file[mask]}


def test_masks_over_chunks(built: Built) -> None:
    assert allowed_chunks(built.corpus, Filters()) is None
    assert allowed_paths(built, Filters(languages=("python",))) == {"a.py", "src/b.py"}
    assert allowed_paths(built, Filters(paths=("src",))) == {"src/b.py"}
    assert allowed_paths(built, Filters(not_paths=("src",))) == {"a.py", "c.md"}
    assert allowed_paths(built, Filters(kinds=("class", "section"))) == {"a.py", "c.md"}
    assert allowed_paths(built, Filters(not_kinds=("class",))) == {"src/b.py", "c.md"}
    assert allowed_paths(built, Filters(paths=("nowhere",))) == set()


def test_no_filter_brings_a_dead_file_back(built: Built) -> None:
    for filters in (Filters(not_paths=("x",)), Filters(paths=("gone.py",)), Filters(not_languages=("go",))):
        assert "" not in allowed_paths(built, filters)
        assert "gone.py" not in allowed_paths(built, filters)


def test_kinds_of_a_mask_are_those_of_the_index(built: Built) -> None:
    corpus = built.corpus
    live = np.unique(corpus.kinds[corpus.live_chunks])
    assert {KINDS[code] for code in live} == {"class", "function", "section"}


def test_older_version_folders_are_superseded() -> None:
    versions = Versions(["api/v1/a.py", "api/v2/a.py", "api/v10/a.py", "v3/x.py", "other/v1/a.py", "main.py"])
    assert versions.superseded("api/v1/a.py")
    assert versions.superseded("api/v2/deep/b.py")
    assert not versions.superseded("api/v10/a.py")
    assert not versions.superseded("v3/x.py")
    assert not versions.superseded("other/v1/a.py")
    assert not versions.superseded("main.py")


def test_what_only_looks_like_a_version_is_none() -> None:
    versions = Versions(["v1beta/a.py", "v2/a.py", "vendor/a.py", "view/a.py", "V1/a.py"])
    assert not versions.superseded("v1beta/a.py")
    assert not versions.superseded("vendor/a.py")
    assert versions.superseded("V1/a.py")
    assert not Versions(["", "a.py"]).superseded("a.py")
