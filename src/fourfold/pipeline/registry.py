"""Steps by their `type` name: those shipped, and those of installed plug-ins (entry points ``fourfold.steps``)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache

from fourfold.config.option import nearest, shown
from fourfold.model.errors import BadConfig
from fourfold.pipeline.steps import (
    cut,
    described,
    expansion,
    fetch,
    flow,
    fused,
    fusion,
    graph,
    model_rerank,
    narrow,
    rerank,
    score,
    shape,
    signals,
    similar,
    tree_reasoning,
)
from fourfold.pipeline.steps.base import Step

ENTRY_POINTS = "fourfold.steps"
NO_PLUGINS = "FOURFOLD_DISABLE_PLUGINS"
"""Set to 1, no plug-in is loaded."""

SHIPPED: tuple[type[Step], ...] = (
    narrow.PreFilter,
    fetch.DenseFetcher,
    fetch.TextFetcher,
    fetch.Bm25Fetcher,
    fetch.StructuralFetcher,
    fetch.GraphFetcher,
    similar.SimilarFetcher,
    fused.FusedFetcher,
    tree_reasoning.LlmTreeReasoning,
    expansion.QueryExpansion,
    flow.Parallel,
    fusion.RrfFusion,
    fusion.WeightedScoreFusion,
    score.DenseScorer,
    score.Bm25Scorer,
    graph.GraphExpand,
    narrow.MetadataPostFilter,
    graph.ImportanceBoost,
    signals.NameSignals,
    signals.PathDemotion,
    signals.MessagesFirst,
    graph.CentralityPrior,
    graph.CommunityDiversity,
    shape.ParentRollup,
    shape.DedupPerFile,
    rerank.FeatureRerank,
    described.UsesOfDescribed,
    model_rerank.LateInteractionRerank,
    model_rerank.CrossEncoderRerank,
    model_rerank.LlmRerank,
    flow.Route,
    flow.Conditional,
    cut.TopKFilter,
    cut.Limit,
    cut.TokenBudgetFormatter,
)
"""In the order in which a pipeline usually has them."""

_BY_TYPE: dict[str, type[Step]] = {step.type: step for step in SHIPPED}


def step_types() -> Mapping[str, type[Step]]:
    """Every step by its type name, plug-ins too; a plug-in does not replace what is shipped."""
    return {**_plugins(), **_BY_TYPE}


def step_type(name: str) -> type[Step]:
    """The step of a type name. Raises :class:`BadConfig` that lists the known ones. Plug-ins are looked at only for a
    name that is not shipped."""
    found = _BY_TYPE.get(name) or _plugins().get(name)
    if found is None:
        known = step_types()
        near = nearest(name, known)
        hint = f'did you mean "{near}"? ' if near else ""
        raise BadConfig(f"there is no step {shown(name)}", hint=f"{hint}steps: {', '.join(known)}")
    return found


def _plugins() -> Mapping[str, type[Step]]:
    return {} if os.environ.get(NO_PLUGINS, "") not in ("", "0") else _installed()


@cache
def _installed() -> Mapping[str, type[Step]]:
    """The steps of installed distributions. Raises :class:`BadConfig` for one that is no step."""
    from importlib.metadata import entry_points

    found: dict[str, type[Step]] = {}
    for entry in entry_points(group=ENTRY_POINTS):
        step = entry.load()
        if not (isinstance(step, type) and issubclass(step, Step)):
            raise BadConfig(
                f"the plug-in {entry.name} is no step", hint=f"leave plug-ins out: {NO_PLUGINS}=1, or uninstall it"
            )
        found[entry.name] = step
    return found
