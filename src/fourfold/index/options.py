"""Settings turned into what the indexer needs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fourfold.index.refresh import RefreshOptions
from fourfold.source.tree import Tree, as_tree
from fourfold.source.walk import WalkOptions

if TYPE_CHECKING:
    from fourfold.config.settings import Settings


def refresh_options(settings: Settings, root: Path | Tree) -> RefreshOptions:
    """Options of a refresh of `root` under `settings`, at the commit that is checked out now."""
    index = settings.index
    state = as_tree(root).head()
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
    )
