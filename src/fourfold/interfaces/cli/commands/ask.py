"""``fourfold ask``: a question answered in words, with citations that were checked on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fourfold.interfaces.cli.answer_lines import answer_lines, head, source_lines
from fourfold.interfaces.cli.commands.search import SearchCommand
from fourfold.interfaces.cli.options import Whole, filter_options, json_option, no_refresh_option
from fourfold.interfaces.cli.output import print_json
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.structure import ask, view_of
from fourfold.interfaces.cli.words import count
from fourfold.model.answer import DEFAULT_TOKENS, MAX_TOKENS, MIN_TOKENS, AskResult, Turn
from fourfold.model.errors import BackendUnavailable, BadQuery

if TYPE_CHECKING:
    from fourfold.engine import Index


@click.command(cls=SearchCommand, short_help="Answer in words, with checked citations.")
@click.argument("question", nargs=-1, metavar="QUESTION...")
@click.option(
    "--tokens",
    type=Whole(MIN_TOKENS, MAX_TOKENS),
    default=DEFAULT_TOKENS,
    help=f"Length of the answer at most (default: {DEFAULT_TOKENS:,}).",
)
@click.option("--extractive", is_flag=True, help="Ask no language model, even if one is configured.")
@click.option("--follow-up", is_flag=True, help="Go on from the last question: 'and who calls it?'.")
@click.option("--quotes", is_flag=True, help="Show the lines that each citation quotes.")
@filter_options
@click.option("-k", "--kind", "kinds", multiple=True, metavar="KIND", help="Only function, class, method, section ...")
@no_refresh_option
@json_option
@click.pass_obj
def command(session: Session, /, question: tuple[str, ...], **options: Any) -> int:
    """Answer QUESTION in words, each statement with its source.

    Every citation [n] is looked up in the file before it is shown. Without a language model (setting llm.endpoint)
    the answer is put together from what the index knows: signatures, documentation, references. Where the configured
    model cannot be reached the answer is put together, too, and the exit code is 5. The last ten questions are kept
    beside the index, so that --follow-up can go on from them.
    """
    text = " ".join(question)
    if not text.strip():
        raise BadQuery("no question was given", hint='for instance: fourfold ask "how does authentication work"')
    streamed: list[str] = []
    before: list[Turn] = []

    def say(piece: str) -> None:
        streamed.append(piece)
        for line in answer_lines(piece, view_of(session).terminal):
            session.out.line(line)
        session.out.stream.flush()

    def put(index: Index, **keywords: Any) -> AskResult:
        from fourfold.engine.thread import load_thread, save_thread

        before[:] = load_thread(index.location) if options["follow_up"] else ()
        found = index.ask(
            text,
            tokens=options["tokens"],
            extractive=options["extractive"],
            said=say if live else None,
            thread=before,
            **keywords,
        )
        save_thread(index.location, [*before, found.turn])
        return found

    live = session.out.tty and not options["as_json"]
    result: AskResult = ask(
        session,
        options,
        put,
    )
    if options["as_json"]:
        print_json(result.to_dict(), session.out)
    else:
        _print(session, result, quotes=options["quotes"], told=bool(streamed))
    return _ended(session, result)


def _print(session: Session, result: AskResult, *, quotes: bool, told: bool) -> None:
    """The head, the answer unless it was told as it came, and its sources."""
    view = view_of(session)
    lines = [] if told else [*head(result, view), "", *answer_lines(result.answer.text, view.terminal)]
    sources = source_lines(result.answer.citations, view, quotes=quotes)
    for line in [*lines, *([""] if sources else []), *sources]:
        session.out.line(line)


def _ended(session: Session, result: AskResult) -> int:
    """Say what is missing, and return the exit code."""
    answer, meta = result.answer, result.meta
    if answer.failure:
        hint = f"; {answer.hint}" if answer.hint else ""
        session.warn(f"{answer.failure}{hint}")
    if result.asked:
        session.note(f"understood as: {result.asked}")
    if answer.usage:
        session.note(f"{answer.model or 'the language model'}: {answer.usage}")
    if answer.removed:
        session.note(f"{count(answer.removed, 'citation')} left out that did not stand up to the check")
    if answer.unsupported:
        session.note(f"{count(answer.unsupported, 'sentence')} of the model without a citation: marked [?]")
    if meta.dropped:
        session.note(f"{meta.dropped:,} more; a longer answer: --tokens {MAX_TOKENS // 4}")
    if answer.failure:
        return BackendUnavailable.exit_code
    return 0 if answer.citations else 1
