"""What is compared: a way of searching, written as ``preset=quick,chunker=lines``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fourfold.config.option import Value, convert, nearest, shown
from fourfold.config.settings import find_option, options
from fourfold.model.errors import UsageError

if TYPE_CHECKING:
    from fourfold.config.settings import Settings

RANKINGS: tuple[str, ...] = ("own", "bundled")
"""Whether weights fitted on this repository are used where there are some, or those that come with the program."""
SHORT = {"chunker": "index.chunker", "model": "embedding.model"}
_INDEXED = ("index.chunker", "embedding.")
"""Settings that change what is indexed: these are compared on indexes of their own."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """One way of searching. `indexed` are the settings of its index by dotted key, as far as they are not those in
    force."""

    preset: str = "default"
    k: int = 0
    ranking: str = "own"
    indexed: Mapping[str, Value] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """As it would be written: ``preset=quick,chunker=lines``; what is as usual is left out, but for the preset."""
        brief = {long: short for short, long in SHORT.items()}
        said = [f"preset={self.preset}"]
        said += [f"k={self.k}"] if self.k else []
        said += [f"ranking={self.ranking}"] if self.ranking != "own" else []
        return ",".join([*said, *(f"{brief.get(key, key)}={value}" for key, value in sorted(self.indexed.items()))])

    def settings(self, base: Settings) -> Settings:
        """The settings of its index."""
        from fourfold.config.settings import build, flatten

        return build({**flatten(base), **self.indexed, "search.k": self.k})


def configuration_of(settings: Settings) -> Configuration:
    """How searches are answered under the settings in force."""
    return Configuration(settings.search.preset, settings.search.k)


def changed(base: Configuration, text: str, settings: Settings) -> Configuration:
    """`base` with the changes that `text` names; raises UsageError for what it cannot name.

    A key is one of ``preset``, ``k``, ``ranking``, ``chunker``, ``model``, or a dotted setting that changes the index.
    """
    found = base
    for part in text.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not key or not equals or not value:
            raise UsageError(f"{shown(part)} is no KEY=VALUE", hint="for instance: preset=quick,chunker=lines")
        found = _with(found, key, value, settings)
    return found


def _with(base: Configuration, key: str, value: str, settings: Settings) -> Configuration:
    if key == "preset":
        from fourfold.engine.checks import check_preset

        check_preset(value)
        return replace(base, preset=value)
    if key == "ranking":
        if value not in RANKINGS:
            raise UsageError(f"ranking must be one of {', '.join(RANKINGS)}, not {shown(value)}")
        return replace(base, ranking=value)
    if key == "k":
        k = convert(find_option("search.k"), value)
        assert isinstance(k, int)
        return replace(base, k=k)
    long = SHORT.get(key, key)
    if not long.startswith(_INDEXED) or long not in options():
        raise UsageError(f"{shown(key)} cannot be compared", hint=_allowed(key))
    made = convert(find_option(long), value)
    indexed = {name: old for name, old in base.indexed.items() if name != long}
    if made != _in_force(settings, long):
        indexed[long] = made
    return replace(base, indexed=indexed)


def _in_force(settings: Settings, key: str) -> Value:
    from fourfold.config.settings import flatten

    return flatten(settings)[key]


def _allowed(key: str) -> str:
    dotted = [name for name in options() if name.startswith(_INDEXED) and name not in SHORT.values()]
    known = ["preset", "k", "ranking", *SHORT, *dotted]
    near = nearest(key, known)
    return (f'did you mean "{near}"? ' if near else "") + f"choose from: {', '.join(known)}"
