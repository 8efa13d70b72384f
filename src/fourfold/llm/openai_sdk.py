"""OpenAI's own client (extra ``openai``)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from fourfold.llm.protocol import Decision, Message
from fourfold.llm.sdk import SdkModel
from fourfold.net.failed import Failed


class OpenAISdkModel(SdkModel):
    """One model through the chat completions of OpenAI's package."""

    PACKAGE, CLIENT = "openai", "OpenAI"
    DEFAULT_MODEL = "gpt-6-luna"
    """The small, fast one of the current family, which its maker recommends where speed and cost matter."""
    KEY_VARIABLE = "OPENAI_API_KEY"

    def _tools(self, decision: Decision) -> dict[str, Any]:
        tool = {"name": decision.name, "description": decision.description, "parameters": decision.schema}
        return {
            "tools": [{"type": "function", "function": tool}],
            "tool_choice": {"type": "function", "function": {"name": decision.name}},
        }

    def _texts(
        self, messages: Sequence[Message], max_tokens: int, tools: dict[str, Any], arguments: list[str]
    ) -> Generator[str]:
        turns = [{"role": message.role, "content": message.content} for message in messages]
        ended, used, chars = False, None, 0
        with self._client.chat.completions.create(
            model=self.name,
            messages=turns,
            max_completion_tokens=max_tokens,
            stream=True,
            stream_options={"include_usage": True},
            **tools,
        ) as events:
            for event in events:
                used = event.usage or used
                for choice in event.choices[:1]:
                    calls = choice.delta.tool_calls or ()
                    arguments += [call.function.arguments or "" for call in calls if call.function]
                    ended = ended or choice.finish_reason is not None
                    text = choice.delta.content or ""
                    chars += len(text)
                    if text:
                        yield text
        if not ended:
            raise Failed("broke off", status=-1)
        if used is not None:
            self.usage.add(used.prompt_tokens, used.completion_tokens)
        else:
            self.usage.estimate(messages, chars + sum(map(len, arguments)))
