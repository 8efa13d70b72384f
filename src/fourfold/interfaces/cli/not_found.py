"""What is said where neither a file nor a symbol is called as asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.structure import no_symbol


def not_found(session: Session, asked: str, near: Sequence[str], options: dict[str, Any], said: str = "") -> int:
    """Say that there is no such file where the name is a path to source, else that no symbol has it; returns the exit
    code. `said` is what the answer says of its filters."""
    from fourfold.syntax.languages.detect import language_of

    if "/" not in asked or not PurePath(asked).suffix or not language_of(asked):
        return no_symbol(session, asked, near, options, said)
    if _exists(session, asked):
        session.warn(f"{asked[:200]} is not indexed")
        session.note(f"why: fourfold status {asked[:200]}")
    else:
        session.warn(f"no such file: {asked[:200]}")
    return 1


def _exists(session: Session, asked: str) -> bool:
    try:
        return any((base / asked).is_file() for base in (session.directory, session.found_root()))
    except (OSError, ValueError):  # too long, or no path at all
        return False
