"""Embedding servers: what is sent, what is read, what is borne, what is refused."""

from __future__ import annotations

import json
import socket
import time
from email.utils import formatdate
from typing import Any

import numpy as np
import pytest
from tests.embed.provider_server import DIMENSION, EmbeddingServer, answer, cut_off, send, trickle, vector

from fourfold.config.settings import Settings, build
from fourfold.embed.protocol import Embedder, EmbedInput
from fourfold.embed.providers.client import ATTEMPTS
from fourfold.embed.providers.load import load_provider
from fourfold.embed.providers.text import TextEmbedder
from fourfold.model.errors import BackendUnavailable, BadConfig

PLACES = {"openai": "/v1", "voyage": "/v1", "cohere": "/v2", "ollama": ""}
PATHS = {"openai": "/v1/embeddings", "voyage": "/v1/embeddings", "cohere": "/v2/embed", "ollama": "/api/embed"}
CODE = [EmbedInput("def load(path):\n    return open(path)", "src/io.py", "load"), EmbedInput("x = 1", "src/a.py")]


def settings(server: EmbeddingServer, provider: str = "openai", **more: Any) -> Settings:
    values = {"embedding.provider": provider, "embedding.endpoint": server.address + PLACES[provider]}
    values |= {"embedding.model": "tiny"} | {key.replace("__", "."): value for key, value in more.items()}
    return build(values)


def model(
    server: EmbeddingServer, provider: str = "openai", waits: list[float] | None = None, **more: Any
) -> TextEmbedder:
    noted = [] if waits is None else waits
    return load_provider(settings(server, provider, **more), environ={"MY_KEY": "sk-secret-1"}, sleep=noted.append)


def unit(text: str, dimension: int = DIMENSION) -> np.ndarray[Any, np.dtype[np.float64]]:
    row = np.array(vector(text, dimension))
    return row / np.linalg.norm(row)


@pytest.mark.parametrize("provider", list(PLACES))
def test_each_protocol_is_spoken(server: EmbeddingServer, provider: str) -> None:
    embedder = model(server, provider, embedding__key_env="MY_KEY")
    vectors = embedder.documents(CODE)
    question = embedder.queries(["where is a file opened"])
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors[0], unit("src/io.py load\n" + CODE[0].text), atol=1e-6)
    np.testing.assert_allclose(question[0], unit("where is a file opened"), atol=1e-6)
    assert set(server.paths) == {PATHS[provider]}
    assert all(headers["authorization"] == "Bearer sk-secret-1" for headers in server.headers)
    assert all(body["model"] == "tiny" for body in server.bodies)
    assert isinstance(embedder, Embedder)


@pytest.mark.parametrize(
    ("provider", "document", "query"),
    [
        ("voyage", ("input_type", "document"), ("input_type", "query")),
        ("cohere", ("input_type", "search_document"), ("input_type", "search_query")),
        ("ollama", ("truncate", True), ("truncate", True)),
    ],
)
def test_code_and_questions_are_told_apart(
    server: EmbeddingServer, provider: str, document: tuple[str, Any], query: tuple[str, Any]
) -> None:
    embedder = model(server, provider, embedding__dimension=DIMENSION)
    embedder.documents(CODE)
    embedder.queries(["q"])
    assert server.bodies[0][document[0]] == document[1]
    assert server.bodies[-1][query[0]] == query[1]


def test_the_dimension_is_asked_for_once_and_only_where_it_is_not_known(server: EmbeddingServer) -> None:
    embedder = model(server)
    assert (embedder.identity.dimension, embedder.identity.dimension) == (DIMENSION, DIMENSION)
    assert server.texts == ["dimension"]
    known = load_provider(settings(server), dimension=DIMENSION, environ={})
    assert known.identity == embedder.identity
    assert len(server.bodies) == 1


def test_known_models_need_no_asking(server: EmbeddingServer) -> None:
    embedder = model(server, embedding__model="text-embedding-3-large")
    assert (embedder.facts.dimension, embedder.facts.licence, embedder.facts.max_tokens) == (3072, "proprietary", 8191)
    assert server.bodies == []


def test_a_smaller_dimension_is_asked_for(server: EmbeddingServer) -> None:
    embedder = model(server, "voyage", embedding__model="voyage-code-3", embedding__dimension=256)
    assert embedder.documents(CODE).shape == (2, 256)
    assert server.bodies[0]["output_dimension"] == 256
    with pytest.raises(BadConfig, match="no vectors of 300 dimensions"):
        model(server, "voyage", embedding__model="voyage-code-3", embedding__dimension=300)


def test_binary_vectors_are_one_bit_a_component(server: EmbeddingServer) -> None:
    embedder = model(
        server, "voyage", embedding__model="voyage-code-3", embedding__dimension=256, embedding__output="binary"
    )
    found = embedder.documents(CODE)[0]
    np.testing.assert_allclose(np.abs(found), 1 / 16, atol=1e-6)
    exact = unit("src/io.py load\n" + CODE[0].text, 256)
    assert ((found > 0) == (exact > 0)).all()
    embedder.queries(["q"])
    assert "output_dtype" not in server.bodies[-1], "a question stays exact"
    with pytest.raises(BadConfig, match="no binary vectors"):
        model(server, "cohere", embedding__output="binary")


def test_base64_is_read_and_replies_out_of_order_are_put_in_order(server: EmbeddingServer) -> None:
    import base64

    rows = [[1.0, 0.0], [0.0, 1.0]]
    coded = [base64.b64encode(np.array(row, "<f4").tobytes()).decode() for row in rows]
    server.always = send({"data": [{"index": 1, "embedding": coded[1]}, {"index": 0, "embedding": coded[0]}]})
    embedder = model(server, embedding__dimension=2)
    np.testing.assert_allclose(embedder.documents(CODE), rows)


def test_prompts_go_before_what_they_are_for(server: EmbeddingServer) -> None:
    embedder = model(server, embedding__model="BAAI/bge-small-en-v1.5", embedding__dimension=0)
    server.always = send({"data": [{"index": 0, "embedding": [1.0] * 384}]})
    embedder.queries(["q"])
    embedder.documents(CODE[:1])
    assert server.texts == [
        "Represent this sentence for searching relevant passages: q",
        "src/io.py load\n" + CODE[0].text,
    ]


def test_blank_texts_are_zeros_and_are_not_sent(server: EmbeddingServer) -> None:
    embedder = model(server, embedding__dimension=DIMENSION)
    assert not embedder.documents([EmbedInput(" \n", "a.py", "f")]).any()
    assert not embedder.queries(["  "]).any()
    assert embedder.documents([]).shape == (0, DIMENSION)
    assert not embedder.paths(["a", "b"]).any()
    assert server.bodies == []


def test_what_is_no_text_is_not_sent(server: EmbeddingServer) -> None:
    model(server, embedding__dimension=DIMENSION).queries(["where is \udce4 \ud83d decoded"])
    assert server.texts == ["where is ? ? decoded"]


def test_requests_hold_as_many_texts_as_told(server: EmbeddingServer) -> None:
    embedder = model(server, embedding__dimension=DIMENSION, embedding__batch=3)
    vectors = embedder.documents([EmbedInput(f"word{number} x", f"{number}.py") for number in range(8)])
    assert [len(body["input"]) for body in server.bodies] == [3, 3, 2]
    np.testing.assert_allclose(vectors[7], unit("7.py\nword7 x"), atol=1e-6)


def test_long_texts_are_cut_and_counted(server: EmbeddingServer) -> None:
    embedder = model(server, embedding__dimension=DIMENSION, embedding__max_tokens=20)
    embedder.documents([EmbedInput("a" * 1000, "a.py"), EmbedInput("short", "b.py"), EmbedInput("字" * 50, "c.py")])
    assert embedder.cut == 2
    assert [len(text) for text in server.texts] == [60, len("b.py\nshort"), len("c.py\n") + 18]


@pytest.mark.parametrize("code", [408, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_tried_again(server: EmbeddingServer, code: int) -> None:
    waits: list[float] = []
    server.scripts[:] = [send({}, code=code), send({}, code=code)]
    found = model(server, waits=waits, embedding__dimension=DIMENSION).documents(CODE[:1])
    assert found.any()
    assert len(server.bodies) == 3
    assert 0.4 < waits[0] < waits[1] < 1.5


@pytest.mark.parametrize("after", ["7", "date"])
def test_a_server_that_asks_for_time_gets_it(server: EmbeddingServer, after: str) -> None:
    waits: list[float] = []
    text = after if after != "date" else formatdate(time.time() + 8, usegmt=True)
    server.scripts[:] = [send({}, code=429, headers={"Retry-After": text})]
    model(server, waits=waits, embedding__dimension=DIMENSION).documents(CODE[:1])
    assert 5 < waits[0] < 11


def test_a_server_that_asks_for_an_hour_is_not_waited_for(server: EmbeddingServer) -> None:
    server.always = send({}, code=429, headers={"Retry-After": "3600"})
    with pytest.raises(BackendUnavailable, match="tiny answered with HTTP 429") as found:
        model(server, embedding__dimension=DIMENSION).documents(CODE[:1])
    assert "goes on from there" in found.value.hint
    assert len(server.bodies) == 1


def test_patience_ends(server: EmbeddingServer) -> None:
    server.always = send({}, code=503)
    embedder = model(server, embedding__dimension=DIMENSION)
    with pytest.raises(BackendUnavailable, match="503"):
        embedder.documents(CODE[:1])
    assert len(server.bodies) == ATTEMPTS["document"]
    server.bodies.clear()
    with pytest.raises(BackendUnavailable):
        embedder.queries(["q"])
    assert len(server.bodies) == ATTEMPTS["query"], "who asks is not kept waiting"


@pytest.mark.parametrize(
    ("code", "hint"), [(401, "does not accept the key"), (403, "key"), (404, "embedding.endpoint")]
)
def test_what_will_not_pass_is_not_tried_again_and_the_key_is_not_told(
    server: EmbeddingServer, code: int, hint: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    server.always = send({"error": {"message": "bad key sk-secret-1"}}, code=code)
    with pytest.raises(BackendUnavailable) as found:
        model(server, embedding__dimension=DIMENSION, embedding__key_env="MY_KEY").documents(CODE[:1])
    assert len(server.bodies) == 1
    assert hint in found.value.hint
    told = [str(found.value), found.value.hint, repr(found.value.__cause__), caplog.text, *capfd.readouterr()]
    assert not any("secret" in text for text in told)


def test_a_redirect_is_not_followed(server: EmbeddingServer) -> None:
    server.always = send({}, code=302, headers={"Location": server.address + "/elsewhere"})
    with pytest.raises(BackendUnavailable, match="302"):
        model(server, embedding__dimension=DIMENSION, embedding__key_env="MY_KEY").documents(CODE[:1])
    assert server.paths == ["/v1/embeddings"]


def test_a_reply_that_breaks_off_is_asked_for_again(server: EmbeddingServer) -> None:
    server.scripts[:] = [cut_off]
    assert model(server, embedding__dimension=DIMENSION).documents(CODE[:1]).any()
    assert len(server.bodies) == 2


def test_slow_bytes_end_with_the_time_out(server: EmbeddingServer) -> None:
    server.always = trickle
    began = time.monotonic()
    with pytest.raises(BackendUnavailable, match="took too long") as found:
        model(server, embedding__dimension=DIMENSION, embedding__timeout_s=0.2).queries(["q"])
    assert "timeout_s" in found.value.hint
    assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    ("reply", "match"),
    [
        ({"data": []}, "no usable vector"),
        ({"data": [{"index": 0, "embedding": [1.0] * 7}]}, r"shape \(1, 7\)"),
        ({"data": [{"index": 0, "embedding": [1.0] * DIMENSION}] * 2}, "no usable vector"),
        ({"data": [{"index": 0, "embedding": ["a"] * DIMENSION}]}, "no numbers"),
        ({"data": [{"index": 0, "embedding": []}]}, "no numbers"),
        ({"data": [{"index": 0, "embedding": None}]}, "no numbers"),
        ({"data": [{"index": 0, "embedding": [[1.0]] * DIMENSION}]}, "no numbers"),
        ({"data": "x"}, "without vectors"),
        ({"data": [1]}, "without vectors"),
        ({"error": "model not loaded"}, "without vectors"),
        ([], "without vectors"),
        (b"<html>gateway</html>", "no JSON"),
        (b"", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (json.dumps({"data": [{"embedding": [float("nan")] * DIMENSION}]}).encode(), "no usable vector"),
        (json.dumps({"data": [{"embedding": [float("inf")] * DIMENSION}]}).encode(), "no usable vector"),
        (json.dumps({"data": [{"embedding": [1e300] * DIMENSION}]}).encode(), "no usable vector"),
    ],
)
def test_replies_that_are_none_are_told_in_one_sentence(server: EmbeddingServer, reply: Any, match: str) -> None:
    server.always = send(reply)
    with pytest.raises(BackendUnavailable, match=match):
        model(server, embedding__dimension=DIMENSION).queries(["q"])


def test_one_text_that_is_refused_does_not_cost_the_others(server: EmbeddingServer) -> None:
    def picky(request: Any) -> None:
        body = server.bodies[-1]
        refused = any("poison" in text for text in body["input"])
        send({} if refused else answer(request.path, body), code=413 if refused else 200)(request)

    server.always = picky
    inputs = [EmbedInput("poison" if number == 5 else f"word{number}", f"{number}.py") for number in range(9)]
    found = model(server, embedding__dimension=DIMENSION).documents(inputs)
    assert np.isnan(found[5]).all()
    assert np.isfinite(np.delete(found, 5, 0)).all()


def test_a_server_that_refuses_everything_is_not_asked_text_by_text(server: EmbeddingServer) -> None:
    server.always = send({"error": "no such model"}, code=400)
    with pytest.raises(BackendUnavailable, match="refuses what it is sent"):
        model(server, embedding__dimension=DIMENSION).documents([EmbedInput(str(n), f"{n}.py") for n in range(64)])
    assert len(server.bodies) < 30


def test_nobody_there(server: EmbeddingServer) -> None:
    server.close()
    with pytest.raises(BackendUnavailable, match="cannot be reached") as found:
        model(server, embedding__dimension=DIMENSION).documents(CODE[:1])
    assert "stays searchable" in found.value.hint


def test_requests_are_spaced_where_a_rate_is_set(server: EmbeddingServer) -> None:
    waits: list[float] = []
    embedder = model(
        server, waits=waits, embedding__dimension=DIMENSION, embedding__requests_per_minute=60, embedding__batch=1
    )
    embedder.documents([EmbedInput(f"w{number}", f"{number}.py") for number in range(3)])
    assert len(waits) == 2
    assert waits[0] == pytest.approx(1.0, abs=0.5)


@pytest.mark.parametrize("how", [{"offline": True}, {"HF_HUB_OFFLINE": "1"}])
def test_offline_refuses_before_any_socket(how: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def no_socket(*_: Any, **__: Any) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", no_socket)
    monkeypatch.setattr(socket, "create_connection", no_socket)
    values = {"embedding.provider": "openai", "offline": how.get("offline", False)}
    with pytest.raises(BackendUnavailable, match="offline"):
        load_provider(build(values), environ={"OPENAI_API_KEY": "k", **{k: v for k, v in how.items() if v == "1"}})


def test_keys_come_from_their_variable_only(server: EmbeddingServer) -> None:
    with pytest.raises(BackendUnavailable, match="OPENAI_API_KEY") as found:
        load_provider(build({"embedding.provider": "openai"}), environ={})
    assert "embedding.key_env" in found.value.hint
    # Another server than the provider's own is never sent the provider's key unasked.
    load_provider(settings(server), environ={"OPENAI_API_KEY": "sk-mine"}).queries(["q"])
    assert all("authorization" not in headers for headers in server.headers)
    with pytest.raises(BadConfig, match="https only"):
        load_provider(
            build(
                {
                    "embedding.provider": "openai",
                    "embedding.endpoint": "http://example.com/v1",
                    "embedding.key_env": "K",
                }
            ),
            environ={"K": "sk-1"},
        )


def test_settings_that_do_not_fit_together_are_told() -> None:
    with pytest.raises(BadConfig, match="asks no server"):
        load_provider(build({"embedding.provider": "minilm", "embedding.endpoint": "http://127.0.0.1:1"}))
    with pytest.raises(BadConfig, match=r"no embedding\.provider is named"):
        build({"embedding.model": "voyage-code-3"})
    with pytest.raises(BadConfig, match="http or https address"):
        build({"embedding.provider": "openai", "embedding.endpoint": "http://user:pass@host/v1"})
    with pytest.raises(BadConfig, match="one of"):
        build({"embedding.provider": "opnai"})
