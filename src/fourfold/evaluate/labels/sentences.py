"""From a documentation text to a question."""

from __future__ import annotations

import re

MIN_WORDS, MAX_WORDS = 5, 30
"""Shorter sentences say too little to find one function by, longer ones are seldom one sentence."""
MIN_LEFT = 3
"""Words with a meaning of their own that must stay once the name's words are taken out."""
MIN_STEM = 5
"""A word counts as a word of the name when both share their first five letters (or all of a shorter one)."""

_END = re.compile(r"(?<=[a-z0-9)`'\"])[.!?](?:\s|$)|\n\s*\n|\n\s*(?:[@:\\*+-]|```|~~~|>>>|#\s)")
_MARKUP = (
    (re.compile(r"\{@\w+\s+([^}|\s]+)(?:[|\s][^}]*)?\}"), r"\1"),
    (re.compile(r":[\w:]+:`~?([^`<]+?)(?:\s*<[^>]*>)?`"), r"\1"),
    (re.compile(r"\[([^\]]+)\]\([^)]*\)"), r"\1"),
    (re.compile(r"</?\w+[^>]*>"), " "),
    (re.compile(r"[`*]+"), ""),
)
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_BOILERPLATE = re.compile(
    r"copyright|licen[cs]e|inheritdoc|deprecated|todo|fixme|eslint|internal|call-seq|"
    r"^(see|note|same as|alias)\b",
    re.I,
)
_PROSE = re.compile(r"[A-Za-z0-9 ,.:;'\"()/\-+_=<>#%&$@!?|{}~^\\\[\]]*")
_STOP_WORDS = """
the and for from with into that this these those their its are was has have will can may not but all any each
one two when where which while who whom whose than then been being does did given used using use other also
only such
"""
_STOP = frozenset(_STOP_WORDS.split())
_WORD_IN_SENTENCE = re.compile(r"\S+")


def first_sentence(doc: str) -> str | None:
    """The first sentence as plain English prose without markup, or None where it makes no question."""
    text = doc.strip()
    end = _END.search(text)
    text = text[: end.start()] if end else text
    for pattern, kept in _MARKUP:
        text = pattern.sub(kept, text)
    text = " ".join(text.split()).strip(" .:-")
    if not MIN_WORDS <= len(text.split()) <= MAX_WORDS:
        return None
    if _BOILERPLATE.search(text) or not _PROSE.fullmatch(text):
        return None
    return text


def without_name(sentence: str, name: str) -> str | None:
    """The sentence without the words of the function's name, or None where too little stays."""
    parts = {part.lower() for part in _PARTS.findall(name) if len(part) > 1}
    kept = [word for word in _WORD_IN_SENTENCE.findall(sentence) if not _names(word, parts)]
    left = [word for word in kept if re.search(r"[A-Za-z]{3}", word) and word.lower() not in _STOP]
    return " ".join(kept) if len(left) >= MIN_LEFT else None


def _names(word: str, parts: set[str]) -> bool:
    """True where a part of the word is, or begins like, a part of the name."""
    return any(_alike(piece.lower(), part) for piece in _PARTS.findall(word) for part in parts)


def _alike(first: str, second: str) -> bool:
    if first == second:
        return True
    shared = min(MIN_STEM, len(first), len(second))
    return shared >= 3 and first[:shared] == second[:shared]
