"""GitHub and GitLab over their own HTTP interfaces: the commit of a ref, and an archive of a commit, without git.

Both answer the first question by ``304 Not Modified`` where nothing changed since its ETag; GitHub does not count such
an answer against the rate limit. Interfaces: GitHub REST 2022-11-28 (*Get a commit*, *Download a repository archive
(zip)*), GitLab REST v4 (*Get a single commit*, *Get file archive*).
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote, urlsplit

from fourfold.model.errors import BackendUnavailable, FourfoldError, UsageError
from fourfold.net.failed import Failed
from fourfold.net.get import Get, Head, get
from fourfold.net.keys import key_from
from fourfold.source.git_address import HTTP, HTTPS, Address, is_commit, shown
from fourfold.source.git_remote import FETCH_TIMEOUT_S, LIST_TIMEOUT_S

GITHUB, GITLAB = "github", "gitlab"
FORGES = (GITHUB, GITLAB)
PUBLIC = {"github.com": GITHUB, "gitlab.com": GITLAB}
"""Hosts that are known to be one."""
MAX_ARCHIVE_BYTES = 2 << 30
_MAX_COMMIT_BYTES = 4_000_000
"""GitLab's answer holds statistics and a message; no commit's has so many."""
_UNCHANGED = 304
_REFUSED, _FORBIDDEN, _ABSENT, _EMPTY, _UNKNOWN, _TOO_MANY = 401, 403, 404, 409, 422, 429


@dataclass(frozen=True, slots=True)
class Asked:
    """The commit of a ref as the server told it, and the ETag of that answer ("" where it gave none)."""

    commit: str
    etag: str = ""


@dataclass(frozen=True, slots=True)
class Forge:
    """A repository of GitHub or GitLab, also of one's own server of those. `token_env` names the environment variable
    that holds a token, "" for none."""

    kind: str
    address: Address
    token_env: str = ""

    def commit_of(self, ref: str, known: Asked | None = None) -> Asked:
        """The commit that `ref` ("" for the default branch) is at; `known` is what an earlier answer told of it.

        Raises UsageError where there is no such ref, BackendUnavailable where the server does not tell.
        """
        kept = {"If-None-Match": known.etag} if known is not None and known.etag else {}
        accept = {"Accept": "application/vnd.github.sha"} if self.kind == GITHUB else {"Accept": "application/json"}
        url = f"{self._repository}/{self._commits}/{quote(ref or 'HEAD', safe='/' if self.kind == GITHUB else '')}"
        try:
            head, pieces = self._get(url, accept | kept, _MAX_COMMIT_BYTES, LIST_TIMEOUT_S)
            body = b"".join(pieces)
        except Failed as error:
            raise self._failure(error, ref) from error
        if head.status == _UNCHANGED and known is not None:
            return known
        return Asked(self._told(body), head.headers.get("etag", ""))

    def archive(self, commit: str) -> Iterator[bytes]:
        """The zip archive of a commit, in pieces. Raises BackendUnavailable, at any piece."""
        inside = f"zipball/{commit}" if self.kind == GITHUB else f"repository/archive.zip?sha={commit}"
        try:
            _, pieces = self._get(f"{self._repository}/{inside}", {}, MAX_ARCHIVE_BYTES, FETCH_TIMEOUT_S)
            yield from pieces
        except Failed as error:
            raise self._failure(error, commit) from error

    @property
    def _commits(self) -> str:
        return "commits" if self.kind == GITHUB else "repository/commits"

    @property
    def _repository(self) -> str:
        """Where its interface speaks of this repository."""
        parts = urlsplit(self.address.url)
        path = parts.path.strip("/").removesuffix(".git")
        if self.kind == GITLAB:
            return f"{parts.scheme}://{parts.netloc}/api/v4/projects/{quote(path, safe='')}"
        if parts.hostname == "github.com":
            return f"https://api.github.com/repos/{path}"
        return f"{parts.scheme}://{parts.netloc}/api/v3/repos/{path}"

    def _get(self, url: str, headers: Mapping[str, str], limit: int, seconds: float) -> tuple[Head, Iterator[bytes]]:
        sent = {"User-Agent": "fourfold", **headers, **self._authorised(url)}
        return get(Get(url, sent, limit), time.monotonic() + seconds)

    def _authorised(self, url: str) -> dict[str, str]:
        named = {"what": "the service", "setting": "token_env"}
        token = key_from(self.token_env, url, os.environ, **named) if self.token_env else ""
        if self.kind == GITLAB:
            return {"PRIVATE-TOKEN": token} if token else {}
        return {"X-GitHub-Api-Version": "2022-11-28"} | ({"Authorization": f"Bearer {token}"} if token else {})

    def _told(self, body: bytes) -> str:
        try:
            commit = body.decode("ascii").strip() if self.kind == GITHUB else json.loads(body)["id"]
        except (ValueError, KeyError, TypeError):
            commit = ""
        if not isinstance(commit, str) or not is_commit(commit):
            raise BackendUnavailable(
                f"{self._name} gave no commit for an answer", hint=f"is it a server of {self.kind}? leave out via"
            )
        return commit

    @property
    def _name(self) -> str:
        return shown(self.address.url)

    def _failure(self, error: Failed, ref: str) -> FourfoldError:
        """What went wrong, in a sentence."""
        wait = _seconds_to_wait(error)
        if error.status == _TOO_MANY or (error.status == _FORBIDDEN and wait is not None):
            hint = "what was fetched before is still searched; " + (
                "its limit is the token's" if self.token_env else "a token allows more: --token-env NAME"
            )
            return BackendUnavailable(f"{self._name} allows no more requests{_until(wait)}", hint=hint)
        if error.status == _REFUSED:
            return BackendUnavailable(
                f"{self._name}: the token is not accepted" if self.token_env else f"{self._name} wants a token",
                hint="name the variable that holds a valid one: --token-env NAME",
            )
        if error.status in (_EMPTY, _UNKNOWN) or (error.status == _ABSENT and "commit" in error.body.lower()):
            if not ref or error.status == _EMPTY:
                return UsageError(f"{self._name} is empty", hint="push a first commit to it")
            return UsageError(
                f"{self._name} has no branch, tag or commit {ref!r}", hint="see what there is on its page"
            )
        if error.status in (_FORBIDDEN, _ABSENT):
            return BackendUnavailable(
                f"{self._name}: there is no repository that may be read",
                hint="check the address; a private one needs --token-env NAME",
            )
        return BackendUnavailable(
            f"{self._name} {error.reason}", hint="try again later; what was fetched before is kept"
        )


def forge_of(address: Address, via: str, token_env: str, *, git: bool) -> Forge | None:
    """How a repository is read where not by git: as `via` says, or, where `git` is not there, by its host alone."""
    if address.protocol not in (HTTPS, HTTP):
        return None
    kind = via or ("" if git else PUBLIC.get(urlsplit(address.url).hostname or "", ""))
    return Forge(kind, address, token_env) if kind in FORGES else None


def _seconds_to_wait(error: Failed) -> float | None:
    """How long the server asks to wait, None where that is not what stopped it. GitHub and GitLab name the time of the
    next turn (``X-RateLimit-Reset``, ``RateLimit-Reset``: seconds since the epoch) once nothing remains."""
    if error.retry_after is not None:
        return error.retry_after
    for prefix in ("x-ratelimit-", "ratelimit-"):
        if error.headers.get(f"{prefix}remaining") == "0":
            reset = error.headers.get(f"{prefix}reset", "")
            return max(float(reset) - time.time(), 0.0) if reset.isascii() and reset.isdigit() else 0.0
    return None


def _until(wait: float | None) -> str:
    if not wait:
        return ""
    at = datetime.fromtimestamp(time.time() + wait, UTC)
    return f" until {at:%H:%M} UTC (in {max(round(wait / 60), 1)} min)" if wait > 90 else f" for {wait:.0f} s"
