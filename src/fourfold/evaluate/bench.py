"""The indexes that questions are put to.

Mined questions need an index without what they were made of, other chunkers and models need indexes of their own: for
these the indexed texts are written to a folder below the repository's index (never into the repository), and that
folder is indexed. The folder is kept, so that the next run only reads what changed; ``fourfold clear`` removes it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from fourfold.evaluate.places import work_dir
from fourfold.model.errors import IndexUnavailable

if TYPE_CHECKING:
    from fourfold.config.settings import Settings
    from fourfold.engine import Index
    from fourfold.evaluate.configuration import Configuration
    from fourfold.model.report import Progress
    from fourfold.store.local.lock import WriteLock

MAX_BYTES = 200_000_000
"""What is indexed once is indexed again, however long it is: the limit was applied to the file as it came."""
TREE = "tree"


class Bench:
    """The indexes of one evaluation. `texts` are what is indexed instead of the repository's own files; None: the
    repository's index itself serves all configurations that do not change it."""

    def __init__(
        self,
        main: Index,
        texts: Mapping[str, str] | None,
        progress: Callable[[str], Callable[[Progress], None]] | None = None,
    ) -> None:
        self.main = main
        self._texts = texts
        self._progress = progress
        self._open: dict[str, Index] = {}
        self._all_texts: Mapping[str, str] | None = texts
        self._own_ranking = main.ranking_file
        self._lock: WriteLock | None = None

    def __enter__(self) -> Bench:
        from fourfold.store.local.lock import WriteLock

        folder = work_dir(self.main.location)
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise _unwritable(folder, error) from None
        lock = WriteLock(folder)
        lock.acquire("eval", 0.0)
        self._lock = lock
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for index in self._open.values():
            index.close()
        self._open.clear()
        self.main.use_ranking(self._own_ranking)
        if self._lock is not None:
            self._lock.release()

    def index(self, configuration: Configuration) -> Index:
        """The index of a configuration, up to date, under its ranking."""
        found = self._index(configuration)
        found.use_ranking(self._own_ranking if configuration.ranking == "own" else None)
        return found

    def _index(self, configuration: Configuration) -> Index:
        same_place = self._texts is None and not configuration.indexed
        if same_place and configuration.k == self.main.settings.search.k:
            return self.main
        key = _digest(configuration.indexed, pruned=self._texts is not None)
        named = f"{key}-{configuration.k}"
        if named not in self._open:
            settings = configuration.settings(self.main.settings)
            self._open[named] = self._again(settings) if same_place else self._made(key, settings, configuration.name)
        return self._open[named]

    def _again(self, settings: Settings) -> Index:
        """The repository's own index under other settings of search."""
        from fourfold.engine import Index

        return Index.open(self.main.root, root=self.main.root, settings=settings, allow_wide=True)

    def _made(self, key: str, settings: Settings, name: str) -> Index:
        """An index of the texts."""
        from fourfold.engine import Index

        folder = work_dir(self.main.location) / key
        tree = folder / TREE / (self.main.root.name or "root")
        try:
            write_tree(tree, self._sources())
            _share_vectors(folder / "cache", self.main.settings)
        except OSError as error:
            raise _unwritable(folder, error) from None
        index = Index.open(tree, root=tree, settings=bench_settings(settings, folder / "cache"), allow_wide=True)
        report = index.refresh(progress=self._progress(name) if self._progress else None)
        if report.interrupted:
            index.close()
            raise KeyboardInterrupt
        return index

    def _sources(self) -> Mapping[str, str]:
        if self._all_texts is None:
            from fourfold.evaluate.repository import texts_of

            self._all_texts = texts_of(self.main._store.snapshot())
        return self._all_texts


def bench_settings(settings: Settings, cache: Path) -> Settings:
    """Settings under which a written tree is indexed whole: what was left out was left out of it before."""
    index = replace(
        settings.index, include=("**",), exclude=(), hidden=True, max_file_bytes=MAX_BYTES, nested_repos=True
    )
    return replace(settings, index=index, cache_dir=str(cache))


def _share_vectors(cache: Path, settings: Settings) -> None:
    """Let vectors that a slow model made for the repository serve its copies too: both use one cache of them."""
    from fourfold.config.places import cache_dir
    from fourfold.index.vectors import CACHE_FILE

    cache.mkdir(parents=True, exist_ok=True, mode=0o700)
    link = cache / CACHE_FILE
    if not link.is_symlink() and not link.exists():
        with contextlib.suppress(OSError):  # a system without links makes them anew
            link.symlink_to(cache_dir(settings) / CACHE_FILE)


def write_tree(folder: Path, texts: Mapping[str, str]) -> None:
    """Make the files of a folder be these texts; those that are already are not touched. Raises OSError."""
    wanted = {os.path.join(folder, path): text for path, text in texts.items()}  # noqa: PTH118 (thousands of paths)
    for base, folders, names in os.walk(folder, topdown=False):
        for name in names:
            path = os.path.join(base, name)  # noqa: PTH118
            if path not in wanted:
                os.unlink(path)  # noqa: PTH108
        for name in folders:
            inner = os.path.join(base, name)  # noqa: PTH118
            if not os.listdir(inner):  # noqa: PTH208
                os.rmdir(inner)  # noqa: PTH106
    for path, text in wanted.items():
        _write(path, text.encode("utf-8", "replace"))


def _write(path: str, data: bytes) -> None:
    try:
        with open(path, "rb") as old:  # noqa: PTH123
            if old.read() == data:
                return
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True, mode=0o700)  # noqa: PTH103, PTH120
    with open(path, "wb") as out:  # noqa: PTH123
        out.write(data)


def _digest(indexed: Mapping[str, object], *, pruned: bool) -> str:
    text = json.dumps([dict(sorted(indexed.items())), pruned], sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def _unwritable(folder: Path, error: OSError) -> IndexUnavailable:
    return IndexUnavailable(
        f"the copy to evaluate on cannot be written to {folder}: {error.strerror}",
        hint="choose another place with FOURFOLD_CACHE_DIR",
    )
