"""A language model walks the tree of the code: folders, files, classes, functions; it picks, we check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from fourfold.llm.fence import DATA_RULE, fence_of, neutral
from fourfold.llm.protocol import Decision, LanguageModel, Message
from fourfold.pipeline.steps.base import Step, param
from fourfold.pipeline.steps.blend import blend_in

if TYPE_CHECKING:
    from fourfold.pipeline.state import Candidate, RetrieverState
    from fourfold.pipeline.tree import Node, Tree

REPLY_TOKENS = 400
"""Tokens of one choice: numbers alone."""

RULES = """\
You look for the code that answers a question, in the tree of a code base: folders, files, and what they define. You see
one level of it, numbered. Choose what to open next to look inside, and what itself answers the question, best first.
Choose few; leave out what has nothing to do with it.

{data}"""
DECISION = Decision(
    "choose",
    "Chooses numbers of the list: those to open, and those that are answers themselves.",
    {
        "type": "object",
        "properties": {
            "open": {"type": "array", "items": {"type": "integer"}},
            "answers": {"type": "array", "items": {"type": "integer"}},
        },
        "required": ["open", "answers"],
    },
)


@dataclass(frozen=True)
class LlmTreeReasoning(Step):
    """The language model of ``[llm]`` walks the tree of folders, files, classes and functions, each shown with its
    signature, decorators and the beginning of its documentation, and picks. At most `calls` requests, each of at most
    `tokens` tokens (estimated) of tree; at most `width` nodes are opened at a time. `over`: the whole tree ("all"), or
    that of the candidates' files ("candidates"), whose scores the picks then join with the share `blend`.

    Example: ``llm_tree_reasoning: {calls: 3, tokens: 2000}``
    """

    type: ClassVar[str] = "llm_tree_reasoning"
    over: str = param("all", "which files are in the tree", choices=("all", "candidates"))
    calls: int = param(4, "requests at most", minimum=1, maximum=20)
    tokens: int = param(3_000, "tokens of tree in one request", minimum=200, maximum=50_000)
    width: int = param(6, "nodes opened at a time", minimum=1, maximum=50)
    picks: int = param(10, "nodes picked at most", minimum=1, maximum=100)
    blend: float = param(0.5, "with candidates: share of the picks in the score", minimum=0, maximum=1)

    def apply(self, state: RetrieverState) -> None:
        """Walk. Raises BackendUnavailable where the model cannot be used."""
        from fourfold.pipeline.tree import Tree

        given = self.over == "candidates"
        tree = Tree(state.index, state.allowed, {item.path for item in state.items} if given else None)
        found: list[Candidate] = []
        if tree.children(tree.root):
            picked = self._walk(state.index.models.language_model, state.query.terms, tree)
            found = _candidates(state, picked)
        if given:
            _join(state, found, self.blend, self.type)
        else:
            state.items, state.weights, state.method = found, {"tree": 1.0}, self.type

    def _walk(self, model: LanguageModel, question: str, tree: Tree) -> list[Node]:
        """The nodes picked, those named first in front; what stays open at the end counts as picked, last."""
        picked: list[Node] = []
        opened = [tree.root]
        for _ in range(self.calls):
            shown = tree.level(opened, self.tokens)
            if not shown or len(picked) >= self.picks:
                break
            chosen, answers = _choice(model, question, shown)
            picked += [node for node in answers if node not in picked]
            opened = [node for node in chosen if node not in answers][: self.width]
            leaves = [node for node in opened if not tree.children(node)]
            picked += [node for node in leaves if node not in picked]
            opened = [node for node in opened if node not in leaves]
            if not opened:
                break
        picked += [node for node in opened if node.path and node not in picked]
        return picked[: self.picks]


def _choice(model: LanguageModel, question: str, shown: list[Node]) -> tuple[list[Node], list[Node]]:
    """(nodes to open, nodes that answer) of one level; numbers that were not shown are left out."""
    fence = fence_of()
    lines = "\n".join(f"{number}. {neutral(node.told)}" for number, node in enumerate(shown, 1))
    messages = [
        Message("system", RULES.format(data=DATA_RULE.format(fence=fence))),
        Message("user", f"<{fence}>\n{lines}\n</{fence}>\n\nQuestion: {neutral(' '.join(question.split()))}"),
    ]
    reply = model.decide(messages, DECISION, REPLY_TOKENS)
    return _numbered(reply.get("open"), shown), _numbered(reply.get("answers"), shown)


def _numbered(said: Any, shown: list[Node]) -> list[Node]:
    numbers = (
        [one for one in said if isinstance(one, int) and not isinstance(one, bool)] if isinstance(said, list) else []
    )
    return [shown[number - 1] for number in dict.fromkeys(numbers) if 1 <= number <= len(shown)]


def _candidates(state: RetrieverState, picked: list[Node]) -> list[Candidate]:
    """The places of the nodes picked that lie in files, best first; scores fall with the rank."""
    found: list[Candidate] = []
    for node in picked:
        chunk = state.chunk_at(node.path, max(node.start_line, 1)) if node.path else -1
        if chunk >= 0 and (state.allowed is None or state.allowed[chunk]) and all(one.chunk != chunk for one in found):
            rank = len(found) + 1
            found.append(state.candidate(chunk, 1.0 / rank, "tree", rank, node.start_line))
    return found


def _join(state: RetrieverState, found: list[Candidate], share: float, name: str) -> None:
    """Picks that are among the candidates move up by their rank; the others join behind the last one first."""
    worth = {one.chunk: one.score for one in found}
    known = {item.chunk for item in state.items}
    low = min((item.score for item in state.items), default=0.0)
    for one in found:
        if one.chunk not in known:
            one.score = low
            state.items.append(one)
    for item in state.items:
        if item.chunk in worth:
            item.ranks = {**item.ranks, "tree": 1 + sum(value > worth[item.chunk] for value in worth.values())}
    blend_in(state, [worth.get(item.chunk, 0.0) for item in state.items], share, name)
