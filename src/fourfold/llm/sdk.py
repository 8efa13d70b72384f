"""What the clients made of vendors' packages share: the package loaded late, a deadline, failures in one sentence."""

from __future__ import annotations

import importlib
import time
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar

from fourfold.llm.decide import decided
from fourfold.llm.failed import unavailable
from fourfold.llm.protocol import Decision, Message
from fourfold.llm.usage import Usage
from fourfold.model.errors import BackendUnavailable
from fourfold.net.failed import Failed, TookTooLong
from fourfold.net.keys import is_loopback
from fourfold.net.pump import pumped

RETRIES = 2
"""Further attempts that a package makes where a server is busy, with waits of its own and the server's Retry-After."""


class SdkModel:
    """One model through a vendor's package. `endpoint` "" is the vendor's own; `model` "" is :attr:`DEFAULT_MODEL`.

    Raises BackendUnavailable where the package is not installed.
    """

    PACKAGE: ClassVar[str]
    CLIENT: ClassVar[str]
    DEFAULT_MODEL: ClassVar[str]
    KEY_VARIABLE: ClassVar[str]

    def __init__(
        self, model: str, key: str, *, endpoint: str = "", timeout_s: float = 60.0, usage: Usage | None = None
    ) -> None:
        self.name = model or self.DEFAULT_MODEL
        self.usage = usage if usage is not None else Usage()
        self._timeout_s = timeout_s
        self._module = _package(self.PACKAGE)
        # Redirects are not followed: they would carry the key elsewhere. Proxies are left aside for this machine.
        http = self._module.DefaultHttpxClient(follow_redirects=False, trust_env=not is_loopback(endpoint))
        # The packages insist on a key; a server on this machine may want none.
        options = {"api_key": key or "none", "timeout": timeout_s, "max_retries": RETRIES, "http_client": http}
        self._client = getattr(self._module, self.CLIENT)(**options, **({"base_url": endpoint} if endpoint else {}))

    def stream(self, messages: Sequence[Message], max_tokens: int) -> Iterator[str]:
        """The reply in pieces (see :class:`fourfold.llm.protocol.LanguageModel`)."""
        return self._told(messages, max_tokens, {}, [])

    def decide(self, messages: Sequence[Message], decision: Decision, max_tokens: int) -> dict[str, Any]:
        """A tool call (see :class:`fourfold.llm.protocol.LanguageModel`)."""
        arguments: list[str] = []
        text = "".join(self._told(messages, max_tokens, self._tools(decision), arguments))
        try:
            return decided(decision, "".join(arguments), text)
        except Failed as error:
            raise unavailable(self.name, error, begun=False) from None

    def _tools(self, decision: Decision) -> dict[str, Any]:
        """Arguments of a request that make the model call one tool."""
        raise NotImplementedError

    def _texts(
        self, messages: Sequence[Message], max_tokens: int, tools: dict[str, Any], arguments: list[str]
    ) -> Generator[str]:
        """The text of a streamed reply; pieces of a tool call's arguments are added to `arguments`."""
        raise NotImplementedError

    def _told(
        self, messages: Sequence[Message], max_tokens: int, tools: dict[str, Any], arguments: list[str]
    ) -> Iterator[str]:
        source = partial(self._texts, messages, max_tokens, tools, arguments)
        begun = False
        try:
            for piece in pumped(source, time.monotonic() + self._timeout_s, self._failed):
                begun = True
                yield piece
        except Failed as error:
            raise unavailable(self.name, error, begun=begun) from None

    def _failed(self, error: Exception) -> Failed:
        """How an exception of the package is told; the vendors name theirs alike."""
        module = self._module
        if isinstance(error, module.APITimeoutError):
            return TookTooLong()
        if isinstance(error, module.APIStatusError):
            # An error that comes within a stream has the status 200 of its beginning.
            failed = error.status_code >= 300
            return Failed(f"answered with HTTP {error.status_code}" if failed else "reported an error",
                          status=error.status_code if failed else -1)  # fmt: skip
        if isinstance(error, module.APIConnectionError):
            return Failed("cannot be reached")
        if isinstance(error, module.APIError):
            return Failed("reported an error", status=-1)
        broken = "RemoteProtocolError" in (type(error).__name__, type(error.__cause__).__name__)
        return Failed("broke off" if broken else "sent what is no answer", status=-1)


def _package(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise BackendUnavailable(
            f"llm.provider = {name!r} needs the Python package {name}, which is not installed",
            hint=f"pip install 'fourfold[{name}]', or set llm.provider = 'compatible' and llm.endpoint",
        ) from None
