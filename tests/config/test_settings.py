"""The settings tree: every key documented, every value checked wherever it is made."""

from __future__ import annotations

import math

import pytest

from fourfold.config.settings import (
    IndexSettings,
    SearchSettings,
    Settings,
    build,
    find_option,
    flatten,
    options,
)
from fourfold.model.errors import BadConfig


def test_every_option_has_help_and_a_default_that_it_accepts() -> None:
    for option in options().values():
        assert len(option.help) > 10, option.key
        assert build({option.key: option.default}) == Settings(), option.key


def test_flatten_and_build_are_inverse() -> None:
    values: dict[str, object] = {"index.exclude": ("a", "b"), "search.limit": 3, "cache_dir": "/x"}
    settings = build(values)
    assert build(flatten(settings)) == settings
    assert settings.index.exclude == ("a", "b")
    assert settings.search.limit == 3


def test_the_defaults_that_others_rely_on() -> None:
    settings = Settings()
    assert settings.index.max_file_bytes == 1_000_000
    assert settings.index.parse_deadline_s == 2.0
    assert settings.index.redact_secrets is True
    assert (settings.search.limit, settings.search.preset, settings.search.refresh) == (10, "default", True)
    assert (settings.embedding.provider, settings.store) == ("static", "local")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("index.max_file_bytes", 0),
        ("index.max_file_bytes", -1),
        ("index.max_file_bytes", True),
        ("index.max_file_bytes", 1.5),
        ("index.max_file_bytes", "ten"),
        ("index.parse_deadline_s", math.nan),
        ("index.parse_deadline_s", math.inf),
        ("index.hidden", 1),
        ("index.hidden", "maybe"),
        ("index.exclude", [1, 2]),
        ("index.exclude", {"a": "b"}),
        ("index.languages", {"kjs": 3}),
        ("index.languages", {"": "python"}),
        ("search.limit", 0),
        ("search.limit", 1001),
        ("search.limit", None),
        ("search.preset", "fast"),
        ("cache_dir", "a\0b"),
    ],
)
def test_a_wrong_value_names_its_key(key: str, value: object) -> None:
    with pytest.raises(BadConfig) as caught:
        build({key: value})
    assert key in caught.value.message
    assert caught.value.hint


def test_sections_check_what_a_program_gives_them() -> None:
    with pytest.raises(BadConfig, match=r"index\.workers must be a whole number from 0 to 256"):
        IndexSettings(workers=-1)
    with pytest.raises(BadConfig, match=r"search\.limit"):
        SearchSettings(limit=0)


def test_texts_are_parsed_as_the_environment_gives_them() -> None:
    settings = build(
        {
            "index.max_file_bytes": "2000",
            "index.hidden": "Yes",
            "index.exclude": " a , b/** ,,",
            "index.languages": "kjs=javascript, .RSC = Rust",
            "index.parse_deadline_s": "0.5",
        }
    )
    assert settings.index.max_file_bytes == 2000
    assert settings.index.hidden is True
    assert settings.index.exclude == ("a", "b/**")
    assert settings.index.languages == {"kjs": "javascript", "rsc": "rust"}
    assert settings.index.parse_deadline_s == 0.5


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("index.max_file_byte", "index.max_file_bytes"),
        ("serch.limit", "search.limit"),
        ("cachedir", "cache_dir"),
    ],
)
def test_an_unknown_key_names_the_nearest(typed: str, meant: str) -> None:
    with pytest.raises(BadConfig) as caught:
        find_option(typed)
    assert meant in caught.value.hint


def test_an_unknown_choice_names_the_nearest() -> None:
    with pytest.raises(BadConfig) as caught:
        build({"search.preset": "hybird"})
    assert 'did you mean "hybrid"?' in caught.value.hint


def test_a_long_or_hostile_value_is_quoted_short_and_escaped() -> None:
    with pytest.raises(BadConfig) as caught:
        build({"search.preset": "\x1b[2J" + "x" * 500})
    assert "\x1b" not in caught.value.message
    assert len(caught.value.message) < 300


def test_two_settings_do_not_share_their_tables() -> None:
    assert Settings().index.languages is not Settings().index.languages
