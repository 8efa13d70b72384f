"""``ask``: an answer in words, each citation looked up on disk."""

from __future__ import annotations

from dataclasses import asdict

from fourfold.interfaces.mcp.call import Call
from fourfold.interfaces.mcp.fence import code
from fourfold.interfaces.mcp.reply import Answer, Entry, Reply, reply
from fourfold.model.answer import MIN_TOKENS, Citation
from fourfold.model.counting import count
from fourfold.model.errors import BackendUnavailable


def ask(call: Call) -> Reply:
    """The answer to a question about one service."""
    asked = call.arguments
    service = call.workspace.one(asked["service"])
    settings = service.index().settings
    tokens = max(asked["max_tokens"] // 2, MIN_TOKENS)
    lent = call.lent(settings.llm.timeout_s) if settings.llm.sampling else None
    found = call.ask(
        service, lambda index, refresh: index.ask(asked["question"], tokens=tokens, refresh=refresh, model=lent)
    )
    answer = found.answer
    who = "extractive answer" if answer.extractive else f"answered by {code(answer.model)}"
    notes = [f"{who}{f': {answer.note}' if answer.note else ''}."]
    if answer.failure:
        notes.append(f"error {BackendUnavailable.code}: {answer.failure}. {answer.hint}".rstrip(". ") + ".")
    if answer.removed:
        notes.append(f"{count(answer.removed, 'citation')} left out that did not stand up to the check.")
    if answer.unsupported:
        notes.append(f"{count(answer.unsupported, 'sentence')} without a citation: marked [?].")
    if found.meta.dropped:
        notes.append(f"{found.meta.dropped} further places left out; raise max_tokens for a longer answer.")
    said = {key: value for key, value in asdict(answer).items() if key != "citations"}
    return reply(
        Answer(
            title=f"# {code(asked['question'][:200])}",
            query={
                "text": asked["question"],
                "intent": found.query.intent,
                "confidence": found.query.confidence,
                "identifiers": list(found.query.identifiers),
            },
            metas=[(service.name, found.meta)],
            entries=[_source(one, service.name) for one in answer.citations],
            lead=answer.text,
            notes=notes,
            extra={"answer": said},
            render=lambda entries: "\n".join(entry.block for entry in entries),
        ),
        asked,
    )


def _source(citation: Citation, service: str) -> Entry:
    """One source: a line of the list, and what the citation holds."""
    symbol = f" {code(citation.symbol)}" if citation.symbol else ""
    data = {**asdict(citation), "service": service}
    return Entry(f"[{citation.n}] {code(citation.location)}{symbol}", data)
