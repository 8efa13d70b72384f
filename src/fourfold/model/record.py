"""Dataclasses that cost little to define.

The standard library writes, parses and compiles six methods for every frozen dataclass with slots: 0.5 ms a class, and
a search imports a hundred of them. :func:`record` makes the same class in a twentieth of the time: methods are shared,
and only of a class with more than a few instances is ``__init__`` compiled. To type checkers it *is*
:func:`dataclasses.dataclass`, and :func:`dataclasses.fields`, ``replace`` and ``asdict`` work on what it makes.
"""

from __future__ import annotations

import dataclasses
from copy import copy
from dataclasses import MISSING, FrozenInstanceError
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["record"]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from dataclasses import dataclass as record
else:

    def record(*, frozen: bool, slots: bool) -> Callable[[type], type]:
        """A decorator as ``dataclasses.dataclass(frozen=frozen, slots=True)``.

        No fields for keywords only, no ``InitVar``; a base class must be no dataclass. Raises TypeError otherwise.
        """
        if not slots:
            raise TypeError("record() makes classes with slots; take dataclasses.dataclass for others")
        return partial(_made, frozen=frozen)


@dataclasses.dataclass(slots=True)
class _Pattern:
    """What a dataclass of the standard library carries besides its methods."""

    field: int


FEW = 4
"""Instances that are made without a compiled ``__init__``: compiling costs what twenty of them do."""


def _made(cls: type, frozen: bool) -> type:
    if any(dataclasses.is_dataclass(base) for base in cls.__mro__[1:]):
        raise TypeError(f"{cls.__name__} extends a dataclass; take dataclasses.dataclass")
    fields = {name: _field(cls, name, kind) for name, kind in _annotated(cls)}
    body = {name: value for name, value in vars(cls).items() if name not in (*fields, "__dict__", "__weakref__")}
    shared: dict[str, Any] = {"__init__": _first_init, "__repr__": _repr, "__eq__": _eq}
    if "__post_init__" in body or not all(field.init for field in fields.values()):
        shared |= {"__getstate__": _state, "__setstate__": _restore}
    else:
        shared["__reduce__"] = _remade
    if frozen:
        shared |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
    parameters = copy(_Pattern.__dataclass_params__)  # type: ignore[attr-defined]
    parameters.frozen = frozen
    names = tuple(fields)
    own: dict[str, Any] = {
        "__slots__": names,
        "__match_args__": tuple(field.name for field in fields.values() if field.init),
        "__hash__": body.get("__hash__") or (_hash if frozen else None),
        "__dataclass_fields__": fields,
        "__dataclass_params__": parameters,
        "__record_key__": staticmethod(_key_of([field.name for field in fields.values() if field.compare])),
        "__record_names__": names,
        "__record_cells__": staticmethod(_cells_of(names)),
        "__record_made__": 0,
    }
    made = type(cls)(cls.__name__, cls.__bases__, {**shared, **body, **own})
    made.__qualname__ = cls.__qualname__
    return made


def _annotated(cls: type) -> Iterator[tuple[str, Any]]:
    """Fields and what they are annotated with; class variables are none."""
    for name, kind in vars(cls).get("__annotations__", {}).items():
        if not str(kind).startswith(("ClassVar", "typing.ClassVar")):
            yield name, kind


def _field(cls: type, name: str, kind: Any) -> Any:
    """The field of an annotation. Raises as the standard library does for a default that instances would share."""
    default = vars(cls).get(name, MISSING)
    made: Any = default if isinstance(default, dataclasses.Field) else dataclasses.field(default=default)
    if made.default.__class__.__hash__ is None:
        raise ValueError(f"mutable default {type(made.default)} for field {name} is not allowed: use default_factory")
    if made.kw_only is True:
        raise TypeError(f"{cls.__name__} has fields for keywords only; take dataclasses.dataclass")
    made.name, made.type, made.kw_only = name, kind, False
    made._field_type = dataclasses.fields(_Pattern)[0]._field_type  # type: ignore[attr-defined]
    return made


def _key_of(names: list[str]) -> Callable[[Any], Any]:
    """What two equal instances have in common."""
    return attrgetter(*names) if names else lambda instance: ()


def _cells_of(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """All fields of an instance, as a tuple however many they are."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda instance: tuple(getattr(instance, name) for name in names)


def _remade(self: Any) -> tuple[Any, ...]:
    """How an instance is sent to another process, or copied: its class, called with its fields. Three times faster than
    by a state that is set field by field."""
    return self.__class__, self.__record_cells__(self)


def _first_init(self: Any, /, *args: Any, **values: Any) -> None:
    """Set the fields of one of the first instances of a class; then, or where the arguments are faulty, compile
    ``__init__`` and call it."""
    cls: Any = next(base for base in type(self).__mro__ if "__record_names__" in vars(base))
    cls.__record_made__ += 1
    if cls.__record_made__ > FEW or not _filled(self, cls, args, values):
        cls.__init__ = _compiled(cls)
        cls.__init__(self, *args, **values)


def _filled(self: Any, cls: Any, args: tuple[Any, ...], values: dict[str, Any]) -> bool:
    """Whether the arguments were right, and all fields are set by them."""
    fields = cls.__dataclass_fields__.values()
    taken = [field for field in fields if field.init]
    given = dict(zip((field.name for field in taken), args, strict=False)) | values
    if len(given) != len(args) + len(values) or not given.keys() <= {field.name for field in taken}:
        return False
    for field in fields:
        value = given.get(field.name, field.default)
        if value is MISSING and field.default_factory is not MISSING:
            value = field.default_factory()
        elif value is MISSING and field.init:
            return False
        if value is not MISSING:
            object.__setattr__(self, field.name, value)
    if hasattr(cls, "__post_init__"):
        self.__post_init__()
    return True


def _compiled(cls: Any) -> Callable[..., None]:
    """``__init__`` as the standard library writes it: arguments in order, defaults, factories, ``__post_init__``."""
    parameters, body = ["self"], []
    known: dict[str, Any] = {"_set": object.__setattr__, "_missing": MISSING}
    frozen = cls.__dataclass_params__.frozen
    for field in dataclasses.fields(cls):
        name = field.name
        value = name
        if field.default is not MISSING:
            known[f"_default_{name}"] = field.default
        if field.default_factory is not MISSING:
            known[f"_factory_{name}"] = field.default_factory
            value = f"_factory_{name}() if {name} is _missing else {name}"
        if field.init:
            default = f"=_default_{name}" if field.default is not MISSING else ""
            parameters.append(name + ("=_missing" if field.default_factory is not MISSING else default))
        elif field.default_factory is not MISSING:
            value = f"_factory_{name}()"
        elif field.default is not MISSING:
            value = f"_default_{name}"
        else:
            continue
        body.append(f" _set(self, {name!r}, {value})" if frozen else f" self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    lines = [f"def __init__({', '.join(parameters)}):", *(body or [" pass"])]
    exec("\n".join(lines), known)  # field names are identifiers, as in the standard library
    made: Callable[..., None] = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _repr(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _eq(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return self.__record_key__(self) == self.__record_key__(other)


def _hash(self: Any) -> int:
    return hash(self.__record_key__(self))


def _refuse_to_set(self: Any, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__record_names__]


def _restore(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__record_names__, state, strict=True):
        object.__setattr__(self, name, value)
