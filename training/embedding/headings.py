"""Pairs from Markdown: a heading, or the sentence above, with the code block that follows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from training.embedding.pair import Pair
from training.embedding.prose import WORD, plain, sentences

MIN_WORDS_OF_CODE = 8
_SECTION = re.compile(r"(?:^|\n)#{1,5}\s+([^\n]+)\n(.*?)(?=\n#{1,5}\s|\Z)", re.S)
_BLOCK = re.compile(r"```\w*\n(.+?)```", re.S)


def pairs_of_headings(package: str, path: str, text: str) -> Iterator[Pair]:
    """A pair for each heading of three words or more above a block of code, and for the sentence between them."""
    for section in _SECTION.finditer(text):
        heading, content = plain(section.group(1)), section.group(2)
        block = _BLOCK.search(content)
        if block is None or len(WORD.findall(block.group(1))) < MIN_WORDS_OF_CODE:
            continue
        between = content[: block.start()].strip().split("\n\n")[0]
        asked = [heading] if len(WORD.findall(heading)) >= 3 else []
        for question in asked + sentences(between)[:1]:
            yield Pair(question, block.group(1)[:1500], path, "", "heading", package, "markdown")
