"""Questions about what is not there are told so."""

from __future__ import annotations

import pytest

from fourfold.engine import Index
from fourfold.pipeline import run
from fourfold.pipeline.absent import absent_note, without_log_parts

RETRY = '''def backoff_delay(attempt):
    """Wait longer after each failed request to the server."""
    return min(60, 2 ** attempt)


def send_request(url):
    """Send a request; call some_library.open_socket for it."""
    return open_socket(url.encode("utf-8"))
'''


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    root = tmp_path_factory.mktemp("absent")
    (root / "retry.py").write_text(RETRY)
    (root / "other.py").write_text("def unrelated():\n    return 'class struct'\n")
    opened = Index.open(root, root=root)
    opened.refresh()
    return opened


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("where is KafkaConsumerPool defined", "the name KafkaConsumerPool occurs in nothing that is indexed"),
        ("class WebSocketBroadcaster", "the name WebSocketBroadcaster occurs in nothing that is indexed"),
        ("who calls send_sms_to_customer", "the name send_sms_to_customer occurs in nothing that is indexed"),
        ("where is newneedle9 defined", "the name newneedle9 occurs in nothing that is indexed"),
        ("how does Attempt60 work", "the name Attempt60 occurs in nothing that is indexed"),
        ("how are blockchain wallets signed", "no file mentions blockchain, wallets, signed"),
        ("how are four quite absent strange blockchain wallets signed by requests", "and 4 more words"),
    ],
)
def test_what_is_not_there_is_told_beside_the_closest(index: Index, asked: str, said: str) -> None:
    found = index.search(asked, refresh=False)
    assert said in (found.meta.suggestion or "")
    assert found.meta.fusion_strategy == "weighted_rrf"
    assert not found.items or "these are the closest" in (found.meta.suggestion or "")


@pytest.mark.parametrize(
    "asked",
    [
        "where is backoff_delay defined",
        "who calls open_socket",  # defined elsewhere, but mentioned
        "how long does a failed request wait",
        "¿cómo se espera después de un error?",  # other languages share few words with the code
        "send request to the server",
        # German, Spanish, French, Indonesian without accents: that the code has no such words is no news
        "wie wird der Server nach einem Fehler wieder gefragt",
        "donde se espera entre los intentos de la conexion",
        "comment est calcule le temps d'attente entre les essais",
        "bagaimana waktu tunggu dihitung untuk setiap percobaan yang gagal",
        "retry de la request",
        # what a log puts before a message, and numbers, are not what is asked for
        "2026-11-30 12:00:01 [scrapy.core.engine] ERROR: failed request to the server",
        "utf8 request to the server",  # written utf-8
        "failed request 4711 9 20301 to the server 17",
    ],
)
def test_what_is_there_is_answered_without_a_word(index: Index, asked: str) -> None:
    assert "occurs in nothing" not in (index.search(asked, refresh=False).meta.suggestion or "")
    assert "no file mentions" not in (index.search(asked, refresh=False).meta.suggestion or "")


def test_an_answer_in_words_does_not_say_that_the_code_speaks_of_it(index: Index) -> None:
    asked = "how are failed blockchain wallets signed by the server"
    said = index.ask(asked, extractive=True, refresh=False).answer.text
    assert said.startswith("No file mentions blockchain, wallets, signed.")
    assert "closest" in said and "speak of this" not in said


def test_a_name_that_occurs_nowhere_is_told_in_every_language(index: Index) -> None:
    for asked in ("wo ist KafkaConsumerPool definiert", "KafkaConsumerPool 在哪里定义"):
        said = index.search(asked, refresh=False).meta.suggestion or ""
        assert "KafkaConsumerPool occurs in nothing that is indexed" in said, asked


def test_stop_words_of_other_languages_are_not_counted_among_what_is_missing(index: Index) -> None:
    said = index.search("blockchain und wallets", refresh=False).meta.suggestion or ""
    assert said.startswith("no file mentions blockchain, wallets;")


def test_the_search_behind_an_answer_says_it_once(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = "how are dead blockchain wallets signed"
    said: list[str] = []
    told = absent_note

    def counted(*given: object) -> str:
        said.append(told(*given))  # type: ignore[arg-type]
        return said[-1]

    monkeypatch.setattr(run, "absent_note", counted)
    assert index.ask(asked, extractive=True, refresh=False).answer.text.startswith("No file mentions dead")
    assert len(said) == 1


def test_an_answer_claims_no_more_than_that_places_are_closest(index: Index) -> None:
    said = index.ask("how long does a failed request wait", extractive=True, refresh=False).answer.text
    assert "closest to this" in said and "No file" not in said


@pytest.mark.parametrize(
    "line",
    [
        "2026-11-30 12:00:01 [scrapy.core.engine] ERROR: failed request",
        "2026-11-30T12:00:01.123Z WARN failed request",
        "[2026-11-30 12:00:01,5] [worker] INFO - failed request",
        "Nov 30 12:00:01 host sshd[123]: failed request",
        "<34> failed request",
        "failed request",
    ],
)
def test_of_a_line_of_a_log_the_message_counts(line: str) -> None:
    assert without_log_parts(line) == "failed request"


@pytest.mark.parametrize(
    "text", ["Error handling of requests", "12 requests", "How long 3", "2026-11-30 12:00:01", "ERROR"]
)
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert without_log_parts(text) == text
