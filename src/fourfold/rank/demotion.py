"""Demotion by path: the last change of a score, one rule set for every retriever.

A question that asks for tests, examples or documentation in so many words, or filters for such a path, gets
them undemoted. Factors multiply; :data:`MIN_FACTOR` keeps a file that is much at once (a vendored test)
findable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from fourfold.rank.paths import categories
from fourfold.rank.phrases import fold

Signals = tuple[tuple[str, float], ...]
"""(name, factor) of each change of a score."""

DEMOTIONS: dict[str, float] = {
    # Tests, examples and compatibility code repeat the words of a question more often than the code itself does;
    # 0.3 is what public rankers of this kind use, about the distance between rank 1 and rank 100 of one list at k = 40.
    "test": 0.3,
    "example": 0.3,
    "compat": 0.3,
    # Prose describes all of the code at once; it is the answer less often than the code it describes.
    "docs": 0.4,
    # Somebody else's code, seldom what a question about this repository means.
    "vendor": 0.3,
    # Copies of what was there before, by people or by tools.
    "archive": 0.3,
    "build": 0.2,
    "generated": 0.4,
    # Package markers re-export; stubs repeat signatures of code that is there in full.
    "init": 0.5,
    "type_stub": 0.7,
}
"""Factor by category; `config` is none of them: it is the only place of what it says."""

MIN_FACTOR = 0.1
"""The product of several demotions never falls below this."""

_WANTED: dict[str, str] = {
    "test": (
        r"\b(?:unit ?|integration ?|regression ?)?tests?\b|\btest(?:ed|ing|case|cases|suite|"
        r"suites)\b|\bunittests?\b|"
        r"\bspecs\b|\bspec files?\b|\bfixtures?\b|\bmocks?\b|\bmocked\b|\bpytest\b|\bjest\b|\bprueba[s]?\b|"
        r"\bpengujian\b|\buji\b|"
        r"\b(?:getestet|testfall|testfalle)\b|测试|測試|テスト|\btest_\w+|\w+_test\b|(?-i:\b[A-Z]\w*Tests?\b)"
    ),
    "example": (
        r"\b(?:example|sample|demo|tutorial|benchmark|showcase)s?\b|\bcontoh\b|\bejemplos?\b|\bbeispiele?\b|"
        r"\bexemples?\b|示例|例子|範例|范例|样例|例題|サンプル|使用例|の例|ベンチマーク"
    ),
    "docs": (
        r"\b(?:docs?|documentation|documented|readme|changelog|release notes|guide|wiki|manual|licen[sc]e)\b|"
        r"\bdokumentasi\b|\bdocumentacion\b|\bdokumentation\b|文档|文檔|文件說明|ドキュメント|マニュアル"
    ),
    "vendor": (
        r"\b(?:vendor|vendored|vendors|third[- ]party|node_modules|bundled librar(?:y|ies))\b|"
        r"第三方|サードパーティ"
    ),
    "build": (
        r"\b(?:dist|build (?:output|artifacts?|folder|directory)|compiled output|coverage report)\b|"
        r"构建产物|ビルド成果物"
    ),
    "archive": r"\b(?:archived?|obsolete|backups?|old versions?|attic)\b|归档|歸檔|アーカイブ",
    "generated": r"\b(?:(?:auto)?generated|protobufs?|lock ?files?|minified|codegen|locales?|"
    r"translations?|translated|message catalog(?:ue)?s?|po files?|i18n|l10n)\b|\.pot?\b|自动生成|自動生成",
    "compat": (
        r"\b(?:compat|compatibility|legacy|deprecated|deprecation|polyfills?|shims?|backports?)\b|"
        r"兼容|相容|互換"
    ),
    "init": r"__init__|\bpackage[- ]info\b|\bre-?exports?\b|\bpublic api\b",
    "type_stub": r"\b(?:type stubs?|stub files?|typings|declaration files?|pyi)\b|\.d\.ts\b",
}
_PATTERNS = {category: re.compile(pattern, re.IGNORECASE) for category, pattern in _WANTED.items()}


@lru_cache(maxsize=256)
def _wanted_by_words(text: str) -> frozenset[str]:
    folded = fold(text)
    return frozenset(category for category, pattern in _PATTERNS.items() if pattern.search(folded))


def wanted_categories(query_text: str, paths: Iterable[str] = ()) -> frozenset[str]:
    """The categories that a question asks for, by whole words ("latest" asks for no test) or by its path
    filters.
    """
    wanted = set(_wanted_by_words(query_text))
    for path in paths:
        # A filter may name a folder or a file: look at it both ways.
        wanted |= categories(path) | categories(f"{path.rstrip('/*')}/x")
    return frozenset(wanted)


def demote(
    score: float, path: str, wanted: frozenset[str] = frozenset()
) -> tuple[float, tuple[tuple[str, float], ...]]:
    """The demoted score and what was applied, as (``demotion:<category>``, factor) in a fixed order.

    A negative score (learned scorers have them) is divided, so that it falls as well.
    """
    found = categories(path) - wanted
    signals = tuple((f"demotion:{name}", factor) for name, factor in DEMOTIONS.items() if name in found)
    factor = demotion_factor(path, wanted)
    return (score * factor if score >= 0 else score / factor), signals


def demotion_factor(path: str, wanted: frozenset[str] = frozenset()) -> float:
    """The product of the demotions of a path, at least :data:`MIN_FACTOR`; 1 where nothing is demoted."""
    factor = 1.0
    for name in categories(path) - wanted:
        factor *= DEMOTIONS.get(name, 1.0)
    return max(factor, MIN_FACTOR)
