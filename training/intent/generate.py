"""Training questions from templates: phrasings with alternatives ``[a|b]`` and slots ``{n}``, by a seeded draw."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fourfold.model.query import INTENTS

HERE = Path(__file__).parent

SHARES = {"understand_code": 2.0, "exact_match": 1.3}
"""How many questions an intent gets against the others: what asks for behaviour and what quotes a text are the most
varied."""

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{([a-zA-Z]\w*\??)\}")

CODE = (
    "for {w} in {w}s:\n    if {w}.{w} == {w}:\n        return {w}",
    "if ({w} == null) {{ return {w}; }} else {{ {w}.{w}({w}); }}",
    "const {w} = ({w}) => {w}.{w}({w} => {w} + 1);",
    "def {w}({w}):\n    return [{w} for {w} in {w}s if {w}]",
    "let {w} = {w}.iter().map(|{w}| {w}.{w}()).collect();",
    "SELECT {w}, count(*) FROM {w}s GROUP BY {w};",
)
"""Pasted code; most of it the rules know."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its intent; `language` as in the question sets."""

    text: str
    intent: str
    language: str


def generate(count: int, seed: int) -> list[Question]:
    """About `count` different questions an intent (times its share), in a fixed order for a seed."""
    rng = random.Random(seed)
    words = _words()
    found: list[Question] = []
    for intent in INTENTS:
        templates = list(_templates(intent))
        seen: dict[str, Question] = {}
        for _ in range(round(count * SHARES.get(intent, 1.0))):
            language, template = rng.choice(templates)
            text = _styled(_filled(_chosen(template, rng), words, rng), rng)
            seen.setdefault(text.lower(), Question(text, intent, language))
        found.extend(seen.values())
    return found


def _templates(intent: str) -> Iterator[tuple[str, str]]:
    for line in (HERE / "templates" / f"{intent}.txt").read_text(encoding="utf-8").splitlines():
        language, _, template = line.partition(": ")
        if template:
            yield language, template


def _words() -> dict[str, list[str]]:
    values = tomllib.loads((HERE / "words.toml").read_text(encoding="utf-8"))
    return {name: value if isinstance(value, list) else value.split("|") for name, value in values.items()}


def _chosen(template: str, rng: random.Random) -> str:
    return _CHOICE.sub(lambda match: rng.choice(match[1].split("|")), template)


def _filled(text: str, words: dict[str, list[str]], rng: random.Random) -> str:
    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name.endswith("?"):
            return rng.choice(words[name[:-1]]) + " " if rng.random() < 0.3 and name != "the?" else ""
        if name == "n":
            return _name(words["w"], rng)
        if name == "code":
            return rng.choice(CODE).replace("{{", "{").replace("}}", "}")
        return rng.choice(words[name])

    for _ in range(5):
        text, changed = _SLOT.subn(value, text)
        if not changed:
            break
    return " ".join(text.split(" ")).strip()


def _name(words: list[str], rng: random.Random) -> str:
    parts = [rng.choice(words) for _ in range(rng.choice((1, 2, 2, 2, 3, 3)))]
    camel = "".join(part.title() for part in parts)
    style = rng.randrange(14)
    if style < 4 and len(parts) > 1:
        return rng.choice(("", "", "", "_")) + "_".join(parts)
    if style < 7:
        return camel if len(parts) > 1 or rng.random() < 0.5 else camel + rng.choice(words).title()
    if style < 9:
        return parts[0] + camel[len(parts[0]) :] if len(parts) > 1 else parts[0]
    if style == 9:
        return "_".join(parts).upper()
    if style == 10:
        return camel + rng.choice((".", "::", "#", "->", ".")) + rng.choice(words)
    if style == 11:
        return "_".join(parts) + "()"
    if style == 12:
        return "`" + "_".join(parts) + "`"
    return ".".join([rng.choice(words), *parts])


def _styled(text: str, rng: random.Random) -> str:
    """The hand of a writer: capitals, a question mark, a slip of the keyboard."""
    text = " ".join(text.split(" ")) if "\n" in text else " ".join(text.split())
    if "\n" not in text and rng.random() < 0.12:
        text = text[:1].upper() + text[1:]
    if rng.random() < 0.12 and text[-1:].isalnum():
        text += "?"
    if rng.random() < 0.08 and text.isascii():
        text = _slip(text, rng)
    return text


def _slip(text: str, rng: random.Random) -> str:
    places = [match.start() for match in re.finditer(r"(?<= [a-z])[a-z]{2}(?=[a-z]* )", text)]
    if not places:
        return text
    at = rng.choice(places)
    swapped = text[at + 1] + text[at] if rng.random() < 0.6 else text[at]
    return text[:at] + swapped + text[at + 2 :]
