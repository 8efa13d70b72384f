"""Re-rankers whose weights can be had offline, blended into ``default``: ``python -m benchmarks.rerankers``.

Every question is asked once with the preset ``default``; its first 50 places are judged by each re-ranker, and the
judgement joins the score with each share (:func:`fourfold.pipeline.steps.blend.blend_in`, as the steps do it). With
``--what vocabulary`` it is asked again in the repository's own words instead, with each weight (``query_expansion``).
Prints the change of NDCG@10 against ``default``, with 95 % bootstrap intervals, and processor time a question.
"""

from __future__ import annotations

import argparse
import asyncio
import copy
import json
import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.dataset import HERE, asked_root, corpora_dir, load_questions, questions_file
from benchmarks.machine import circumstances
from benchmarks.overlap import shared
from benchmarks.systems.fourfold_presets import FourfoldIndexes
from benchmarks.tables import table
from benchmarks.written import file_of, halves, load, root_of
from fourfold.evaluate import metrics
from fourfold.evaluate.metrics import Place
from fourfold.evaluate.question import Target
from fourfold.evaluate.statistics import interval
from fourfold.model.errors import BackendUnavailable
from fourfold.pipeline.loader import load_text
from fourfold.pipeline.state import RetrieverState, SearchQuery
from fourfold.pipeline.steps.blend import blend_in, judged_texts
from fourfold.retrieve.late_interaction import max_similarities

if TYPE_CHECKING:
    from fourfold.embed.rerank.protocol import Reranker
    from fourfold.pipeline.pipeline import RetrieverPipeline

TOP = 50
SHARES = (0.05, 0.1, 0.2, 0.35, 0.5)
SETS = ("tuning", "large", "unshared", "languages", "mined", "mined-abstract")
"""`mined` are questions without the name of what they ask for; `mined-abstract` those that share no stem with it."""
WHAT = ("bundled", "minilm", "vocabulary")
EXPANSION = "expansion by vocabulary"
EXPANDED = """\
steps:
  - pre_filter
  - query_expansion: {{by: vocabulary, weight: {weight}}}
  - limit
"""
WEIGHTS = (0.05, 0.15, 0.3)
Judge = Callable[[RetrieverState, Sequence[str]], list[float]]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a set, the folder it is about and what answers it."""

    part: str
    root: Path
    text: str
    targets: tuple[Target, ...]


@dataclass(slots=True)
class Record:
    """NDCG@10 of every question of a part of a set by (re-ranker, share), and processor seconds by re-ranker."""

    plain: list[float] = field(default_factory=list)
    found: dict[tuple[str, float], list[float]] = field(default_factory=lambda: defaultdict(list))
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))


def questions(name: str, corpora: Path, most: int) -> list[Asked]:
    """The questions of a set (of `large` the open half), `most` of them drawn where there are more."""
    if name == "tuning":
        mined = load_questions(questions_file(name, corpora))
        found = [Asked(name, asked_root(name, one, corpora), one.text, one.whole_files().targets) for one in mined]
    elif name in ("mined", "mined-abstract"):
        mined = [one for one in load_questions(questions_file("mined", corpora)) if one.category != "named"]
        found = [Asked(name, asked_root("mined", one, corpora), one.text, one.targets) for one in mined]
        if name != "mined":
            found = [one for one in found if not any(shared(one.text, _lines(one.root, part)) for part in one.targets)]
    else:
        written = halves(load(file_of(name)), "open")
        found = [
            Asked(f"{name}, {one.kind}" if name == "large" else name, root_of(one.repo, corpora), one.text,
                  tuple(target.target for target in one.primary))
            for one in written
        ]  # fmt: skip
    drawn = random.Random(name).sample(found, len(found))[:most]
    return sorted(drawn, key=lambda one: str(one.root))


def _lines(root: Path, target: Target) -> str:
    lines = (root / target.path).read_text("utf-8", "replace").split("\n")
    return "\n".join(lines[(target.start_line or 1) - 1 : target.end_line])


def judges(what: Sequence[str]) -> tuple[dict[str, Judge], list[str]]:
    """The re-rankers of `what` that can be had, and why others cannot."""
    found: dict[str, Judge] = {"late interaction, bundled vectors": _bundled} if "bundled" in what else {}
    if "minilm" not in what:
        return found, []
    try:
        encoder = _read_once()
    except BackendUnavailable as error:
        return found, [f"MiniLM: {error.message}"]
    from fourfold.embed.rerank.minilm import MiniLmReranker

    for name, by_token in (("MiniLM int8, whole texts", False), ("MiniLM int8, late interaction", True)):
        found[name] = _by(MiniLmReranker(encoder, by_token=by_token))
    return found, []


def _read_once() -> Any:
    """MiniLM, whose last pass both of its re-rankers use: the second one costs as much as the first, alone. Raises
    BackendUnavailable."""
    from fourfold.embed.providers.minilm import OnnxEncoder
    from fourfold.embed.providers.spec import DEFAULT_MODELS, ModelSpec

    class ReadOnce(OnnxEncoder):
        last: tuple[tuple[str, ...], list[Any]] = ((), [])

        def token_vectors(self, texts: Sequence[str]) -> list[Any]:
            if self.last[0] != tuple(texts):
                self.last = (tuple(texts), super().token_vectors(texts))
            return self.last[1]

        def encode(self, texts: Sequence[str], role: str) -> Any:
            return np.stack([one.mean(axis=0) for one in self.token_vectors(texts)])

    return ReadOnce(ModelSpec("minilm", DEFAULT_MODELS["minilm"]))


def _by(model: Reranker) -> Judge:
    return lambda state, texts: model.scores(state.query.terms, texts)


def _bundled(state: RetrieverState, texts: Sequence[str]) -> list[float]:
    embedder = state.index.token_embedder
    assert embedder is not None
    return max_similarities(embedder, state.index.corpus, state.question, texts)


def measure(
    asked: Sequence[Asked], known: dict[str, Judge], indexes: FourfoldIndexes, weights: Sequence[float] = ()
) -> dict[str, Record]:
    """Ask everything, by part of the set; again in the repository's words with each of `weights`."""
    records: dict[str, Record] = defaultdict(Record)
    for one in asked:
        record = records[one.part]
        index = indexes.get(one.root)
        state = _found(index.pipeline("default"), one)
        for weight in weights:
            began = time.process_time()
            expanded = _found(index.pipeline(load_text(EXPANDED.format(weight=weight))), one)
            record.seconds[EXPANSION].append(time.process_time() - began)
            record.found[EXPANSION, weight].append(_ndcg(one, expanded))
        record.plain.append(_ndcg(one, state))
        texts = judged_texts(state, state.items[:TOP])
        for name, judge in known.items():
            began = time.process_time()
            values = judge(state, texts) if texts else []
            record.seconds[name].append(time.process_time() - began)
            for share in SHARES:
                record.found[name, share].append(
                    _ndcg(one, _blended(state, values, share)) if values else _ndcg(one, state)
                )
    return records


def _found(pipeline: RetrieverPipeline, one: Asked) -> RetrieverState:
    return asyncio.run(pipeline.run(RetrieverState(SearchQuery(one.text), limit=TOP)))


def _blended(state: RetrieverState, values: Sequence[float], share: float) -> RetrieverState:
    other = copy.copy(state)
    other.items = [copy.copy(item) for item in state.items]
    blend_in(other, values, share, "judged")
    return other


def _ndcg(one: Asked, state: RetrieverState) -> float:
    places = [Place(item.path, item.start_line, item.end_line) for item in state.items]
    if all(target.start_line is None for target in one.targets):
        places = metrics.first_per_file(places)
    return metrics.ndcg(metrics.first_hits(one.targets, places[: metrics.TOP_K]))


def rows(records: dict[str, Record]) -> list[list[str]]:
    """One line a part, re-ranker and share."""
    lines = []
    for part, record in records.items():
        lines.append([part, str(len(record.plain)), "none", "", f"{_mean(record.plain):.3f}", ""])
        for (name, share), values in record.found.items():
            gains = [after - before for after, before in zip(values, record.plain, strict=True)]
            low, high = interval([gains])
            lines.append(
                [part, str(len(gains)), name, f"{share:g}", f"{_mean(gains):+.3f} ({low:+.3f} to {high:+.3f})",
                 f"{1000 * _mean(record.seconds[name]):.0f}"]
            )  # fmt: skip
    return lines


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rerankers", description=__doc__)
    parser.add_argument("--sets", default=",".join(SETS), help=f"comma list of {', '.join(SETS)}")
    parser.add_argument("--what", default="bundled,minilm", help=f"comma list of {', '.join(WHAT)}")
    parser.add_argument("--most", type=int, default=150, help="questions of a set at most")
    parser.add_argument("--corpora", type=Path, help="folder of the corpora")
    options = parser.parse_args(arguments)
    what = options.what.split(",")
    known, missing = judges(what)
    indexes = FourfoldIndexes()
    told: list[list[str]] = []
    try:
        for name in options.sets.split(","):
            asked = questions(name, corpora_dir(options.corpora), options.most)
            print(f"  {name}: {len(asked)} questions", file=sys.stderr)
            told += rows(measure(asked, known, indexes, WEIGHTS if "vocabulary" in what else ()))
            _save(options, told)
    finally:
        indexes.close()
    print(table(("set", "n", "re-ranker", "share", "NDCG@10, change", "ms"), told))
    for line in missing:
        print(f"not measured: {line}")


def _save(options: argparse.Namespace, told: list[list[str]]) -> None:
    command = f"python -m benchmarks.rerankers --sets {options.sets} --what {options.what} --most {options.most}"
    text = json.dumps({**circumstances(command), "rows": told}, indent=1, ensure_ascii=False)
    name = f"rerankers-{options.what.replace(',', '-')}.json"
    (HERE / "results" / name).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
