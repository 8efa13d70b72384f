"""The languages that Fourfold knows: names, aliases, extensions, grammars, and how to tell what a file is."""

from __future__ import annotations

from fourfold.syntax.languages.detect import language_of
from fourfold.syntax.languages.record import Grammar, Language
from fourfold.syntax.languages.registry import LANGUAGES, resolve_language

__all__ = ["LANGUAGES", "Grammar", "Language", "language_of", "resolve_language"]
