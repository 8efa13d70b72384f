"""A small trained classifier of questions, which refines what the intent rules leave uncertain.

Multinomial logistic regression over hashed features (:mod:`fourfold.rank.intent_features`), int8 weights, its
probabilities calibrated by one temperature (Guo et al., "On Calibration of Modern Neural Networks", ICML 2017). Pure
Python over a bytes object: no numpy, no file. Weights come from ``training/intent``; the caller loads them.
"""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Mapping
from dataclasses import replace
from operator import mul
from typing import Any

from fourfold.model.errors import BackendUnavailable
from fourfold.model.query import INTENTS, Query
from fourfold.model.record import record
from fourfold.rank.intent_features import BUCKETS, features

MODEL_VERSION = 1
"""Version of the weights file and of the features; a file of another version is refused."""

RULE = "trained classifier"
"""The rule named by a query that the classifier decided."""

REFINED_RULES: frozenset[str] = frozenset({"nothing matched", "identifier with few words", "single known symbol"})
"""The uncertain rules: 0.40, 0.70 and 0.60. All others state their intent by words, and stand."""

MAX_CONFIDENCE = 0.84
"""Below the direct path (0.85): a guess never leaves a modality out."""

MIN_PROBABILITY = 0.50
"""A less probable intent is not taken: an unmatched question stays ``understand_code`` at 0.40."""

MIN_TO_OVERRULE = 0.70
"""What it takes to overrule a name with few words, which the contract calls a definition at 0.70."""


@record(frozen=True, slots=True)
class IntentModel:
    """Weights by intent and bucket, intent after intent as signed bytes (6 x :data:`BUCKETS`), in steps of `scale`.

    `bias` is by intent; `temperature` divides the scores; `reliability` is the measured share of right verdicts by
    rule.
    """

    weights: bytes
    scale: float
    bias: tuple[float, ...]
    temperature: float
    reliability: Mapping[str, float]


def parse_model(data: Mapping[str, Any]) -> IntentModel:
    """The model of a weights file. Raises BackendUnavailable for another version or damaged weights."""
    if data.get("version") != MODEL_VERSION:
        raise BackendUnavailable(
            f"the intent weights have version {data.get('version')!r}, this program reads {MODEL_VERSION}",
            hint="install Fourfold again",
        )
    try:
        weights = base64.b64decode(data["weights"], validate=True)
        scale, temperature = float(data["scale"]), float(data["temperature"])
        bias = tuple(float(data["bias"][intent]) for intent in INTENTS)
        reliability = {str(rule): float(share) for rule, share in data["reliability"].items()}
    except (KeyError, TypeError, ValueError, AttributeError, binascii.Error) as error:
        raise BackendUnavailable("the intent weights are damaged", hint="install Fourfold again") from error
    if len(weights) != BUCKETS * len(INTENTS) or not temperature > 0:
        raise BackendUnavailable("the intent weights are damaged", hint="install Fourfold again")
    return IntentModel(weights, scale, bias, temperature, reliability)


def probabilities(text: str, rule: str, model: IntentModel) -> dict[str, float]:
    """Calibrated probability of each intent; they sum to 1."""
    found = features(text, rule)
    weights = memoryview(model.weights).cast("b")
    sums = [
        sum(map(mul, found.values(), map(weights[start : start + BUCKETS].__getitem__, found)))
        for start in range(0, len(weights), BUCKETS)
    ]
    scores = [(model.scale * total + bias) / model.temperature for total, bias in zip(sums, model.bias, strict=True)]
    top = max(scores)
    powers = [math.exp(score - top) for score in scores]
    whole = sum(powers)
    return {intent: power / whole for intent, power in zip(INTENTS, powers, strict=True)}


def refine(ruled: Query, model: IntentModel) -> Query:
    """The query with the classifier's intent where the rules were uncertain and it is sure enough; else as it was.

    Its confidence is the calibrated probability, at most :data:`MAX_CONFIDENCE`. A single word says too little.
    """
    if ruled.rule not in REFINED_RULES or len(ruled.text.split()) < 2:
        return ruled
    found = probabilities(ruled.text, ruled.rule, model)
    intent = max(INTENTS, key=lambda name: found[name])
    matched = ruled.rule != "nothing matched"
    if found[intent] < (MIN_TO_OVERRULE if matched and intent != ruled.intent else MIN_PROBABILITY):
        return ruled
    if matched and intent == ruled.intent:
        return replace(ruled, confidence=max(ruled.confidence, _shown(found[intent])))
    return replace(ruled, intent=intent, confidence=_shown(found[intent]), rule=RULE)


def certainty(ruled: Query, model: IntentModel) -> float:
    """Calibrated probability that the intent of :func:`refine` is right.

    Of a rule it is the share of right verdicts measured in training; the contract's confidences are fixed figures,
    lower than that for the rules that name an intent outright.
    """
    refined = refine(ruled, model)
    if ruled.rule in REFINED_RULES and len(ruled.text.split()) > 1:
        return probabilities(ruled.text, ruled.rule, model)[refined.intent]
    return model.reliability.get(ruled.rule, ruled.confidence)


def _shown(probability: float) -> float:
    return round(min(probability, MAX_CONFIDENCE), 2)
