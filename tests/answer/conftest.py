"""A small project to ask about, and a local server that speaks the wire protocol and answers as a test tells it."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from fourfold import Index
from fourfold.config.load import load_settings

FILES = {
    "shop/retry.py": '''"""Retries with back-off."""

import random

from shop.limits import CEILING


def backoff_delay(attempt, base=0.5):
    """Compute the exponential back-off with full jitter. Never longer than the ceiling."""
    return min(CEILING, random.uniform(0, base * 2**attempt))


class RetryPolicy:
    """Decide how often a failed request is sent again."""

    def __init__(self, attempts):
        self.attempts = attempts

    def wait(self, attempt):
        return backoff_delay(attempt)


class PatientPolicy(RetryPolicy):
    """Wait twice as long."""

    def wait(self, attempt):
        return 2 * backoff_delay(attempt)
''',
    "shop/limits.py": "# The longest wait in seconds.\nCEILING = 60.0\n",
    "shop/client.py": '''"""Sends requests."""

from shop.retry import RetryPolicy, backoff_delay


def send(request, policy=RetryPolicy(3)):
    """Send a request, again where it fails."""
    for attempt in range(policy.attempts):
        if request(attempt):
            return True
        backoff_delay(attempt)
    raise TimeoutError("gave up sending")


def dispatch(requests):
    return [send(one) for one in requests]
''',
    "tests/test_retry.py": """from shop.retry import backoff_delay


def test_the_delay_grows():
    assert backoff_delay(0) <= 0.5
""",
}

Script = Callable[[BaseHTTPRequestHandler], None]


def make(folder: Path, files: dict[str, str], **overrides: object) -> Index:
    """An index of files, without a model that makes vectors."""
    root = folder / "root"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    chosen = {"cache_dir": str(folder / "cache"), "embedding.model": "hash", **overrides}
    return Index.open(root, root=root, settings=load_settings(root, chosen, environ={}).settings)


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Index]:
    """The project without a language model."""
    with make(tmp_path, FILES) as index:
        yield index


@dataclass
class FakeModel:
    """What the server does at each request (the last script again and again), and what it was sent."""

    address: str
    scripts: list[Script] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    @property
    def told(self) -> str:
        """All that the model was told in the last request."""
        return "\n".join(message["content"] for message in self.bodies[-1]["messages"])


@pytest.fixture
def server() -> Iterator[FakeModel]:
    """A server on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            fake.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            fake.headers.append({name.lower(): value for name, value in self.headers.items()})
            fake.paths.append(self.path)
            script = fake.scripts[min(len(fake.bodies), len(fake.scripts)) - 1]
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                script(self)

        def log_message(self, *_: Any) -> None:
            """Nothing is logged."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    fake = FakeModel(f"http://127.0.0.1:{http.server_address[1]}/v1")
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield fake
    http.shutdown()
    http.server_close()
    thread.join()


def status(code: int, body: str = "{}", **headers: str) -> Script:
    """Refuse with an HTTP status."""

    def run(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body.encode())

    return run


def raw(data: bytes) -> Script:
    """Answer with these bytes."""

    def run(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        handler.wfile.write(data)

    return run


def event(text: str, finish: str | None = None) -> bytes:
    """One event of a stream."""
    data = {"choices": [{"delta": {"content": text} if text else {}, "finish_reason": finish}]}
    return f"data: {json.dumps(data)}\n\n".encode()


def reply(text: str, *, whole: bool = True, piece: int = 7) -> Script:
    """Stream a text in small pieces; without its end where it is not `whole`."""
    pieces = [event(text[at : at + piece]) for at in range(0, len(text), piece)]
    return raw(b"".join([b": hello\n\n", *pieces, *([event("", "stop"), b"data: [DONE]\n\n"] if whole else [])]))


@pytest.fixture
def answered(tmp_path: Path, server: FakeModel) -> Callable[..., Any]:
    """Ask the project a question that a scripted model answers: ``answered(script, ..., question=...)``."""

    def run(*scripts: Script, question: str = "how is the back-off delay computed", **options: Any) -> Any:
        server.scripts[:] = scripts
        files = options.pop("files", FILES)
        settings = {"llm.endpoint": server.address, "llm.model": "tiny", "llm.timeout_s": 5.0}
        settings |= options.pop("settings", {})
        with make(tmp_path, files, **settings) as index:
            return index.ask(question, **options)

    return run
