"""Anthropic's own client (extra ``anthropic``)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from fourfold.llm.protocol import Decision, Message
from fourfold.llm.sdk import SdkModel
from fourfold.net.failed import Failed


class AnthropicModel(SdkModel):
    """One model through the messages of Anthropic's package. Sampling parameters are not sent: newer models refuse
    them."""

    PACKAGE, CLIENT = "anthropic", "Anthropic"
    DEFAULT_MODEL = "claude-haiku-5-5"
    """The small, fast one of the current family."""
    KEY_VARIABLE = "ANTHROPIC_API_KEY"

    def _tools(self, decision: Decision) -> dict[str, Any]:
        tool = {"name": decision.name, "description": decision.description, "input_schema": decision.schema}
        return {"tools": [tool], "tool_choice": {"type": "tool", "name": decision.name}}

    def _texts(
        self, messages: Sequence[Message], max_tokens: int, tools: dict[str, Any], arguments: list[str]
    ) -> Generator[str]:
        system = "\n\n".join(message.content for message in messages if message.role == "system")
        turns = [{"role": one.role, "content": one.content} for one in messages if one.role != "system"]
        ended, sent, written = False, 0, 0
        with self._client.messages.create(
            model=self.name, max_tokens=max_tokens, system=system, messages=turns, stream=True, **tools
        ) as events:
            for event in events:
                if event.type == "message_start":
                    sent = event.message.usage.input_tokens
                elif event.type == "message_delta":
                    written = event.usage.output_tokens
                elif event.type == "message_stop":
                    ended = True
                elif event.type == "content_block_delta" and event.delta.type == "input_json_delta":
                    arguments.append(event.delta.partial_json)
                elif event.type == "content_block_delta" and event.delta.type == "text_delta" and event.delta.text:
                    yield event.delta.text
        if not ended:
            raise Failed("broke off", status=-1)
        self.usage.add(sent, written)
