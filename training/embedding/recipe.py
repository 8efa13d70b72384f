"""How to train: the numbers of a run, and how the command line sets them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train; what each number does is measured in docs/model.md."""

    dimension: int = 256
    batch: int = 1024
    epochs: float = 3.0
    rate: float = 5e-3
    weight_rate: float = 2e-2
    temperature: float = 0.07
    drop_question: float = 0.1
    drop_body: float = 0.4
    drop_field: float = 0.3
    other_symbol: float = 0.25
    """Share of the answers that are replaced by another definition of the same file."""
    prefix: float = 0.3
    """Share of the questions that begin with words of a question."""
    symbol_question: float = 0.08
    """Share of the questions that are the name itself."""
    unshared: float = 0.5
    """Share of the questions that lose every token which occurs in their answer."""
    taught: float = 1.0
    """Weight of the loss over sentences that keeps the teacher's neighbours near; 0 leaves it out."""
    taught_batch: int = 512
    taught_temperature: float = 0.07
    near: int = 1
    """Sentences of a batch come in blocks of as many neighbours; 1 draws each by itself."""
    worded: float = 0.3
    """Weight of the same loss over single words."""
    seed: int = 0


DEFAULT = Recipe()


def recipe_of(settings: list[str], recipe: Recipe = DEFAULT) -> Recipe:
    """A recipe with ``name=value`` settings applied. Raises ValueError for a name or value that it does not know."""
    kinds: dict[str, Callable[[str], float]] = {name: type(value) for name, value in asdict(recipe).items()}
    for setting in settings:
        name, _, value = setting.partition("=")
        if name not in kinds:
            raise ValueError(f"unknown setting {name!r}: choose from {', '.join(kinds)}")
        changed: Any = {name: kinds[name](value)}
        recipe = replace(recipe, **changed)
    return recipe
