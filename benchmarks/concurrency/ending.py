"""At the end: the index that went through everything, compared with one made from nothing."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random

from benchmarks.concurrency.asking import questions

QUESTIONS = 60


def differences(root: Path, folder: Path) -> list[str]:
    """What differs in the answers of the two, and what the doctor finds."""
    from fourfold import Index
    from fourfold.config.load import load_settings

    fresh = load_settings(root, {"cache_dir": str(folder / "fresh")}).settings
    told: list[str] = []
    with Index.open(root, root=root) as old, Index.open(root, root=root, settings=fresh) as new:
        old.refresh()
        new.refresh()
        told += [f"doctor: {check.name}: {check.detail}" for check in old.doctor() if not check.ok]
        counts = [(state.files, state.chunks, state.lines, state.symbols) for state in (old.status(), new.status())]
        if counts[0] != counts[1]:
            told.append(f"files, chunks, lines, symbols: {counts[0]}, from nothing {counts[1]}")
        for kind, text in islice(questions(Random(1)), QUESTIONS):
            asked = [getattr(index, kind)(text, refresh=False).items for index in (old, new)]
            if asked[0] != asked[1]:
                told.append(f"{kind} {text!r} is answered otherwise")
    return told
