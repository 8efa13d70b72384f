"""Structural questions asked of a real index: definitions, references, impact, context, overview, patterns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fourfold import Index
from fourfold.model.errors import BadPattern, BadQuery, UsageError
from fourfold.model.query import Filters

FILES = {
    "pkg/__init__.py": "from .core import parse_config\n",
    "pkg/core.py": '''"""Configuration."""

import json


class Config:
    """All settings."""

    def __init__(self, values):
        self.values = values

    def get(self, key):
        return self.values[key]


def parse_config(text):
    """Settings of a text."""
    return Config(json.loads(text))


def _unused():
    pass
''',
    "pkg/__main__.py": "from pkg.core import parse_config\n\n\ndef main():\n    parse_config('{}')\n\n\nmain()\n",
    "pkg/over.py": """from typing import overload


@overload
def size(a: int) -> int: ...
@overload
def size(a: str) -> int: ...
def size(a):
    if isinstance(a, str):
        return len(a)
    return a
""",
    "other/one.py": "class One:\n    def refresh(self):\n        pass\n",
    "other/two.py": "class Two:\n    def refresh(self):\n        pass\n\n\ndef run(thing):\n    thing.refresh()\n",
    "tests/test_core.py": "from pkg.core import parse_config\n\n\ndef test_parse():\n    assert parse_config('{}')\n",
}


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("FOURFOLD_CONFIG", "")
    root = tmp_path / "project"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    with Index.open(root, root=root) as opened:
        opened.refresh()
        yield opened


def where(items: object) -> list[str]:
    return [f"{item.path}:{item.line} {item.symbol}" for item in items]  # type: ignore[attr-defined]


def test_a_definition_by_name_part_and_mistake(index: Index) -> None:
    assert [item.match for item in index.symbol("parse_config").items][:1] == ["exact"]
    assert index.symbol("Config.get").items[0].symbol == "Config.get"
    assert index.symbol("config parse").items[0].symbol == "parse_config"
    assert index.symbol("parse_confg").items[0].match == "fuzzy"
    missing = index.symbol("parse_confg", exact=True)
    assert (missing.items, missing.near) == ((), ("parse_config",))


def test_of_overloads_the_one_with_the_code_comes_first(index: Index) -> None:
    assert [item.start_line for item in index.symbol("size", exact=True).items] == [8, 4, 6]
    assert "isinstance" in index.context("size").items[0].snippet


def test_the_very_name_in_a_test_comes_before_a_like_name_elsewhere(index: Index) -> None:
    (index.root / "tests/test_more.py").write_text("def Parse_Config():\n    pass\n", encoding="utf-8")
    assert [item.path for item in index.symbol("Parse_Config").items] == ["tests/test_more.py", "pkg/core.py"]


def test_callers_are_sure_and_tests_come_last(index: Index) -> None:
    found = index.usages("parse_config")
    assert where(found.items) == ["pkg/__main__.py:5 main", "tests/test_core.py:5 test_parse"]
    assert {item.confidence for item in found.items} == {"resolved"}
    assert [item.rank for item in found.items] == [1, 2]


@pytest.mark.parametrize(
    ("direction", "expected"),
    [
        ("callees", ["pkg/core.py:18 Config", "pkg/core.py:18 Config.__init__"]),
        ("tests", ["tests/test_core.py:5 test_parse"]),
        ("inherits", []),
    ],
)
def test_other_directions(index: Index, direction: str, expected: list[str]) -> None:
    assert set(where(index.usages("parse_config", direction=direction).items)) <= set(expected)
    assert bool(index.usages("parse_config", direction=direction).items) == bool(expected)


def test_importers_hold_the_files_that_import_the_name(index: Index) -> None:
    paths = {item.path for item in index.usages("parse_config", direction="importers").items}
    assert paths == {"pkg/__init__.py", "pkg/__main__.py", "tests/test_core.py"}


def test_what_cannot_be_told_apart_is_possible(index: Index) -> None:
    found = index.usages("One.refresh")
    assert not found.items
    assert where(found.possible) == ["other/two.py:7 run"]


def test_importers_of_a_name_refer_to_it(index: Index) -> None:
    write = index.root / "pkg"
    (write / "whole.py").write_text("from pkg import core\n\n\ndef a():\n    return core.parse_config('')\n")
    (write / "other.py").write_text("from pkg import core\n\n\ndef b():\n    return core.Config(1)\n")
    paths = {item.path for item in index.usages("parse_config", direction="importers").items}
    assert "pkg/whole.py" in paths
    assert "pkg/other.py" not in paths
    assert "pkg/other.py" in {item.path for item in index.usages("pkg/core.py", direction="importers").items}


def test_who_calls_the_base_method_may_call_the_override(index: Index) -> None:
    text = (
        "class Base:\n    def step(self):\n        pass\n\n\nclass Special(Base):\n"
        "    def step(self):\n        pass\n\n\ndef drive(one: Base):\n    one.step()\n"
    )
    (index.root / "pkg" / "steps.py").write_text(text)
    found = index.usages("Special.step")
    assert found.items == ()
    assert [(item.symbol, item.via, item.confidence) for item in found.possible] == [("drive", "Base.step", "unique")]
    assert [item.symbol for item in index.usages("Base.step").items] == ["drive"]


def test_another_case_is_taken_and_said(index: Index) -> None:
    found = index.usages("PARSE_CONFIG")
    assert found.symbols[0].symbol == "parse_config"
    assert "parse_config, which differs in case" in (found.meta.suggestion or "")
    assert index.usages("parse_config").meta.suggestion is None


def test_who_calls_shows_calls_before_comments(index: Index) -> None:
    (index.root / "pkg" / "notes.py").write_text("# parse_config() is documented here\n\nx = 1\n")
    (index.root / "tests" / "test_more.py").write_text(
        "from pkg.core import parse_config\n\n\ndef test_b():\n    parse_config('')\n"
    )
    paths = [item.path for item in index.search("who calls parse_config").items]
    assert paths.index("tests/test_more.py") < paths.index("pkg/notes.py")


def test_a_chunk_of_small_definitions_is_named_by_the_one_that_is_meant(index: Index) -> None:
    text = "".join(f"def {name}(a):\n    return a.{name}_value\n\n\n" for name in ("alpha", "beta", "gamma"))
    (index.root / "pkg" / "small.py").write_text(text)
    found = [item for item in index.search("gamma_value").items if item.path == "pkg/small.py"]
    assert [(item.symbol, item.kind) for item in found[:1]] == [("gamma", "function")]


def test_filters_narrow_references_and_not_the_subject(index: Index) -> None:
    found = index.usages("parse_config", filters=Filters(paths=("tests",)))
    assert where(found.items) == ["tests/test_core.py:5 test_parse"]
    assert found.symbols[0].path == "pkg/core.py"


def test_the_limit_cuts_and_says_how_much(index: Index) -> None:
    found = index.usages("parse_config", limit=1)
    assert (len(found.items), found.meta.truncated, found.meta.dropped) == (1, True, 1)


def test_a_file_that_is_gone_is_not_shown(index: Index) -> None:
    (index.root / "pkg/__main__.py").unlink()
    assert where(index.usages("parse_config", refresh=False).items) == ["tests/test_core.py:5 test_parse"]
    assert "pkg/__main__.py" not in {item.path for item in index.impact("parse_config", refresh=False).items}


def test_impact_goes_on_to_who_calls_the_callers(index: Index) -> None:
    found = index.impact("Config.get", depth=3)
    assert found.symbols[0].symbol == "Config.get"
    found = index.impact("Config", depth=2)
    assert {item.symbol for item in found.items if item.depth == 1} >= {"parse_config"}
    assert {item.symbol for item in found.items if item.depth == 2} >= {"main", "test_parse"}
    assert found.tests == 1
    assert sum(found.by_depth.values()) == len(found.items)


def test_context_of_a_symbol_and_of_a_file(index: Index) -> None:
    found = index.context("parse_config")
    assert found.items[0].snippet.startswith("def parse_config(text):")
    assert where(found.callers)[0] == "pkg/__main__.py:5 main"
    assert where(found.tests) == ["tests/test_core.py:5 test_parse"]
    of_file = index.context("pkg/core.py")
    assert [item.symbol for item in of_file.items if not item.parent] == ["Config", "parse_config", "_unused"]
    assert {item.path for item in of_file.callers} == {"pkg/__init__.py", "pkg/__main__.py", "tests/test_core.py"}


def test_the_overview_names_where_to_begin(index: Index) -> None:
    found = index.overview()
    assert found.entry_points[0].path == "pkg/__main__.py"
    assert found.languages[0]["language"] == "python"
    assert found.tests["files"] == 1
    assert "parse_config" in [item.symbol for item in found.items]
    assert all("test" not in row["path"] for row in found.folders)


def test_a_pattern_and_one_that_is_no_code(index: Index) -> None:
    nameless = index.match("json.loads($$$)", "python").items
    assert len(nameless) == len(index.match("json.loads($$$X)", "python").items) > 0
    found = index.match("json.loads($X)", "python")
    assert [(item.path, item.start_line, item.captures, item.symbol) for item in found.items] == [
        ("pkg/core.py", 18, {"X": "text"}, "parse_config")
    ]
    with pytest.raises(BadPattern):
        index.match("def ((", "python")
    with pytest.raises(UsageError):
        index.match("x", "css2000")


def test_bad_arguments_get_a_sentence(index: Index) -> None:
    for wrong in (
        lambda: index.usages("x", direction="sideways"),
        lambda: index.impact("x", depth=99),
        lambda: index.symbol("x", limit=0),
    ):
        with pytest.raises(UsageError):
            wrong()
    for wrong_query in (lambda: index.symbol("  "), lambda: index.similar("pkg/core.py", 9999)):
        with pytest.raises(BadQuery):
            wrong_query()


def test_answers_are_plain_json(index: Index) -> None:
    import json

    asked: list[Callable[[], object]] = [
        lambda: index.symbol("Config"),
        lambda: index.usages("Config"),
        lambda: index.impact("Config"),
        lambda: index.context("Config"),
        lambda: index.overview(),
        lambda: index.routes(),
        lambda: index.match("json.loads($X)", "python"),
    ]
    for question in asked:
        data = question().to_dict()  # type: ignore[attr-defined]
        assert json.loads(json.dumps(data)) == data
        assert data["schema"] == "fourfold/1"


def test_a_type_that_nothing_calls_points_at_its_uses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "project"
    root.mkdir()
    (root / "types.ts").write_text("export type Query = { a: number };\nexport interface Unused { b: number }\n")
    (root / "use.ts").write_text(
        "import type { Query } from './types';\n\nexport function run(query: Query): number {\n  return query.a;\n}\n"
    )
    with Index.open(root, root=root) as opened:
        found = opened.usages("Query")
        assert not found.items
        assert "direction `uses`" in (found.meta.suggestion or "")
        uses = opened.usages("Query", direction="uses")
        assert {item.at or item.path for item in uses.items} == {"use.ts"}
        assert uses.meta.suggestion is None
        assert opened.usages("Unused").meta.suggestion is None


def test_an_interface_of_go_is_inherited_by_what_has_its_methods(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.go").write_text(
        "package a\n\ntype Searcher interface {\n\tSearch(text string) int\n}\n\ntype Words struct{}\n\n"
        "func (w *Words) Search(text string) int { return 1 }\n"
    )
    with Index.open(root, root=root) as opened:
        found = opened.usages("Searcher", direction="inheritors")
        assert [(item.symbol, item.confidence) for item in found.items] == [("Words", "resolved")]
        assert found.meta.suggestion is None
        reached = opened.impact("Searcher.Search")
        assert "Words.Search" in {item.symbol for item in reached.items}
