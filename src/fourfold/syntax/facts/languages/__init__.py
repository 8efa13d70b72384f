"""The rules of each language, one module a family."""

from __future__ import annotations

import importlib
from functools import cache

from fourfold.syntax.facts.rules import Rules

_MODULES = {
    "python": "python",
    "javascript": "ecmascript",
    "typescript": "ecmascript",
    "go": "golang",
    "rust": "rust",
    "java": "java",
    "kotlin": "kotlin",
    "c": "cfamily",
    "cpp": "cfamily",
    "csharp": "csharp",
    "ruby": "ruby",
    "php": "php",
    "swift": "swift",
    "scala": "scala",
}
"""Language -> module of its rules; languages without one have references only where a query finds them."""


@cache
def rules_of(language: str) -> Rules:
    """The rules of a language."""
    module = _MODULES.get(language)
    if module is None:
        return Rules()
    rules: Rules = importlib.import_module(f"{__name__}.{module}").RULES
    return rules
