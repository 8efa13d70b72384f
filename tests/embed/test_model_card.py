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
    manifest = Path(__file__).parents[2] / "training" / "embedding" / "manifest.tsv"
    head, *rows = [line.split("\t") for line in manifest.read_text("utf-8").splitlines()]
    assert head[:4] == ["kind", "name", "version", "licence"]
    assert len(rows) > 500
    assert all(cell.strip() for row in rows for cell in row[:4])
    assert "training/embedding/manifest.tsv" in CARD.partition("## What it saw")[2]


def test_no_examined_package_was_seen() -> None:
    manifest = Path(__file__).parents[2] / "training" / "embedding" / "manifest.tsv"
    names = {line.split("\t")[1].lower() for line in manifest.read_text("utf-8").splitlines()[1:]}
    assert not names & {
        "sqlalchemy",
        "celery",
        "wagtail",
        "django",
        "sympy",
        "scikit-learn",
        "flask",
        "fastapi",
        "redis",
        "hiredis",
    }
