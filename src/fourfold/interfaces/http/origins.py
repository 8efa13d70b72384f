"""Who may ask: the Host, Origin and Sec-Fetch headers of a request.

A page of another site can make a browser send requests to this server, also under a name of its own that it lets point
here (DNS rebinding). Such a request carries that page's Origin, or a Host that is none of ours.
"""

from __future__ import annotations

import ipaddress
import re

from fourfold.interfaces.http.options import LOOPBACK_NAMES, ServeOptions

_HOST = re.compile(r"^(?P<name>\[[0-9a-fA-F:.]+\]|[^\[\]:/@\s]+)(?::(?P<port>\d{1,5}))?\Z")


def host_name(header: str) -> str:
    """The name in a Host header, lower case, without brackets, port and final dot; "" where it is malformed."""
    found = _HOST.match(header)
    return found["name"].strip("[]").lower().removesuffix(".") if found else ""


def host_allowed(header: str, options: ServeOptions) -> bool:
    """True where the Host header names this server.

    On loopback those are its names; elsewhere the bound address, the names given with ``--allow-host`` and, where the
    server listens on every address, any address written as numbers (a rebinding page has a name).
    """
    name = host_name(header)
    if not name:
        return False
    if name in LOOPBACK_NAMES or name == options.host.lower() or name in {one.lower() for one in options.hosts}:
        return True
    return options.any_address and _is_address(name)


def origin_allowed(origin: str, host: str) -> bool:
    """True where `origin` is the page that this server itself gave out under the Host header `host`."""
    scheme, separator, rest = origin.partition("://")
    return bool(separator) and scheme in ("http", "https") and rest.lower() == host.lower()


def fetch_allowed(site: str, mode: str, destination: str) -> bool:
    """False where a browser says that another site's page embeds or fetches this; a link to the page is fine."""
    if site in ("", "none", "same-origin"):
        return True
    return mode == "navigate" and destination == "document"


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
