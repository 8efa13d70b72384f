"""Settings from their layers: defaults < user file < project file < ``FOURFOLD_*`` variables < flags.

A fault in what the user wrote (user file, flag, value of a variable) is an error. A fault in the project's
file is a warning and the faulty part is ignored: a repository must not stop, or widen, a search of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from fourfold.config.option import Option, Value, convert, nearest, shown
from fourfold.config.platform_folders import config_folder
from fourfold.config.settings import Settings, build, find_option, flatten, options
from fourfold.config.trust import PROJECT_MAY_SET, narrowed
from fourfold.model.errors import BadConfig
from fourfold.model.record import record

PREFIX = "FOURFOLD_"
CONFIG_VARIABLE = "FOURFOLD_CONFIG"
"""Names the user file to read instead of the platform's one."""

SERVICES = "services"
"""The table of a configuration file that lists services; :mod:`fourfold.config.services` reads it."""

OTHER_VARIABLES = frozenset({CONFIG_VARIABLE, "FOURFOLD_DISABLE_PLUGINS"})
"""Variables with our prefix that are no settings."""

MAX_CONFIG_BYTES = 1_000_000
"""A larger configuration file is not read: a repository's file must not cost memory before it is judged."""


@record(frozen=True, slots=True)
class Loaded:
    """Settings, where each value came from (by dotted key), and what was ignored and why."""

    settings: Settings
    origins: dict[str, str]
    warnings: tuple[str, ...] = ()


@record(frozen=False, slots=True)
class _Layers:
    """Values and origins as the layers pile up."""

    values: dict[str, Value]
    origins: dict[str, str]
    warnings: list[str] = field(default_factory=list)

    def put(self, option: Option, value: object, origin: str) -> None:
        self.values[option.key] = convert(option, value)
        self.origins[option.key] = origin


def load_settings(
    root: Path | None = None,
    overrides: Mapping[str, object] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
) -> Loaded:
    """Read all layers for the tree at `root` (None: no project layer).

    `overrides` maps dotted keys to values (flags, a program's wishes); None values count as not given.
    `environ` defaults to the process's environment. Raises :class:`BadConfig` for faults outside
    the project's file.
    """
    environ = os.environ if environ is None else environ
    layers = _Layers(values=flatten(Settings()), origins=dict.fromkeys(options(), "default"))
    _user_layer(layers, environ)
    if root is not None:
        _project_layer(layers, root)
    _environment_layer(layers, environ)
    for key, value in (overrides or {}).items():
        if value is not None:
            layers.put(find_option(key), value, "flag")
    return Loaded(build(layers.values), layers.origins, tuple(layers.warnings))


def user_file(environ: Mapping[str, str] | None = None) -> Path:
    """The user's configuration file, existing or not."""
    named = (os.environ if environ is None else environ).get(CONFIG_VARIABLE, "")
    if named:
        return Path(named).expanduser()
    return config_folder() / "config.toml"


def _user_layer(layers: _Layers, environ: Mapping[str, str]) -> None:
    path = user_file(environ)
    if not path.exists():
        if environ.get(CONFIG_VARIABLE):
            raise BadConfig(f"{CONFIG_VARIABLE} names a file that does not exist: {path}", hint="create or unset it")
        return
    for key, value in _entries(read_toml(path)):
        try:
            layers.put(find_option(key), value, f"user file {path}")
        except BadConfig as error:
            raise BadConfig(f"{path}: {error.message}", hint=error.hint) from None


def _project_layer(layers: _Layers, root: Path) -> None:
    for name, table in (("fourfold.toml", ()), ("pyproject.toml", ("tool", "fourfold"))):
        path = root / name
        if not path.is_file():
            continue
        try:
            found = _table_at(_project_toml(path, root), table, name)
        except BadConfig as error:
            layers.warnings.append(f"{error.message}; the file is ignored")
            continue
        if found is not None:
            for key, value in _entries(found):
                _project_value(layers, name, key, value)
            return


def _project_value(layers: _Layers, name: str, key: str, value: object) -> None:
    """Take one value of a project file, or warn why not."""
    try:
        option = find_option(key)
        wanted = convert(option, value)
    except BadConfig as error:
        layers.warnings.append(f"{name}: {error.message}; ignored ({error.hint})")
        return
    result = narrowed(key, layers.values[key], wanted)
    if result is None:
        rule = PROJECT_MAY_SET.get(key)
        limit = f"a project may narrow it only ({rule[1]})" if rule else "only the user may set it"
        layers.warnings.append(f"{name}: {key} = {shown(value)} is ignored; {limit}")
        return
    before = layers.origins[key]
    joined = isinstance(result, (tuple, dict)) and bool(layers.values[key]) and before != "default"
    layers.values[key] = result
    layers.origins[key] = f"{before} + project {name}" if joined else f"project {name}"


def _environment_layer(layers: _Layers, environ: Mapping[str, str]) -> None:
    by_variable = {option.variable: option for option in options().values()}
    for name in sorted(environ):
        if not name.startswith(PREFIX) or name in OTHER_VARIABLES or not environ[name]:
            continue
        option = by_variable.get(name)
        if option is None:
            near = nearest(name, by_variable)
            layers.warnings.append(f"{name} is not a setting" + (f"; did you mean {near}?" if near else ""))
            continue
        try:
            layers.put(option, environ[name], f"environment {name}")
        except BadConfig as error:
            raise BadConfig(f"{name}: {error.message}", hint=error.hint) from None


def _project_toml(path: Path, root: Path) -> dict[str, Any]:
    """A project file's content. A link that leaves the root is not followed: it would show what is there."""
    if not path.resolve().is_relative_to(root.resolve()):
        raise BadConfig(f"{path.name} is a link that leaves the project")
    return read_toml(path, name=path.name)


def read_toml(path: Path, *, name: str = "") -> dict[str, Any]:
    """Parse a TOML file; raises :class:`BadConfig` that says what is wrong with it."""
    import tomllib

    name = name or str(path)
    try:
        if path.stat().st_size > MAX_CONFIG_BYTES:
            raise BadConfig(f"{name} is larger than {MAX_CONFIG_BYTES:,} bytes", hint="is it the right file?")
        return tomllib.loads(path.read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8"))
    except OSError as error:
        raise BadConfig(f"{name} cannot be read: {error.strerror}", hint="check the file's permissions") from None
    except UnicodeDecodeError:
        raise BadConfig(f"{name} is not UTF-8 text", hint="save it as UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise BadConfig(f"{name} is not valid TOML: {reason}", hint="correct the file") from None


def _table_at(data: dict[str, Any], table: tuple[str, ...], name: str) -> dict[str, Any] | None:
    """The table of our settings within a project file, or None where the file has none."""
    found: Any = data
    for part in table:
        found = found.get(part) if isinstance(found, dict) else None
    if found is None or isinstance(found, dict):
        return found
    raise BadConfig(f"{name}: {'.'.join(table)} is not a table")


def _entries(data: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Dotted keys and values of a configuration file; tables that are values (languages) stay whole."""
    sections = {key.rpartition(".")[0] for key in options()} - {""}
    for name, value in data.items():
        if name == SERVICES:
            continue
        if name in sections and isinstance(value, dict):
            yield from ((f"{name}.{inner}", item) for inner, item in value.items())
        else:
            yield name, value
