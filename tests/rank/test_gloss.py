"""A question in another language, read in English word by word."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fourfold.rank.gloss import Glossary, latin_language, may_be_foreign, script_language

GERMAN = Glossary(
    "de",
    {
        "datenbank": ("database",),
        "verbind": ("connection",),
        "trenn": ("separate", "disconnect"),
        "zahl": ("number",),
        "abbruch": ("abort",),
    },
    lambda word: word.removesuffix("ung").removesuffix("en"),
)
SPANISH = Glossary("es", {"guard": ("save",), "red": ("network",), "fichero": ("file",)}, lambda word: word[:5])
JAPANESE = Glossary("ja", {"行列": ("matrix",), "行": ("row",), "計算": ("compute",), "キャッシュ": ("cache",)}, str)


def nothing(_: str) -> bool:
    return False


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("wie wird die Verbindung getrennt", "connection getrennt"),
        ("Zahl der Verbindungen", "number verbindungen"),
        ("Datenbankverbindung", "database connection"),
        ("Datenbanksverbindung", "database connection"),
        ("Verbindung verbindung", "connection"),
        ("trennen", "separate disconnect"),
        ("parse_config und HTTP in FooBar", "parse_config HTTP FooBar"),
        ("", ""),
    ],
)
def test_german_words(text: str, english: str) -> None:
    assert GERMAN.read(text, nothing) == english


def test_only_german_joins_words() -> None:
    spanish = Glossary("es", {"datenbank": ("database",), "verbindung": ("connection",)}, str)
    assert spanish.read("datenbankverbindung", nothing) == "datenbankverbindung"


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("行列を計算する", "matrix compute"),
        ("行を", "row"),
        ("キャッシュの parse_config は", "cache parse_config"),
        ("キャッシュ", "cache"),  # half-width katakana is the same
        ("未知", ""),
    ],
)
def test_japanese_runs_are_cut_longest_first(text: str, english: str) -> None:
    assert JAPANESE.read(text, nothing) == english


def test_a_word_that_the_code_uses_stays_before_its_english() -> None:
    assert GERMAN.read("Zahl der Zeilen", {"zahl"}.__contains__) == "zahl number zeilen"
    assert JAPANESE.read("行列", {"行列"}.__contains__) == "行列 matrix"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("どこで定義", "ja"),
        ("キャッシュ", "ja"),
        ("缓存在哪里", "zh"),
        ("parse_config 缓存", "zh"),
        ("where is the cache", ""),
        ("где кэш", ""),
        ("캐시", ""),
    ],
)
def test_scripts(text: str, language: str) -> None:
    assert script_language(text) == language


@pytest.mark.parametrize(
    ("text", "known", "suspected"),
    [
        ("where is the cache", {"where", "is", "the", "cache"}.__contains__, False),
        ("where is the frobnicator", {"where", "is", "the"}.__contains__, True),
        ("la función del caché", lambda word: True, True),
        ("wie wird das gemacht", lambda word: True, True),
        ("contraseña", lambda word: True, True),
        ("parse_config getUser", nothing, False),
    ],
)
def test_what_may_be_foreign(text: str, known: Callable[[str], bool], suspected: bool) -> None:
    assert may_be_foreign(text, known) is suspected


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("wie wird die Datenbank getrennt", "de"),
        ("dónde se guarda el fichero", "es"),
        ("Datenbank Abbruch", "de"),
        ("Datenbankverbindung abbrechen", "de"),
        ("guardar fichero", "es"),
        ("red network", ""),
        ("how is the red channel saved", ""),
        ("foo bar baz", ""),
        ("", ""),
    ],
)
def test_the_language_that_most_words_show(text: str, language: str) -> None:
    english = {"red", "network", "how", "is", "the", "channel", "saved", "foo", "bar", "baz"}.__contains__
    found = latin_language(text, (GERMAN, SPANISH), english)
    assert (found.language if found else "") == language
