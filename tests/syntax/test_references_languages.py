"""Facts of every first-class language, on samples whose facts were checked by hand, line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold.model.reference import Facts
from fourfold.syntax.languages import LANGUAGES, language_of
from fourfold.syntax.parse import parse_file

SAMPLES = Path(__file__).parent / "references"
FILES = sorted(path for path in SAMPLES.iterdir() if path.suffix != ".facts")


def written(facts: Facts) -> list[str]:
    """The facts as the ``.facts`` files beside the samples have them."""
    lines = [f"package {facts.package}"] if facts.package else []
    for one in facts.references:
        called = "" if one.arguments < 0 else f" ({one.arguments})"
        place = f" in {one.scope}" if one.scope else ""
        receiver = f"{one.receiver} . " if one.receiver else ""
        lines.append(f"{one.line} {one.kind} {receiver}{one.name}{called}{place}")
    for one in facts.imports:
        words = [f"{one.line} import {one.module or '(this file)'}", one.name and f"name {one.name}"]
        words += [one.alias and f"as {one.alias}", "passed on" if one.reexport else ""]
        lines.append(" ".join(filter(None, [*words, one.scope and f"in {one.scope}"])))
    lines += [f"{one.line} {one.source} {one.scope or '(module)'} : {one.name} -> {one.type}" for one in facts.bindings]
    return lines + [f"returns {name} -> {kind}" for name, kind in facts.returns]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_facts_of_a_sample(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    parsed = parse_file(path.name, text, language_of(path.name, text[:200]))
    assert not parsed.fallback
    assert parsed.facts is not None
    expected = path.with_name(path.name + ".facts").read_text(encoding="utf-8").split("\n")[:-1]
    assert written(parsed.facts) == expected


def test_every_grammar_has_a_sample() -> None:
    languages = {language_of(path.name, path.read_text(encoding="utf-8")[:200]) for path in FILES}
    assert languages == {name for name, one in LANGUAGES.items() if one.grammar}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_scopes_are_names_of_symbols_or_of_what_they_extend(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    parsed = parse_file(path.name, text, language_of(path.name, text[:200]))
    assert parsed.facts is not None
    named = {one.qualified_name for one in parsed.symbols} | {one.parent for one in parsed.symbols} | {""}
    assert {one.scope for one in parsed.facts.references} <= named
    assert {one.scope for one in parsed.facts.bindings} <= named
