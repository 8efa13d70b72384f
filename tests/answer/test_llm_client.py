"""The client of OpenAI-compatible servers against a local server: what it sends, what it bears, what it refuses."""

from __future__ import annotations

import threading
import time
from http.server import BaseHTTPRequestHandler

import pytest
from tests.answer.conftest import FakeModel, event, raw, reply, status

from fourfold.config.settings import build
from fourfold.llm.load import NOT_CONFIGURED, OFFLINE, load_model, why_none
from fourfold.llm.openai import OpenAIModel
from fourfold.llm.protocol import Message
from fourfold.llm.sse import MAX_EVENT_BYTES, BadStream, events
from fourfold.model.errors import BackendUnavailable, BadConfig

TURNS = [Message("system", "rules"), Message("user", "question")]


def client(server: FakeModel, waits: list[float] | None = None, key: str = "", timeout_s: float = 5.0) -> OpenAIModel:
    """A client that notes its waits instead of waiting."""
    noted = [] if waits is None else waits
    return OpenAIModel(server.address, "tiny", key, timeout_s=timeout_s, sleep=noted.append)


def said(model: OpenAIModel) -> str:
    return "".join(model.stream(TURNS, 100))


def test_it_sends_the_turns_and_reads_the_stream(server: FakeModel) -> None:
    server.scripts[:] = [reply("Grüße, 世界.\nDone.")]
    assert said(client(server, key="k-1")) == "Grüße, 世界.\nDone."
    assert server.paths == ["/v1/chat/completions"]
    assert server.bodies[0]["model"] == "tiny"
    assert server.bodies[0]["messages"] == [
        {"role": "system", "content": "rules"},
        {"role": "user", "content": "question"},
    ]
    assert (server.bodies[0]["stream"], server.bodies[0]["max_tokens"]) == (True, 100)
    assert server.headers[0]["authorization"] == "Bearer k-1"


def test_without_a_key_none_is_sent(server: FakeModel) -> None:
    server.scripts[:] = [reply("x")]
    said(client(server))
    assert "authorization" not in server.headers[0]


@pytest.mark.parametrize("code", [429, 500, 502, 503, 504])
def test_what_may_pass_is_tried_again_with_growing_waits(server: FakeModel, code: int) -> None:
    waits: list[float] = []
    server.scripts[:] = [status(code), status(code), reply("at last")]
    assert said(client(server, waits)) == "at last"
    assert waits == [0.5, 1.0]


def test_a_server_that_asks_for_time_gets_it_within_reason(server: FakeModel) -> None:
    waits: list[float] = []
    server.scripts[:] = [status(429, Retry_After="3"), reply("ok")]
    assert said(client(server, waits)) == "ok"
    assert waits == [3.0]
    server.bodies.clear()
    server.scripts[:] = [status(429, Retry_After="3600"), reply("ok")]
    with pytest.raises(BackendUnavailable, match="HTTP 429"):
        said(client(server))
    assert len(server.bodies) == 1


@pytest.mark.parametrize(("code", "hint"), [(400, "llm.model"), (401, "key"), (403, "key"), (404, "llm.endpoint")])
def test_what_will_not_pass_is_not_tried_again(server: FakeModel, code: int, hint: str) -> None:
    server.scripts[:] = [status(code, '{"error": "your key k-secret is wrong"}')]
    with pytest.raises(BackendUnavailable, match=f"tiny answered with HTTP {code}") as caught:
        said(client(server, key="k-secret"))
    assert hint in caught.value.hint
    assert "k-secret" not in f"{caught.value.message} {caught.value.hint}"
    assert len(server.bodies) == 1


def test_attempts_end(server: FakeModel) -> None:
    server.scripts[:] = [status(503)]
    with pytest.raises(BackendUnavailable, match="HTTP 503"):
        said(client(server))
    assert len(server.bodies) == 3


@pytest.mark.parametrize(
    "data",
    [
        b"<html>not an event stream</html>",
        b"",
        b"data: {broken\n\n",
        b'data: {"choices": 3}\n\n',
        b'data: {"choices": [{"delta": {"content": 7}}]}\n\n',
        b"data: [1, 2]\n\n",
        b"data: \xff\xfe\n\n",
        b'data: {"error": {"message": "overloaded"}}\n\n',
        b"data: " + b"[" * 100_000 + b"\n\n",
    ],
)
def test_garbage_is_no_answer(server: FakeModel, data: bytes) -> None:
    server.scripts[:] = [raw(data)]
    with pytest.raises(BackendUnavailable) as caught:
        said(client(server))
    assert len(server.bodies) == 1
    assert "in the middle" not in caught.value.message


def test_a_stream_that_is_cut_is_told(server: FakeModel) -> None:
    server.scripts[:] = [reply("half of it", whole=False)]
    pieces: list[str] = []
    with pytest.raises(BackendUnavailable, match="broke off in the middle of its answer"):
        pieces.extend(client(server).stream(TURNS, 100))
        raise AssertionError("unreachable")
    assert len(server.bodies) == 1  # what was said is not said again


def test_a_stream_that_ends_without_done_but_with_a_reason_is_whole(server: FakeModel) -> None:
    server.scripts[:] = [raw(event("all") + event("", "stop"))]
    assert said(client(server)) == "all"


def test_bytes_that_trickle_in_do_not_hold_the_caller_beyond_its_deadline(server: FakeModel) -> None:
    stop = threading.Event()

    def trickle(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not stop.wait(0.05):
            handler.wfile.write(b":")  # a comment without end
            handler.wfile.flush()

    server.scripts[:] = [trickle]
    started = time.monotonic()
    try:
        with pytest.raises(BackendUnavailable, match="took too long") as caught:
            said(client(server, timeout_s=0.4))
    finally:
        stop.set()
    assert "llm.timeout_s" in caught.value.hint
    assert time.monotonic() - started < 30


def test_a_server_that_says_nothing_is_given_up(server: FakeModel) -> None:
    stop = threading.Event()
    server.scripts[:] = [lambda handler: (stop.wait(20), None)[1]]
    try:
        with pytest.raises(BackendUnavailable, match="took too long"):
            said(client(server, timeout_s=0.3))
    finally:
        stop.set()
    assert len(server.bodies) == 1


def test_a_redirect_is_not_followed(server: FakeModel) -> None:
    server.scripts[:] = [status(307, Location=f"{server.address}/elsewhere"), reply("stolen")]
    with pytest.raises(BackendUnavailable, match="HTTP 307"):
        said(client(server, key="k-1"))
    assert server.paths == ["/v1/chat/completions"]


def test_no_server_at_all() -> None:
    model = OpenAIModel("http://127.0.0.1:9", "tiny", timeout_s=3.0, sleep=lambda _: None)
    with pytest.raises(BackendUnavailable, match="cannot be reached"):
        said(model)


def test_events_come_whole_whatever_the_pieces() -> None:
    data = b": note\r\ndata: one\r\n\r\ndata:two\ndata: lines\n\nevent: x\rdata: three\r\rdata: cut"
    for size in range(1, len(data) + 1):
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
        assert list(events(pieces)) == ["one", "two\nlines", "three"]


def test_an_event_without_end_is_refused() -> None:
    with pytest.raises(BadStream):
        list(events([b"data: " + b"x" * (MAX_EVENT_BYTES + 1)]))


def test_nothing_is_asked_unless_configured_and_never_offline() -> None:
    here = {"llm.endpoint": "http://127.0.0.1:1/v1", "llm.model": "tiny"}
    assert why_none(build({}), {}) == NOT_CONFIGURED
    assert why_none(build(here), {}) == ""
    assert why_none(build(here), {"HF_HUB_OFFLINE": "1"}) == OFFLINE
    assert why_none(build(here), {"HF_HUB_OFFLINE": "0"}) == ""
    assert why_none(build({**here, "offline": True}), {}) == OFFLINE
    assert load_model(build({**here, "offline": True}), {}) is None


def test_keys_come_from_the_environment_and_go_over_safe_ways_only() -> None:
    near = {"llm.endpoint": "http://127.0.0.1:1/v1", "llm.model": "tiny", "llm.key_env": "TINY_KEY"}
    assert load_model(build(near), {"TINY_KEY": "k"}) is not None
    with pytest.raises(BackendUnavailable, match="TINY_KEY"):
        load_model(build(near), {})
    with pytest.raises(BackendUnavailable, match="holds no key"):
        load_model(build(near), {"TINY_KEY": "a\nb"})
    with pytest.raises(BadConfig, match="https only"):
        load_model(build({**near, "llm.endpoint": "http://models.example/v1"}), {"TINY_KEY": "k"})
    assert load_model(build({**near, "llm.endpoint": "https://models.example/v1"}), {"TINY_KEY": "k"}) is not None
    with pytest.raises(BadConfig, match=r"llm\.model"):
        load_model(build({"llm.endpoint": "http://127.0.0.1:1/v1"}), {})


@pytest.mark.parametrize(
    "address", ["ftp://x/v1", "file:///etc/passwd", "http://user:pass@host/v1", "http://", "host/v1", "http://a/v1?x=1"]
)
def test_an_endpoint_is_a_plain_address(address: str) -> None:
    with pytest.raises(BadConfig, match=r"llm\.endpoint"):
        build({"llm.endpoint": address})
