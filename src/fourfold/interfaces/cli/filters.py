"""Filter options as the engine's filters: names resolved, paths taken from the folder the person is in."""

from __future__ import annotations

import glob as globs_of
from collections.abc import Iterable
from pathlib import Path

from fourfold.interfaces.cli.session import Session
from fourfold.model.errors import BadFilter, UsageError
from fourfold.model.query import Filters

_GLOB = frozenset("*?[")


def build_filters(
    session: Session,
    *,
    languages: Iterable[str] = (),
    paths: Iterable[str] = (),
    globs: Iterable[str] = (),
    not_paths: Iterable[str] = (),
    kinds: Iterable[str] = (),
    changed: bool = False,
    since: str | None = None,
) -> Filters:
    """The filters that the options ask for.

    Paths and globs both narrow: a result is below one of the paths *and* like one of the globs.

    Raises :class:`BadFilter` for an unknown language or kind or a path that is not there,
    :class:`fourfold.model.errors.PathOutsideRoot` for one that leaves the root, and
    :class:`fourfold.model.errors.UsageError` for a reference git does not know.
    """
    from fourfold.rank.query_text import make_filters

    root = session.found_root()
    return make_filters(
        languages=languages,
        paths=_joined(session, root, [root_path(session, root, path) for path in paths], list(globs)),
        not_paths=[root_path(session, root, path, must_exist=False) for path in not_paths],
        kinds=kinds,
        only_paths=_changed_paths(session, root, changed, since),
        resolve_language=_resolve_language,
    )


def _joined(session: Session, root: Path, bases: list[str], globs: list[str]) -> list[str]:
    """Root-relative paths and globs as one list of alternatives: each path with each glob below it.

    The root itself among the paths makes one pattern for everything, since alternatives widen each other. A
    file named as a path is searched whatever the globs say, as by other greps.
    """
    everything = any(base in ("", ".") for base in bases)
    if not globs:
        return ["*"] if everything else bases
    if everything:
        return [glob.removeprefix("/") for glob in globs]
    if not bases:
        return [_glob_from(session, root, glob) for glob in globs]
    files = [base for base in bases if _is_file(root / base)]
    folders = [base for base in bases if base not in files]
    return files + [f"{folder}/**/{glob.removeprefix('/')}" for folder in folders for glob in globs]


def root_path(session: Session, root: Path, path: str, *, must_exist: bool = True, as_pattern: bool = True) -> str:
    """A path or glob as typed, relative to the root.

    It is taken from the folder the person is in; where nothing is there, from the root, which is how results
    are written in JSON. What is not there but holds one of ``*?[`` is a glob; what is there and holds one
    (``[slug].js``) is escaped, unless no pattern is wanted but the name of a file.
    """
    from fourfold.source.root import plain_path, relative_path

    if session.several:  # which of them have it is not known here
        return plain_path(path)
    here = session.directory.resolve()
    bases = [here, root] if here.is_relative_to(root.resolve()) else [root]
    if "\\" in path and not any(_is_there(base / path) for base in bases):
        path = path.replace("\\", "/")  # written as on Windows
    globbed = bool(_GLOB.intersection(path))
    for base in bases:
        if _is_there(base / path):
            inside = relative_path(root, path, base)
            return _literal(root, inside) if globbed and as_pattern else inside
    if globbed:
        return _glob_from(session, root, path)
    inside = relative_path(root, path, bases[0])
    if must_exist:
        raise BadFilter(f"there is no {path} here", hint="paths are taken from the folder you are in")
    return inside


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def _literal(root: Path, inside: str) -> str:
    """A path that exists and holds a glob's characters (``app/[slug]``), as the glob that means just it."""
    return globs_of.escape(inside) + ("/*" if (root / inside).is_dir() else "")


def _glob_from(session: Session, root: Path, pattern: str) -> str:
    """A glob as a pattern from the root: it is taken from the folder the person is in unless it begins with
    ``/``; one without any ``/`` holds at every depth."""
    here, base = session.directory.resolve(), root.resolve()
    if session.several or pattern.startswith("/") or here == base or not here.is_relative_to(base):
        return pattern.removeprefix("/")
    deep = "" if "/" in pattern else "**/"
    return f"{here.relative_to(base).as_posix()}/{deep}{pattern.removeprefix('./')}"


def _resolve_language(name: str) -> str:
    """The canonical name of a language; the table of languages is loaded only where one is named."""
    from fourfold.syntax.languages.registry import resolve_language

    return resolve_language(name)


def _changed_paths(session: Session, root: Path, changed: bool, since: str | None) -> frozenset[str] | None:
    """Paths that ``--changed`` and ``--since`` allow, or None where neither is given."""
    if not changed and since is None:
        return None
    if session.several:
        raise UsageError("--changed and --since are for the project here", hint="leave out --service and --scope")
    from fourfold.source.git import changed_files

    return frozenset(changed_files(root, since))
