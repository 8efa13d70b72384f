"""The bundled glossaries: what comes of real questions, and that English ones are left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fourfold.engine import Index
from fourfold.pipeline.glossaries import LANGUAGES, english_words, in_english, load

QUESTIONS = Path(__file__).parents[2] / "benchmarks/questions"


def english(text: str) -> list[str]:
    return in_english(text, english_words().__contains__, lambda _: False).split()


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("wie werden abgelaufene Einträge aus dem Cache entfernt", {"expired", "cache", "remove"}),
        ("cómo se valida la contraseña del usuario", {"password", "user"}),
        ("où vérifie-t-on que le nom d'hôte est autorisé", {"check", "name"}),
        ("di mana sesi pengguna yang sudah kedaluwarsa dihapus", {"session", "user", "expired"}),
        ("データベース接続がタイムアウトしたとき", {"database", "connection", "timeout"}),
        ("数据库连接池超时怎么处理", {"database", "connection", "pool", "timeout"}),
        ("CSRF 令牌 parse_config", {"CSRF", "token", "parse_config"}),
    ],
)
def test_questions_of_every_language(text: str, held: set[str]) -> None:
    assert held <= set(english(text))


@pytest.mark.parametrize("name", ["large", "unshared", "structural", "tuning"])
def test_english_questions_are_left_alone(name: str) -> None:
    path = QUESTIONS / name / "queries.jsonl"
    if not path.is_file():
        pytest.skip(f"{name} holds no questions of its own")
    asked = [json.loads(line)["query"] for line in path.read_text("utf-8").splitlines()]
    assert asked
    assert [text for text in asked if english(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        *("", "die on error", "main menu", "pagination", "wibble wobble frobnicate", "des encrypt", "где это", "🙂 🙂"),
        *("gut", "bald", "la carte", "wand image", "maze"),
    ],
)
def test_what_is_no_other_language_stays_unread(text: str) -> None:
    assert english(text) == []


@pytest.mark.parametrize(("text", "held"), [("Datenbankverbindung", "database"), ("la cuenta", "account")])
def test_one_word_is_enough_where_it_is_not_english(text: str, held: str) -> None:
    assert held in english(text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_has_a_key_as_it_is_looked_up_and_one_or_two_words(language: str) -> None:
    entries = load(language).entries
    assert len(entries) > 2_000
    assert all(key == key.lower().strip() and 1 <= len(words) <= 2 for key, words in entries.items())
    assert all(word.isascii() and word.isalpha() and word.islower() for words in entries.values() for word in words)


def test_a_foreign_question_finds_english_code_and_says_how_it_was_read(tmp_path: Path) -> None:
    (tmp_path / "pool.py").write_text("def acquire_connection(timeout):\n    '''Wait for a free connection.'''\n")
    for number in range(8):
        (tmp_path / f"other{number}.py").write_text(f"def paint_{number}(canvas):\n    return canvas.fill({number})\n")
    with Index.open(tmp_path) as index:
        found = index.search("数据库连接超时怎么处理")
        assert found.items[0].path == "pool.py"
        assert "connection" in found.query.english.split()
        assert index.search("where is the connection acquired").query.english == ""


def test_code_in_another_language_is_found_by_its_own_words(tmp_path: Path) -> None:
    (tmp_path / "konto.py").write_text("def kontostand(konto):\n    '''Gibt den Saldo der Buchungen zurück.'''\n")
    (tmp_path / "account.py").write_text("def account_balance(account):\n    '''The balance.'''\n")
    with Index.open(tmp_path) as index:
        assert index.search("wo wird der Kontostand aus den Buchungen berechnet").items[0].path == "konto.py"


def test_a_language_catalogue_does_not_make_its_words_known(tmp_path: Path) -> None:
    folder = tmp_path / "locale/de/LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.po").write_text('msgid "password"\nmsgstr "Kennwort zurücksetzen"\n')
    (tmp_path / "reset.py").write_text("def reset_password(user):\n    return user\n")
    with Index.open(tmp_path) as index:
        found = index.search("wo wird das Kennwort zurückgesetzt")
        assert "kennwort" not in found.query.english.split()
        assert found.items[0].path == "reset.py"
