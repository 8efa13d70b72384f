"""The systems by name."""

from __future__ import annotations

from benchmarks.systems import ripgrep, semble
from benchmarks.systems.fourfold_presets import (
    PLAIN_FUSION,
    PRESETS,
    FourfoldIndexes,
    FourfoldPreset,
    PlainFusion,
)
from benchmarks.systems.plain_bm25 import WINDOW_LINES, PlainBM25
from benchmarks.systems.protocol import System

DESCRIPTIONS: dict[str, str] = {
    "default": "Fourfold, preset default",
    "bm25": "Fourfold's ranked words alone (preset text)",
    "semantic": "Fourfold's vectors alone (preset dense)",
    "rrf": "plain fusion of both",
    "hybrid": "fusion of both, then scored by meaning (preset hybrid)",
    "contract": "the published order untouched (preset contract)",
    "thorough": "all four modalities, then the learned order (preset thorough)",
    "graph": "vectors and the neighbours of what they find (preset graph)",
    "structural": "definitions alone (preset structural)",
    "ripgrep": "ripgrep, files by number of different words matched",
    "files": "plain BM25 over whole files, no code shared",
    "lines": "plain BM25 over windows of 50 lines, no code shared",
    "semble": "semble 0.7, a peer, with a local model",
    "semble-words": "semble 0.7 without its vectors",
}
"""System name to what it is, in the order of the table."""


def make_system(name: str, indexes: FourfoldIndexes) -> System | None:
    """A system by name, None where its program is not installed. Raises ValueError for an unknown name."""
    if name in PRESETS:
        return FourfoldPreset(name, PRESETS[name], indexes)
    if name == PLAIN_FUSION:
        return PlainFusion(indexes)
    if name == "ripgrep":
        return ripgrep.Ripgrep() if ripgrep.available() else None
    if name in ("semble", "semble-words"):
        return semble.Semble(name, None if name == "semble" else 0.0) if semble.available() else None
    if name in ("files", "lines"):
        return PlainBM25(name, WINDOW_LINES if name == "lines" else 0)
    raise ValueError(f"unknown system {name!r}: choose from {', '.join(DESCRIPTIONS)}")
