"""Questions about what is not there are told so."""

from __future__ import annotations

import pytest

from fourfold.engine import Index

RETRY = '''def backoff_delay(attempt):
    """Wait longer after each failed request to the server."""
    return min(60, 2 ** attempt)


def send_request(url):
    """Send a request; call some_library.open_socket for it."""
    return open_socket(url)
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
        ("where is KafkaConsumerPool defined", "the name KafkaConsumerPool occurs nowhere here"),
        ("class WebSocketBroadcaster", "the name WebSocketBroadcaster occurs nowhere here"),
        ("who calls send_sms_to_customer", "the name send_sms_to_customer occurs nowhere here"),
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
    ],
)
def test_what_is_there_is_answered_without_a_word(index: Index, asked: str) -> None:
    assert "occurs nowhere" not in (index.search(asked, refresh=False).meta.suggestion or "")
    assert "no file mentions" not in (index.search(asked, refresh=False).meta.suggestion or "")


def test_an_answer_in_words_does_not_say_that_the_code_speaks_of_it(index: Index) -> None:
    asked = "how are failed blockchain wallets signed by the server"
    said = index.ask(asked, extractive=True, refresh=False).answer.text
    assert said.startswith("No file mentions blockchain, wallets, signed.")
    assert "closest" in said and "speak of this" not in said
