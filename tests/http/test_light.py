"""What the server needs is loaded by the server alone; how the command refuses what cannot be."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from fourfold.interfaces.cli.main import run

SERVER = ("fastapi", "pydantic", "starlette", "uvicorn", "jinja2", "pygments")
PROBE = """
import sys
from fourfold.interfaces.cli.main import run
code = run(sys.argv[1:])
print([name for name in {names!r} if name in sys.modules], file=sys.stderr)
"""


@pytest.mark.parametrize(
    "arguments", [["--help"], ["serve", "--help"], ["search", "alpha"], ["symbol", "alpha"], ["status"]]
)
def test_the_command_line_never_loads_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("FOURFOLD_EMBEDDING_MODEL", "none")
    (tmp_path / "a.py").write_text("def alpha(): pass\n", encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", PROBE.format(names=SERVER), *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    assert ran.stderr.strip().splitlines()[-1] == "[]", ran.stderr


def test_a_port_that_is_taken_is_said_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run(["-C", str(tmp_path), "serve", "--port", str(port)]) == 2
    assert f"cannot listen on 127.0.0.1, port {port}" in capsys.readouterr().err


def test_a_short_token_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["-C", str(tmp_path), "serve", "--token", "short", "--port", "0"]) == 2
    assert "at least 16" in capsys.readouterr().err
