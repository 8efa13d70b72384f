"""How the phrase tables are read: which intent a phrasing states, and the name that stands in it.

A table maps an intent to patterns by strength. `strong` phrases decide alone. `weak` ones decide unless the
question opens with an explaining word ("how are references to rows kept") and holds no name. `named` ones
decide where their slot ``<x>`` holds one name ("find the function foo"), `shaped` ones where that name has
the shape of code or is known to the index ("where is FooBar"). Text is folded first: accents off, full-width
forms to ASCII, typographic quotes to plain.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache

from fourfold.model.record import record
from fourfold.rank.identifiers import FIRST_CJK, is_name, is_shaped, normalised, without_cjk
from fourfold.rank.languages.chinese import CHINESE
from fourfold.rank.languages.english import ENGLISH
from fourfold.rank.languages.french import FRENCH
from fourfold.rank.languages.german import GERMAN
from fourfold.rank.languages.indonesian import INDONESIAN
from fourfold.rank.languages.japanese import JAPANESE
from fourfold.rank.languages.spanish import SPANISH
from fourfold.rank.path_rules import names

Known = Callable[[str], bool]

TABLES = (CHINESE, JAPANESE, ENGLISH, SPANISH, GERMAN, FRENCH, INDONESIAN)
CJK_COUNT = 2
"""The first tables are of languages without word boundaries."""


_SLOT = r"(.{1,80}?)"
_CJK_SLOT = r"([A-Za-z_][A-Za-z0-9_.:]*)"
"""Between Chinese and Japanese a name stands out by its letters."""
_MARKS = re.compile("[\u0300-\u036f]")
_PUNCTUATION = re.compile(r"\W+")
_QUOTE_MARKS = str.maketrans({"’": "'", "‘": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})
_OPENS_WITH_EXPLANATION = re.compile(
    r"\W*(?:how|why|explain|describe|como|por que|explica|wie|warum|wieso|erklar|comment|pourquoi|expliqu|"
    r"bagaimana|gimana|mengapa|kenapa|jelaskan)",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[^\W\d]\w*(?:(?:\.|::|->|#|\\)[^\W\d]\w*)*")

SLOT_NOISE: frozenset[str] = names(
    # English articles and nouns of code
    "the a an this that these our my your its function functions func method methods class "
    "classes struct structs "
    "interface interfaces enum trait type types variable variables constant constants field "
    "fields module modules "
    "package packages macro model models component components hook hooks endpoint route "
    "handler symbol decorator "
    "property protocol mixin something all every any code object instance api call calls "
    "currently actually exactly "
    "is are definition declaration implementation defined please "
    # Spanish, French
    "la el los las un una funcion clase metodo variable constante modulo tipo interfaz le "
    "les l fonction classe methode "
    "de del du des d est est-ce que ce qu se esta es "
    # German, Indonesian
    "die der das den dem eine ein einen funktion klasse methode konstante modul typ schnittstelle von wird "
    "fungsi kelas metode variabel konstanta modul tipe antarmuka yang itu dari letak"
)
"""Words around a name that are not the name."""

SLOT_ENDS: frozenset[str] = names(
    "in inside within from by across throughout into under at on for with and or when if "
    "that which where of to as via "
    "en dentro desde por para dans par pour im aus bei fur wenn di dalam untuk dan oleh anywhere everywhere"
)
"""Words after which a slot speaks of something else: ``request in the client module``."""


PLACE_WORDS: frozenset[str] = names("in inside within en dentro dans im di dalam anywhere everywhere")
"""Words after which a slot says where to look."""


@record(frozen=True, slots=True)
class PhraseMatch:
    """A phrasing found in a question; `name` is the name of code that stands in it, or empty."""

    strength: str
    name: str


@lru_cache(maxsize=256)
def fold(text: str) -> str:
    """Accents off, full-width forms to ASCII, plain quotes; Chinese and Japanese stay as they are."""
    text = text.translate(_QUOTE_MARKS)
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFKD", text)))


def match_phrase(intent: str, folded: str, known: Known | None = None) -> PhraseMatch | None:
    """The first phrasing of `intent` in a folded text, or None."""
    tables = _tables_for(intent, folded)
    for table in tables:
        strong = _compiled(table, intent, "strong")
        match = strong.search(folded) if strong else None
        if match is not None:
            return PhraseMatch("strong", _name_near(match, folded, known))
    return (
        _match_slot(tables, intent, "named", folded, known)
        or _match_slot(tables, intent, "shaped", folded, known)
        or _match_weak(tables, intent, folded, known)
    )


def _match_slot(
    tables: Sequence[int], intent: str, strength: str, folded: str, known: Known | None
) -> PhraseMatch | None:
    for table in tables:
        for pattern in _compiled_each(table, intent, strength):
            match = pattern.search(folded)
            name = slot_name(match[1]) if match is not None else ""
            if name and (is_shaped(name) or _plainly_named(match[1] if match else "", strength, folded, name, known)):
                return PhraseMatch(strength, name)
    return None


def _plainly_named(slot: str, strength: str, folded: str, name: str, known: Known | None) -> bool:
    """True where a plain word is the name that is asked for: not in an explanation ("how is it kept when a file
    changes"), and, where the phrase asks for no kind of thing, a known name that stands alone or before its place: "the
    language of a file detected" is a description."""
    if _OPENS_WITH_EXPLANATION.match(folded) is not None:
        return False
    if strength == "named":
        return True
    return known is not None and known(name) and len(_slot_tokens(slot, PLACE_WORDS)) == 1


def _match_weak(tables: Sequence[int], intent: str, folded: str, known: Known | None) -> PhraseMatch | None:
    for table in tables:
        weak = _compiled(table, intent, "weak")
        match = weak.search(folded) if weak else None
        if match is not None:
            name = _name_near(match, folded, known)
            explains = _OPENS_WITH_EXPLANATION.match(folded) is not None
            if not explains or is_shaped(name) or (known is not None and bool(name) and known(name)):
                return PhraseMatch("weak", name)
    return None


def _tables_for(intent: str, folded: str) -> list[int]:
    """The tables one of whose cues stands in the text. Others cannot match, and are not even compiled: that
    is most of the time of a first question."""
    has_cjk = max(folded, default="") >= FIRST_CJK
    found = {number for number in range(CJK_COUNT) if has_cjk and intent in TABLES[number]}
    spaced, cues = _spaced(folded), _cues(intent)
    for beginning in cues.keys() & _beginnings(spaced):
        found.update(number for cue, number in cues[beginning] if number not in found and cue in spaced)
    return sorted(found)


CUE = 3
"""First letters that tell whether a cue is worth looking for."""


@cache
def _cues(intent: str) -> dict[str, list[tuple[str, int]]]:
    """The cues of an intent, each with the number of its table, by how they begin; shorter ones under ""."""
    found: dict[str, list[tuple[str, int]]] = {}
    for number, table in enumerate(TABLES[CJK_COUNT:], CJK_COUNT):
        for cue in table[intent]["cues"] if intent in table else ():
            found.setdefault(cue[:CUE] if len(cue) >= CUE else "", []).append((cue, number))
    return found


@lru_cache(maxsize=64)
def _beginnings(spaced: str) -> frozenset[str]:
    """All that a cue in a text may begin with."""
    return frozenset(spaced[at : at + CUE] for at in range(len(spaced) - CUE + 1)) | {""}


@lru_cache(maxsize=64)
def _spaced(folded: str) -> str:
    """Lower case, every run of punctuation one blank, a blank at both ends: what cues are looked for in."""
    return f" {_PUNCTUATION.sub(' ', folded.lower()).strip()} "


def slot_name(text: str) -> str:
    """The one name that a text holds, articles and nouns of code aside, or the empty string."""
    tokens = _slot_tokens(text)
    return normalised(tokens[0]) if len(tokens) == 1 and is_name(tokens[0]) else ""


def _slot_tokens(text: str, ends: frozenset[str] = SLOT_ENDS) -> list[str]:
    tokens: list[str] = []
    for token in _TOKEN.findall(without_cjk(text)):
        lower = token.lower()
        if tokens and lower in ends:
            break
        if lower not in SLOT_NOISE and lower not in SLOT_ENDS:
            tokens.append(token)
    return tokens


def _best_name(text: str, known: Known | None) -> str:
    """The name in looser surroundings: the only word, else the only one with a name's shape, else the only
    known one.
    """
    tokens = [normalised(token) for token in _slot_tokens(text)]
    if len(tokens) == 1:
        return tokens[0]
    for fits in (is_shaped, known):
        found = [token for token in tokens if fits is not None and fits(token)]
        if len(found) == 1:
            return found[0]
    return ""


def _name_near(match: re.Match[str], folded: str, known: Known | None) -> str:
    """The name in the phrase's slot, else behind it, else before it."""
    for text in _surroundings(match, folded):
        name = _best_name(text, known)
        if name:
            return name
    return ""


def _surroundings(match: re.Match[str], folded: str) -> Iterator[str]:
    yield from (group for group in match.groups() if group)
    yield folded[match.end() : match.end() + 120]
    yield folded[max(0, match.start() - 120) : match.start()]


def _patterns(table: int, intent: str, strength: str) -> list[str]:
    slot = _CJK_SLOT if table < CJK_COUNT else _SLOT
    found = TABLES[table].get(intent, {}).get(strength, ())
    return [pattern.replace("<x>$", slot + r"\W*$").replace("<x>", slot) for pattern in found]


@lru_cache(maxsize=256)
def _compiled(table: int, intent: str, strength: str) -> re.Pattern[str] | None:
    found = _patterns(table, intent, strength)
    return re.compile("|".join(found), re.IGNORECASE) if found else None


@lru_cache(maxsize=256)
def _compiled_each(table: int, intent: str, strength: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in _patterns(table, intent, strength))
