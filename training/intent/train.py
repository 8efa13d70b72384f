"""Train, calibrate and write the intent classifier: ``python -m training.intent.train``, from the repository's root.

Questions come from templates, from mined descriptions of code (``python -m training.ranker.mine`` first) and from the
`build` half of the hand-written ones; of the `check` half only this is used: what the templates produce too near to one
of its questions is dropped (:func:`far_from`). The temperature is fitted by five folds of the build half and of a draw
of descriptions, each predicted by a model that did not see it. numpy only; the same seed gives the same file.
"""

from __future__ import annotations

import argparse
import base64
import json
from collections import Counter
from pathlib import Path
from zlib import crc32

import numpy as np
from benchmarks.dataset import corpora_dir
from numpy.typing import NDArray
from training.intent.descriptions import descriptions
from training.intent.generate import Question, generate

from fourfold.model.query import INTENTS
from fourfold.rank.classifier import MODEL_VERSION, REFINED_RULES
from fourfold.rank.intent import classify
from fourfold.rank.intent_features import BUCKETS, features, masked

ROOT = Path(__file__).parent.parent.parent
QUESTIONS = ROOT / "benchmarks" / "questions" / "intent"
TARGET = ROOT / "src" / "fourfold" / "pipeline" / "data" / "intent.json"

SEED = 7
PER_INTENT = 3000
EPOCHS = 10
BATCH = 256
LEARNING_RATE = 0.02
L2 = 1e-5
BUILD_WEIGHT = 6.0
"""What a hand-written question counts against one from a template."""

SETTLED_WEIGHT = 0.3
"""What a question counts that the rules settle: the classifier will not be asked about its like."""

DESCRIBED_WEIGHT = 0.4
"""What a mined description counts: there are many, and all of one intent."""

SMOOTHING = 2
"""Right and wrong verdicts added to a rule's count (Laplace), so that a rare rule does not claim certainty."""

NEAR = 0.5
"""Share of a check question's masked words, taken three by three, above which a made one is too near to it."""

FOLDS = 5
DRAWN = 150
"""Descriptions among the questions that the temperature is fitted on, as many as the build half has open questions."""

Floats = NDArray[np.float32]


class Sparse:
    """Feature rows of questions, made dense a batch at a time."""

    def __init__(self, questions: list[Question]) -> None:
        self.rules = [classify(question.text) for question in questions]
        self.labels = np.array([INTENTS.index(question.intent) for question in questions])
        rows = [
            features(question.text, rule.rule if rule.rule in REFINED_RULES else "nothing matched")
            for question, rule in zip(questions, self.rules, strict=True)
        ]
        self.columns = [np.fromiter(row.keys(), np.int64, len(row)) for row in rows]
        self.values = [np.fromiter(row.values(), np.float32, len(row)) for row in rows]
        self.open = np.array([rule.rule in REFINED_RULES for rule in self.rules])

    def dense(self, numbers: NDArray[np.int64]) -> Floats:
        """Shape (len(numbers), BUCKETS)."""
        matrix = np.zeros((len(numbers), BUCKETS), np.float32)
        for at, number in enumerate(numbers):
            matrix[at, self.columns[number]] = self.values[number]
        return matrix


def fit(data: Sparse, chosen: NDArray[np.int64], weights: Floats) -> tuple[Floats, Floats]:
    """Softmax regression by Adam on the `chosen` rows: weights (BUCKETS, 6) and bias (6,)."""
    rng = np.random.default_rng(SEED)
    coefficients = np.zeros((BUCKETS, len(INTENTS)), np.float32)
    bias = np.zeros(len(INTENTS), np.float32)
    moments = [np.zeros_like(part) for part in (coefficients, coefficients, bias, bias)]
    step = 0
    total = EPOCHS * -(-len(chosen) // BATCH)
    for _ in range(EPOCHS):
        order = rng.permutation(chosen)
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            matrix = data.dense(rows)
            errors = softmax(matrix @ coefficients + bias)
            errors[np.arange(len(rows)), data.labels[rows]] -= 1
            errors *= (weights[rows] / weights[rows].mean() / len(rows))[:, None]
            step += 1
            rate = LEARNING_RATE * (1 - step / (total + 1))
            gradients = (matrix.T @ errors + L2 * coefficients, errors.sum(0))
            for at, (part, gradient) in enumerate(zip((coefficients, bias), gradients, strict=True)):
                first, second = moments[2 * at], moments[2 * at + 1]
                first += 0.1 * (gradient - first)
                second += 0.001 * (gradient * gradient - second)
                part -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return coefficients, bias


def softmax(scores: Floats) -> Floats:
    """Rows of probabilities."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def fitted_temperature(scores: Floats, labels: NDArray[np.int64]) -> float:
    """The temperature with the least log loss, by a grid from 0.3 to 5."""
    grid = np.exp(np.linspace(np.log(0.3), np.log(5), 120))
    chances = [softmax(scores / t)[np.arange(len(labels)), labels] for t in grid]
    return float(grid[int(np.argmin([-np.log(chance + 1e-9).mean() for chance in chances]))])


def read(half: str) -> list[Question]:
    """The hand-written questions of one half."""
    lines = (QUESTIONS / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [Question(row["text"], row["intent"], row["language"]) for row in rows]


def far_from(made: list[Question], others: list[Question]) -> list[Question]:
    """The made questions that share no more than :data:`NEAR` of any other's triples of masked words."""
    targets = [_triples(other.text) for other in others]
    by_triple: dict[str, list[int]] = {}
    for number, target in enumerate(targets):
        for triple in target:
            by_triple.setdefault(triple, []).append(number)
    kept = []
    for question in made:
        shared = Counter(n for triple in _triples(question.text) for n in by_triple.get(triple, ()))
        if all(count <= NEAR * len(targets[number]) for number, count in shared.items()):
            kept.append(question)
    return kept


def _triples(text: str) -> frozenset[str]:
    words = ["^", *masked(text).split(), "$"]
    return frozenset(" ".join(words[at : at + 3]) for at in range(max(1, len(words) - 2)))


def main() -> None:
    """Train and write the weights; prints the held-out figures of the build half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=TARGET)
    parser.add_argument("--descriptions", type=Path, default=corpora_dir() / "ranker" / "questions.jsonl")
    arguments = parser.parse_args()
    made = generate(PER_INTENT, SEED)
    kept = far_from(made, read("check"))
    described = descriptions(arguments.descriptions)
    build = read("build")
    print(
        f"{len(made)} made, {len(made) - len(kept)} dropped as too near to a check question, "
        f"{len(described)} described, {len(build)} by hand"
    )
    data = Sparse(kept + described + build)
    first = len(data.labels) - len(build)
    weights = np.where(data.open, 1.0, SETTLED_WEIGHT).astype(np.float32)
    weights[len(kept) : first] *= DESCRIBED_WEIGHT
    weights[first:] *= BUILD_WEIGHT
    everything = np.arange(len(data.labels))
    drawn = np.sort(np.random.default_rng(SEED).permutation(everything[len(kept) : first])[:DRAWN])
    hand = np.concatenate([drawn, everything[first:]])
    questions = [(kept + described + build)[number] for number in hand]
    folds = np.array([crc32(question.text.encode()) % FOLDS for question in questions])
    scores = np.zeros((len(hand), len(INTENTS)), np.float32)
    for fold in range(FOLDS):
        held = hand[folds == fold]
        coefficients, bias = fit(data, np.setdiff1d(everything, held), weights)
        scores[folds == fold] = data.dense(held) @ coefficients + bias
    asked = data.open[hand]
    labels = data.labels[hand]
    temperature = fitted_temperature(scores[asked], labels[asked])
    guessed = softmax(scores / temperature)
    right = guessed.argmax(1) == labels
    print(f"held-out: {right[asked].mean():.3f} of {asked.sum()} open questions, temperature {temperature:.2f}")
    for number in np.flatnonzero(asked & ~right):
        print(f"  {guessed[number].max():.2f} {INTENTS[guessed[number].argmax()]} <- {questions[number]}")
    coefficients, bias = fit(data, everything, weights)
    scale = float(np.abs(coefficients).max()) / 127
    counts: dict[str, list[int]] = {}
    for question, rule in zip(build, data.rules[first:], strict=True):
        counts.setdefault(rule.rule, []).append(rule.intent == question.intent)
    model = {
        "version": MODEL_VERSION,
        "scale": scale,
        "temperature": round(temperature, 4),
        "bias": {intent: round(float(value), 5) for intent, value in zip(INTENTS, bias, strict=True)},
        "reliability": {
            rule: round((sum(found) + SMOOTHING) / (len(found) + SMOOTHING + 0.5), 3)
            for rule, found in sorted(counts.items())
        },
        "weights": base64.b64encode(np.round(coefficients.T / scale).astype(np.int8).tobytes()).decode("ascii"),
    }
    arguments.out.write_text(json.dumps(model, indent=1) + "\n", encoding="utf-8")
    print(f"wrote {arguments.out.name}, {arguments.out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
