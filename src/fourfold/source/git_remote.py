"""Asking another repository: git run with a network, within bounds, and what its failures mean in a sentence."""

from __future__ import annotations

import base64
import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from fourfold.model.errors import BackendUnavailable, FourfoldError, IndexUnavailable, UsageError
from fourfold.source.bounded import TooManyProcessesError, run_bounded
from fourfold.source.git_address import FILE, HTTP, HTTPS, Address, shown
from fourfold.source.gitrun import SAFE_CONFIG, environment, git_program

LIST_TIMEOUT_S = 60.0
FETCH_TIMEOUT_S = 3600.0
"""A large repository on a slow line takes long; a line on which nothing moves is given up earlier (see below)."""
_STALLED = (("http.lowSpeedLimit", "1000"), ("http.lowSpeedTime", "120"))
"""Less than 1 kB/s for two minutes counts as a connection that has died: a busy server packs for a while in silence."""

_CONFIG = (
    *SAFE_CONFIG,
    *_STALLED,
    ("core.askPass", ""),
    ("credential.interactive", "false"),
    ("fetch.recurseSubmodules", "false"),
    ("submodule.recurse", "false"),
    ("transfer.bundleURI", "false"),
    ("protocol.version", "2"),
)
_WORDS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (
        ("authentication failed", "could not read username", "could not read password", "returned error: 401"),
        "it asks for a user and password that are wrong or missing",
        "name the environment variable that holds a token with read access: --token-env NAME",
    ),
    (
        ("permission denied", "returned error: 403", "access denied"),
        "it does not allow access",
        "check that the key or token may read this repository",
    ),
    (
        ("no space left", "disk quota", "file too large", "unable to write", "write error", "died of signal 25"),
        "the disk is full or a size limit was met",
        "free space in the cache folder: fourfold clear --orphans",
    ),
    (
        ("could not resolve host", "name or service not known", "temporary failure in name resolution"),
        "its host is unknown",
        "check the address and the network",
    ),
    (
        ("failed to connect", "connection refused", "couldn't connect", "timed out", "network is unreachable"),
        "it cannot be reached",
        "check the network and try again",
    ),
    (
        ("operation too slow", "early eof", "unexpected disconnect", "hung up", "recv failure", "rpc failed"),
        "the connection broke off",
        "try again; what was fetched before is kept",
    ),
    (
        ("certificate", "ssl_", "tls"),
        "its certificate is not accepted",
        "check the address and the certificates of this machine",
    ),
    (("host key verification failed",), "its ssh host key is not known", "connect once by hand: ssh HOST"),
    (
        ("not found", "does not appear to be a git repository", "does not exist", "not valid: is this a git"),
        "there is no repository that may be read",
        "check the address; a private one needs --token-env NAME",
    ),
    (("transport", "not allowed"), "the protocol is not allowed", "use https or ssh"),
)
"""What git says (lower case), what that means, and what to do."""


@dataclass(frozen=True, slots=True)
class Remote:
    """A repository elsewhere. `token_env` names the environment variable that holds a token, "" for none."""

    address: Address
    token_env: str = ""

    def ls_remote(self, *patterns: str) -> dict[str, str]:
        """Refs that match, with their hashes; ``HEAD`` among them where asked for. Raises BackendUnavailable."""
        out = self.git(None, "ls-remote", "--quiet", "--", self.address.url, *patterns, timeout=LIST_TIMEOUT_S)
        pairs = (line.split("\t", 1) for line in out.decode("utf-8", "replace").splitlines() if "\t" in line)
        return {name: commit for commit, name in pairs}

    def git(
        self,
        folder: Path | None,
        *arguments: str,
        timeout: float,
        given: bytes = b"",
        said: Callable[[str], None] | None = None,
    ) -> bytes:
        """Standard output of git run in the bare repository `folder`; raises BackendUnavailable in a sentence.

        `said` is given what git writes to standard error where it succeeds (warnings)."""
        program = git_program()
        if program is None:
            raise IndexUnavailable("git is not installed", hint="services over git are read with git")
        where = ("--git-dir", str(folder)) if folder is not None else ()
        try:
            done = run_bounded([program, "--no-pager", *where, *arguments], self._environment(), given, timeout)
        except TooManyProcessesError:
            raise BackendUnavailable(
                f"{shown(self.address.url)} leaves out objects that it promises; git was stopped",
                hint="the server's repository may be damaged",
            ) from None
        except subprocess.TimeoutExpired:
            raise BackendUnavailable(
                f"{shown(self.address.url)} took more than {timeout:.0f} s", hint="try again later"
            ) from None
        except OSError as error:
            raise IndexUnavailable(f"git cannot be run: {error.strerror}") from error
        text = done.stderr.decode("utf-8", "replace")
        if done.returncode != 0:
            raise self._failure(text, done.returncode)
        if said is not None:
            said(text)
        return done.stdout

    def _environment(self) -> dict[str, str]:
        env = environment((*_CONFIG, *self._authorised(os.environ)))
        for name in ("GIT_ASKPASS", "SSH_ASKPASS"):
            env.pop(name, None)
        env |= {"GIT_ALLOW_PROTOCOL": self.address.protocol, "SSH_ASKPASS_REQUIRE": "never"}
        env.setdefault("GIT_SSH_COMMAND", "ssh -oBatchMode=yes -oConnectTimeout=20")
        return env

    def _authorised(self, environ: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """The token as a header of this address alone; it stands in no argument and in no file."""
        if not self.token_env:
            return ()
        token = environ.get(self.token_env, "")
        if not token:
            raise UsageError(
                f"the environment variable {self.token_env} is not set", hint="it is to hold the token of the service"
            )
        if self.address.protocol not in (HTTPS, HTTP):
            raise UsageError(
                f"{shown(self.address.url)} takes no token", hint="tokens are for https; ssh has its own keys"
            )
        if not token.isascii() or not token.isprintable():
            raise UsageError(f"the value of {self.token_env} is no token", hint="it holds characters that none has")
        code = base64.b64encode(f"x-access-token:{token}".encode()).decode()
        return ((f"http.{self.address.url}.extraHeader", f"Authorization: Basic {code}"),)

    def _failure(self, text: str, code: int) -> FourfoldError:
        name = shown(self.address.url)
        if code == -getattr(signal, "SIGXFSZ", 0):
            text = "file too large"
        elif code == -signal.SIGINT:
            raise KeyboardInterrupt
        lower = text.lower()
        for needles, meaning, hint in _WORDS:
            if any(needle in lower for needle in needles):
                return BackendUnavailable(f"{name}: {meaning}", hint=hint)
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        last = next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[-1] if lines else "")
        what = "the folder" if self.address.protocol == FILE else "the server"
        return BackendUnavailable(
            f"{name} cannot be fetched: {shown(last) or f'git ended with code {code}'}", hint=f"check {what}"
        )
