"""The three clients (our own, and both vendors' packages) over real HTTP against a server of this machine: what they
send, read, count, bear and refuse."""

from __future__ import annotations

import json
import time
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from tests.answer.conftest import FakeModel, raw, status
from tests.answer.wire import anthropic_stream, openai_stream

from fourfold.config.settings import build
from fourfold.llm.load import NOT_CONFIGURED, OFFLINE, load_model, why_none
from fourfold.llm.protocol import Decision, LanguageModel, Message
from fourfold.model.errors import BackendUnavailable, BadConfig

KEY = "k-secret-0123456789"
TURNS = [Message("system", "rules"), Message("user", "question")]
CHOICE = Decision("choose", "Chooses.", {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
CLIENTS = ["compatible", "openai", "anthropic"]


def client(server: FakeModel, provider: str, *, timeout_s: float = 10.0, **more: Any) -> LanguageModel:
    """The client of a provider, at the local server."""
    if provider != "compatible":
        pytest.importorskip(provider)
    address = server.address.removesuffix("/v1") if provider == "anthropic" else server.address
    values = {"provider": provider, "endpoint": address, "model": "tiny", "key_env": "KEY", "timeout_s": timeout_s}
    settings = build({f"llm.{name}": value for name, value in {**values, **more}.items()})
    found = load_model(settings, {"KEY": KEY})
    assert found is not None
    return found


def stream(provider: str, **parts: Any) -> bytes:
    return anthropic_stream(**parts) if provider == "anthropic" else openai_stream(**parts)


def said(model: LanguageModel) -> str:
    return "".join(model.stream(TURNS, 100))


@pytest.mark.parametrize("provider", CLIENTS)
def test_text_is_streamed_and_tokens_and_costs_are_counted(server: FakeModel, provider: str) -> None:
    server.scripts[:] = [raw(stream(provider, text="Grüße, 世界.\nDone."))]
    model = client(server, provider, input_price=1.0, output_price=5.0)
    assert said(model) == "Grüße, 世界.\nDone."
    assert (model.usage.requests, model.usage.input_tokens, model.usage.output_tokens) == (1, 120, 8)
    assert not model.usage.estimated
    assert model.usage.words == "120 + 8 tokens, $0.0002"
    body, headers = server.bodies[0], server.headers[0]
    assert (body["model"], body["stream"]) == ("tiny", True)
    if provider == "anthropic":
        assert server.paths == ["/v1/messages"]
        assert (body["system"], body["messages"]) == ("rules", [{"role": "user", "content": "question"}])
        assert KEY in (headers.get("x-api-key"), headers.get("authorization", "").removeprefix("Bearer "))
        assert "temperature" not in body
    else:
        assert server.paths == ["/v1/chat/completions"]
        assert [turn["role"] for turn in body["messages"]] == ["system", "user"]
        assert headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("provider", CLIENTS)
def test_a_tool_call_is_forced_and_its_arguments_are_the_decision(server: FakeModel, provider: str) -> None:
    server.scripts[:] = [raw(stream(provider, arguments=json.dumps({"n": 3, "why": "it is the nearest"})))]
    model = client(server, provider)
    assert model.decide(TURNS, CHOICE, 100) == {"n": 3, "why": "it is the nearest"}
    body = server.bodies[0]
    if provider == "anthropic":
        assert body["tool_choice"] == {"type": "tool", "name": "choose"}
        assert body["tools"][0]["input_schema"] == CHOICE.schema
    else:
        assert body["tool_choice"]["function"]["name"] == "choose"
        assert body["tools"][0]["function"]["parameters"] == CHOICE.schema


@pytest.mark.parametrize("provider", CLIENTS)
def test_an_object_written_as_text_is_a_decision_too(server: FakeModel, provider: str) -> None:
    server.scripts[:] = [raw(stream(provider, text='Of course {it is}:\n```json\n{"n": 2}\n```'))]
    assert client(server, provider).decide(TURNS, CHOICE, 100) == {"n": 2}


@pytest.mark.parametrize("provider", CLIENTS)
@pytest.mark.parametrize("text", ["I would rather not.", '{"m": 1}', "[1, 2]", "{" * 50, '{"n": '])
def test_what_decides_nothing_is_a_failure(server: FakeModel, provider: str, text: str) -> None:
    server.scripts[:] = [raw(stream(provider, text=text))]
    with pytest.raises(BackendUnavailable, match="did not decide"):
        client(server, provider).decide(TURNS, CHOICE, 100)


@pytest.mark.parametrize("provider", CLIENTS)
@pytest.mark.parametrize(("code", "hint"), [(400, "llm.model"), (401, "key"), (403, "key"), (404, "llm.endpoint")])
def test_a_refusal_is_told_once_and_without_what_the_server_said(
    server: FakeModel, provider: str, code: int, hint: str
) -> None:
    server.scripts[:] = [status(code, json.dumps({"error": {"message": f"your key {KEY} is wrong"}}))]
    with pytest.raises(BackendUnavailable, match=f"tiny answered with HTTP {code}") as caught:
        said(client(server, provider))
    assert hint in caught.value.hint
    assert KEY not in f"{caught.value!r} {caught.value.hint} {caught.value.__cause__!r}"
    assert len(server.bodies) == 1


@pytest.mark.parametrize("provider", CLIENTS)
@pytest.mark.parametrize("code", [429, 500])
def test_what_may_pass_is_tried_again(server: FakeModel, provider: str, code: int) -> None:
    busy = status(code, "{}", retry_after_ms="1")
    server.scripts[:] = [busy, raw(stream(provider, text="at last"))]
    assert said(client(server, provider)) == "at last"
    assert len(server.bodies) == 2


@pytest.mark.parametrize("provider", CLIENTS)
def test_attempts_end(server: FakeModel, provider: str) -> None:
    server.scripts[:] = [status(503, "{}", retry_after_ms="1")]
    with pytest.raises(BackendUnavailable, match="HTTP 503"):
        said(client(server, provider))
    assert len(server.bodies) == 3


@pytest.mark.parametrize("provider", CLIENTS)
def test_a_stream_that_is_cut_is_told(server: FakeModel, provider: str) -> None:
    server.scripts[:] = [raw(stream(provider, text="half of it", whole=False))]
    pieces: list[str] = []
    with pytest.raises(BackendUnavailable, match="broke off in the middle of its answer"):
        pieces.extend(client(server, provider).stream(TURNS, 100))
    assert len(server.bodies) == 1


@pytest.mark.parametrize("provider", CLIENTS)
@pytest.mark.parametrize("data", [b"data: {broken\n\n", b"<html>hello</html>", b"", b"data: \xff\xfe\n\n"])
def test_garbage_is_no_answer(server: FakeModel, provider: str, data: bytes) -> None:
    server.scripts[:] = [raw(b"event: message_start\n" + data if provider == "anthropic" and data else data)]
    with pytest.raises(BackendUnavailable) as caught:
        said(client(server, provider))
    assert "Traceback" not in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize("provider", CLIENTS)
def test_bytes_that_trickle_do_not_hold_the_caller(server: FakeModel, provider: str) -> None:
    def trickle(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        for _ in range(200):
            handler.wfile.write(b": wait\n")
            time.sleep(0.05)

    server.scripts[:] = [trickle]
    began = time.monotonic()
    with pytest.raises(BackendUnavailable, match="took too long") as caught:
        said(client(server, provider, timeout_s=0.4))
    assert time.monotonic() - began < 8
    assert "llm.timeout_s" in caught.value.hint


@pytest.mark.parametrize("provider", CLIENTS)
def test_a_redirect_is_not_followed(server: FakeModel, provider: str) -> None:
    server.scripts[:] = [status(307, "", Location=server.address + "/elsewhere")]
    with pytest.raises(BackendUnavailable, match="HTTP 307"):
        said(client(server, provider))
    assert len(server.bodies) == 1


@pytest.mark.parametrize("provider", CLIENTS)
def test_a_server_that_is_not_there(provider: str) -> None:
    nowhere = FakeModel("http://127.0.0.1:9/v1")
    with pytest.raises(BackendUnavailable, match=r"cannot be reached|took too long"):
        said(client(nowhere, provider, timeout_s=6.0))


def test_a_vendor_is_asked_only_where_the_user_names_it() -> None:
    assert why_none(build({}), {"ANTHROPIC_API_KEY": "x", "OPENAI_API_KEY": "y"}) == NOT_CONFIGURED
    assert why_none(build({"llm.provider": "anthropic"}), {}) == ""
    assert why_none(build({"llm.provider": "anthropic", "offline": True}), {}) == OFFLINE


@pytest.mark.parametrize(("provider", "variable"), [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY")])
def test_a_vendors_key_comes_from_its_usual_variable(provider: str, variable: str) -> None:
    pytest.importorskip(provider)
    settings = build({"llm.provider": provider})
    with pytest.raises(BackendUnavailable, match=f"the variable {variable} .* is not set"):
        load_model(settings, {})
    model = load_model(settings, {variable: KEY})
    assert model is not None
    assert model.name == {"openai": "gpt-6-luna", "anthropic": "claude-haiku-5-5"}[provider]


def test_a_key_goes_to_another_machine_over_https_only() -> None:
    settings = build({"llm.provider": "anthropic", "llm.endpoint": "http://models.example", "llm.model": "m"})
    with pytest.raises(BadConfig, match="https only"):
        load_model(settings, {"ANTHROPIC_API_KEY": KEY})


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, provider: str) -> None:
    import fourfold.llm.sdk as sdk

    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(sdk.importlib, "import_module", missing)
    settings = build({"llm.provider": provider, "llm.key_env": "KEY"})
    with pytest.raises(BackendUnavailable, match=f"needs the Python package {provider}") as caught:
        load_model(settings, {"KEY": KEY})
    assert f"pip install 'fourfold[{provider}]'" in caught.value.hint


def test_a_server_that_does_not_count_is_estimated(server: FakeModel) -> None:
    server.scripts[:] = [raw(openai_stream("twenty-one characters", usage=False))]
    model = client(server, "compatible")
    said(model)
    assert model.usage.estimated
    assert model.usage.words == "about 4 + 6 tokens"
