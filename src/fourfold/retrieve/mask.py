"""Filters as a mask over chunks: one reading of a filter for every retriever."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from fourfold.model.chunk import KIND_CODES
from fourfold.model.path import split_service

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.model.query import Filters
    from fourfold.store.local.corpus import Corpus

_GLOB = re.compile(r"[*?\[]")


def path_matcher(pattern: str) -> Callable[[str], bool]:
    """A test of root-relative paths: a glob where the pattern holds one of ``*?[`` (``**`` and ``*`` both cross
    folders), else a prefix that ends at a component boundary. A glob without a slash is matched with the file name."""
    pattern = pattern.removeprefix("./").rstrip("/") or "."
    if pattern == ".":
        return lambda path: True
    if _GLOB.search(pattern):
        compiled = re.compile(fnmatch.translate(pattern.replace("**/", "*").replace("**", "*")))
        if "/" not in pattern:
            return lambda path: compiled.match(path.rsplit("/", 1)[-1]) is not None
        return lambda path: compiled.match(path) is not None
    return lambda path: path == pattern or path.startswith(pattern + "/")


def path_allowed(filters: Filters) -> Callable[[str, str], bool]:
    """A test of (path, language) against the file part of the filters; paths of a service are told from its root."""
    wanted = [path_matcher(pattern) for pattern in filters.paths]
    unwanted = [path_matcher(pattern) for pattern in filters.not_paths]
    languages, not_languages = frozenset(filters.languages), frozenset(filters.not_languages)
    only = filters.only_paths

    def allowed(path: str, language: str) -> bool:
        path = split_service(path)[1]
        if only is not None and path not in only:
            return False
        if (languages and language not in languages) or language in not_languages:
            return False
        if wanted and not any(matches(path) for matches in wanted):
            return False
        return not any(matches(path) for matches in unwanted)

    return allowed


def allowed_chunks(corpus: Corpus, filters: Filters) -> NDArray[np.bool_] | None:
    """Mask of the chunks that satisfy the filters; None where nothing is narrowed."""
    if filters.empty:
        return None
    allowed = path_allowed(filters)
    files = np.fromiter(
        (bool(path) and allowed(path, language) for path, language in zip(corpus.paths, corpus.languages, strict=True)),
        dtype=np.bool_,
        count=corpus.files,
    )
    mask: NDArray[np.bool_] = files[corpus.chunk_file]
    if filters.kinds:
        mask &= np.isin(corpus.kinds, [KIND_CODES[kind] for kind in filters.kinds])
    if filters.not_kinds:
        mask &= ~np.isin(corpus.kinds, [KIND_CODES[kind] for kind in filters.not_kinds])
    return mask
