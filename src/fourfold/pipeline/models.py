"""The models that steps may ask beside the index, made when first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from fourfold.model.errors import BackendUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fourfold.config.settings import Settings
    from fourfold.embed.rerank.protocol import Reranker
    from fourfold.embed.score_cache import ScoreCache
    from fourfold.llm.protocol import LanguageModel

SCORES_FILE = "scores.sqlite"
"""In the cache folder, beside the indexes: the same code in two repositories is judged once."""


class Models:
    """What the settings name. An attribute raises BackendUnavailable where there is no such model, with the reason."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @cached_property
    def language_model(self) -> LanguageModel:
        """The language model of ``[llm]``."""
        from fourfold.llm.load import load_model, why_none

        found = load_model(self._settings)
        if found is None:
            raise BackendUnavailable(
                f"the step needs a language model: {why_none(self._settings)}",
                hint="set llm.endpoint and llm.model, or llm.provider, in your configuration (docs/ask.md)",
            )
        return found

    @cached_property
    def reranker(self) -> Reranker:
        """The re-ranking model of ``[rerank]``."""
        from fourfold.embed.rerank.load import required_reranker

        return required_reranker(self._settings)

    @property
    def has_reranker(self) -> bool:
        """True where the settings name a re-ranking model, there or not."""
        return self._settings.rerank.provider != "none"

    @cached_property
    def scores(self) -> ScoreCache:
        """What models have judged so far."""
        from fourfold.config.places import cache_dir
        from fourfold.embed.score_cache import ScoreCache

        return ScoreCache(cache_dir(self._settings) / SCORES_FILE)

    def judged(
        self, model: str, question: str, texts: Sequence[str], judge: Callable[[Sequence[str]], Sequence[float]]
    ) -> list[float]:
        """A score for each text: those that `model` gave before, and what `judge` says of the others."""
        from fourfold.embed.score_cache import score_key

        keys = [score_key(model, question, text) for text in texts]
        known = self.scores.get(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            new = dict(zip(missing, judge(list(missing.values())), strict=True))
            self.scores.put(new)
            known |= new
        return [known[key] for key in keys]
