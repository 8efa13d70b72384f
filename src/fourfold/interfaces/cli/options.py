"""Options that several commands share, and the kinds of values they take."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    NumberType = click.ParamType[int]
    TextType = click.ParamType[str]
    SecondsType = click.ParamType[float]
else:
    NumberType = SecondsType = TextType = click.ParamType  # not generic before click 8.5

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
MAX_LIMIT = 1000
"""As `search.limit`: more results than anyone reads."""


def reaching(shown: int, more: int) -> str:
    """The advice that shows `more` results beside those `shown`, or as many as can be; "" where no more can be."""
    if shown >= MAX_LIMIT:
        return ""
    if shown + more > MAX_LIMIT:
        return f"; the first {MAX_LIMIT:,} with --limit {MAX_LIMIT}"
    return f": --limit {shown + more}"


class Whole(NumberType):
    """A whole number within bounds; says in one sentence what was wrong."""

    name = "N"

    def __init__(self, minimum: int, maximum: int | None = None) -> None:
        self.minimum = minimum
        self.maximum = maximum

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number; fails with the option's name and its bounds."""
        try:
            number = int(value)
        except ValueError:
            number = self.minimum - 1
        if number < self.minimum or (self.maximum is not None and number > self.maximum):
            most = f" and at most {self.maximum:,}" if self.maximum is not None else ""
            self.fail(
                f"must be a whole number of at least {self.minimum}{most}, not {str(value)[:40]!r}",
                param,
                ctx,
            )
        return number


class Seconds(SecondsType):
    """A time in seconds, at least 0 and at most an hour."""

    name = "SECONDS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number; fails with the option's name and its bounds."""
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if not 0 <= number <= 3600:
            self.fail(f"must be a number of seconds from 0 to 3600, not {str(value)[:40]!r}", param, ctx)
        return number


class PresetName(TextType):
    """A preset: a shipped one or one of the user's own."""

    name = "PRESET"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name; fails with the names that there are."""
        from fourfold.config.settings import PRESETS, own_preset

        name = str(value)
        if name not in PRESETS and not own_preset(name):
            self.fail(f"there is no preset {name[:40]!r}; shipped are {', '.join(PRESETS)}", param, ctx)
        return name

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names that begin so."""
        from fourfold.pipeline.loader import preset_names

        return [CompletionItem(name) for name in preset_names() if name.startswith(incomplete)]


def _together(*decorators: Callable[[Any], Any]) -> Callable[[Decorated], Decorated]:
    """Several decorators as one, keeping the order in which help shows them."""

    def apply(function: Decorated) -> Decorated:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply


def filter_options(function: Decorated) -> Decorated:
    """``--lang --path --not-path --changed --since --service``: what narrows a question."""
    return _together(
        click.option(
            "-t",
            "--lang",
            "languages",
            multiple=True,
            metavar="LANG",
            help="Only this language (py, ts, go ...).",
        ),
        click.option("--path", "paths", multiple=True, metavar="PATH", help="Only below this path, or a glob."),
        click.option("--not-path", "not_paths", multiple=True, metavar="PATH", help="Nothing below this path or glob."),
        click.option("--changed", is_flag=True, help="Only files with changes that are not committed."),
        click.option("--since", metavar="REF", help="Only files changed since a commit, branch or tag."),
        service_option,
        scope_option,
    )(function)


def scope_option(function: Decorated) -> Decorated:
    """``--scope``: the project, its installed packages, or both."""
    return click.option(
        "--scope",
        type=click.Choice(["project", "deps", "all"]),
        default="project",
        help="The project here, its packages (fourfold index --deps), or both.",
    )(function)


def service_option(function: Decorated) -> Decorated:
    """``--service``: ask services of the list instead of the project here."""
    return click.option(
        "--service",
        "services",
        multiple=True,
        metavar="NAME",
        help="Ask this service, or all like this pattern ('*'), instead of the project here.",
    )(function)


def json_option(function: Decorated) -> Decorated:
    """``--json`` for commands that print one object."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(function)


def gpu_option(function: Decorated) -> Decorated:
    """``--gpu``: a local embedding model computes there; vectors and their cache are the same."""
    return click.option("--gpu", is_flag=True, help="Let a local embedding model compute on the GPU (CUDA).")(function)


def gpu_override(gpu: bool) -> dict[str, object]:
    """The setting that ``--gpu`` stands for."""
    return {"embedding.device": "cuda"} if gpu else {}


def no_refresh_option(function: Decorated) -> Decorated:
    """``--no-refresh``: answer from the index as it is."""
    return click.option("--no-refresh", is_flag=True, help="Answer from the index as it is, stale or not.")(function)
