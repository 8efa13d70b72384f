"""What a language model is told: the question, what was said before, and code of the repository as numbered data that
cannot end itself."""

from __future__ import annotations

from collections.abc import Sequence

from fourfold.llm.fence import DATA_RULE, fence_of, fenced, neutral
from fourfold.llm.protocol import Message
from fourfold.model.answer import Passage, Turn

RULES = """\
You answer questions about a code base for a programmer, from excerpts of it alone.

{data}
Each line of an excerpt begins with its line number.

Rules of the answer:
- Say only what the excerpts show. If they do not answer the question, say so in one sentence.
- End every sentence with its citations: [2:41-47] means lines 41 to 47 of excerpt 2. Cite as few lines as
  show it.
- Put names of code into backticks, exactly as they are written in the excerpts.
- Be brief: a few sentences, or a short list. No headings, no links, no code blocks.
- Answer in the language of the question."""


def messages(question: str, items: Sequence[Passage], thread: Sequence[Turn] = (), *, nonce: str = "") -> list[Message]:
    """The turns of one request; those of `thread` are the questions asked before and what they were about. `nonce`
    makes the fence unguessable; a random one where it is empty."""
    fence = fence_of(nonce)
    blocks = "\n\n".join(
        fenced(fence, item.rank, item.path, item.symbol, item.snippet, item.start_line) for item in items
    )
    before = "".join(f"Asked before: {_line(turn.question)}{_about(turn)}\n" for turn in thread)
    return [
        Message("system", RULES.format(data=DATA_RULE.format(fence=fence))),
        Message("user", f"{blocks}\n\n{before}Question of the programmer: {_line(question)}"),
    ]


def _line(text: str) -> str:
    return neutral(" ".join(text.split()))


def _about(turn: Turn) -> str:
    return f" (it was about {', '.join(_line(name) for name in turn.about)})" if turn.about else ""
