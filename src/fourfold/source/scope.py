"""The judge of a tree: whether an entry of a folder is kept, folder by folder from the root down.

Walking a tree and asking about one path both go through :class:`Judge`, so they cannot disagree. The order of
judgment:

1. folders of version control are never entered;
2. the options' ``exclude`` and ``include``, then ``.fourfoldignore`` files from the deepest up: the first
   that speaks decides, for tracked files too;
3. git's ignore files from the deepest up, ``.git/info/exclude``, the global excludes file; then default
   exclusions (hidden folders, caches, virtual environments). What these drop is kept where git tracks it.
"""

from __future__ import annotations

import hashlib
import os
from bisect import bisect_left
from collections.abc import Container
from pathlib import Path

from fourfold.model.record import record
from fourfold.source import policy
from fourfold.source.found import EXCLUDED, HIDDEN, IGNORED, NESTED_REPO, NESTED_WORKTREE, Skip, WalkOptions
from fourfold.source.git import index_key, tracked
from fourfold.source.gitconfig import excludes_file, ignores_case
from fourfold.source.gitdir import SUBMODULE, WORKTREE, GitDir, find_gitdir, open_gitdir
from fourfold.source.ignore import GITIGNORE, OWN_IGNORE, RuleSet, parse, parse_line, refuse_everything
from fourfold.source.small import read_linked, read_small

MAX_IGNORE_BYTES = 2 << 20
NOTED = frozenset({GITIGNORE, OWN_IGNORE, ".git", *policy.DIR_MARKERS})
"""Names that change what holds in their folder; without any of them :meth:`Judge.enter` changes nothing."""


@record(frozen=True, slots=True)
class Drop:
    """Why an entry is left out. A `final` one holds for tracked files too."""

    reason: str
    detail: str
    final: bool = False


class Repo:
    """The repository that a part of the tree belongs to; `prefix` is where that part begins ("" or
    "vendor/lib/")."""

    __slots__ = ("_names", "_prefix", "_root", "git")

    def __init__(self, root: str, prefix: str, git: GitDir) -> None:
        self._root = os.path.join(root, prefix) if prefix else root  # noqa: PTH118
        self._prefix = len(prefix)
        self.git = git
        self._names: tuple[str, ...] | None = None

    def tracks(self, path: str, is_dir: bool) -> bool:
        """True for a tracked file, a folder with something tracked below it, and a submodule's folder."""
        if self._names is None:
            self._names = tracked(Path(self._root), self.git)
        names, name = self._names, path[self._prefix :]
        at = bisect_left(names, name)
        if at < len(names) and names[at] == name:
            return True
        if not is_dir:
            return False
        at = bisect_left(names, name + "/")
        return at < len(names) and names[at].startswith(name + "/")


@record(frozen=True, slots=True)
class Scope:
    """What holds inside a folder; folders that add nothing share the scope of the one above.

    `own` and `git` are rule sets, strongest first; `drop` is what everything inside inherits unless a rule or
    git's tracking saves it.
    """

    own: tuple[RuleSet, ...]
    git: tuple[RuleSet, ...]
    repo: Repo | None
    drop: Drop | None = None
    forced: bool = False


class Judge:
    """Judges entries under one root. Holds no state of any other root, and none beyond one walk."""

    def __init__(self, root: str, options: WalkOptions) -> None:
        self.root = root
        self.options = options
        self.warnings: list[str] = []
        self._read: list[tuple[str, bytes]] = []
        git = find_gitdir(root)
        self._fold = ignores_case(git)
        self._global = self._global_rules(git)
        self._repo = Repo(root, "", git) if git else None
        keys = (options, policy.POLICY_VERSION, self._fold, git and (git.own, index_key(git)))
        self.basis = hashlib.blake2b(repr(keys).encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()

    @property
    def reads(self) -> tuple[tuple[str, bytes], ...]:
        """Every ignore file that has been read so far, in this order, and what it holds."""
        return tuple(self._read)

    @property
    def fingerprint(self) -> str:
        """Stands for the options, the tracked names and every ignore file that has been read so far."""
        digest = hashlib.blake2b(digest_size=12)
        for name, content in sorted(self._read):
            digest.update(f"{name}\0{len(content)}\0".encode("utf-8", "surrogateescape"))
            digest.update(content)
        return f"{self.basis}-{digest.hexdigest()}"

    def top(self, names: Container[str]) -> Scope:
        """The scope of the root, which holds `names`."""
        own = (self._option_rules(),) if self.options.include or self.options.exclude else ()
        rules = self._git_rules(self._repo.git if self._repo else None)
        if self._repo is not None:
            rules = self._rules_above(self._repo.git) + rules
        return self._with_files("", Scope(own, rules, self._repo), names)

    def enter(self, prefix: str, scope: Scope, names: Container[str]) -> Scope | Skip:
        """The scope of a folder that holds `names`, with its own ignore files and markers; or a skip.

        `prefix` is the folder's path with a final slash, `scope` what :meth:`folder` said of it.
        """
        path = prefix[:-1]
        repo = scope.repo
        inside = open_gitdir(os.path.join(self.root, path)) if ".git" in names else None  # noqa: PTH118
        if inside is not None:
            if inside.kind == WORKTREE:
                return Skip(path, NESTED_WORKTREE, f"its .git file leads to {os.path.basename(inside.own)}")  # noqa: PTH119
            # A folder that is tracked by its own name is a submodule, whatever form its .git has.
            is_link = repo is not None and repo.tracks(path, False)
            if inside.kind != SUBMODULE and not is_link and not self.options.nested_repos:
                return Skip(path, NESTED_REPO, "it has a .git folder of its own")
            self._read.append((f"{path}/.git/index", index_key(inside).encode()))
            drop = None if is_link else scope.drop
            scope = Scope(scope.own, self._git_rules(inside), Repo(self.root, prefix, inside), drop, scope.forced)
        marked = "" if scope.drop or scope.forced else self._marker(prefix, names)
        if marked:
            scope = Scope(scope.own, scope.git, scope.repo, Drop(EXCLUDED, marked))
        return self._with_files(prefix, scope, names)

    def folder(self, scope: Scope, name: str, path: str) -> Scope | Drop:
        """The scope of a folder to descend into (before :meth:`enter`), or why it is pruned."""
        if name in policy.VCS_DIRS:
            return Drop(EXCLUDED, "a folder of version control", True)
        drop, forced = self._judge(scope, name, path, True)
        if drop is None:
            if scope.drop is None and scope.forced is forced:
                return scope
            return Scope(scope.own, scope.git, scope.repo, None, forced)
        tracked_below = not drop.final and scope.repo is not None and scope.repo.tracks(path, True)
        if tracked_below or any(rules.opens(path, name) for rules in scope.own):
            return Scope(scope.own, scope.git, scope.repo, drop)
        return drop

    def file(self, scope: Scope, name: str, path: str) -> Drop | None:
        """Why a file (or link) is left out by rule, or None."""
        if name == ".git":
            return Drop(EXCLUDED, "the link of a work tree or submodule to its repository", True)
        drop, _ = self._judge(scope, name, path, False)
        if drop is None or (not drop.final and scope.repo is not None and scope.repo.tracks(path, False)):
            return None
        return drop

    def _judge(self, scope: Scope, name: str, path: str, is_dir: bool) -> tuple[Drop | None, bool]:
        """(drop or None, whether one of our own rules asked for the entry)."""
        for rules in scope.own:
            rule = rules.match(path, name, is_dir)
            if rule is not None:
                return (None, True) if rule.negated else (Drop(IGNORED, rule.origin, True), False)
        if scope.drop is not None:
            return scope.drop, False
        for rules in scope.git:
            rule = rules.match(path, name, is_dir)
            if rule is not None:
                if not rule.negated:
                    return Drop(IGNORED, rule.origin), False
                break
        if is_dir:
            excluded = policy.excluded_dir(name)
            if excluded:
                return Drop(EXCLUDED, excluded), False
            if name[0] == "." and not self.options.hidden:
                return Drop(HIDDEN, f"{name} is a hidden folder"), False
        return None, False

    def _with_files(self, prefix: str, scope: Scope, names: Container[str]) -> Scope:
        """The scope with the ignore files of its folder in front."""
        if not self.options.ignore_files:
            return scope
        own, git = scope.own, scope.git
        if OWN_IGNORE in names:
            # What the options say stays the strongest.
            at = 1 if self.options.include or self.options.exclude else 0
            own = (*own[:at], *self._rules(prefix + OWN_IGNORE, prefix), *own[at:])
        if GITIGNORE in names:
            git = (*self._rules(prefix + GITIGNORE, prefix), *git)
        if own is scope.own and git is scope.git:
            return scope
        return Scope(own, git, scope.repo, scope.drop, scope.forced)

    def _rules(self, path: str, base: str, *, above: str = "") -> tuple[RuleSet, ...]:
        content = self._content(path)
        parsed = parse(content, path) if content else []
        return (RuleSet(parsed, base=base, above=above, ignore_case=self._fold),) if parsed else ()

    def _content(self, path: str) -> bytes:
        """An ignore file's bytes; a link is not followed, as in git."""
        data = read_small(os.path.join(self.root, path), MAX_IGNORE_BYTES + 1) or b""  # noqa: PTH118
        if len(data) > MAX_IGNORE_BYTES:
            self.warnings.append(f"{path} is larger than {MAX_IGNORE_BYTES:,} bytes and was not read")
            data = b""
        self._read.append((path, data))
        return data

    def _git_rules(self, git: GitDir | None) -> tuple[RuleSet, ...]:
        """What holds from the top of a repository: ``info/exclude``, then the global excludes."""
        if not self.options.ignore_files:
            return ()
        if git is None:
            return self._global
        exclude = Path(git.common, "info", "exclude")
        above, base = self._position(git.top)
        content = read_small(exclude, MAX_IGNORE_BYTES) or b""
        self._read.append((str(exclude), content))
        rules = parse(content, ".git/info/exclude")
        mine = (RuleSet(rules, base=base, above=above, ignore_case=self._fold),) if rules else ()
        return (*mine, *self._global)

    def _global_rules(self, git: GitDir | None) -> tuple[RuleSet, ...]:
        if not self.options.ignore_files:
            return ()
        path = excludes_file(Path(self.root), git)
        content = read_linked(path, MAX_IGNORE_BYTES) if path else None
        if not content:
            return ()
        self._read.append((path, content))
        rules, refused = refuse_everything(parse(content, path))
        self.warnings += [
            f"{rule.origin} would ignore every file of every project and was not applied" for rule in refused
        ]
        above = self._position(git.top)[0] if git else ""
        return (RuleSet(rules, above=above, ignore_case=self._fold),) if rules else ()

    def _rules_above(self, git: GitDir) -> tuple[RuleSet, ...]:
        """Ignore files between the top of the repository and a root that lies deeper, deepest first."""
        if not self.options.ignore_files:
            return ()
        parts = Path(self.root).relative_to(os.path.realpath(git.top)).parts
        out: tuple[RuleSet, ...] = ()
        for depth in range(len(parts)):
            up = "../" * (len(parts) - depth)
            out = (*self._rules(up + GITIGNORE, "", above="/".join(parts[depth:]) + "/"), *out)
        return out

    def _position(self, top: str) -> tuple[str, str]:
        """(what stands above root-relative paths, base) for rules that speak of the repository's top."""
        real = os.path.realpath(top)
        if Path(self.root).is_relative_to(real):
            above = Path(self.root).relative_to(real).as_posix()
            return ("" if above == "." else above + "/"), ""
        return "", Path(real).relative_to(self.root).as_posix() + "/"

    def _option_rules(self) -> RuleSet:
        lines = [f"!{pattern}" for pattern in self.options.include] + list(self.options.exclude)
        rules = [rule for number, line in enumerate(lines, 1) if (rule := parse_line(line, "options", number))]
        return RuleSet(rules, ignore_case=self._fold)

    def _marker(self, prefix: str, names: Container[str]) -> str:
        tag = b""
        if "CACHEDIR.TAG" in names:
            tag = read_small(os.path.join(self.root, prefix, "CACHEDIR.TAG"), 64) or b""  # noqa: PTH118
            self._read.append((f"{prefix}CACHEDIR.TAG", tag))
        return policy.marked_dir(names, tag)
