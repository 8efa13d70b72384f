"""Questions in other languages: a translated message of Django is asked, the code that says it in English answers.

Django is held out of all training; its catalogues (``*/locale/*/LC_MESSAGES/django.po``) are in its source.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from benchmarks.embedding_pool import SEED, Pool
from benchmarks.systems.tree import files_of
from fourfold.model.chunk import Chunk
from fourfold.syntax.languages.detect import language_of
from fourfold.syntax.parse import parse_file

LANGUAGES: dict[str, str] = {"de": "de", "es": "es", "fr": "fr", "id": "id", "ja": "ja", "zh": "zh_Hans"}
"""The languages that are asked in, and Django's names of them."""
MIN_WORDS = 4
"""Words of a message that says enough to be looked for."""
MAX_PLACES = 3
"""A message that more chunks hold is a common phrase."""
PER_LANGUAGE = 80
SPARE = 1500
"""Chunks without an answer."""


def message_pool(root: Path) -> Pool:
    """One pool; the category of a question is its language. FileNotFoundError where Django is missing."""
    if not (root / "django").is_dir():
        raise FileNotFoundError(f"{root} is missing: run python -m benchmarks.prepare large")
    texts = {path: text for path, text in files_of(root / "django") if path.endswith((".py", ".po"))}
    catalogues = _catalogues(texts)
    messages = sorted({message for one in catalogues.values() for message in one})
    code = [path for path in sorted(texts) if path.endswith(".py") and "/locale/" not in path]
    holding = {path: [message for message in messages if message in texts[path]] for path in code}
    places: defaultdict[str, list[tuple[str, Chunk]]] = defaultdict(list)
    spare: list[tuple[str, Chunk]] = []
    rng = random.Random(SEED)
    others = [path for path in code if not holding[path]]
    for path in [path for path in code if holding[path]] + rng.sample(others, min(len(others), 120)):
        for chunk in parse_file(path, texts[path], language_of(path, "")).chunks:
            said = [message for message in holding[path] if message in chunk.text]
            for message in said:
                places[message].append((path, chunk))
            if not said:
                spare.append((path, chunk))
    return _pool(catalogues, places, rng.sample(spare, min(len(spare), SPARE)))


def english_messages(root: Path) -> frozenset[str]:
    """What Django's catalogues translate: no other package may teach it. Empty where Django is missing."""
    from training.embedding.catalogues import po_messages

    found = (root / "django").glob("**/locale/*/LC_MESSAGES/*.po")
    return frozenset(message for path in found for message, _ in po_messages(path.read_text("utf-8")))


def _catalogues(texts: dict[str, str]) -> dict[str, dict[str, str]]:
    """Translation by message for each language."""
    from training.embedding.catalogues import po_messages

    found: dict[str, dict[str, str]] = {}
    for language, name in LANGUAGES.items():
        paths = [path for path in sorted(texts) if f"/locale/{name}/" in f"/{path}" and path.endswith(".po")]
        pairs = (pair for path in paths for pair in po_messages(texts[path]))
        found[language] = {
            message: said
            for message, said in pairs
            if len(message.split()) >= MIN_WORDS and "\n" not in message and message != said
        }
    return found


def _pool(
    catalogues: dict[str, dict[str, str]],
    places: dict[str, list[tuple[str, Chunk]]],
    spare: Iterable[tuple[str, Chunk]],
) -> Pool:
    rows: dict[tuple[str, int], int] = {}
    kept: list[tuple[str, Chunk]] = []
    for path, chunk in [*(place for found in places.values() for place in found), *spare]:
        if (path, chunk.start_line) not in rows:
            rows[path, chunk.start_line] = len(kept)
            kept.append((path, chunk))
    questions = []
    for language, messages in catalogues.items():
        fit = [message for message in sorted(messages) if 1 <= len(places.get(message, ())) <= MAX_PLACES]
        for message in random.Random(f"{SEED}:{language}").sample(fit, min(len(fit), PER_LANGUAGE)):
            answers = frozenset(rows[path, chunk.start_line] for path, chunk in places[message])
            questions.append((language, messages[message], answers))
    chunks, paths = tuple(chunk for _, chunk in kept), tuple(path for path, _ in kept)
    return Pool("django", "python", chunks, paths, tuple(questions))
