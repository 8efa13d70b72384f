"""Webhooks of GitHub and GitLab: whether one is genuine, and of which repository and ref it tells."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fourfold.interfaces.http.failures import HttpFailure

TOLERANCE_S = 300.0
"""How old a signed time stamp may be, as the Standard Webhooks specification advises."""
STANDARD_PREFIX = "whsec_"
"""How a key begins that is given in base64 (Standard Webhooks)."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A genuine webhook. `addresses` are the repository's addresses in one form (see :func:`address_key`); `ref` is the
    branch or tag that moved, `default` the default branch; `moved` is False for a mere greeting."""

    id: str
    addresses: frozenset[str]
    ref: str = ""
    default: str = ""
    moved: bool = True


def github(headers: Mapping[str, str], body: bytes, secret: str) -> Delivery:
    """A delivery of GitHub, signed with ``X-Hub-Signature-256``. Raises HttpFailure 401, 400."""
    wanted = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    if not _same(headers.get("x-hub-signature-256", ""), wanted):
        raise _not_genuine("X-Hub-Signature-256")
    data = _parsed(body)
    repository = _table(data.get("repository"))
    keys = ("clone_url", "ssh_url", "html_url", "git_url")
    return Delivery(
        headers.get("x-github-delivery", ""),
        _addresses(repository, keys),
        _ref(data.get("ref")),
        str(repository.get("default_branch") or ""),
        headers.get("x-github-event", "") in ("push", "create"),
    )


def gitlab(headers: Mapping[str, str], body: bytes, secret: str, now: float | None = None) -> Delivery:
    """A delivery of GitLab: signed (``webhook-signature``, Standard Webhooks), or with its plain ``X-Gitlab-Token``.

    A signed one counts by its signature alone. Raises HttpFailure 401, 400.
    """
    signature = headers.get("webhook-signature", "")
    number = (
        headers.get("webhook-id", "") or headers.get("idempotency-key", "") or headers.get("x-gitlab-event-uuid", "")
    )
    if signature:
        stamp = headers.get("webhook-timestamp", "")
        content = f"{headers.get('webhook-id', '')}.{stamp}.".encode() + body
        wanted = "v1," + base64.b64encode(hmac.new(_key(secret), content, hashlib.sha256).digest()).decode()
        # All are compared, whichever is right: how long it takes tells nothing.
        right = [_same(given, wanted) for given in signature.split(" ")]
        if not any(right):
            raise _not_genuine("webhook-signature")
        if not stamp.isdigit() or abs((time.time() if now is None else now) - int(stamp)) > TOLERANCE_S:
            raise HttpFailure(401, "the webhook is too old", hint="check the clocks of both machines")
    elif not _same(headers.get("x-gitlab-token", ""), secret):
        raise _not_genuine("webhook-signature or X-Gitlab-Token")
    data = _parsed(body)
    project = _table(data.get("project"))
    keys = ("git_http_url", "git_ssh_url", "http_url", "ssh_url", "web_url", "url")
    kind = headers.get("x-gitlab-event", "")
    return Delivery(
        number,
        _addresses(project, keys),
        _ref(data.get("ref")),
        str(project.get("default_branch") or ""),
        kind in ("Push Hook", "Tag Push Hook", "System Hook"),
    )


def address_key(text: str) -> str:
    """An address as host and path: what its spellings (https, ssh, with and without ``.git``) share; "" for none."""
    text = text.strip()
    match = re.fullmatch(r"(?:[a-z+]+://)?(?:[^@/\s]*@)?([^:/\s]+)(?::\d+(?=/))?[:/]+([^\s?#]+)", text, re.IGNORECASE)
    return f"{match[1].lower()}/{match[2].strip('/').removesuffix('.git').lower()}" if match else ""


def concerns(delivery: Delivery, address: str, ref: str) -> bool:
    """True where a service of that address and ref is to be synced: the ref moved, or no ref is told."""
    key = address_key(address)
    if not key or key not in delivery.addresses:
        return False
    wanted = ref or delivery.default
    return not delivery.ref or not wanted or wanted == delivery.ref


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode("utf-8", "replace"))


def _key(secret: str) -> bytes:
    if secret.startswith(STANDARD_PREFIX):
        try:
            return base64.b64decode(secret.removeprefix(STANDARD_PREFIX), validate=True)
        except binascii.Error:
            pass
    return secret.encode()


def _not_genuine(header: str) -> HttpFailure:
    return HttpFailure(401, "the webhook's signature is missing or wrong", hint=f"set the same secret there; {header}")


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise HttpFailure(400, "the webhook's body is no JSON object", hint="choose the content type application/json")
    return data


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _addresses(table: Mapping[str, Any], keys: tuple[str, ...]) -> frozenset[str]:
    found = (address_key(value) for key in keys if isinstance(value := table.get(key), str))
    return frozenset(filter(None, found))


def _ref(value: object) -> str:
    text = value if isinstance(value, str) else ""
    return text.removeprefix("refs/heads/").removeprefix("refs/tags/")
