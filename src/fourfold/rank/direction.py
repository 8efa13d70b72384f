"""Which way a question about uses goes: who calls a name, what it calls, what tests it, what inherits from it."""

from __future__ import annotations

import re

from fourfold.rank.phrases import fold

CALLERS, CALLEES, TESTS, INHERITORS = "callers", "callees", "tests", "inheritors"

_NOUN = r"(?:functions?|methods?|classes|code|things|symbols|helpers|modules|everything|all)"
_CALLEES = (
    r"\bcallees?\b",
    rf"\b(?:what|which)(?: else| all| other)?(?: {_NOUN})? (?:does|do|did) .{{1,80}}? (?:call|invoke|use|import)\b",
    rf"\b(?:what|{_NOUN})(?: that| which)?(?: else)?(?: is| are| gets?| get)? (?:called|used|invoked) (?:by|in|from)\b",
    r"\b(?:fonctions?|methodes?) appelle\b(?! par)",
    r"\b(?:appelee?s|utilisee?s) par\b(?! qui)",
    r"\b(?:funciones|metodos) (?:llama|usa|utiliza)\b(?! a\b)",
    r"\bwelche (?:funktionen|methoden) (?:ruft|benutzt|verwendet|nutzt)\b",
    r"\byang dipanggil (?:oleh )?",
    r"调用了?(?:哪些|什么|哪個|哪个)",
    r"が呼び?出(?:す|している)(?:関数|メソッド)",
)
_TESTS = (
    r"\b(?:which|what|unit|find|show|list|the|all)(?: unit| me| all| the)* tests?\b",
    r"^\W*(?:unit ?)?tests? (?:of|for|that|which|covering|exercising|calling|using)\b",
    r"\b(?:is|are) .{1,80} tested\b",
    r"\b(?:a|any|some) (?:unit )?tests? (?:of|for|that|covering|exercising|calling|using)\b",
    r"\bwelche (?:unit-?)?tests?\b|\bgetestet\b",
    r"\bquels tests\b|\bque (?:pruebas|tests)\b|\b(?:pruebas|tests) (?:de|que|fur|von|qui)\b",
    r"\b(?:tes|pengujian) (?:untuk|yang)\b|哪些(?:单元)?测试|(?:を|の)テスト",
)
_INHERITORS = (
    r"\b(?:sub|child |derived )class(?:es)?\b|\bsubclass(?:ing|ed)\b",
    r"\bimplement(?:ers|ors|s|ing)\b|\bimplementations? of\b|\b(?:that|which|who|classes|types|structs) implement\b",
    r"\binherit(?:s|ing|ors?)?\b|\bextend(?:s|ing)\b|\b(?:that|which|who|classes|types) extend\b",
    r"\bderiv(?:es?|ing) from\b",
    r"\bunterklassen\b|\berb(?:t|en) von\b|\bimplementier(?:t|en)\b",
    r"\bsous-classes\b|\bherite(?:nt)?\b|\bimplementent\b",
    r"\bsubclases\b|\bhereda[n]?\b|\bimplementan?\b|\bimplementaciones de\b",
    r"\b(?:turunan|mewarisi|mengimplementasikan)\b|子类|子類|继承|繼承|实现了|サブクラス|継承|実装している",
)
_ORDER = tuple(
    (direction, re.compile("|".join(patterns), re.IGNORECASE))
    for direction, patterns in ((TESTS, _TESTS), (INHERITORS, _INHERITORS), (CALLEES, _CALLEES))
)
MAX_CHARS = 300
"""So much of a question is read; a question about uses is short."""


def direction_of(text: str) -> str:
    """One of the four directions; callers where the question says nothing else."""
    folded = fold(text[:MAX_CHARS])
    return next((direction for direction, pattern in _ORDER if pattern.search(folded)), CALLERS)
