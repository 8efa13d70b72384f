"""Steps that narrow: what may be fetched, and what may stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from fourfold.model.chunk import KINDS
from fourfold.model.errors import BadConfig
from fourfold.model.query import Filters
from fourfold.pipeline.steps.base import Step, param
from fourfold.retrieve.mask import allowed_chunks

if TYPE_CHECKING:
    from fourfold.pipeline.state import RetrieverState


@dataclass(frozen=True)
class Narrowing(Step):
    """Base of the steps that narrow by what is known of a chunk."""

    languages: tuple[str, ...] = param((), "languages, by canonical name")
    not_languages: tuple[str, ...] = param((), "languages to leave out")
    paths: tuple[str, ...] = param((), "path prefixes or globs")
    not_paths: tuple[str, ...] = param((), "path prefixes or globs to leave out")
    kinds: tuple[str, ...] = param((), "kinds of chunks (function, class, section ...)")
    not_kinds: tuple[str, ...] = param((), "kinds of chunks to leave out")

    def filters(self) -> Filters:
        """The parameters as filters."""
        return Filters(
            languages=self.languages,
            not_languages=self.not_languages,
            paths=self.paths,
            not_paths=self.not_paths,
            kinds=self.kinds,
            not_kinds=self.not_kinds,
        )

    def check(self) -> None:
        """Every kind must be one."""
        for kind in (*self.kinds, *self.not_kinds):
            if kind not in KINDS:
                raise BadConfig(f"{self.type}: there is no kind {kind!r}", hint=f"kinds: {', '.join(KINDS)}")

    def mask(self, state: RetrieverState) -> Any:
        """The chunks that satisfy both the question's filters and the parameters; None where all do."""
        corpus = state.index.corpus
        masks = [allowed_chunks(corpus, state.query.post_filter), allowed_chunks(corpus, self.filters())]
        given = [mask for mask in masks if mask is not None]
        return None if not given else given[0] & given[-1]


@dataclass(frozen=True)
class PreFilter(Narrowing):
    """From here on, fetchers find only what satisfies the question's filters and the parameters.

    Example: ``pre_filter: {languages: [python], not_paths: [vendor]}``
    """

    type: ClassVar[str] = "pre_filter"

    def apply(self, state: RetrieverState) -> None:
        """Narrow."""
        mask = self.mask(state)
        if mask is not None:
            state.allowed = mask if state.allowed is None else state.allowed & mask


@dataclass(frozen=True)
class MetadataPostFilter(Narrowing):
    """Of the candidates found so far, only those stay that satisfy the question's filters and the parameters.

    Example: ``metadata_post_filter: {kinds: [function, method]}``
    """

    type: ClassVar[str] = "metadata_post_filter"

    def apply(self, state: RetrieverState) -> None:
        """Leave out the others."""
        mask = self.mask(state)
        if mask is not None:
            state.items = [item for item in state.items if mask[item.chunk]]
