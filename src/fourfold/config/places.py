"""Where things lie: the cache folder, the folder of each index, and the indexes whose tree is gone."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from fourfold.config.platform_folders import cache_folder
from fourfold.config.settings import Settings

ROOT_FILE = "root.txt"
"""Beside an index: the canonical root that it belongs to. What finds orphans."""

EVALUATION = "evaluation"
"""Folder beside an index: copies, indexes and reports of evaluations; cleared with it."""

_CACHE_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Made by fourfold; safe to delete.\n"
"""The Cache Directory Tagging standard's signature: back-up tools and our own walk leave such folders out."""


def cache_dir(settings: Settings) -> Path:
    """The folder of all indexes and caches (it need not exist)."""
    if settings.cache_dir:
        return Path(settings.cache_dir).expanduser().absolute()
    return cache_folder()


def canonical_root(root: Path) -> str:
    """One spelling of a root: links resolved, case folded where the platform does."""
    return os.path.normcase(os.path.realpath(root))


def index_dir(root: Path, settings: Settings) -> Path:
    """The index folder of the tree at `root`: ``indexes/NAME-HASH``, 16 hex digits of the canonical root."""
    spelled = canonical_root(root)
    digest = hashlib.blake2b(os.fsencode(spelled), digest_size=8).hexdigest()
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", Path(spelled).name)[:40].strip(".") or "root"
    return indexes_dir(settings) / f"{name}-{digest}"


def learned_file(root: Path, settings: Settings) -> Path:
    """The file of the weights fitted on the tree at `root`: ``ranking/NAME-HASH.json`` beside the user's configuration
    (it need not exist). It stays where the index is cleared."""
    from fourfold.config.load import user_file

    return user_file().parent / "ranking" / f"{index_dir(root, settings).name}.json"


def indexes_dir(settings: Settings) -> Path:
    """The folder that holds one folder an index."""
    return cache_dir(settings) / "indexes"


def prepare_index_dir(root: Path, settings: Settings) -> Path:
    """Make the index folder (readable by its owner only), tag the cache, note the root. Returns the folder.

    Raises OSError where the cache cannot be written.
    """
    folder = index_dir(root, settings)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    _write_once(cache_dir(settings) / "CACHEDIR.TAG", _CACHE_TAG)
    _write_once(folder / ROOT_FILE, canonical_root(root) + "\n")
    return folder


def recorded_root(folder: Path) -> Path | None:
    """The root that an index folder was made for, or None where it does not say."""
    try:
        text = (folder / ROOT_FILE).read_bytes()
    except OSError:
        return None
    line = os.fsdecode(text).rstrip("\n")
    return Path(line) if line and "\0" not in line else None


def all_index_dirs(settings: Settings) -> list[Path]:
    """Every index folder of the cache, sorted by name."""
    folder = indexes_dir(settings)
    if not folder.is_dir():
        return []
    return sorted(item for item in folder.iterdir() if item.is_dir() and not item.is_symlink())


def orphans(settings: Settings) -> list[Path]:
    """Index folders whose root no longer exists. A folder that does not say its root is not an orphan."""
    found = []
    for folder in all_index_dirs(settings):
        root = recorded_root(folder)
        if root is not None and not os.path.lexists(root):
            found.append(folder)
    return found


def size_of(folder: Path) -> int:
    """Bytes of the files below `folder`; what vanishes meanwhile counts nothing."""
    total = 0
    for base, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(base, name)).st_size  # noqa: PTH118 (os.walk gives texts)
            except OSError:
                continue
    return total


def _write_once(path: Path, text: str) -> None:
    """Write a small file unless it holds that already."""
    data = os.fsencode(text)
    try:
        if path.read_bytes() == data:
            return
    except OSError:
        pass
    path.write_bytes(data)
