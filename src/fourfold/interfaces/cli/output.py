"""Results for programs: one JSON object, or one object a line."""

from __future__ import annotations

import json
from dataclasses import asdict, is_dataclass
from typing import Any

from fourfold.interfaces.cli.terminal import Terminal
from fourfold.model.errors import UsageError
from fourfold.model.result import SCHEMA


def print_json(data: Any, terminal: Terminal) -> None:
    """One JSON object, indented where a person watches."""
    terminal.line(_dump(data, terminal, indent=2 if terminal.tty else None))


def print_report(report: Any, terminal: Terminal) -> None:
    """A report dataclass as one JSON object with the schema's name."""
    assert is_dataclass(report) and not isinstance(report, type)
    print_json({"schema": SCHEMA, **asdict(report)}, terminal)


def print_jsonl(data: dict[str, Any], terminal: Terminal) -> None:
    """Each item of ``data["items"]`` on its line, then one line with all the rest (schema, query, meta)."""
    for item in data["items"]:
        terminal.line(_dump(item, terminal))
    terminal.line(_dump({key: value for key, value in data.items() if key != "items"}, terminal))


def one_format(**asked: bool) -> None:
    """Raise :class:`UsageError` where more than one output format is asked for."""
    chosen = [name for name, value in asked.items() if value]
    if len(chosen) > 1:
        raise UsageError(f"--{chosen[0]} and --{chosen[1]} exclude each other", hint="choose one of them")


def _dump(data: Any, terminal: Terminal, indent: int | None = None) -> str:
    """JSON text; escaped to ASCII where the stream could not express it, so that nothing is lost."""
    encoding = (getattr(terminal.stream, "encoding", None) or "utf-8").lower().replace("-", "")
    text = json.dumps(data, ensure_ascii=encoding != "utf8", indent=indent)
    return text if text.isascii() or not _lone_surrogates(text) else json.dumps(data, indent=indent)


def _lone_surrogates(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)
