"""The bodies are the engine's own answers, and the models are the dataclasses behind them."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.built import Built
from tests.http.routes import PARAMETERS

from fourfold.interfaces.http.schemas import ANSWERS, STATES, answer_of, grep_answer, model_of
from fourfold.model import structure
from fourfold.model.result import GrepLine, GrepResult, Meta, ResultItem, SearchResult

DATACLASSES = sorted(
    {*ANSWERS.values(), *STATES.values(), SearchResult, ResultItem, GrepResult, GrepLine, Meta}
    | {one for one in vars(structure).values() if isinstance(one, type) and dataclasses.is_dataclass(one)},
    key=lambda one: one.__name__,
)
SAME = {
    "search": lambda index: index.search("backoff"),
    "grep": lambda index: index.grep("backoff", limit=100),
    "symbol": lambda index: index.symbol("backoff_delay"),
    "usages": lambda index: index.usages("backoff_delay"),
    "impact": lambda index: index.impact("backoff_delay"),
    "context": lambda index: index.context("backoff_delay"),
    "similar": lambda index: index.similar("src/net/retry.py", 9),
    "match": lambda index: index.match("backoff_delay($A)", "python"),
    "routes": lambda index: index.routes(),
    "overview": lambda index: index.overview(),
}


@pytest.mark.parametrize("kind", DATACLASSES, ids=lambda one: one.__name__)
def test_a_model_has_the_fields_and_defaults_of_its_dataclass(kind: type) -> None:
    model = model_of(kind)
    fields = dataclasses.fields(kind)  # type: ignore[arg-type]
    assert list(model.model_fields) == [item.name for item in fields]
    for item in fields:
        optional = item.default is not dataclasses.MISSING or item.default_factory is not dataclasses.MISSING
        assert model.model_fields[item.name].is_required() is not optional, item.name


@pytest.mark.parametrize("name", SAME)
def test_a_body_is_what_the_command_line_prints(client: TestClient, built: Built, name: str) -> None:
    reply = client.get(f"/api/v1/{name}" + PARAMETERS.get(f"/api/v1/{name}", ""))
    assert reply.status_code == 200, reply.text
    body: dict[str, Any] = reply.json()
    wanted = SAME[name](built.index).to_dict()
    for one in (body, wanted):
        one["meta"].pop("took_ms")
    assert wanted["meta"].pop("root") == str(built.root)
    assert body["meta"].pop("root") == "."
    assert body == wanted
    assert body["items"]


@pytest.mark.parametrize("name", [*(name for name in ANSWERS if name != "history"), "grep"])
def test_a_body_fits_its_documented_model(client: TestClient, name: str) -> None:
    body = client.get(f"/api/v1/{name}" + PARAMETERS.get(f"/api/v1/{name}", "")).json()
    model = grep_answer() if name == "grep" else answer_of(ANSWERS[name])
    assert model.model_validate(body, strict=False)
    assert body["schema"] == "fourfold/1" and "items" in body and "meta" in body


def test_states_fit_their_models(client: TestClient) -> None:
    assert model_of(STATES["status"]).model_validate(client.get("/api/v1/status").json())
    assert model_of(STATES["status/path"]).model_validate(client.get("/api/v1/status/path?path=.env").json())


def test_a_model_refuses_what_its_dataclass_does_not_have() -> None:
    with pytest.raises(ValueError, match="extra"):
        model_of(Meta).model_validate({"unknown": 1})


def test_every_route_documents_its_answer_and_its_errors(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    paths = [path for path in document["paths"] if path.startswith("/api/v1/")]
    assert len(paths) >= 16
    for path in paths:
        for method, told in document["paths"][path].items():
            assert told["summary"] and told["description"], (method, path)
            answers = told["responses"]
            assert {"400", "401", "403", "413", "414", "421", "429", "500"} <= set(answers), (method, path)
            assert answers["400"]["content"]["application/json"]["schema"]["$ref"].endswith("/Failure")
    assert {"SearchResultBody", "ImpactResultBody", "Failure", "Meta"} <= set(document["components"]["schemas"])
