"""The client's own language model, where it lends it (MCP sampling): for answers in words where none is configured."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import anyio
import anyio.from_thread

from fourfold.llm.decide import decided
from fourfold.llm.failed import unavailable
from fourfold.llm.protocol import Decision, Message
from fourfold.llm.usage import Usage
from fourfold.net.failed import Failed, TookTooLong

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

NAME = "of the client"
"""The model's name before its first reply tells the real one."""

Ask = Callable[[Sequence[Message], int], tuple[str, str]]
"""(turns, tokens at most) -> (the model's name, its text). Raises Failed."""


class SampledModel:
    """A :class:`fourfold.llm.protocol.LanguageModel` whose replies come whole."""

    def __init__(self, ask: Ask) -> None:
        self.name = NAME
        self.usage = Usage()
        self._ask = ask

    def stream(self, messages: Sequence[Message], max_tokens: int) -> Iterator[str]:
        """The reply in one piece."""
        yield self._reply(messages, max_tokens)

    def decide(self, messages: Sequence[Message], decision: Decision, max_tokens: int) -> dict[str, Any]:
        """The object that the model writes as JSON: few clients lend tools."""
        rule = Message("system", f"{decision.description} Reply with one JSON object alone, of this schema: "
                                 f"{decision.schema}")  # fmt: skip
        try:
            return decided(decision, "", self._reply([*messages, rule], max_tokens))
        except Failed as error:
            raise unavailable(self.name, error, begun=False) from None

    def _reply(self, messages: Sequence[Message], max_tokens: int) -> str:
        try:
            self.name, text = self._ask(messages, max_tokens)
        except Failed as error:
            raise unavailable(self.name, error, begun=False) from None
        self.usage.estimate(messages, len(text))
        return text


def lent_model(ctx: ServerRequestContext[Any, Any], timeout_s: float) -> SampledModel | None:
    """The model that the client of a request lends, None where it lends none. To be asked from a worker thread."""
    capabilities = ctx.session.client_capabilities
    if capabilities is None or capabilities.sampling is None or not ctx.session.can_send_request:
        return None

    async def sampled(messages: Sequence[Message], max_tokens: int) -> tuple[str, str]:
        import mcp_types as types

        system = "\n\n".join(one.content for one in messages if one.role == "system")
        turns = [
            types.SamplingMessage(
                role="assistant" if one.role == "assistant" else "user",
                content=types.TextContent(type="text", text=one.content),
            )
            for one in messages
            if one.role != "system"
        ]
        try:
            with anyio.fail_after(timeout_s), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                reply = await ctx.session.create_message(turns, max_tokens=max_tokens, system_prompt=system)
        except TimeoutError:
            raise TookTooLong from None
        except Exception:  # whatever the client answers: it refused, or could not
            raise Failed("was not lent by the client", status=-1) from None
        parts = reply.content if isinstance(reply.content, list) else [reply.content]
        return reply.model[:100], "".join(part.text for part in parts if isinstance(part, types.TextContent))

    return SampledModel(lambda messages, tokens: anyio.from_thread.run(sampled, messages, tokens))
