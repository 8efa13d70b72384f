"""``fourfold pipelines``: the presets, what they are made of, and a run of one."""

from __future__ import annotations

from typing import Any

import click

from fourfold.interfaces.cli.options import MAX_LIMIT, PresetName, Whole, json_option, no_refresh_option
from fourfold.interfaces.cli.output import print_json
from fourfold.interfaces.cli.session import Session
from fourfold.interfaces.cli.table import facts
from fourfold.interfaces.cli.width import safe, safe_name
from fourfold.model.errors import BadQuery
from fourfold.model.result import SCHEMA


@click.group(invoke_without_command=True, short_help="The retrieval presets: list, show, run.")
@click.pass_context
def command(ctx: click.Context) -> int:
    """Presets are pipelines of named steps: those shipped, and your own, NAME.yaml in the folder presets beside your
    configuration file. None is read from a repository.

    Without a command of its own it lists them: fourfold pipelines is fourfold pipelines list.
    """
    return 0 if ctx.invoked_subcommand else ctx.invoke(list_presets, steps=False, as_json=False)


@command.command("list", short_help="List the presets, or the steps that there are.")
@click.option("--steps", is_flag=True, help="List the steps and their parameters instead.")
@json_option
@click.pass_obj
def list_presets(session: Session, steps: bool, as_json: bool) -> int:
    """List the presets with what they are for. A preset of your own that is faulty is listed with its fault."""
    from fourfold.pipeline.catalogue import preset_facts, step_facts
    from fourfold.pipeline.loader import preset_names, presets_dir
    from fourfold.pipeline.registry import step_types

    found = list(map(step_facts, step_types().values())) if steps else list(map(preset_facts, preset_names()))
    if as_json:
        print_json({"schema": SCHEMA, "items": found}, session.out)
        return 0
    for line in facts([(safe_name(str(one["name"])), safe_name(_line(one))) for one in found], session.out):
        session.out.line(line)
    if not steps:
        session.note(f"your own: {presets_dir()}")
    return 0


@command.command(short_help="Show a preset as it is written.")
@click.argument("preset", type=PresetName())
@click.pass_obj
def show(session: Session, preset: str) -> int:
    """Print the YAML of PRESET. It is checked first: a faulty one is an error."""
    from fourfold.pipeline.loader import load_preset, preset_text

    load_preset(preset)
    for line in preset_text(preset).rstrip("\n").split("\n"):
        session.out.line(safe(line))
    return 0


@command.command(short_help="Run a preset: the text it composes, or its ranked list.")
@click.argument("preset", type=PresetName())
@click.argument("question", nargs=-1, metavar="QUESTION...")
@click.option("-n", "--limit", type=Whole(1, MAX_LIMIT), help="Results at most (default: the preset's own).")
@click.option("--ranked", is_flag=True, help="A ranked list, also from a preset that composes a text.")
@no_refresh_option
@json_option
@click.pass_obj
def run(session: Session, /, preset: str, question: tuple[str, ...], **options: Any) -> int:
    """Put QUESTION to PRESET. A preset that ends in a formatter prints the text it composes (code within a budget of
    tokens), any other one a ranked list, as does --json."""
    from fourfold.interfaces.cli.render import View, render_search

    text = " ".join(question)
    if not text.strip():
        raise BadQuery(
            "no question was given", hint=f'for instance: fourfold pipelines run {preset} "how are plans cached"'
        )
    overrides = {"search.refresh": False} if options["no_refresh"] else {}
    with session.open(overrides) as index:
        refresh = index.settings.search.refresh
        progress = session.progress(index.root.name)
        try:
            composed = ""
            if not (options["ranked"] or options["as_json"]):
                composed = index.compose(text, preset, limit=options["limit"], refresh=refresh, progress=progress)
                refresh = False
            if not composed:
                limit = options["limit"] or index.settings.search.limit
                result = index.search(
                    text, limit=limit, preset=preset, explain=True, refresh=refresh, progress=progress
                )
        finally:
            progress.clear()
        progress.finish()
    if composed:
        for line in composed.rstrip("\n").split("\n"):
            session.out.line(safe(line))
        return 0
    if options["as_json"]:
        print_json(result.to_dict(), session.out)
    elif result.items:
        root = session.found_root()
        view = View(session.out, root, lambda path: session.shown_path(root, path), explain=True)
        for line in render_search(result, view):
            session.out.line(line)
    else:
        session.warn(f"nothing found for {text[:80]!r}")
    return 0 if result.items else 1


def _line(one: dict[str, object]) -> str:
    if "error" in one:
        return f"faulty: {one['error']}"
    if "parameters" in one:
        names = one["parameters"]
        assert isinstance(names, dict)
        return ", ".join(names) or "(no parameters)"
    return str(one["about"])
