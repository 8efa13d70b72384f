"""Settings turned into what the indexer needs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.config.places import cache_dir
from fourfold.index.refresh import RefreshOptions
from fourfold.source.tree import DiskTree, Tree, as_tree
from fourfold.source.walk import WalkOptions

if TYPE_CHECKING:
    from fourfold.config.settings import Settings


PARSED = "parsed.sqlite"
"""In the cache folder: what parsing made of the files of services (:mod:`fourfold.index.parsed_cache`)."""


def refresh_options(settings: Settings, root: Path | Tree) -> RefreshOptions:
    """Options of a refresh of `root` under `settings`, at the commit that is checked out now."""
    index = settings.index
    tree = as_tree(root)
    state = tree.head()
    return RefreshOptions(
        walk=WalkOptions(
            max_file_bytes=index.max_file_bytes,
            hidden=index.hidden,
            include=index.include,
            exclude=index.exclude,
            nested_repos=index.nested_repos,
            redact_secrets=index.redact_secrets,
        ),
        chunker=index.chunker,
        deadline_s=index.parse_deadline_s,
        languages=dict(index.languages),
        model=settings.embedding.base,
        workers=index.workers,
        commit=(state.commit or "") if state else "",
        # A work tree changes file by file and has no twins; refs and versions share most of their files.
        parsed=None if isinstance(tree, DiskTree) else cache_dir(settings) / PARSED,
    )
