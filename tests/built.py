"""Small indexes for tests of what reads them: made by the real indexer, batch by batch."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from fourfold import Index
from fourfold.config.load import load_settings
from fourfold.store.local.corpus import Corpus
from fourfold.store.local.snapshot import LocalSnapshot


def indexed(root: Path, files: Mapping[str, str]) -> Index:
    """The index, with the settings that come with the program, of files written below a folder."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    opened = Index.open(root, root=root)
    opened.refresh()
    return opened


class Built:
    """An index of files written by tests; each :meth:`write` is a refresh, and so a segment of its own.

    `model` is "hash" (64 dimensions, nothing to load) or "none".
    """

    def __init__(self, folder: Path, model: str = "hash") -> None:
        self.root = folder / "root"
        self.root.mkdir(parents=True)
        settings = load_settings(self.root, {"cache_dir": str(folder / "cache"), "embedding.model": model}, environ={})
        self.index = Index.open(self.root, root=self.root, settings=settings.settings)

    def write(self, files: Mapping[str, str], removed: tuple[str, ...] = ()) -> Built:
        """Write and remove files, then refresh."""
        for name, text in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text, encoding="utf-8")
        for name in removed:
            (self.root / name).unlink()
        self.index.refresh()
        return self

    @property
    def snapshot(self) -> LocalSnapshot:
        """The newest generation."""
        return self.index._store.snapshot()

    @property
    def corpus(self) -> Corpus:
        """Its arrays, made anew each time."""
        return Corpus(self.snapshot)

    def __enter__(self) -> Built:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.index.close()
