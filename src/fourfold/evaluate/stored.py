"""Reports that were made before, newest first: what a page or a command can list and show."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fourfold.config.whole_file import replace_text
from fourfold.evaluate.places import reports_dir
from fourfold.evaluate.report import VERSION
from fourfold.model.errors import UsageError

KEPT = 50
"""Reports kept of one repository; older ones are deleted."""
MAX_BYTES = 50_000_000
_ID = re.compile(r"[0-9]{8}T[0-9]{6}-[0-9a-f]{6}")


@dataclass(frozen=True, slots=True)
class Listed:
    """One stored report in brief. `created` is ISO 8601 in UTC; `ndcg` is NDCG@10 of the first configuration with its
    95 % interval."""

    id: str
    created: str
    source: str
    questions: int
    configurations: tuple[str, ...]
    ndcg: tuple[float, float, float]
    gates_met: bool


def save_report(location: Path, report: dict[str, Any]) -> str:
    """Store a report beside the index at `location` and return its id. Raises OSError where that cannot be written."""
    folder = reports_dir(location)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    timeless = {key: value for key, value in report.items() if key != "times"}
    digest = hashlib.blake2b(json.dumps(timeless, sort_keys=True).encode(), digest_size=3).hexdigest()
    stamp = re.sub(r"[-:]|\..*|\+.*", "", str(report["times"]["created"]))
    name = f"{stamp}-{digest}"
    path = folder / f"{name}.json"
    replace_text(path, json.dumps(report, ensure_ascii=False, indent=1) + "\n")
    for old in _files(location)[KEPT:]:
        with contextlib.suppress(OSError):
            old.unlink()
    return name


def list_reports(location: Path) -> list[Listed]:
    """The stored reports of the index at `location`, newest first; files that cannot be read are left out."""
    found = []
    for path in _files(location):
        with contextlib.suppress(OSError, ValueError, KeyError, IndexError, TypeError):
            found.append(_listed(path.stem, _read(path)))
    return found


def load_report(location: Path, name: str) -> dict[str, Any]:
    """A stored report by its id; "" is the newest. Raises UsageError where there is none."""
    paths = {path.stem: path for path in _files(location)}
    if not paths:
        raise UsageError("no evaluation of this repository is stored", hint="run: fourfold eval")
    path = paths.get(name) if name else next(iter(paths.values()))
    if path is None:
        raise UsageError(f"there is no report {name[:40]!r}", hint="list them: fourfold eval show --list")
    try:
        return _read(path)
    except (OSError, ValueError):
        raise UsageError(f"the report {path.stem} cannot be read", hint="run: fourfold eval") from None


def _files(location: Path) -> list[Path]:
    folder = reports_dir(location)
    if not folder.is_dir():
        return []
    return sorted((path for path in folder.glob("*.json") if _ID.fullmatch(path.stem)), reverse=True)


def _read(path: Path) -> dict[str, Any]:
    if path.stat().st_size > MAX_BYTES:
        raise ValueError("too large")
    report = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(report, dict) or report.get("report") != "evaluation" or report.get("version") != VERSION:
        raise ValueError("no report of this version")
    return report


def _listed(name: str, report: dict[str, Any]) -> Listed:
    first = report["configurations"][0]["metrics"]["ndcg@10"]
    return Listed(
        id=name,
        created=str(report["times"]["created"]),
        source=str(report["questions"]["source"]),
        questions=int(report["questions"]["count"]),
        configurations=tuple(str(one["name"]) for one in report["configurations"]),
        ndcg=(float(first["value"]), float(first["low"]), float(first["high"])),
        gates_met=all(gate["met"] for gate in report["gates"]),
    )
