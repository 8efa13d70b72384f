"""Dataclasses that cost little to define.

The standard library writes, parses and compiles six methods for every frozen dataclass with slots: 0.5 ms a class, and
a search imports a hundred of them. :func:`record` makes the same class in a sixth of the time: only ``__init__`` is
compiled, and that when the first instance is made; the other methods are shared. To type checkers it *is*
:func:`dataclasses.dataclass`, and :func:`dataclasses.fields`, ``replace`` and ``asdict`` work on what it makes.
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, FrozenInstanceError
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["record"]

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as record
else:

    def record(*, frozen: bool, slots: bool) -> Callable[[type], type]:
        """A decorator as ``dataclasses.dataclass(frozen=True, slots=True)``, the one combination that it knows.

        No fields for keywords only, no ``InitVar``; a base class must be no dataclass. Raises TypeError otherwise.
        """
        if not (frozen and slots):
            raise TypeError("record() makes frozen classes with slots; take dataclasses.dataclass for others")
        return _made


def _made(cls: type) -> type:
    if any(dataclasses.is_dataclass(base) for base in cls.__mro__[1:]):
        raise TypeError(f"{cls.__name__} extends a dataclass; take dataclasses.dataclass")
    given = vars(cls)
    result: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    names = [field.name for field in dataclasses.fields(result)]
    if any(field.kw_only for field in dataclasses.fields(result)):
        raise TypeError(f"{cls.__name__} has fields for keywords only; take dataclasses.dataclass")
    shared = {
        "__init__": _first_init,
        "__repr__": _repr,
        "__eq__": _eq,
        "__hash__": _hash,
        "__setattr__": _refuse_to_set,
        "__delattr__": _refuse_to_delete,
        "__getstate__": _state,
        "__setstate__": _restore,
    }
    for name, method in shared.items():
        if name not in given:
            setattr(result, name, method)
    compared = [field.name for field in dataclasses.fields(result) if field.compare]
    result.__record_key__ = staticmethod(_key_of(compared))
    result.__record_names__ = tuple(names)
    result.__dataclass_params__.init = result.__dataclass_params__.repr = result.__dataclass_params__.eq = True
    result.__dataclass_params__.frozen = True
    made: type = result
    return made


def _key_of(names: list[str]) -> Callable[[Any], Any]:
    """What two equal instances have in common."""
    return attrgetter(*names) if names else lambda instance: ()


def _first_init(self: Any, /, *args: Any, **values: Any) -> None:
    """Compile ``__init__`` for the class of the first instance, and call it."""
    cls: Any = next(base for base in type(self).__mro__ if "__record_names__" in vars(base))
    cls.__init__ = _compiled(cls)
    cls.__init__(self, *args, **values)


def _compiled(cls: Any) -> Callable[..., None]:
    """``__init__`` as the standard library writes it: arguments in order, defaults, factories, ``__post_init__``."""
    parameters, body = ["self"], []
    known: dict[str, Any] = {"_set": object.__setattr__, "_missing": MISSING}
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
        body.append(f" _set(self, {name!r}, {value})")
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
