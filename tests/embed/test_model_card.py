"""``docs/model.md`` tells the truth about the files that are shipped."""

from __future__ import annotations

import re
from pathlib import Path

from fourfold.embed.static import BUNDLE, StaticEmbedder

CARD = (Path(__file__).parents[2] / "docs" / "model.md").read_text("utf-8")


def test_sizes_are_those_of_the_files() -> None:
    stated = re.findall(r"^\| `([\w.]+)` \|.*\| ([\d,]+) \|$", CARD, re.MULTILINE)
    actual = {path.name: f"{path.stat().st_size:,}" for path in BUNDLE.iterdir()}
    assert dict(stated) == actual


def test_name_and_weights_are_those_of_the_model() -> None:
    embedder = StaticEmbedder()
    assert embedder.identity.name in CARD
    weights = embedder.field_weights
    assert f"{weights['body']:.3f} x body + {weights['symbol']:.3f} x symbol" in CARD
    assert f"{weights['path']:.3f} x path" in CARD


def test_every_package_has_a_version_and_a_licence() -> None:
    rows = re.findall(
        r"^\| ([^|`*]+) \| ([^|]+) \| ([^|]+) \|$", CARD.partition("## What it saw")[2], re.MULTILINE
    )
    packages = [row for row in rows if row[0] not in ("package", "---")]
    assert len(packages) == int(re.search(r"^(\d+) packages\.", CARD, re.MULTILINE).group(1))  # type: ignore[union-attr]
    assert all(cell.strip() for row in packages for cell in row)
