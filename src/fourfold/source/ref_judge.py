"""The judge of a commit's entries: the walk's own judgment where everything is tracked and nothing lies on a disk."""

from __future__ import annotations

from collections.abc import Callable, Container

from fourfold.source.found import Skip, WalkOptions
from fourfold.source.gitdir import GitDir
from fourfold.source.ignore import GITIGNORE, RuleSet
from fourfold.source.scope import MAX_IGNORE_BYTES, NOTED, Judge, Repo, Scope

_NOWHERE = GitDir("", "", "", "")


class _Tracked(Repo):
    """A repository that tracks whatever is asked about."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("", "", _NOWHERE)

    def tracks(self, path: str, is_dir: bool) -> bool:
        """Always."""
        return True


class RefJudge(Judge):
    """Judges entries of a commit. `content` gives the bytes of an ignore file at a path."""

    max_bytes = MAX_IGNORE_BYTES

    def __init__(self, options: WalkOptions, content: Callable[[str], bytes]) -> None:
        self.root = ""
        self.options = options
        self.warnings: list[str] = []
        self.basis = ""
        self._read: list[tuple[str, bytes]] = []
        self._fold = False
        self._global: tuple[RuleSet, ...] = ()
        self._repo = _Tracked()
        self._bytes = content

    def start(self, names: Container[str]) -> Scope:
        """The scope of the root."""
        return self.top(_Without(names))

    def within(self, prefix: str, scope: Scope, names: Container[str]) -> Scope:
        """The scope of a folder."""
        if not any(name in names for name in NOTED):
            return scope
        entered = self.enter(prefix, scope, _Without(names))
        return scope if isinstance(entered, Skip) else entered

    def _content(self, path: str) -> bytes:
        return self._bytes(path)[:MAX_IGNORE_BYTES]

    def _git_rules(self, git: GitDir | None) -> tuple[RuleSet, ...]:
        return ()

    def _rules_above(self, git: GitDir) -> tuple[RuleSet, ...]:
        return ()

    def _marker(self, prefix: str, names: Container[str]) -> str:
        return ""


class _Without:
    """Names without those that mean nothing where all is tracked: git's ignore files, and repositories."""

    def __init__(self, names: Container[str]) -> None:
        self._names = names

    def __contains__(self, name: object) -> bool:
        return name not in (GITIGNORE, ".git") and name in self._names
