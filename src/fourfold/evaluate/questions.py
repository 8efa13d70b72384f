"""Questions of one's own: a file of JSON lines, every fault of which is told with its line.

::

    {"id": "retry", "question": "where is the back-off computed", "targets": ["src/net/retry.py:41-63"]}
    {"id": "sign", "question": "who checks signatures", "targets": [{"symbol": "Token.verify"}], "tags": ["auth"]}

A target is a file (``src/app.py``), lines of one (``src/app.py:10``, ``src/app.py:10-20``), or an object with ``path``
and ``start_line``, ``end_line``, or with ``symbol`` (and ``path`` where several files define it). Paths are relative to
the root. ``id`` and ``targets`` are needed, ``intent`` and ``tags`` are not.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from fourfold.config.option import nearest, shown
from fourfold.evaluate.question import Question, Target
from fourfold.evaluate.targets import Known, Refused, target_of
from fourfold.model.errors import UsageError
from fourfold.model.query import INTENTS, MAX_QUERY_CHARS

KEYS = ("id", "question", "targets", "intent", "tags")
MAX_BYTES = 50_000_000
MAX_TOLD = 5
"""Further faults that are told besides the first."""


def read_questions(path: Path, known: Known) -> tuple[Question, ...]:
    """The questions of a file, their targets looked up in `known`.

    Raises UsageError with the first fault and its line; further ones are in the hint.
    """
    faults: list[str] = []
    found: list[Question] = []
    lines: dict[str, int] = {}
    for number, line in enumerate(_text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            question = _question(line, known)
            if question.id in lines:
                raise Refused(f"the id {shown(question.id)} was given on line {lines[question.id]} already")
        except Refused as fault:
            faults.append(f"line {number}: {fault}")
            continue
        lines[question.id] = number
        found.append(question)
    if faults:
        more = len(faults) - 1 - MAX_TOLD
        rest = "; ".join(faults[1 : 1 + MAX_TOLD]) + (f"; and {more:,} more" if more > 0 else "")
        raise UsageError(f"{path.name}, {faults[0]}", hint=rest or "correct that line")
    if not found:
        raise UsageError(f"{path.name} holds no question", hint='{"id": "1", "question": "...", "targets": ["a.py:3"]}')
    return tuple(found)


def write_questions(path: Path, questions: Iterable[Question]) -> None:
    """Write questions as :func:`read_questions` reads them. Raises UsageError where the file cannot be written."""
    lines = [json.dumps(_record(question), ensure_ascii=False) + "\n" for question in questions]
    try:
        path.write_text("".join(lines), encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}", hint="choose another place") from None


def _record(question: Question) -> dict[str, Any]:
    record: dict[str, Any] = {"id": question.id, "question": question.text}
    record["targets"] = [_written(target) for target in question.targets]
    if question.intent:
        record["intent"] = question.intent
    if question.tags:
        record["tags"] = list(question.tags)
    return record


def _written(target: Target) -> dict[str, Any]:
    if target.start_line is None:
        return {"path": target.path}
    return {"path": target.path, "start_line": target.start_line, "end_line": target.end_line}


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:  # a pipe has no size, and a device no end
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", hint="name a file of JSON lines") from None
    if len(data) > MAX_BYTES:
        raise UsageError(f"{path.name} is larger than {MAX_BYTES:,} bytes", hint="is it a file of questions?")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{path.name}, line {line}: this is not UTF-8 text", hint="save it as UTF-8") from None


def _question(line: str, known: Known) -> Question:
    record = _object(line)
    for key in record:
        if key not in KEYS:
            near = nearest(key, KEYS)
            raise Refused(f"there is no key {shown(key)}" + (f"; did you mean {near}?" if near else ""))
    name = record.get("id")
    if isinstance(name, int) and not isinstance(name, bool):
        name = str(name)
    if not isinstance(name, str) or not name.strip():
        raise Refused("the id is missing" if name is None else f"the id must be a text, not {shown(name)}")
    text = record.get("question")
    if not isinstance(text, str) or not text.strip():
        raise Refused("the question is missing or empty")
    if len(text) > MAX_QUERY_CHARS:
        raise Refused(f"the question is longer than {MAX_QUERY_CHARS:,} characters")
    return Question(name, text.strip(), _targets(record.get("targets"), known), _intent(record), _tags(record))


def _object(line: str) -> Mapping[str, Any]:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise Refused(f"broken JSON at column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise Refused("broken JSON: it is nested too deeply") from None
    if not isinstance(record, dict):
        raise Refused(f"a question must be an object, not {shown(record)}")
    return record


def _targets(value: Any, known: Known) -> tuple[Target, ...]:
    if value is None or value == []:
        raise Refused("the targets are missing: name at least one file, line range or symbol")
    listed = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(target for one in listed for target in target_of(one, known)))


def _intent(record: Mapping[str, Any]) -> str:
    intent = record.get("intent") or ""
    if intent and intent not in INTENTS:
        raise Refused(f"there is no intent {shown(intent)}; intents are {', '.join(INTENTS)}")
    return str(intent)


def _tags(record: Mapping[str, Any]) -> tuple[str, ...]:
    tags = record.get("tags") or []
    if not isinstance(tags, list) or not all(isinstance(tag, str) and tag for tag in tags):
        raise Refused(f"tags must be a list of texts, not {shown(tags)}")
    return tuple(tags)
