"""The rules of each language, one module a family."""

from __future__ import annotations

import importlib
from functools import cache

from fourfold.syntax.facts.rules import Rules

_MODULES = {
    "javascript": "ecmascript",
    "typescript": "ecmascript",
    "go": "golang",
    "c": "cfamily",
    "cpp": "cfamily",
}
"""Language -> module of its rules, where that has another name."""


@cache
def rules_of(language: str) -> Rules:
    """The rules of a language; the plain ones where it has no module."""
    try:
        module = importlib.import_module(f"{__name__}.{_MODULES.get(language, language)}")
    except ModuleNotFoundError:
        return Rules()
    rules: Rules = module.RULES
    return rules
