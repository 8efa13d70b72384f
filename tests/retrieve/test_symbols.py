"""Symbols by name over a real index: as written, in another case, qualified in any language's way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.built import Built

from fourfold.retrieve.names import NameIndex
from fourfold.retrieve.symbols import find_symbols, normalised

FILES = {
    "pkg/__init__.py": "",
    "pkg/mod.py": "class Loader:\n    def run(self):\n        pass\n\n\n"
    "def loader():\n    pass\n\n\ndef run():\n    pass\n",
    "other.py": "class Other:\n    def run(self):\n        pass\n",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    with Built(tmp_path_factory.mktemp("symbols"), model="none") as made:
        yield made.write(FILES)


def found(built: Built, asked: str, *, exact: bool = False) -> list[tuple[str, str, str]]:
    snapshot = built.snapshot
    rows = find_symbols(snapshot, lambda: NameIndex(snapshot.symbol_names()), asked, exact=exact, limit=20)
    return [(one.row.path, one.row.symbol.qualified_name, one.match) for one in rows]


@pytest.mark.parametrize("asked", ["Loader.run", "Loader::run", "Loader#run", "Loader->run", "`Loader.run()`"])
def test_a_qualified_name_in_any_spelling(built: Built, asked: str) -> None:
    assert [one[:2] for one in found(built, asked)] == [("pkg/mod.py", "Loader.run")]


def test_a_module_may_lead_the_name(built: Built) -> None:
    assert found(built, "pkg.mod.Loader")[0][:2] == ("pkg/mod.py", "Loader")
    assert found(built, "other.Loader", exact=True) == []


def test_the_case_asked_for_comes_first(built: Built) -> None:
    assert [one[1:] for one in found(built, "Loader")][:2] == [("Loader", "exact"), ("loader", "case")]
    assert [one[1:] for one in found(built, "loader")][:2] == [("loader", "exact"), ("Loader", "case")]
    assert [one[1] for one in found(built, "loader", exact=True)] == ["loader"]


def test_a_module_in_another_case_is_no_owner(built: Built) -> None:
    """`Mod.run` is no way to write the function `run` of `mod.py`, unless nothing else is meant."""
    built.write({**FILES, "mod.go": "package mod\n\nfunc Run() {}\n\ntype Mod struct{}\n\nfunc (m *Mod) Run() {}\n"})
    assert found(built, "Mod.Run", exact=True) == [("mod.go", "Mod.Run", "exact")]
    assert {one[2] for one in found(built, "moD.run", exact=True)} == {"case"}


def test_a_bare_name_meets_every_owner(built: Built) -> None:
    assert {one[1] for one in found(built, "run", exact=True)} == {"run", "Loader.run", "Other.run"}


def test_nothing_is_found_for_nothing(built: Built) -> None:
    assert found(built, "..") == []
    assert found(built, "Nobody.run") == []
    assert found(built, "loadre", exact=True) == []


def test_names_without_their_marks() -> None:
    assert normalised(" $repo->save() ") == "repo.save"
    assert normalised("std::vector") == "std.vector"
    assert normalised(r"App\Models\User") == "App.Models.User"
