"""The command's side against helpers that misbehave: nothing is printed twice, nothing is waited for without end."""

from __future__ import annotations

import _socket
import contextlib
import os
import shutil
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fourfold.interfaces.helper import client, place, wire
from fourfold.interfaces.helper.client import ask

QUESTION = ["search", "sessions"]
Script = Callable[[_socket.socket, wire.Frames], None]


class Fake:
    """A helper that does as it is told."""

    def __init__(self, path: Path) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self.heard: list[bytes] = []

    def says(self, script: Script) -> None:
        """Answer the next client: `script` goes on after the request was read."""
        threading.Thread(target=self._serve, args=(script,), daemon=True).start()

    def _serve(self, script: Script) -> None:
        connection, _ = self._listener.accept()
        with connection, contextlib.suppress(wire.Broken, OSError):
            connection.settimeout(10)
            frames = wire.Frames(connection)
            for _ in range(5):
                self.heard.append(frames.next()[0])
            script(connection, frames)

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def helper(monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    folder = Path(tempfile.mkdtemp(prefix="ff"))
    (folder / "helper").mkdir(mode=0o700)
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(folder))
    monkeypatch.setenv("FOURFOLD_HELPER_ENABLED", "1")
    fake = Fake(Path(place.socket(str(folder / "helper"))))
    yield fake
    fake.close()
    shutil.rmtree(folder)


def ready(connection: _socket.socket, frames: wire.Frames) -> None:
    connection.sendall(wire.pack(wire.READY))
    assert frames.next() == (wire.GO, b"")


def answer(*frames: bytes) -> Script:
    """A helper that takes the question and sends these."""

    def script(connection: _socket.socket, heard: wire.Frames) -> None:
        ready(connection, heard)
        for frame in frames:
            connection.sendall(frame)

    return script


OUT, ERR = wire.pack(wire.OUTPUT, b"result\n"), wire.pack(wire.ERRORS, b"note\n")


def test_an_answer_is_printed_in_its_order(helper: Fake, capfd: pytest.CaptureFixture[str]) -> None:
    helper.says(answer(OUT, wire.pack(wire.TICK), ERR, OUT, wire.pack(wire.EXIT, b"1")))
    asked = ask(QUESTION)
    assert (asked.code, asked.start) == (1, False)
    assert capfd.readouterr() == ("result\nresult\n", "note\n")
    assert helper.heard == [wire.HELLO, wire.ARGUMENTS, wire.ENVIRONMENT, wire.FOLDER, wire.TERMINAL]


@pytest.mark.parametrize(
    "script",
    [
        answer(OUT, ERR),
        answer(OUT[:7]),
        answer(wire.pack(wire.EXIT, b"1")[:-1]),
        answer(wire.OUTPUT + (wire.LARGEST + 1).to_bytes(4, "big")),
        lambda connection, frames: connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n"),
        lambda connection, frames: None,
    ],
    ids=["killed in its answer", "in a frame", "in its last frame", "a frame too large", "another program", "at once"],
)
def test_of_one_that_breaks_off_nothing_is_printed(
    helper: Fake, capfd: pytest.CaptureFixture[str], script: Script
) -> None:
    helper.says(script)
    asked = ask(QUESTION)
    assert (asked.code, asked.start) == (None, False)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("said", "start"), [(wire.NO, False), (wire.LEAVING, True)])
def test_one_that_declines(helper: Fake, said: bytes, start: bool) -> None:
    helper.says(lambda connection, frames: connection.sendall(wire.pack(said)))
    asked = ask(QUESTION)
    assert (asked.code, asked.start) == (None, start)


def test_one_that_does_not_say_that_it_is_free(helper: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "READY_S", 0.05)
    helper.says(lambda connection, frames: frames.next() and None)
    assert ask(QUESTION).code is None


def test_one_that_falls_silent(
    helper: Fake, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "SILENT_S", 0.1)

    def script(connection: _socket.socket, frames: wire.Frames) -> None:
        ready(connection, frames)
        connection.sendall(OUT)
        frames.next()

    helper.says(script)
    assert ask(QUESTION).code is None
    assert capfd.readouterr() == ("", "")


def test_an_answer_too_large_to_hold_is_left_to_the_command(
    helper: Fake, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "MOST_HELD", 10)
    helper.says(answer(OUT, OUT, wire.pack(wire.EXIT, b"0")))
    assert ask(QUESTION).code is None
    assert capfd.readouterr() == ("", "")


def test_ctrl_c_is_passed_on_and_its_end_is_printed(helper: Fake, capfd: pytest.CaptureFixture[str]) -> None:
    def script(connection: _socket.socket, frames: wire.Frames) -> None:
        ready(connection, frames)
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)
        assert frames.next() == (wire.INTERRUPT, b"")
        connection.sendall(wire.pack(wire.ERRORS, b"interrupted\n") + wire.pack(wire.EXIT, b"130"))

    helper.says(script)
    assert ask(QUESTION).code == 130
    assert capfd.readouterr() == ("", "interrupted\n")


def test_ctrl_c_ends_the_wait_for_one_that_does_not_end(helper: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "ENDING_S", 0.1)

    def script(connection: _socket.socket, frames: wire.Frames) -> None:
        ready(connection, frames)
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)
        frames.next()
        with contextlib.suppress(OSError):
            frames.next()

    helper.says(script)
    assert ask(QUESTION).code == 130


def test_without_a_helper_one_is_to_be_started(helper: Fake) -> None:
    helper.close()
    asked = ask(QUESTION)
    assert (asked.code, asked.start) == (None, True)


def test_what_is_no_question_is_not_asked(helper: Fake) -> None:
    asked = ask(["index"])
    assert (asked.code, asked.start) == (None, False)


def test_where_there_are_no_unix_sockets_none_is_asked_or_started(
    helper: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "CAN_BE", False)
    asked = ask(QUESTION)
    assert (asked.code, asked.start) == (None, False)
    assert client.connect(os.environ["FOURFOLD_CACHE_DIR"] + "/helper") is None
