"""Singular forms, as Rails and Laravel make them for the names of parameters."""

from __future__ import annotations

_IRREGULAR = {
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "statuses": "status",
    "aliases": "alias",
    "news": "news",
    "series": "series",
    "species": "species",
    "movies": "movie",
    "data": "datum",
    "media": "medium",
    "criteria": "criterion",
    "indices": "index",
    "houses": "house",
    "caches": "cache",
}
_DROP_ES = ("sses", "xes", "ches", "shes", "zzes", "uses")


def singular(word: str) -> str:
    """The singular of the last part of `word` (``blog_posts``, ``blog-posts``)."""
    for separator in ("_", "-"):
        if separator in word:
            head, _, tail = word.rpartition(separator)
            return f"{head}{separator}{singular(tail)}"
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(_DROP_ES) and word != "causes":
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
