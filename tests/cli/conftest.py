"""A stand-in for the engine, and a way to run the program in this process."""

from __future__ import annotations

import io
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from fourfold.config.settings import Settings
from fourfold.interfaces.cli.main import run
from fourfold.model.report import Check, PathStatus, Progress, RefreshPlan, RefreshReport, Status
from fourfold.model.result import GrepLine, GrepResult, Meta, QueryInfo, ResultItem, SearchResult, Why

RETRY = '''def backoff_delay(attempt: int, base: float = 0.5) -> float:
    """Exponential back-off with full jitter."""
    if attempt < 0:
        raise ValueError(attempt)

    spread = base * 2**attempt
    return min(60.0, random.uniform(0, spread))'''


def an_item(rank: int = 1, path: str = "src/net/retry.py", **changes: Any) -> ResultItem:
    """A result about retries."""
    values: dict[str, Any] = {
        "rank": rank,
        "path": path,
        "start_line": 41,
        "end_line": 47,
        "language": "python",
        "kind": "function",
        "symbol": "backoff_delay",
        "signature": "def backoff_delay(attempt: int, base: float = 0.5) -> float",
        "score": 0.031,
        "snippet": RETRY,
        "matched_lines": (42, 47),
        "why": Why({"semantic": 1, "text": 3}, {"semantic": 0.5, "text": 0.2}, (("definition", 1.5),), "rrf"),
    }
    return ResultItem(**{**values, **changes})


def a_result(*items: ResultItem, text: str = "where is the retry back-off computed", **meta: Any) -> SearchResult:
    """An answer holding `items`."""
    state = {"indexed_commit": "9bfd0c7aa", "live_commit": "9bfd0c7aa", "branch": "main", "dirty_files": 2}
    info = QueryInfo(text, "understand_code", 0.75, rule="how or why")
    return SearchResult(info, items, Meta(took_ms=4.2, **{"fusion_strategy": "weighted_rrf", **state, **meta}))


def a_grep(*items: GrepLine, pattern: str = "x", **meta: Any) -> GrepResult:
    """Matching lines."""
    return GrepResult(pattern, items, len({item.path for item in items}), Meta(**meta))


@dataclass
class FakeEngine:
    """What the stand-in answers, and what it was asked."""

    root: Path
    search: SearchResult = field(default_factory=a_result)
    grep: GrepResult = field(default_factory=a_grep)
    status: Status = field(default_factory=lambda: Status("/repo", "/cache/x", exists=True))
    path_status: PathStatus = field(default_factory=lambda: PathStatus("a.py", "indexed"))
    report: RefreshReport = field(default_factory=RefreshReport)
    plan: RefreshPlan = field(default_factory=RefreshPlan)
    checks: list[Check] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)
    raises: BaseException | None = None
    progress: list[Progress] = field(default_factory=list)
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def last(self, name: str) -> dict[str, Any]:
        """The arguments of the last call of that name."""
        return [arguments for called, arguments in self.calls if called == name][-1]

    def answer(self, name: str, value: Any, progress: Callable[[Progress], None] | None = None, **asked: Any) -> Any:
        """Note a call and answer it."""
        self.calls.append((name, asked))
        for moment in self.progress:
            if progress is not None:
                progress(moment)
        if self.raises is not None:
            raise self.raises
        return value


def _fake_index(engine: FakeEngine) -> type:
    """A class with the engine's methods that answers from `engine`."""

    class Index:
        def __init__(self, settings: Settings) -> None:
            self.settings = settings
            self.root = engine.root
            self.location = engine.root / "no-index-here"

        @classmethod
        def open(cls, path: Any = ".", *, root: Any = None, settings: Any = None, allow_wide: bool = False) -> Index:
            engine.answer("open", None, path=path, root=root, settings=settings, allow_wide=allow_wide)
            return cls(settings)

        def __enter__(self) -> Index:
            return self

        def __exit__(self, *_: object) -> None:
            engine.calls.append(("close", {}))

        def search(self, query: str, **asked: Any) -> SearchResult:
            return engine.answer("search", engine.search, query=query, **asked)

        def grep(self, pattern: str, **asked: Any) -> GrepResult:
            return engine.answer("grep", engine.grep, pattern=pattern, **asked)

        def refresh(self, **asked: Any) -> RefreshReport:
            return engine.answer("refresh", engine.report, **asked)

        def plan(self) -> RefreshPlan:
            return engine.answer("plan", engine.plan)

        def status(self) -> Status:
            return engine.answer("status", engine.status)

        def status_of(self, path: str) -> PathStatus:
            return engine.answer("status_of", engine.path_status, path=path)

        def doctor(self, **_: Any) -> list[Check]:
            return engine.answer("doctor", engine.checks)

        def repair(self, **_: Any) -> list[str]:
            return engine.answer("repair", engine.repaired)

        def clear(self) -> None:
            engine.answer("clear", None)

    return Index


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small repository as the working directory, with a private cache and no user file."""
    root = tmp_path / "repo"
    for name in ("src/net/retry.py", "src/net/client.py", "app/[slug]/page.tsx", "README.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x\n")
    (root / ".git").mkdir()
    (tmp_path / "user.toml").write_text("")
    monkeypatch.setenv("FOURFOLD_CONFIG", str(tmp_path / "user.toml"))
    monkeypatch.setenv("FOURFOLD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def engine(repo: Path, monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    """The stand-in, in place of ``fourfold.engine``."""
    fake = FakeEngine(repo.resolve())
    module = types.ModuleType("fourfold.engine")
    module.Index = _fake_index(fake)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "fourfold.engine", module)
    return fake


@dataclass(frozen=True)
class Ran:
    """What a run printed and how it ended."""

    code: int
    out: str
    err: str


class Stream(io.TextIOWrapper):
    """A text stream over memory, a terminal if told so."""

    def __init__(self, tty: bool, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding=encoding, newline="\n", write_through=True)
        self._tty = tty

    def isatty(self) -> bool:
        return self._tty

    def text(self) -> str:
        """Everything written so far."""
        self.flush()
        raw = self.buffer
        assert isinstance(raw, io.BytesIO)
        return raw.getvalue().decode(self.encoding)


Fourfold = Callable[..., Ran]


@pytest.fixture
def fourfold(monkeypatch: pytest.MonkeyPatch) -> Fourfold:
    """Run the program with arguments; ``tty=True`` on a terminal, ``columns`` wide."""

    def call(*arguments: str, tty: bool = False, columns: int = 100, encoding: str = "utf-8") -> Ran:
        out, err = Stream(tty, encoding), Stream(tty, encoding)
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            if tty:
                patch.setenv("COLUMNS", str(columns))
                patch.setenv("TERM", "xterm-256color")
                patch.delenv("NO_COLOR", raising=False)
            return Ran(run(arguments), out.text(), err.text())

    return call


@pytest.fixture
def made() -> types.SimpleNamespace:
    """Makers of answers: ``made.item(...)``, ``made.result(...)``, ``made.grep(...)``."""
    return types.SimpleNamespace(item=an_item, result=a_result, grep=a_grep)
