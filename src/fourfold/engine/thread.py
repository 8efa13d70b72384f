"""The thread of questions on the command line: kept beside the index, for a follow-up in the next command."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fourfold.model.answer import MAX_ABOUT, MAX_TURNS, Turn

FILE = "thread.json"
MAX_BYTES = 1_000_000


def load_thread(location: Path) -> tuple[Turn, ...]:
    """The questions asked last on the index at `location`, oldest first; none where nothing was kept."""
    try:
        path = location / FILE
        if path.stat().st_size > MAX_BYTES:
            return ()
        return turns_of(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, RecursionError):
        return ()


def save_thread(location: Path, thread: Sequence[Turn]) -> None:
    """Keep the last questions, readable by their owner only; where the folder cannot be written nothing is kept."""
    data = [{"question": turn.question, "about": list(turn.about)} for turn in thread[-MAX_TURNS:]]
    aside = location / f"{FILE}.{os.getpid()}"
    try:
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            json.dump(data, out)
        aside.replace(location / FILE)
    except OSError:
        aside.unlink(missing_ok=True)


def clear_thread(location: Path) -> None:
    """Forget the questions asked on the index at `location`."""
    (location / FILE).unlink(missing_ok=True)


def turns_of(data: Any) -> tuple[Turn, ...]:
    """Turns out of what a file or a request holds: what is none is left out, the newest ten stay."""
    found = []
    for one in data if isinstance(data, list) else ():
        question, about = (one.get("question"), one.get("about")) if isinstance(one, dict) else (None, None)
        if isinstance(question, str) and isinstance(about, list):
            found.append(Turn(question, tuple(name for name in about if isinstance(name, str))[:MAX_ABOUT]))
    return tuple(found[-MAX_TURNS:])
