"""Keys of servers: from the environment only, sent over https only (or to this machine), never written anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

from fourfold.model.errors import BackendUnavailable, BadConfig


def key_from(variable: str, endpoint: str, environ: Mapping[str, str], *, what: str, setting: str) -> str:
    """The key that the environment variable holds, "" where `variable` is "".

    `what` is whose key it is ("the language model"), `setting` the option that names the variable. Raises
    BackendUnavailable where the variable holds no key, BadConfig where the key would travel in the clear.
    """
    if not variable:
        return ""
    key = environ.get(variable, "").strip()
    if not key:
        raise BackendUnavailable(
            f"the variable {variable} that should hold {what}'s key is not set",
            hint=f"set it, or empty {setting} where the server wants no key",
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise BackendUnavailable(f"the variable {variable} holds no key", hint="a key is printable ASCII, no spaces")
    if urlsplit(endpoint).scheme == "http" and not is_loopback(endpoint):
        raise BadConfig("a key is sent to another machine over https only", hint=f"use https, or empty {setting}")
    return key


def is_loopback(address: str) -> bool:
    """True where an address is of this machine."""
    host = urlsplit(address).hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
