"""A helper comes when it is missed, goes when it is of no use, and its end at any moment costs nobody an answer."""

from __future__ import annotations

import os
import re
import signal
import stat
import subprocess
import sys
import time
import types
from pathlib import Path

import pytest
from tests.helper.project import Place

import fourfold
from fourfold.interfaces.helper import control, start
from fourfold.interfaces.helper import place as meeting
from fourfold.interfaces.helper.code import LoadedCode

QUESTION = ("search", "-l", "how are sessions expired")


def test_the_first_question_starts_one_and_the_next_is_answered_by_it(place: Place) -> None:
    first = place.run(*QUESTION, helper=True)
    place.wait_for(lambda: place.told() is not None)
    assert place.run(*QUESTION, helper=True).out == first.out
    assert place.answered() == 1
    state = place.socket.stat()
    assert stat.S_IMODE(state.st_mode) == 0o600
    assert stat.S_IMODE(place.folder.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("arguments", "environ"),
    [
        (("--no-helper", *QUESTION), {}),
        (QUESTION, {"FOURFOLD_HELPER_ENABLED": "0"}),
        (QUESTION, {"FOURFOLD_HELPER_ENABLED": "", "CI": "true"}),
        (("status",), {}),
    ],
    ids=["flag", "variable", "CI", "no question"],
)
def test_none_is_started_unasked(place: Place, arguments: tuple[str, ...], environ: dict[str, str]) -> None:
    place.run(*arguments, helper=True, environ=environ)
    assert not list(place.folder.glob("started*"))


def test_none_is_started_where_the_users_file_says_so(place: Place) -> None:
    (place.root.parent / "user.toml").write_text("[helper]\nenabled = false\n")
    place.run(*QUESTION, helper=True, environ={"FOURFOLD_HELPER_ENABLED": ""})
    assert not list(place.folder.glob("started*"))


def test_one_that_was_killed_is_replaced(place: Place) -> None:
    process = place.helper()
    here = place.run(*QUESTION, helper=True)
    process.kill()
    process.wait()
    assert place.socket.exists()  # of the dead one
    assert place.run(*QUESTION, helper=True).out == here.out
    place.wait_for(lambda: place.told() is not None)


def test_one_that_hangs_costs_half_a_second(place: Place) -> None:
    process = place.helper()
    here = place.run(*QUESTION, helper=True)
    process.send_signal(signal.SIGSTOP)
    try:
        assert place.run(*QUESTION, helper=True).out == here.out
    finally:
        process.send_signal(signal.SIGCONT)
        process.kill()
        process.wait()


def test_of_two_started_at_once_one_stays(place: Place) -> None:
    both = [_spawned(place) for _ in range(2)]
    place.wait_for(lambda: place.told() is not None)
    place.wait_for(lambda: any(process.poll() is not None for process in both))
    assert sorted(process.poll() is None for process in both) == [False, True]
    for process in both:
        process.kill()
        process.wait()


def test_it_leaves_when_idle(place: Place) -> None:
    process = place.helper()
    place.run(*QUESTION, helper=True, environ={"FOURFOLD_HELPER_IDLE_S": "1"})
    process.wait(timeout=20)
    assert process.returncode == 0
    assert not place.socket.exists()


def test_it_leaves_when_told(place: Place) -> None:
    process = place.helper()
    shown = place.run("helper", "status", helper=True)
    assert shown.code == 0
    assert f"process {process.pid}".encode() in shown.out
    checked = place.run("doctor", helper=True).out.decode()
    assert re.search(rf"ok +helper +process {process.pid} ", checked)
    assert place.run("helper", "stop", helper=True).code == 0
    assert process.wait(timeout=20) == 0
    assert place.run("helper", "status", "--json", helper=True).code == 1


def test_it_leaves_for_other_code(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    process = place.helper()
    program = "import fourfold; fourfold.__version__ = '99'; from fourfold.interfaces.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, *QUESTION],
        cwd=place.root,
        env={**place.environ, "FOURFOLD_HELPER_ENABLED": "1"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert process.wait(timeout=20) == 0


def test_code_that_changed_is_noticed(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("code")
    (folder / "a_module_of_a_test.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(str(folder))
    import a_module_of_a_test  # type: ignore[import-not-found]  # noqa: F401

    monkeypatch.setattr(sys, "modules", {"a": sys.modules["a_module_of_a_test"]})
    code = LoadedCode()
    assert code.is_unchanged()
    (folder / "a_module_of_a_test.py").write_text("x = 22\n")
    assert not code.is_unchanged()


def test_a_module_that_a_command_loaded_is_taken_in_before_it_can_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "late.py"
    file.write_text("x = 1\n")
    code = LoadedCode()
    late = types.ModuleType("late_of_a_test")
    late.__file__ = str(file)
    monkeypatch.setitem(sys.modules, "late_of_a_test", late)
    code.take_in()  # as after every command
    file.write_text("x = 22\n")
    assert not code.is_unchanged()


def test_a_folder_that_others_may_enter_is_not_used(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    process = place.helper()
    place.folder.chmod(0o755)
    assert place.told() is None
    assert not start.start(str(place.folder))
    place.folder.chmod(0o700)
    assert place.told() is not None
    process.kill()
    process.wait()


def test_a_helper_is_started_once_in_a_while(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    spawned: list[list[str]] = []
    monkeypatch.setattr(start, "_spawn", spawned.append)
    assert start.start(str(place.folder))
    assert not start.start(str(place.folder))
    long_ago = time.time() - 60
    os.utime(meeting.started(str(place.folder)), (long_ago, long_ago))
    assert start.start(str(place.folder))
    assert len(spawned) == 2


def test_a_cache_too_deep_for_a_socket_has_none(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = place.cache / ("x" * 120)
    assert not start.start(str(deep / "helper"))
    assert not deep.exists()
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(deep))
    assert control.report() is None
    assert not control.stop()


def _spawned(place: Place) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", "-c", "from fourfold.interfaces.helper.server import main; main()", place.folder],
        env={**place.environ, "FOURFOLD_HELPER_ENABLED": "1"},
        cwd=place.root,
    )


def test_two_installations_with_one_cache_have_a_helper_each(place: Place, tmp_path: Path) -> None:
    process = place.helper()
    here = place.run(*QUESTION, helper=True)
    (tmp_path / "fourfold").symlink_to(Path(fourfold.__file__).parent)
    other = {"PYTHONPATH": str(tmp_path)}
    for _ in range(2):
        assert place.run(*QUESTION, helper=True, environ=other).out == here.out
    place.wait_for(lambda: place.run("helper", "status", helper=True, environ=other).code == 0)
    told = place.told()
    assert told is not None
    assert (told["process"], told["answered"]) == (process.pid, 1)
    assert len(list(place.folder.glob("socket-*"))) == 2
    place.run("helper", "stop", helper=True, environ=other)
    assert process.poll() is None
    process.kill()
    process.wait()


def test_an_upgrade_is_the_same_installation_and_another_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    socket, identity = meeting.socket("x"), meeting.identity()
    monkeypatch.setattr(fourfold, "__version__", "99")
    assert meeting.socket("x") == socket
    assert meeting.identity() != identity
    monkeypatch.setattr(sys, "prefix", "/elsewhere")
    assert meeting.socket("x") != socket
