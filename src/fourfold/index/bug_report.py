"""What helps to understand a fault, and nothing that is anybody's own: no path, name, address, question or code."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Sequence
from importlib import metadata
from typing import TYPE_CHECKING

from fourfold import __version__
from fourfold.model.counting import count
from fourfold.model.errors import FourfoldError
from fourfold.model.report import Check, Status

if TYPE_CHECKING:
    from fourfold.config.settings import Settings

PRIVATE = ("root", "cache folder", "permissions", "provider", "git", "helper", "ranking")
"""Checks whose detail tells of the machine or its user; only whether they passed is told."""
_PLACE = re.compile(r"""[^\s'",;()]*[/\\][^\s'",;()]*""")
_DIGITS = re.compile(r"(?<![\w.])\d{5,}(?![\w.])")


def bug_report(checks: Sequence[Check], settings: Settings, status: Status | FourfoldError) -> str:
    """Markdown to be pasted into a report. `status` is an error where the index cannot be read.

    Of settings those are told that are not the default; the value only where it is a number, a switch or one of a
    fixed choice. Names of languages and reasons are the program's own.
    """
    parts = [
        ("Program", [f"fourfold {__version__}", *_packages()]),
        ("Machine", _machine()),
        ("Settings that are not the default", _changed(settings)),
        ("Index", _index(status)),
        ("Checks", [_checked(check) for check in checks]),
    ]
    return "\n\n".join(f"### {title}\n\n" + "\n".join(f"- {line}" for line in lines) for title, lines in parts if lines)


def without_places(text: str) -> str:
    """A text without paths, addresses and process numbers."""
    return _DIGITS.sub("...", _PLACE.sub("...", text))


def _packages() -> list[str]:
    """What the program needs, at the versions that are installed."""
    required = metadata.requires("fourfold") or []
    names = sorted({re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0] for line in required if "extra ==" not in line})
    return [f"{name} {_installed(name)}" for name in names]


def _installed(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "missing"


def _machine() -> list[str]:
    import sqlite3

    told = [
        f"Python {platform.python_version()} ({sys.implementation.name})",
        f"{platform.system()} {platform.release()}, {platform.machine()}, {os.cpu_count()} processors",
        f"SQLite {sqlite3.sqlite_version}",
        f"names of files in {sys.getfilesystemencoding()}",
    ]
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        told.append(f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 1e9:.0f} GB of memory")
    return told


def _changed(settings: Settings) -> list[str]:
    from fourfold.config.settings import flatten, options

    told = []
    for key, value in flatten(settings).items():
        option = options()[key]
        if value != option.default:
            plain = isinstance(value, (bool, int, float)) or value in option.choices
            told.append(f"{key} = {value}" if plain else f"{key} is set")
    return told


def _index(status: Status | FourfoldError) -> list[str]:
    if isinstance(status, FourfoldError):
        return [f"{status.code} {without_places(status.message)}"]
    if not status.exists:
        return ["none"]
    model = without_places(status.model.partition("/")[0])
    return [
        f"format {status.format_version}, generation {status.generation}, model {model}",
        f"{count(status.files, 'file')}, {count(status.chunks, 'chunk')} ({status.dead_chunks:,} dead), "
        f"{count(status.symbols, 'symbol')}, {count(status.lines, 'line')}, {count(status.segments, 'segment')}, "
        f"{status.bytes_on_disk / 1e6:.1f} MB",
        "languages: " + _counted(status.languages),
        "skipped: " + _counted(status.skipped),
        f"behind the tree by {count(status.stale_files, 'file')}",
    ]


def _counted(numbers: dict[str, int]) -> str:
    largest = sorted(numbers.items(), key=lambda one: (-one[1], one[0]))
    return ", ".join(f"{name} {number:,}" for name, number in largest) or "none"


def _checked(check: Check) -> str:
    name = check.name.rpartition(": ")[2]  # before it: the name of a service
    told = f"{'ok' if check.ok else 'failed'}: {name}"
    shown = check.detail and name not in PRIVATE
    return f"{told}: {without_places(check.detail)}" if shown else told
