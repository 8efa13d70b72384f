"""Addresses of git repositories and names of refs, checked before git sees them.

An address may only be one that git reaches by https, ssh, or as a folder of this machine; http is for loopback alone.
Nothing that could be read as an option, run a helper (``ext::``) or carry a password gets through.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from fourfold.model.errors import UsageError

HTTPS, HTTP, SSH, FILE = "https", "http", "ssh", "file"
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

_CONTROL = re.compile(r"[\x00-\x20\x7f]")
_SCP = re.compile(r"(?:[A-Za-z0-9._][A-Za-z0-9._-]*@)?[A-Za-z0-9][A-Za-z0-9.-]+:(?!:)[A-Za-z0-9~._/][^\s:]*")
"""``git@example.org:team/project.git``, as ssh has it."""
_BAD_REF = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|\.lock(?:/|$)|(?:^|/)\.|\.$|/$|^/|^-|^@$")
"""What git forbids in the name of a ref (git-check-ref-format), and a dash in front."""
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_MAX_CHARS = 2000
_ALLOWED = "https://HOST/PATH, ssh://HOST/PATH, USER@HOST:PATH or a folder of this machine"


@dataclass(frozen=True, slots=True)
class Address:
    """A repository that may be asked. `url` is what git is given, `protocol` the one it may use for it."""

    url: str
    protocol: str

    def __str__(self) -> str:
        return self.url


def looks_remote(text: str) -> bool:
    """True for what is meant as an address rather than as a folder."""
    return "://" in text or "::" in text or (_SCP.fullmatch(text) is not None and not Path(text).exists())


def check_address(text: str) -> Address:
    """The address that `text` means. Raises UsageError for what git must not be asked."""
    if not text or len(text) > _MAX_CHARS or text.startswith("-") or _CONTROL.search(text):
        raise _refused(text, "is no address of a git repository")
    if "::" in text.partition("/")[0]:
        raise _refused(text, "names a program (a transport helper)")
    if "://" not in text:
        if looks_remote(text):
            return Address(text, SSH)
        return _folder(Path(text).expanduser())
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
        password, port = parts.password, parts.port
    except ValueError:
        raise _refused(text, "is no address of a git repository") from None
    del port  # read for its check
    if parts.scheme == FILE:
        return _folder(Path(parts.path))
    if parts.scheme == HTTP and host not in _LOOPBACK:
        raise UsageError(f"{shown(text)} would send code and tokens unencrypted", hint="use https://")
    if parts.scheme not in (HTTPS, HTTP, SSH):
        raise _refused(text, f"uses the protocol {parts.scheme}, which is not allowed")
    if not re.fullmatch(r"[A-Za-z0-9:][A-Za-z0-9.:-]*", host) or len(parts.path.strip("/")) == 0:
        raise _refused(text, "is no address of a git repository")
    if password is not None or (parts.username and parts.scheme != SSH):
        raise UsageError(
            f"{shown(text)} holds a user or password",
            hint="put the token into an environment variable and name that: --token-env NAME",
        )
    if parts.username and parts.username.startswith("-"):
        raise _refused(text, "is no address of a git repository")
    if parts.query or parts.fragment:
        raise _refused(text, "has a query or fragment")
    return Address(text, parts.scheme)


def check_ref(ref: str) -> str:
    """`ref` where it can be the name of a branch or tag, or a whole commit hash. Raises UsageError."""
    if not ref or len(ref) > 250 or _BAD_REF.search(ref):
        raise UsageError(
            f"{ref[:80]!r} is no name of a branch, a tag or a commit",
            hint="give a branch, a tag or the whole hash of a commit",
        )
    return ref


def is_commit(ref: str) -> bool:
    """True for a whole commit hash."""
    return _COMMIT.fullmatch(ref) is not None


def shown(text: str) -> str:
    """An address as messages show it: without user and password, and not too long."""
    return re.sub(r"//[^/@\s]*@", "//", text)[:200]


def _folder(path: Path) -> Address:
    if not path.is_dir():
        raise UsageError(f"there is no folder {path}", hint=f"give {_ALLOWED}")
    return Address(os.path.realpath(path), FILE)


def _refused(text: str, why: str) -> UsageError:
    return UsageError(f"{shown(text)!r} {why}", hint=f"give {_ALLOWED}")
