"""Tuning from beginning to end: questions, what the ranking sees of them, weights, and their place in the user's
folder where they are better beyond chance."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from fourfold.config.whole_file import replace_text
from fourfold.evaluate.bench import Bench
from fourfold.evaluate.configuration import Configuration
from fourfold.evaluate.learn.tuning import FOLDS, MIN_TEACHING, Fitted, Gain, Tuned, Tuner
from fourfold.evaluate.report import DIGITS
from fourfold.model.errors import IndexUnavailable, UsageError
from fourfold.model.result import SCHEMA

if TYPE_CHECKING:
    from fourfold.engine import Index
    from fourfold.evaluate.evaluation import Labels, Progresses
    from fourfold.evaluate.learn.asked import Collected
    from fourfold.evaluate.question import Question
    from fourfold.evaluate.run import Say

COUNT = 400
"""Questions that are mined for tuning unless another number is asked for."""
VERSION = 1


class TuneProgresses(Protocol):
    """Who is told of progress besides that of :class:`fourfold.evaluate.evaluation.Progresses`."""

    def work(self, name: str, verb: str, noun: str) -> Say:
        """A callback for counted work."""


def tune(index: Index, labels: Labels, *, seed: int = 0, install: bool = True, progress: Any = None) -> dict[str, Any]:
    """Fit the ranking, and the weights of the modalities, on questions of this repository; install what is better.

    Raises UsageError where too few of the questions can teach anything, IndexUnavailable where the weights cannot be
    written.
    """
    started = time.perf_counter()
    told: Progresses | None = progress
    texts = labels.mined.texts if labels.mined is not None else None
    with Bench(index, texts, told.index if told else None) as bench:
        asked_index = bench.index(Configuration(ranking="bundled"))
        found = collected(asked_index, labels.questions, _say(progress, "asking", "questions"))
        name, base = bundled(asked_index)
        model = asked_index._open_searcher().model
        tuner = Tuner(found, base)
        if tuner.teaching < MIN_TEACHING:
            raise UsageError(
                f"too few questions teach the ranking anything: {tuner.teaching} of {len(labels.questions)}, "
                f"at least {MIN_TEACHING} must",
                hint="it learns from documented code; give questions of your own with --questions",
            )
        tuned = tuner.tune(FOLDS, _say(progress, "fitting", "folds"))
        modalities = _modalities(asked_index, labels.questions, progress)
    made: dict[str, dict[str, float]] = {}
    if tuned.gain.real:
        made = {name: tuned.fitted.files, "chunk": tuned.fitted.chunks}
    tables = {intent: table for intent, (table, gain) in modalities.items() if gain.real}
    report = _report(index, labels, seed, tuned, modalities)
    report["times"] = {
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(time.perf_counter() - started, 2),
    }
    report["installed"] = bool(install and (made or tables))
    if report["installed"]:
        report["file"] = str(_install(index, model, made, tables, report))
    return report


def undo(index: Index) -> bool:
    """Remove the weights fitted on this repository; False where there are none. Raises IndexUnavailable."""
    path = index.ranking_file
    if path is None or not path.is_file():
        return False
    try:
        path.unlink()
    except OSError as error:
        raise IndexUnavailable(f"{path} cannot be removed: {error.strerror}", hint="remove it by hand") from None
    return True


def collected(index: Index, questions: Sequence[Question], say: Say | None = None) -> Collected:
    """What the ranking sees of every question."""
    from fourfold.evaluate.learn.asked import Collected
    from fourfold.evaluate.learn.asking import CHUNK_NAMES, FILE_NAMES, Asker

    asker = Asker(index)
    asked = []
    for number, question in enumerate(questions, 1):
        record = {
            "repo": index.root.name,
            "id": question.id,
            "kind": question.kind or "untagged",
            "tags": list(question.tags),
            "file": question.targets[0].path,
        }
        asked.append(asker.ask(question.text, question.targets, record))
        if say is not None:
            say(number, len(questions))
    return Collected(FILE_NAMES, CHUNK_NAMES, tuple(asked))


def bundled(index: Index) -> tuple[str, Fitted]:
    """The name of the file ranker that an index uses, and the weights that come with the program."""
    from fourfold.pipeline.ranker import KNOWN, rankers

    name = "no_vectors" if index._open_searcher().vectors.empty else "default"
    found = rankers()
    files = {feature: found[name].weights.get(feature, 0.0) for feature in sorted(KNOWN[name])}
    return name, Fitted(files, dict(found["chunk"].weights))


def _modalities(
    index: Index, questions: Sequence[Question], progress: TuneProgresses | None
) -> dict[str, tuple[dict[str, float], Gain]]:
    """Weights by intent with their gain, for intents with enough questions."""
    from fourfold.evaluate.learn.modalities import MIN_QUESTIONS, ModalityTuner, prepare

    prepared = prepare(index, questions, _say(progress, "fusing", "questions"))
    counts: dict[str, int] = {}
    for one in prepared:
        counts[one.intent] = counts.get(one.intent, 0) + 1
    intents = sorted(intent for intent, number in counts.items() if number >= MIN_QUESTIONS)
    say = _say(progress, "weighing", "intents")
    found = {}
    for number, intent in enumerate(intents, 1):
        found[intent] = ModalityTuner(index, prepared, intent).tune()
        if say is not None:
            say(number, len(intents))
    return found


def _say(progress: TuneProgresses | None, verb: str, noun: str) -> Say | None:
    return progress.work("tuning", verb, noun) if progress is not None else None


def _report(
    index: Index, labels: Labels, seed: int, tuned: Tuned, modalities: Mapping[str, tuple[Mapping[str, float], Gain]]
) -> dict[str, Any]:
    kinds = {
        kind: {"n": number, "before": round(before, DIGITS), "after": round(after, DIGITS)}
        for kind, (before, after, number) in tuned.by_kind.items()
    }
    weighed = {intent: {"weights": dict(table), **_gain(gain)} for intent, (table, gain) in modalities.items()}
    return {
        "schema": SCHEMA,
        "report": "tuning",
        "version": VERSION,
        "name": index.root.name,
        "seed": seed,
        "questions": {"source": labels.source, "count": len(labels.questions), "teaching": tuned.teaching},
        "ranking": {
            **_gain(tuned.gain),
            "penalty": tuned.fitted.penalty,
            "chunks_too": tuned.fitted.own_chunks,
            "by_kind": kinds,
        },
        "modalities": weighed,
    }


def _gain(gain: Gain) -> dict[str, Any]:
    values = {key: round(value, DIGITS) + 0.0 for key, value in asdict(gain).items()}
    whole = {key: int(values[key]) for key in ("questions", "better", "worse")}
    return {**values, **whole, "gain": round(gain.after - gain.before, DIGITS) + 0.0, "real": gain.real}


def _install(
    index: Index,
    model: str,
    made: Mapping[str, Mapping[str, float]],
    tables: Mapping[str, Mapping[str, float]],
    report: Mapping[str, Any],
) -> Path:
    """Write the weights where searches of this repository find them."""
    from fourfold.pipeline.ranker import learned_weights

    path = index.ranking_file
    assert path is not None
    facts = {key: report[key] for key in ("questions", "ranking", "modalities")}
    data = learned_weights(str(report["times"]["created"]), model, made, tables, facts)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_text(path, json.dumps(data, indent=1) + "\n")
    except OSError as error:
        raise IndexUnavailable(
            f"the weights cannot be written to {path}: {error.strerror}", hint="make that folder writable"
        ) from None
    return path
