"""What kind of question it is: ordered rules, the first that fits wins (published contract), in seven languages.

=====================================================================  =================  ===========
rule, in order                                                         intent             confidence
=====================================================================  =================  ===========
``def x``, ``class X``, ...; "where is X defined", "definition of X"   find_definition    0.95
"who calls", "callers of", "usages of", "where is X used"              find_references    0.90
"impact", "blast radius", "what depends on", "what breaks if"          impact_analysis    0.90
a quoted string, a regular expression in slashes                       exact_match        0.90
an error token                                                         exact_match        0.85
"similar to", "code like", a pasted code fragment                      find_similar       0.80
one identifier; with at most three other words; a known single word    find_definition    0.80 - 0.60
"how", "why", "explain", "architecture"                                understand_code    0.75
nothing matched                                                        understand_code    0.40
=====================================================================  =================  ===========

Pasted code of several lines is looked at for its own rule only: the quotes and the ``def`` in it say nothing about
the question. No model, no I/O; about a tenth of a millisecond. What stays uncertain here,
:mod:`fourfold.rank.classifier` may refine.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from fourfold.model.query import Filters, Query
from fourfold.model.record import record
from fourfold.model.text import words
from fourfold.rank import literals
from fourfold.rank.identifiers import extract, is_name, is_shaped, normalised
from fourfold.rank.phrase_words import phrase_noise, question_words
from fourfold.rank.phrases import SLOT_NOISE, fold, match_phrase

Known = Callable[[str], bool]

MAX_PHRASE_CHARS = 600
"""Phrases are looked for in so much of the prose; what follows is pasted material."""

MAX_OTHER_WORDS = 3
"""An identifier with at most so many other words is a question for its definition."""

DEFINITION, REFERENCES, IMPACT = "find_definition", "find_references", "impact_analysis"
EXACT, SIMILAR, UNDERSTAND = "exact_match", "find_similar", "understand_code"

_MODIFIERS = (
    r"(?:(?:pub(?:\([a-z]+\))?|export|default|async|static|public|private|protected|abstract|"
    r"final|unsafe|override) )*"
)
_KEYWORDS = (
    r"def|defp|defmodule|defmacro|class|func|fn|fun|function|import|struct|interface|enum|"
    r"trait|impl|type|protocol|"
    r"module|namespace|package|const|let|var|val|macro_rules!|from|#include|object|record|sub|"
    r"extension|method"
)
_PREFIX = re.compile(
    rf"{_MODIFIERS}(?P<keyword>{_KEYWORDS})\s+(?P<name>[<\"]?[^\W\d][\w.:/\\]*[>\"]?)(?P<rest>.*)", re.DOTALL
)
_REST_OF_DEFINITION = re.compile(
    r"\W*\Z|\s*[(<:{=\[;,!?]|\s+(?:extends|implements|inherits|as|from|import|in|inside|where|"
    r"struct|interface|=)\b"
)
_REST_OF_TYPE = re.compile(r"\s+(?:for|of)\b")
_LOOSE_KEYWORDS = frozenset(
    {"type", "module", "package", "object", "record", "method", "from", "let", "interface", "extension"}
)
"""Keywords that also open plain English ("type checking", "package discovery"): their name must look like
one."""


_IMPORTS = frozenset({"import", "from"})
_REST_OF_IMPORT = re.compile(r"\s*\Z|\s*[,;{*]|\s+(?:as|from|import)\b")
_BINDINGS = frozenset({"const", "let", "var", "val"})
"""Before a name and ``=`` these open a pasted statement rather than ask for a definition."""


@record(frozen=True, slots=True)
class _Verdict:
    intent: str
    confidence: float
    rule: str
    name: str = ""
    literal: str = ""
    is_regex: bool = False


def classify(text: str, known: Known | None = None, filters: Filters | None = None) -> Query:
    """Understand a question (without its filters). `known` says whether a name is defined in the index.

    Never raises for any text; an unclear one is ``understand_code`` at 0.40.
    """
    verdict = _decide(text, known)
    extra = (verdict.name,) if verdict.name else ()
    return Query(
        text=text,
        intent=verdict.intent,
        confidence=verdict.confidence,
        rule=verdict.rule,
        identifiers=extract(text, known, extra, partial(_is_noise, text, verdict)),
        literal=verdict.literal,
        literal_is_regex=verdict.is_regex,
        filters=filters or Filters(),
    )


def _is_noise(text: str, verdict: _Verdict, word: str) -> bool:
    """True where a plain word belongs to how the question is put. A capital inside of it makes a name."""
    lower = fold(word).lower()
    if lower in question_words(fold(text[:MAX_PHRASE_CHARS])):
        return True
    noise = phrase_noise(verdict.rule.endswith("phrase"), bool(verdict.name))
    return lower in noise and (word.islower() or text.lstrip().startswith(word))


def _decide(text: str, known: Known | None) -> _Verdict:
    pasted = "\n" in text.strip() and literals.is_code_fragment(text)
    prose = fold(literals.prose_of(text)[:MAX_PHRASE_CHARS])
    return (
        (None if pasted else _definition_prefix(text.strip(), known))
        or _phrase(DEFINITION, 0.95, "definition phrase", prose, known)
        or _phrase(REFERENCES, 0.90, "references phrase", prose, known)
        or _phrase(IMPACT, 0.90, "impact phrase", prose, known)
        or _exact(text, pasted)
        or _phrase(SIMILAR, 0.80, "similar phrase", prose, known)
        or _fragment(text, pasted)
        or _identifier(text, prose, known)
        or _phrase(UNDERSTAND, 0.75, "explanation word", prose, known)
        or _Verdict(UNDERSTAND, 0.40, "nothing matched")
    )


def _phrase(intent: str, confidence: float, rule: str, prose: str, known: Known | None) -> _Verdict | None:
    found = match_phrase(intent, prose, known)
    return _Verdict(intent, confidence, rule, name=found.name) if found is not None else None


def _definition_prefix(text: str, known: Known | None) -> _Verdict | None:
    """``class Foo``, ``def foo(x):``, ``import a.b``: a keyword of code and a name, not the English word."""
    match = _PREFIX.match(text)
    if match is None:
        return None
    name = normalised(match["name"].strip('<">').replace("/", ".").rstrip(":"))
    if match["keyword"] in _BINDINGS and match["rest"].lstrip().startswith("="):
        return None
    looks_right = is_shaped(name) or (known is not None and known(name))
    if not looks_right:
        if match["keyword"] in _IMPORTS and not _REST_OF_IMPORT.match(match["rest"]):
            return None
        is_type = name[:1].isupper() and _REST_OF_TYPE.match(match["rest"])
        if name.lower() in SLOT_NOISE or not (is_type or _REST_OF_DEFINITION.match(match["rest"])):
            return None
        punctuated = match["rest"].lstrip()[:1] in tuple("(<:{=[;,")
        if match["keyword"] in _LOOSE_KEYWORDS and not punctuated and name.islower():
            return None
    return _Verdict(DEFINITION, 0.95, "definition prefix", name=name)


def _exact(text: str, pasted: bool) -> _Verdict | None:
    token = literals.error_token(text)
    if not pasted:
        regex = literals.slashed_regex(text)
        if regex:
            return _Verdict(EXACT, 0.90, "regular expression", literal=regex, is_regex=True)
        string = literals.quoted(text)
        if string and not (token and (string in token or "\n" in text.strip())):
            return _Verdict(EXACT, 0.90, "quoted string", literal=string)
    return _Verdict(EXACT, 0.85, "error token", literal=token) if token else None


def _fragment(text: str, pasted: bool) -> _Verdict | None:
    if pasted or literals.is_code_fragment(text):
        return _Verdict(SIMILAR, 0.80, "code fragment")
    return None


def _identifier(text: str, prose: str, known: Known | None) -> _Verdict | None:
    bare = text.strip().strip("`").rstrip("?;,").strip()
    if is_name(bare) and extract(bare) == (normalised(bare),):
        return _Verdict(DEFINITION, 0.80, "identifier alone", name=normalised(bare))
    if "\n" in text.strip() or match_phrase(UNDERSTAND, prose, known) is not None:
        return None
    shaped = extract(text)
    others = len(words(text)) - sum(len(words(name)) for name in shaped)
    if len(shaped) == 1 and others <= MAX_OTHER_WORDS:
        return _Verdict(DEFINITION, 0.70, "identifier with few words", name=shaped[0])
    if known is not None and not shaped:
        content = [word for word in words(bare) if word.lower() not in SLOT_NOISE]
        if len(content) == 1 and is_name(content[0]) and known(content[0]):
            return _Verdict(DEFINITION, 0.60, "single known symbol", name=content[0])
    return None
