"""Which commits changed some lines of a file, as ``git log -L`` follows them back through the history."""

from __future__ import annotations

from difflib import SequenceMatcher
from pathlib import Path

from fourfold.model.errors import IndexUnavailable
from fourfold.source.gitrun import run_git
from fourfold.source.history import Commit, repository, tip

MAX_COMPARED = 20_000
"""Lines of a file that are still compared with those of the commit: difflib takes seconds for more."""
_CONFIG = (("log.showSignature", "false"), ("log.mailmap", "false"), ("diff.renames", "false"), ("color.ui", "false"))
_FIELDS = ("%H", "%at", "%an", "%ae", "%s")


def line_commits(root: Path, path: str, start: int, end: int, text: str, limit: int) -> tuple[Commit, ...]:
    """The commits that changed the lines `start` to `end` (from 1, both included) of a file, newest first.

    `text` is the file as the lines count; where it is not as committed, the lines are looked up in the commit. None
    where these lines are in no commit yet. Raises IndexUnavailable where there is no git, no repository, no commit, or
    git does not answer within its time.
    """
    repository(root)
    commit = tip(root)
    data = run_git(root, "cat-file", "blob", f"{commit}:./{path}")
    if data is None:
        return ()
    there = _committed(data.decode("utf-8", "replace").replace("\r\n", "\n"), text, start, end)
    if there is None:
        return ()
    out = run_git(
        root,
        *("log", f"-L{there[0]},{there[1]}:./{path}", "--no-patch", f"--max-count={limit}", "--no-ext-diff"),
        *("--no-textconv", "--no-show-signature", "--no-notes", "--no-color", "--encoding=UTF-8"),
        *("--format=" + "%x00".join(_FIELDS), commit),
        extra=_CONFIG,
    )
    if out is None:
        raise IndexUnavailable(f"git cannot follow the lines of {path}", hint="is the history whole? git fsck tells")
    return tuple(_commit(line, path) for line in out.decode("utf-8", "replace").split("\n") if "\0" in line)


def _committed(committed: str, text: str, start: int, end: int) -> tuple[int, int] | None:
    """Where the lines `start` to `end` of `text` stand in the committed text; None where none of them does."""
    old, new = committed.split("\n"), text.split("\n")
    if old == new or max(len(old), len(new)) > MAX_COMPARED:
        last = min(end, len(old) - old[-1:].count(""))
        return (start, last) if start <= last else None
    places = [
        block.a + line - block.b
        for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
        for line in range(max(block.b, start - 1), min(block.b + block.size, end))
        if new[line].strip()
    ]
    return (places[0] + 1, places[-1] + 1) if places else None


def _commit(line: str, path: str) -> Commit:
    name, date, author, email, subject = line.split("\0")
    return Commit(name, int(date), author, email, subject, "", (path,))
