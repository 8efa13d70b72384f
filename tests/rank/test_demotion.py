"""Demotion by path: factors, what a question asks for, and how signals name it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.rank.demotion import DEMOTIONS, MIN_FACTOR, demote, demotion_factor, wanted_categories
from fourfold.rank.path_rules import CATEGORIES


@pytest.mark.parametrize(
    ("path", "factor"),
    [
        ("src/app.py", 1.0),
        ("tests/test_app.py", 0.3),
        ("examples/a.py", 0.3),
        ("pkg/_compat.py", 0.3),
        ("docs/guide.md", 0.4),
        ("vendor/a.go", 0.3),
        ("archived/a.py", 0.3),
        ("dist/a.js", 0.2),
        ("api_pb2.py", 0.4),
        ("pkg/__init__.py", 0.5),
        ("types/a.d.ts", 0.7),
        ("pyproject.toml", 1.0),
        ("tests/examples/a.py", 0.1),
        ("pkg/__init__.pyi", 0.35),
    ],
)
def test_factors_by_hand(path: str, factor: float) -> None:
    assert demotion_factor(path) == pytest.approx(factor)


def test_every_category_but_config_is_demoted() -> None:
    assert set(DEMOTIONS) == set(CATEGORIES) - {"config"}
    assert all(MIN_FACTOR < factor < 1 for factor in DEMOTIONS.values())


def test_signals_name_what_was_applied() -> None:
    score, signals = demote(0.02, "tests/examples/a.py")
    assert score == pytest.approx(0.02 * MIN_FACTOR)
    assert signals == (("demotion:test", 0.3), ("demotion:example", 0.3))
    assert demote(0.02, "src/a.py") == (0.02, ())


def test_a_negative_score_falls_too() -> None:
    assert demote(-2.0, "tests/a.py")[0] < -2.0


@pytest.mark.parametrize(
    ("question", "category"),
    [
        ("tests for the parser", "test"),
        ("how is caching tested", "test"),
        ("unit test of parse_url", "test"),
        ("which fixtures exist", "test"),
        ("test_parse_url", "test"),
        ("OrderServiceTest", "test"),
        ("解析器的测试", "test"),
        ("パーサーのテスト", "test"),
        ("pruebas del analizador", "test"),
        ("pengujian parser", "test"),
        ("Tests für den Parser", "test"),
        ("tests de l'analyseur", "test"),
        ("example of using the client", "example"),
        ("ejemplos de uso", "example"),
        ("Beispiele für den Client", "example"),
        ("exemple d'utilisation", "example"),
        ("contoh penggunaan", "example"),
        ("客户端示例", "example"),
        ("クライアントのサンプル", "example"),
        ("documentation of the settings", "docs"),
        ("dónde está la documentación", "docs"),
        ("Dokumentation der Einstellungen", "docs"),
        ("dokumentasi pengaturan", "docs"),
        ("配置文档", "docs"),
        ("設定のドキュメント", "docs"),
        ("vendored copy of zlib", "vendor"),
        ("third-party code", "vendor"),
        ("what is in dist", "build"),
        ("archived modules", "archive"),
        ("generated protobuf code", "generated"),
        ("deprecated options", "compat"),
        ("type stubs of the client", "type_stub"),
        ("what does __init__ export", "init"),
    ],
)
def test_a_question_may_ask_for_a_category(question: str, category: str) -> None:
    assert category in wanted_categories(question)


@pytest.mark.parametrize(
    "question",
    [
        "latest release",
        "contest ranking",
        "how are requests attested",
        "fastest path",
        "greatest common divisor",
        "doctor command",
        "testament",
        "specification of the protocol",
        "exemplary",
        "distance between points",
        "how is the query built",
        "building blocks",
        "legacies",
    ],
)
def test_words_that_only_contain_one_ask_for_nothing(question: str) -> None:
    assert wanted_categories(question) == frozenset()


def test_path_filters_ask_for_their_category() -> None:
    assert wanted_categories("parser", ["tests"]) == {"test"}
    assert wanted_categories("parser", ["src", "docs/*.md"]) == {"docs"}
    assert wanted_categories("parser", ["tests/test_a.py"]) == {"test"}


@given(
    score=st.floats(-100, 100),
    path=st.sampled_from(["a.py", "tests/a.py", "docs/a.md", "vendor/tests/a.go", "dist/a.min.js"]),
)
def test_a_demotion_never_lifts_and_wanted_never_demotes(score: float, path: str) -> None:
    assert demote(score, path)[0] <= score
    assert demote(score, path, frozenset(CATEGORIES)) == (score, ())


def test_a_question_about_translations_wants_their_catalogues() -> None:
    assert "generated" in wanted_categories("which translations does the login page have")
    assert "generated" in wanted_categories("German words in django.po")
    assert "generated" not in wanted_categories("where is the login page made")
