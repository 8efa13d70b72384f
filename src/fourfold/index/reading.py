"""Reading one file of the tree for a reader: only what would be indexed, and as it would be, secrets out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.index.status import status_of
from fourfold.model.report import PathStatus
from fourfold.source.found import Skip
from fourfold.source.tree import WORKING_TREE, Tree, as_tree

if TYPE_CHECKING:
    from fourfold.index.refresh import RefreshOptions
    from fourfold.store.local.store import LocalStore

INDEX = "index"


@dataclass(frozen=True, slots=True)
class FileText:
    """The text of one file, or why there is none.

    `text` has ``\\n`` line ends and no secrets; None where the file is not for reading, and `status` says why. `origin`
    is "working tree" (ref and commit of a tree that is none), or "index" where the tree could not be read and the text
    is the one indexed.
    """

    path: str
    status: PathStatus
    text: str | None = None
    origin: str = WORKING_TREE


def read_text(root: Path | Tree, store: LocalStore, options: RefreshOptions, path: str) -> FileText:
    """The text of a file as it is now. Raises PathOutsideRoot."""
    tree = as_tree(root)
    status = status_of(tree, store, options, path)
    if status.status not in ("indexed", "not-yet"):
        return FileText(status.path, status)
    try:
        read = tree.read(tree.look(status.path), options.walk)
    except OSError as error:
        read = Skip(status.path, "unreadable", error.strerror or str(error))
    finally:
        tree.close()
    if not isinstance(read, Skip):
        return FileText(status.path, status, read.text, tree.origin)
    text = store.snapshot().text(status.path) if read.reason == "unreadable" else None
    if text is not None:
        return FileText(status.path, status, text, INDEX)
    return FileText(status.path, PathStatus(status.path, "skipped", read.reason, read.detail))
