"""Schemathesis against the OpenAPI document: no fault of ours, every answer as documented, whatever is asked.

``FOURFOLD_FUZZ=200 pytest tests/http/test_openapi_fuzzed.py`` asks so many questions an operation, instead of a few.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from tests.built import Built
from tests.http.conftest import FILES

from fourfold.interfaces.http.app import create_app
from fourfold.interfaces.http.options import ServeOptions
from fourfold.model.chunk import KINDS
from fourfold.model.query import DIRECTIONS

schemathesis = pytest.importorskip("schemathesis", reason="Schemathesis is not installed: pip install schemathesis")

EXAMPLES = int(os.environ.get("FOURFOLD_FUZZ", "3"))
HOST = "testserver"
"""How Schemathesis calls an application that it holds in its hands."""
IDENTITY = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
NEVER = {
    "POST /api/v1/index/cancel",
    "POST /api/v1/reindex",
    "GET /api/v1/jobs/{number}",
    "POST /api/v1/jobs/{number}/cancel",
    "POST /api/v1/webhooks/{forge}",
}
"""What a server of one project that nobody changes answers with an error alone; tests/services has their answers."""
FITTING: dict[str, tuple[Any, ...]] = {
    "name": ("backoff_delay", "Policy", "Policy.wait", "backof_delay", "src/net/retry.py"),
    "target": ("Policy", "src/net/retry.py", "README.md"),
    "q": ("who calls backoff_delay", "how are retries delayed", '"jitter"', "/back.?off/", "lang:py backoff"),
    "pattern": ("backoff", "def $NAME($$$A)", "class", "(?i)JITTER"),
    "in_language": ("python", "js"),
    "file": ("src/net/retry.py", "README.md"),
    "path": ("src/net/retry.py", "src", "tests/*.py", ".env"),
    "not_path": ("tests", "*.md"),
    "language": ("python", "js", "markdown"),
    "kind": (*KINDS[:3], "section"),
    "direction": DIRECTIONS,
    "preset": ("default", "quick", "thorough", "contract", "text", "structural"),
    "text": ("delay", ""),
    "before": ("who calls backoff_delay",),
    "about": ("backoff_delay",),
    "line": (9, 13),
    "start": (1, 3),
    "end": (9, 12),
}
"""Values that this project has an answer to: a random text finds nothing and shows no body worth checking."""


def fitted(query: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The query with most of its texts replaced by fitting ones; no stream is followed, it would not end."""
    made = {name: value for name, value in query.items() if name not in ("follow", "service")}
    for name, values in FITTING.items():
        if name in made and chance.random() < 0.9:
            many = isinstance(made[name], list)
            one = values[0] if name == "path" and not many else chance.choice(values)
            made[name] = [one] if many else one
    return made


@pytest.fixture(scope="module")
def operations(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Any]]:
    """Every operation of the document, over a project with one commit."""
    from schemathesis.python import asgi

    with Built(tmp_path_factory.mktemp("fuzzed")) as built:
        built.write(FILES)
        for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Retries with back-off"]):
            subprocess.run(["git", *IDENTITY, *command], cwd=built.root, check=True)
        app = create_app(built.index, ServeOptions(rate=1e9, hosts=(HOST,)))
        # An address that is too long is refused as such, before its parameters are looked at.
        refused = {"negative_data_rejection": {"expected-statuses": [400, 403, 404, 409, 414, 422]}}
        config = schemathesis.Config.from_dict({"checks": refused})
        schema = schemathesis.openapi.from_asgi("/openapi.json", app, config=config)
        yield [found.ok() for found in schema.get_all_operations()]
        asgi.shutdown_lifespans()


def statuses(operation: Any, mode: str, chance: random.Random) -> list[int]:
    """What the operation answers to some questions; raises where an answer is not as documented."""
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    found: list[int] = []

    @seed(7)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(generation_mode=schemathesis.GenerationMode(mode)))
    def ask(case: Any) -> None:
        if mode == "positive" and case.query:
            case.query = fitted(case.query, chance)
        elif case.query and "follow" in case.query:
            del case.query["follow"]
        reply = case.call(headers={"X-Fourfold": "1"})
        found.append(reply.status_code)
        # No schema can say which text is no pattern, or which path leads out: the 400 that says so is documented.
        case.validate_response(reply, excluded_checks=[positive_data_acceptance])

    ask()
    return found


def test_every_allowed_question_is_answered_as_documented(operations: list[Any]) -> None:
    assert len(operations) >= 28
    chance = random.Random(7)
    asked = {operation.label: statuses(operation, "positive", chance) for operation in operations}
    silent = {label for label, found in asked.items() if not {200, 202} & set(found)}
    assert silent <= NEVER, silent


def test_every_forbidden_question_is_refused_as_documented(operations: list[Any]) -> None:
    chance = random.Random(7)
    changeable = [operation for operation in operations if operation.query or operation.body]
    asked = {operation.label: statuses(operation, "negative", chance) for operation in changeable}
    assert len(asked) >= 17
    assert any(422 in found for found in asked.values())
