"""One setting: its key, default, help, allowed values, and how a raw value becomes a checked one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, field
from typing import Any

from fourfold.model.errors import BadConfig
from fourfold.model.record import record

Value = bool | int | float | str | tuple[str, ...] | dict[str, str]
"""What a setting may hold. Its type is the type of its default."""

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})
_NAMES: dict[type, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    tuple: "a list of texts",
    dict: "a table of texts",
}


@record(frozen=True, slots=True)
class Option:
    """One setting. `minimum` and `maximum` bound numbers (both included); `choices` are the texts allowed, and `also`
    tells of any other text whether it is allowed too."""

    key: str
    default: Value
    help: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    also: Callable[[str], bool] | None = None

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return "FOURFOLD_" + self.key.replace(".", "_").upper()

    @property
    def expects(self) -> str:
        """What it accepts, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        words = _NAMES[type(self.default)]
        if self.minimum is not None and self.maximum is not None:
            return f"{words} from {self.minimum:,} to {self.maximum:,}"
        return words if self.minimum is None else f"{words}, at least {self.minimum:,}"


def setting(default: Any, help: str, **limits: Any) -> Any:
    """A dataclass field that is a setting; `limits` are minimum, maximum, choices and also of :class:`Option`."""
    metadata = {"help": help, **limits}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=metadata)
    return field(default=default, metadata=metadata)


def option_of(section: str, item: Field[Any]) -> Option:
    """The option that a field made by :func:`setting` describes."""
    default: Any = item.default
    if item.default_factory is not MISSING:
        default = item.default_factory()
    key = f"{section}.{item.name}" if section else item.name
    return Option(key=key, default=default, **item.metadata)


def convert(option: Option, value: object) -> Value:
    """`value` checked and in the option's type; texts are parsed as the environment and flags give them.

    Raises :class:`BadConfig` with the key, what it expects and, for a choice, the nearest one.
    """
    kind = type(option.default)
    result = _from_text(kind, value) if isinstance(value, str) else _from_value(kind, value)
    if result is None:
        raise BadConfig(f"{option.key} must be {option.expects}, not {shown(value)}", hint=option.help)
    if option.choices and result not in option.choices and not (option.also and option.also(str(result))):
        near = nearest(str(result), option.choices)
        raise BadConfig(
            f"{option.key} must be {option.expects}, not {shown(value)}",
            hint=f'did you mean "{near}"?' if near else option.help,
        )
    if isinstance(result, (int, float)) and not isinstance(result, bool) and not _within(option, result):
        raise BadConfig(f"{option.key} must be {option.expects}, not {shown(value)}", hint=option.help)
    return result


def shown(value: object) -> str:
    """A value as an error message quotes it: escaped, and cut where it is long."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name most like `name`, or an empty text."""
    from difflib import get_close_matches

    found = get_close_matches(name, list(known), n=1, cutoff=0.5)
    return found[0] if found else ""


def _within(option: Option, number: float) -> bool:
    low = option.minimum is None or number >= option.minimum
    return low and (option.maximum is None or number <= option.maximum)


def _from_text(kind: type, text: str) -> Value | None:
    """A value of `kind` out of a text, or None where the text is not one."""
    if kind is str:
        return None if "\0" in text else text
    if kind is tuple:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if kind is dict:
        pairs = [part.partition("=") for part in text.split(",") if part.strip()]
        return _table({left.strip(): right.strip() for left, _, right in pairs})
    if kind is bool:
        word = text.strip().lower()
        return True if word in _TRUE else False if word in _FALSE else None
    try:
        return int(text) if kind is int else _finite(float(text))
    except ValueError:
        return None


def _from_value(kind: type, value: object) -> Value | None:
    """A value of `kind` out of what a TOML file or a program gives, or None where it is of another kind."""
    if kind is bool:
        return value if isinstance(value, bool) else None
    if isinstance(value, bool):
        return None
    if kind is int:
        return value if isinstance(value, int) else None
    if kind is float:
        return _finite(float(value)) if isinstance(value, (int, float)) else None
    if kind is tuple and isinstance(value, (list, tuple)):
        return tuple(value) if all(isinstance(item, str) and "\0" not in item for item in value) else None
    return _table(value) if kind is dict and isinstance(value, Mapping) else None


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _table(pairs: Mapping[Any, Any]) -> dict[str, str] | None:
    """A table of texts without empty names or values, or None."""
    texts = [item for pair in pairs.items() for item in pair]
    return dict(pairs) if all(isinstance(item, str) and item for item in texts) else None
