"""The helper's side, in this process: what it declines, how it is interrupted, what it keeps."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fourfold.interfaces.cli import program
from fourfold.interfaces.helper import answering, place, wire
from fourfold.interfaces.helper.answering import Answering

Talk = Callable[[socket.socket, wire.Frames], None]


@pytest.fixture
def helper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Answering]:
    """One that has answered nothing; the environment of this process is the client's, too."""
    (tmp_path / "user.toml").write_text("")
    monkeypatch.setenv("FOURFOLD_CONFIG", str(tmp_path / "user.toml"))
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("FOURFOLD_HELPER_ENABLED", "1")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.chdir(tmp_path)
    yield Answering()


def request(
    *arguments: str, folder: str | None = None, folder_is: str | None = None, terminal: tuple[str, ...] = ()
) -> bytes:
    """A question as the client sends it."""
    here = folder if folder is not None else str(Path.cwd())
    state = Path.cwd().stat()
    fields = terminal or ("0", "0", "0", "0", "utf-8", "utf-8", "0")
    return b"".join(
        (
            wire.pack(wire.HELLO, place.identity()),
            wire.pack_texts(wire.ARGUMENTS, ["fourfold", *arguments]),
            wire.pack_texts(wire.ENVIRONMENT, [f"{name}={value}" for name, value in os.environ.items()]),
            wire.pack_texts(wire.FOLDER, [here, folder_is or f"{state.st_dev}:{state.st_ino}"]),
            wire.pack_texts(wire.TERMINAL, list(fields)),
        )
    )


def told(helper: Answering, sent: bytes, talk: Talk | None = None) -> list[tuple[bytes, bytes]]:
    """The frames that come back for what a client sends; `talk` is what it does after READY instead of saying go."""
    mine, its = socket.socketpair()
    heard: list[tuple[bytes, bytes]] = []

    def client() -> None:
        frames = wire.Frames(mine)
        mine.sendall(sent)
        try:
            while True:
                heard.append(frames.next())
                if heard[-1][0] == wire.READY:
                    mine.sendall(wire.pack(wire.GO))
                    if talk is not None:
                        talk(mine, frames)
        except (wire.Broken, OSError):
            pass

    thread = threading.Thread(target=client)
    thread.start()
    with its:
        helper.answer(its)
    thread.join()
    mine.close()
    return heard


def kinds(heard: list[tuple[bytes, bytes]]) -> list[bytes]:
    return [kind for kind, _ in heard]


def test_a_command_runs_in_the_clients_world_and_leaves_none_of_it(
    helper: Answering, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen: list[object] = []

    def run(arguments: list[str], kept: object) -> int:
        seen.extend([arguments, Path.cwd(), sys.argv, os.environ["A_VARIABLE"], sys.stdout.isatty()])
        print("result")
        print("note", file=sys.stderr)
        return 1

    monkeypatch.setattr(program, "run", run)
    monkeypatch.setenv("A_VARIABLE", "theirs")
    sent = request("search", "x", terminal=("1", "0", "70", "0", "utf-8", "utf-8", "1"))
    monkeypatch.setenv("A_VARIABLE", "ours")
    before = sys.stdout, sys.stderr, sys.argv
    heard = told(helper, sent)
    assert heard == [
        (wire.READY, b""),
        (wire.OUTPUT, b"result\n"),
        (wire.ERRORS, b"note\n"),
        (wire.EXIT, b"1"),
    ]
    assert seen == [["search", "x"], tmp_path, ["fourfold", "search", "x"], "theirs", True]
    assert (sys.stdout, sys.stderr, sys.argv) == before
    assert os.environ["A_VARIABLE"] == "ours"
    assert Path.cwd() == Path("/")


def test_ctrl_c_interrupts_the_command(helper: Answering, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(arguments: list[str], kept: object) -> int:
        try:
            time.sleep(20)
        except KeyboardInterrupt:
            return 130
        return 0

    monkeypatch.setattr(program, "run", run)
    heard = told(helper, request("search", "x"), lambda mine, _: mine.sendall(wire.pack(wire.INTERRUPT)))
    assert heard[-1] == (wire.EXIT, b"130")


def test_a_client_that_is_gone_interrupts_it_too(helper: Answering, monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[str] = []
    begun = threading.Event()

    def run(arguments: list[str], kept: object) -> int:
        try:
            begun.set()
            time.sleep(20)
        except KeyboardInterrupt:
            ended.append("interrupted")
        print("to nobody")
        return 130

    monkeypatch.setattr(program, "run", run)

    def leave(mine: socket.socket, frames: wire.Frames) -> None:
        begun.wait(10)
        mine.shutdown(socket.SHUT_RDWR)

    told(helper, request("search", "x"), leave)
    assert ended == ["interrupted"]
    assert not helper.is_done()


def test_a_long_command_says_that_it_lives(helper: Answering, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourfold.interfaces.helper.watching.TICK_S", 0.02)

    def run(arguments: list[str], kept: object) -> int:
        time.sleep(0.2)
        return 0

    monkeypatch.setattr(program, "run", run)
    assert wire.TICK in kinds(told(helper, request("search", "x")))


@pytest.mark.parametrize(
    "sent",
    [
        lambda: request("index"),
        lambda: request("search", "--open", "1", "x"),
        lambda: request("search", "x", folder="/nowhere"),
        lambda: request("search", "x", folder="/"),
    ],
    ids=["a command that writes", "one that needs the terminal", "no folder", "another folder"],
)
def test_what_is_declined(helper: Answering, sent: Callable[[], bytes]) -> None:
    assert kinds(told(helper, sent())) == [wire.NO]
    assert not helper.is_done()


@pytest.mark.parametrize(
    "settings",
    [
        'store = "qdrant"\n',
        '[llm]\nendpoint = "http://127.0.0.1:9/v1"\n',
        '[embedding]\nprovider = "ollama"\nmodel = "x"\n',
        "[search]\nlimit = 'many'\n",
    ],
    ids=["a server", "a language model", "another embedding", "faulty settings"],
)
def test_what_asks_others_is_the_commands_own(helper: Answering, settings: str, tmp_path: Path) -> None:
    (tmp_path / "user.toml").write_text(settings)
    assert kinds(told(helper, request("search", "x"))) == [wire.NO]
    assert not helper.is_done()


def test_it_leaves_where_the_user_wants_none(
    helper: Answering, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FOURFOLD_HELPER_ENABLED")
    (tmp_path / "user.toml").write_text("[helper]\nenabled = false\n")
    assert kinds(told(helper, request("search", "x"))) == [wire.LEAVING]
    assert helper.is_done()


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\n\r\n",
        wire.HELLO + b"\xff\xff\xff\xff",
        wire.pack(wire.ARGUMENTS, b"x"),
    ],
    ids=["nothing", "another protocol", "a frame without end", "no greeting"],
)
def test_nonsense_is_dropped(helper: Answering, sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "TALK_S", 0.05)
    assert told(helper, sent) == []
    assert not helper.is_done()


def test_fields_that_are_no_request_are_dropped(helper: Answering) -> None:
    sent = request("search", "x", terminal=("1", "0", "wide", "0", "utf-8", "utf-8", "1"))
    assert told(helper, sent) == []
    assert told(helper, request("search", "x", terminal=("1", "0", "7", "0", "no-encoding", "utf-8", "1"))) == []


def test_above_its_memory_it_closes_indexes_and_then_leaves(helper: Answering, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "run", lambda arguments, kept: 0)
    sizes = iter([900.0, 100.0, 900.0, 900.0])
    monkeypatch.setattr(answering, "_memory_mb", lambda: next(sizes))
    told(helper, request("search", "x"))
    assert not helper.is_done()
    os.chdir(os.environ["FOURFOLD_CACHE_DIR"].removesuffix("/cache"))
    told(helper, request("search", "x"))
    assert helper.is_done()


def test_indexes_stay_open_and_the_oldest_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fourfold.config.settings import build
    from fourfold.engine import kept as keeping
    from fourfold.engine.kept import KeptIndexes

    monkeypatch.setattr(keeping, "MOST", 2)
    kept = KeptIndexes()
    settings = build({"cache_dir": str(tmp_path / "cache"), "embedding.model": "none"})
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.py").write_text(f"def of_{name}():\n    pass\n")
    with kept.open(tmp_path / "a", root=None, settings=settings) as first:
        assert [item.path for item in first.grep("of_a").items] == ["x.py"]
    other = build({"cache_dir": str(tmp_path / "cache"), "embedding.model": "none", "search.limit": 3})
    with kept.open(tmp_path / "a", root=None, settings=other) as again:
        assert again is first
        assert again.settings.search.limit == 3
    lines = build({"cache_dir": str(tmp_path / "cache"), "embedding.model": "none", "index.chunker": "lines"})
    assert kept.open(tmp_path / "a", root=None, settings=lines) is not first
    kept.open(tmp_path / "b", root=None, settings=settings)
    kept.open(tmp_path / "c", root=None, settings=settings)
    assert kept.roots() == [str(tmp_path / "b"), str(tmp_path / "c")]
    kept.clear()
    assert kept.roots() == []
