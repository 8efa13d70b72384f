"""Pydantic models of the answers, made from the dataclasses behind ``--json`` and MCP: one shape, defined once."""

from __future__ import annotations

import dataclasses
import types
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from fourfold.engine.history import HistoryResult
from fourfold.interfaces.http.answers import FileResult, GraphResult
from fourfold.interfaces.http.jobs import JobState
from fourfold.model import structure
from fourfold.model.answer import AskResult
from fourfold.model.report import PathStatus, Status
from fourfold.model.result import SCHEMA, GrepResult, SearchResult


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ErrorBody(_Model):
    """What went wrong, in one sentence, and what to do about it."""

    code: str = Field(examples=["F101"])
    message: str = Field(examples=["The query is empty."])
    hint: str = Field("", examples=["Say what to look for, as in: where is the config parsed"])


class Failure(_Model):
    """The shape of every error."""

    error: ErrorBody


class Health(_Model):
    """That the process answers."""

    status: str = Field(examples=["ok"])


@cache
def model_of(kind: type) -> type[BaseModel]:
    """The model of a dataclass: its fields, types and defaults, nested ones too."""
    hints = get_type_hints(kind)
    fields: dict[str, Any] = {}
    for item in dataclasses.fields(kind):
        default: Any = ...
        if item.default is not dataclasses.MISSING:
            default = item.default
        elif item.default_factory is not dataclasses.MISSING:
            default = Field(default_factory=item.default_factory)
        fields[item.name] = (_mapped(hints[item.name]), default)
    return create_model(kind.__name__, __base__=_Model, __doc__=_first(kind.__doc__), **fields)


@cache
def answer_of(kind: type) -> type[BaseModel]:
    """The model of an answer's ``to_dict``: that of its dataclass, and the name of the schema."""
    base = model_of(kind)
    # A field called `schema` would hide a method of the base class; its alias is what is read and written.
    versioned: Any = (str, Field(alias="schema", examples=[SCHEMA]))
    made: type[BaseModel] = create_model(f"{kind.__name__}Body", __base__=base, __doc__=base.__doc__, schema_=versioned)
    return made


@cache
def grep_answer() -> type[BaseModel]:
    """The model of :meth:`GrepResult.to_dict`, whose query stands under ``query`` as in the other answers."""
    base = model_of(GrepResult)
    fields: dict[str, Any] = {
        name: (info.annotation, ...) for name, info in base.model_fields.items() if name != "pattern"
    }
    fields["schema_"] = (str, Field(alias="schema", examples=[SCHEMA]))
    fields["query"] = (dict[str, str], ...)
    made: type[BaseModel] = create_model("GrepResultBody", __base__=_Model, __doc__=base.__doc__, **fields)
    return made


def _mapped(hint: Any) -> Any:
    """A type with every dataclass in it replaced by its model, and tuples of any length by lists."""
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return model_of(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return list[_mapped(arguments[0])]  # type: ignore[misc]
    if origin in (Union, types.UnionType):
        return Union[tuple(_mapped(one) for one in arguments)]  # noqa: UP007
    if origin in (list, dict, tuple):
        return origin[tuple(_mapped(one) for one in arguments)]
    return hint


def _first(text: str | None) -> str:
    return " ".join((text or "").split("\n\n")[0].split())


ANSWERS: dict[str, type] = {
    "search": SearchResult,
    "similar": SearchResult,
    "symbol": structure.SymbolResult,
    "usages": structure.UsageResult,
    "impact": structure.ImpactResult,
    "context": structure.ContextResult,
    "routes": structure.RouteResult,
    "overview": structure.OverviewResult,
    "match": structure.MatchResult,
    "file": FileResult,
    "graph": GraphResult,
    "ask": AskResult,
    "history": HistoryResult,
}
"""The dataclass behind each answer, by the last part of its route."""

STATES: dict[str, type] = {"status": Status, "status/path": PathStatus, "index": JobState}
