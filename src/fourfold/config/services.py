"""The list of services: named sources that are searched together.

::

    [services.web]
    git = "https://github.com/example/web"      # or: path = "~/src/web"
    ref = "main"                                # a branch, a tag or a commit; "" is the default branch
    root = "packages/app"                       # only this folder of it
    exclude = ["*.snap"]
    token_env = "WEB_TOKEN"                     # environment variable that holds the token
    via = "github"                              # as an archive, without git

They stand in the user's configuration file, in ``services.toml`` beside it (which ``fourfold service`` writes), or in a
file that is named. A project's ``fourfold.toml`` may name folders of the project itself, and nothing else.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from fourfold.config.load import SERVICES, read_toml, user_file
from fourfold.config.option import nearest, shown
from fourfold.config.whole_file import replace_text
from fourfold.model.errors import BadConfig, UsageError
from fourfold.model.record import record

FILE_NAME = "services.toml"
VIAS = ("git", "github", "gitlab")
"""By git; or as an archive, as GitHub or GitLab give one."""
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._@+-]{0,62}[A-Za-z0-9])?")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,199}")
_HEAD = "# Written by `fourfold service`; services listed in the configuration file itself are left alone.\n"


@record(frozen=True, slots=True)
class ServiceConfig:
    """One service. Either `path` (an absolute folder) or `git` (an address) is set; with a `ref` the commit that it
    names is read and not the work tree. `via` says how a repository elsewhere is read (:data:`VIAS`, "" where that is
    left to the program); `listed` is the file that it stands in."""

    name: str
    path: str = ""
    git: str = ""
    ref: str = ""
    root: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    token_env: str = ""
    via: str = ""
    listed: str = ""

    def to_table(self) -> dict[str, Any]:
        """What is set, as the configuration file has it."""
        known = {item.name: getattr(self, item.name) for item in fields(self)}
        return {key: value for key, value in known.items() if value and key not in ("name", "listed")}


def load_services(file: Path | None = None, *, environ: Mapping[str, str] | None = None) -> tuple[ServiceConfig, ...]:
    """The services of a file, else the user's, by name. Raises BadConfig for faults and for a name listed twice."""
    user = user_file(environ)
    files = [file] if file is not None else [user, user.parent / FILE_NAME]
    found: dict[str, ServiceConfig] = {}
    for path in files:
        if file is None and not path.is_file():
            continue
        for service in _tables(path, read_toml(path).get(SERVICES, {})):
            if service.name in found:
                raise BadConfig(
                    f"the service {service.name} is listed in {found[service.name].listed} and in {path}",
                    hint="remove one of them",
                )
            found[service.name] = service
    return tuple(found[name] for name in sorted(found))


def project_services(root: Path) -> tuple[tuple[ServiceConfig, ...], tuple[str, ...]]:
    """Folders of a project that its own ``fourfold.toml`` names as services; and what of it was ignored, and why."""
    path = root / "fourfold.toml"
    real = os.path.realpath(root)
    if not path.is_file() or not path.resolve().is_relative_to(real):
        return (), ()
    try:
        tables = read_toml(path).get(SERVICES, {})
        services = _tables(path, tables)
    except BadConfig as error:
        return (), (f"{error.message}; its services are ignored",)
    kept, warnings = [], []
    for service in services:
        inside = os.path.realpath(service.path) if service.path else ""
        if service.git or service.ref or service.token_env:
            warnings.append(f"{path.name}: service {service.name} is ignored; only the user may add a repository")
        elif not Path(inside).is_relative_to(real):
            warnings.append(f"{path.name}: service {service.name} is ignored; its folder is not in the project")
        else:
            kept.append(service)
    return tuple(kept), tuple(warnings)


def save_service(service: ServiceConfig, *, environ: Mapping[str, str] | None = None) -> Path:
    """Add a service to ``services.toml``; returns the file. Raises UsageError where its name is taken."""
    check_name(service.name)
    if any(other.name == service.name for other in load_services(environ=environ)):
        raise UsageError(
            f"there is a service {service.name} already",
            hint=f"remove it first: fourfold service remove {service.name}",
        )
    return _write([*_own(environ), service], environ)


def drop_service(name: str, *, environ: Mapping[str, str] | None = None) -> ServiceConfig:
    """Take a service out of ``services.toml``; returns it. Raises UsageError where it is not there."""
    known = load_services(environ=environ)
    own = _own(environ)
    found = next((service for service in own if service.name == name), None)
    if found is None:
        listed = next((service.listed for service in known if service.name == name), "")
        raise UsageError(
            f"the service {name} stands in {listed}" if listed else f"there is no service {name[:80]!r}",
            hint="take it out of that file by hand" if listed else near_hint(name, [item.name for item in known]),
        )
    _write([service for service in own if service is not found], environ)
    return found


def near_hint(name: str, known: list[str]) -> str:
    """What to say of a service that does not exist."""
    near = nearest(name, known)
    return f"did you mean {near}?" if near else "see them with: fourfold service list"


def check_name(name: str) -> str:
    """`name` where it can be that of a service. Raises UsageError."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name[:80]!r} is no name of a service", hint="use letters, digits, dots and dashes: web, billing-api"
        )
    return name


def _own(environ: Mapping[str, str] | None) -> list[ServiceConfig]:
    path = user_file(environ).parent / FILE_NAME
    return list(_tables(path, read_toml(path).get(SERVICES, {}))) if path.is_file() else []


def _tables(file: Path, tables: object) -> tuple[ServiceConfig, ...]:
    if not isinstance(tables, Mapping) or not all(isinstance(table, Mapping) for table in tables.values()):
        raise BadConfig(f"{file}: {SERVICES} is not a table of tables", hint="write [services.NAME]")
    return tuple(_service(file, name, table) for name, table in tables.items())


def _service(file: Path, name: str, table: Mapping[str, object]) -> ServiceConfig:
    place = f"{file}: services.{name}"
    known = {item.name: item.type for item in fields(ServiceConfig) if item.name not in ("name", "listed")}
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in known:
            near = nearest(key, known)
            raise BadConfig(
                f"{place} has no setting {shown(key)}", hint=f"did you mean {near}?" if near else _keys(known)
            )
        lists = key in ("include", "exclude")
        right = isinstance(value, list) and all(isinstance(item, str) for item in value) if lists else None
        if not (right if lists else isinstance(value, str)):
            raise BadConfig(f"{place}.{key} must be {'a list of texts' if lists else 'a text'}, not {shown(value)}")
        values[key] = tuple(value) if isinstance(value, list) else value
    try:
        return checked(ServiceConfig(name, listed=str(file), **values), file.parent)
    except UsageError as error:
        raise BadConfig(f"{place}: {error.message}", hint=error.hint) from None


def checked(service: ServiceConfig, base: Path) -> ServiceConfig:
    """The service with its folder made absolute from `base`, where its values can be right. Raises UsageError."""
    check_name(service.name)
    if bool(service.path) == bool(service.git):
        raise UsageError(
            "a service has either a path or a git address", hint='path = "~/src/web", or git = "https://..."'
        )
    if service.token_env and not _VARIABLE.fullmatch(service.token_env):
        raise UsageError(
            "token_env is the name of an environment variable, not the token itself", hint='for instance "WEB_TOKEN"'
        )
    if service.via and service.via not in VIAS:
        near = nearest(service.via, VIAS)
        raise UsageError(
            f"via {shown(service.via)} is no way to read a repository",
            hint=f"did you mean {near}?" if near else f"choose from: {', '.join(VIAS)}",
        )
    if service.via in VIAS[1:] and not service.git.startswith(("https://", "http://")):
        raise UsageError(f"via {service.via} is for repositories with an https address", hint="leave out via")
    root = service.root.strip("/")
    if "\0" in root or "\\" in root or any(part in ("", ".", "..") for part in root.split("/") if root):
        raise UsageError(
            f"root {shown(service.root)} is no folder inside of the service", hint="for instance packages/app"
        )
    path = str((base / Path(service.path).expanduser()).absolute()) if service.path else ""
    return replace(service, path=path, root=root)


def _keys(known: Mapping[str, object]) -> str:
    return f"choose from: {', '.join(known)}"


def _write(services: list[ServiceConfig], environ: Mapping[str, str] | None) -> Path:
    path = user_file(environ).parent / FILE_NAME
    blocks = [_HEAD]
    for service in sorted(services, key=lambda item: item.name):
        lines = [f"{key} = {_toml(value)}" for key, value in service.to_table().items()]
        blocks.append("\n".join([f"[{SERVICES}.{_toml(service.name)}]", *lines, ""]))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_text(path, "\n".join(blocks))
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}", hint="check its permissions") from error
    return path


def _toml(value: object) -> str:
    """A text or a list of texts as TOML: its basic strings know JSON's escapes; DEL is the one it forbids besides."""
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(_toml(item) for item in value)}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
