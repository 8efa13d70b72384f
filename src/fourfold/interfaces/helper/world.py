"""The surroundings of a command: for its time the helper has those of the client, and afterwards its own again."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fourfold.interfaces.helper import wire
from fourfold.interfaces.helper.streams import ClientTerminal, streams
from fourfold.model.record import record


class Elsewhere(Exception):
    """The client's folder is not the one that its path names here."""


@record(frozen=True, slots=True)
class Request:
    """What a client asks, as it came over the wire: its program's name and arguments, environment, folder and the
    folder's device and number, terminal."""

    program: str
    arguments: list[str]
    environment: dict[str, str]
    folder: str
    folder_is: str
    terminal: ClientTerminal

    @classmethod
    def read(cls, frames: wire.Frames) -> Request:
        """The request that follows the greeting. Raises Broken where it is none, TimeoutError where none comes."""
        try:
            program, *arguments = wire.texts_of(frames.expect(wire.ARGUMENTS))
            pairs = (text.partition("=") for text in wire.texts_of(frames.expect(wire.ENVIRONMENT)))
            environment = {name: value for name, _, value in pairs if name}
            folder, folder_is = wire.texts_of(frames.expect(wire.FOLDER))
            terminal = ClientTerminal.of(wire.texts_of(frames.expect(wire.TERMINAL)))
        except (ValueError, LookupError) as error:
            raise wire.Broken(f"no request: {error}") from error
        return cls(program, arguments, environment, folder, folder_is, terminal)


@contextmanager
def world_of(request: Request, send: Callable[[bytes], None]) -> Iterator[None]:
    """Folder, environment, arguments and streams of the client; `send` takes the frames of what is written.

    Raises Elsewhere where the folder is not there.
    """
    before = dict(os.environ)
    kept = sys.argv, sys.stdout, sys.stderr
    try:
        _enter(request)
        _set_environment(request.environment)
        sys.argv = [request.program, *request.arguments]
        sys.stdout, sys.stderr = streams(
            request.terminal,
            lambda data: send(wire.pack(wire.OUTPUT, data)),
            lambda data: send(wire.pack(wire.ERRORS, data)),
        )
        yield
    finally:
        sys.argv, sys.stdout, sys.stderr = kept
        logging.getLogger("fourfold").handlers.clear()  # they write to the client's stream
        _set_environment(before)
        os.chdir("/")


def _enter(request: Request) -> None:
    try:
        os.chdir(request.folder)
        state = os.stat(".")  # noqa: PTH116
    except OSError as error:
        raise Elsewhere(request.folder) from error
    if f"{state.st_dev}:{state.st_ino}" != request.folder_is:
        raise Elsewhere(request.folder)


def _set_environment(wanted: dict[str, str]) -> None:
    """Make the environment equal to `wanted`, and forget what was worked out from the one before."""
    from fourfold.source.gitrun import git_program

    changed = {name for name in os.environ.keys() | wanted.keys() if os.environ.get(name) != wanted.get(name)}
    for name in changed:
        if name in wanted:
            os.environ[name] = wanted[name]
        else:
            del os.environ[name]
    if "TZ" in changed and hasattr(time, "tzset"):
        time.tzset()
    if "PATH" in changed:
        git_program.cache_clear()
