"""What a person sees of a configured model: index, status, doctor, config; and what programs get."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.embed.provider_server import DIMENSION, EmbeddingServer, send

KEY = "sk-very-secret-77"


@dataclass
class Ran:
    code: int
    out: str
    err: str


class Person:
    """Someone whose configuration names the server."""

    def __init__(self, folder: Path, server: EmbeddingServer) -> None:
        self.folder = folder
        self.root = folder / "project"
        self.root.mkdir()
        for name in ("alpha", "beta", "gamma"):
            (self.root / f"{name}.py").write_text(f"def {name}_way(value):\n    return value\n")
        (folder / "config.toml").write_text(
            f'[embedding]\nprovider = "voyage"\nendpoint = "{server.address}/v1"\nmodel = "tiny-code"\n'
            f'key_env = "MY_KEY"\ndimension = {DIMENSION}\n'
        )

    def run(self, *arguments: str, **environ: str) -> Ran:
        mine = {
            "FOURFOLD_CONFIG": str(self.folder / "config.toml"),
            "FOURFOLD_CACHE_DIR": str(self.folder / "cache"),
            "MY_KEY": KEY,
        }
        ran = subprocess.run(
            [sys.executable, "-m", "fourfold.interfaces.cli.main", "-v", "-C", str(self.root), *arguments],
            env=os.environ | mine | environ,
            capture_output=True,
            text=True,
        )
        assert KEY not in ran.stdout + ran.stderr, "whatever happens, the key is not told"
        return Ran(ran.returncode, ran.stdout, ran.stderr)


@pytest.fixture
def person(tmp_path: Path, server: EmbeddingServer) -> Person:
    return Person(tmp_path, server)


def test_index_status_and_doctor_name_the_model(person: Person, server: EmbeddingServer) -> None:
    ran = person.run("index", "--gpu")
    assert (ran.code, "embedded 3 chunks" in ran.err) == (0, True)
    assert {headers["authorization"] for headers in server.headers} == {f"Bearer {KEY}"}
    status = person.run("status")
    assert f"tiny-code (voyage), {DIMENSION} dimensions" in status.out
    assert f"3 of 3 chunks; code is sent to {server.address}/v1" in status.out
    told: dict[str, Any] = json.loads(person.run("status", "--json").out)["vectors"]
    assert (told["provider"], told["made"], told["missing"], told["dimension"]) == ("voyage", 3, 0, DIMENSION)
    doctor = person.run("doctor")
    assert doctor.code == 0
    assert "ok      provider" in doctor.out
    assert "licence unknown; code is sent to" in doctor.out


def test_a_fault_is_one_sentence_exit_code_5_and_everything_else_works(person: Person, server: EmbeddingServer) -> None:
    server.always = send({"error": f"wrong key {KEY}"}, code=401)
    ran = person.run("index", "--json")
    assert ran.code == 5
    assert "tiny-code answered with HTTP 401; the server does not accept the key" in ran.err
    assert "Traceback" not in ran.err
    report = json.loads(ran.out)
    assert (report["added"], report["vectors"], "401" in report["fault"]) == (3, 0, True)
    found = person.run("search", "alpha way", "--json")
    assert found.code == 0
    assert "bundled model answers" in json.loads(found.out)["meta"]["degraded"]
    doctor = person.run("doctor")
    assert doctor.code == 1
    assert "failed  provider" in doctor.out


def test_offline_is_said_and_nothing_is_sent(person: Person, server: EmbeddingServer) -> None:
    ran = person.run("index", FOURFOLD_OFFLINE="1")
    assert (ran.code, "offline: the embedding model tiny-code is not asked" in ran.err) == (5, True)
    assert server.bodies == []


def test_a_missing_key_is_said_by_its_name(person: Person, server: EmbeddingServer) -> None:
    ran = person.run("index", MY_KEY="")
    assert (ran.code, "the variable MY_KEY" in ran.err) == (5, True)
    assert server.bodies == []


def test_a_wrong_setting_stops_before_anything_is_indexed(person: Person) -> None:
    ran = person.run("index", FOURFOLD_EMBEDDING_PROVIDER="voyager")
    assert (ran.code, "voyage" in ran.err) == (2, True)
    ran = person.run("index", FOURFOLD_EMBEDDING_OUTPUT="binary", FOURFOLD_EMBEDDING_PROVIDER="cohere")
    assert (ran.code, "no binary vectors" in ran.err) == (2, True)
    assert person.run("status").code == 3, "there is no index yet"
