"""What every step is: a frozen dataclass with a `type` name, checked parameters and one method, ``apply``."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar

from fourfold.config.option import Option, convert, option_of, shown
from fourfold.model.errors import BadConfig

if TYPE_CHECKING:
    from fourfold.pipeline.state import RetrieverState


def param(default: Any, help: str, **limits: Any) -> Any:
    """A parameter of a step: a dataclass field with a help text; `limits` are minimum, maximum, choices. The type of
    the default is the type of the parameter (a list of texts is a tuple)."""
    return field(default=default, metadata={"help": help, **limits})


def numbers(help: str, *, default: Mapping[str, float] | None = None) -> Any:
    """A parameter that is a table of names and numbers; None where it is not given and has no default."""
    return field(
        default_factory=lambda: dict(default) if default is not None else None,
        metadata={"help": help, "numbers": True},
    )


def nested(help: str, kind: str = "steps", **default: Any) -> Any:
    """A parameter that holds steps: `kind` is "steps" (one pipeline), "branches" (pipelines by name), "cases" (see
    :class:`fourfold.pipeline.steps.flow.Route`) or "when" (a predicate)."""
    return field(metadata={"help": help, "nested": kind}, **default)


@dataclass(frozen=True)
class Step:
    """Base of all steps. A step changes the state it is given: its items, its lists, what is to be said of them."""

    type: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for item in fields(self):
            if item.metadata.get("numbers"):
                object.__setattr__(self, item.name, checked_numbers(self.type, item.name, getattr(self, item.name)))
            elif "nested" not in item.metadata and item.metadata:
                object.__setattr__(self, item.name, convert(option_of(self.type, item), getattr(self, item.name)))
        self.check()

    def check(self) -> None:
        """Raise :class:`BadConfig` for parameters that do not fit together."""

    def apply(self, state: RetrieverState) -> None:
        """Do the work, now."""
        raise AssertionError(f"{type(self).__name__} has no apply")

    async def run(self, state: RetrieverState) -> RetrieverState:
        """Do the work beside the event loop; returns the same state."""
        await asyncio.to_thread(self.apply, state)
        return state

    @classmethod
    def parameters(cls) -> dict[str, Field[Any]]:
        """The parameters by name, in order."""
        return {item.name: item for item in fields(cls) if item.metadata}

    @classmethod
    def expects(cls, name: str) -> str:
        """What a parameter accepts, in words."""
        item = cls.parameters()[name]
        if item.metadata.get("numbers"):
            return "a table of names and numbers"
        if "nested" in item.metadata:
            return str(item.metadata["nested"])
        option: Option = option_of(cls.type, item)
        return option.expects


def checked_numbers(owner: str, name: str, table: Any) -> dict[str, float] | None:
    """A table of names and finite numbers. Raises :class:`BadConfig`."""
    if table is None:
        return None
    if not isinstance(table, Mapping):
        raise BadConfig(f"{owner}.{name} must be a table of names and numbers, not {shown(table)}")
    for key, value in table.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise BadConfig(f"{owner}.{name}: {key} must be a number, not {shown(value)}")
    return {str(key): float(value) for key, value in table.items()}


def check_weights(owner: str, weights: Mapping[str, float] | None) -> None:
    """Raise :class:`BadConfig` for a weight below 0, and for weights that are all 0."""
    for name, weight in (weights or {}).items():
        if weight < 0:
            raise BadConfig(f"{owner}: the weight of {name} must be 0 or above, not {weight:g}")
    if weights is not None and not any(weights.values()):
        raise BadConfig(f"{owner}: all weights are 0", hint="give at least one list a weight above 0")
