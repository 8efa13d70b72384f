"""The features of a candidate file, computed from evidence alone. Pure; one documented name each.

A feature says one thing about one file in one number, so that ``--explain`` can show what each is worth. Which features
there are is the outcome of public ablations and of trials on several sets of questions; how much each counts is
learned (:mod:`fourfold.rank.linear`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from fourfold.rank.chunks import name_matches, standardised, wordless
from fourfold.rank.path_facts import ROLES, PathFacts, path_facts
from fourfold.rank.path_words import PathMatch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.retrieve.evidence import Evidence

RRF_K = 60
"""Constant of the rank features; the textbook value."""
FIELD_WORTH = {"path": 1.0, "directories": 0.8, "definitions": 0.8, "docs": 0.55, "body": 0.35}
"""What a question word is worth by the best field of a file that holds it (from a trial)."""
PATH_SAYS = 0.3
"""What the share of a question that a path holds adds to the share that a chunk holds, where it is asked whether words
find anything (without it, .0016 NDCG@10 less on the tuning set)."""
FIELDS = ("path", "definitions", "docs", "head", "body")

STANDARDISED = frozenset(
    "raw stems content with_path centred file_centred docs definitions head body soft smooth list_sum".split()
)
"""Features whose unit differs from question to question: replaced by their z-score over the candidates."""


def features(
    evidence: Evidence, paths: PathMatch, content_words: int, is_wanted: Callable[[str], bool]
) -> dict[str, NDArray[np.float64]]:
    """All features by name, each of shape (P,).

    `is_wanted` says of a path category (``test``, ``example`` ...) that the question asks for it.
    """
    facts = path_facts(evidence.paths)
    plain = plain_fusion(evidence)
    found = _chunk_features(evidence, plain)
    found |= _field_features(evidence)
    found |= _path_features(evidence, paths, content_words)
    found |= _kin_features(facts, paths.stem_precision)
    found |= _role_features(facts, is_wanted)
    if is_wanted("docs"):
        _spare_documents(found, facts)
    found["exact"] = evidence.exact.astype(np.float64)
    found["exact_type"] = evidence.exact_type.astype(np.float64)
    found["imported"] = evidence.imported.astype(np.float64)
    found["rare_name"] = by_file(evidence, evidence.rare.astype(np.float64))
    found["is_superseded"] = evidence.superseded.astype(np.float64)
    found["name_pairs"] = evidence.name_pairs.astype(np.float64)
    found["formula"] = formula(evidence, found, plain)
    names = [name for name in found if name in STANDARDISED]
    found |= dict(zip(names, standardised(np.stack([found[name] for name in names])), strict=True))
    named = PATH_SAYS * float(found["path_ratio"].max(initial=0.0))
    found["meaning_alone"] = wordless(evidence, named) * found["with_path"]
    return found


def by_file(evidence: Evidence, values: NDArray[np.floating], how: np.ufunc = np.maximum) -> NDArray[np.float64]:
    """Reduce chunk values, shape (..., C), to files, (..., P). Every candidate has at least one chunk."""
    if not values.size:
        return np.zeros((*values.shape[:-1], len(evidence.files)))
    result: NDArray[np.float64] = how.reduceat(values, evidence.offsets[:-1], axis=-1).astype(np.float64)
    return result


def reciprocal(ranks: NDArray[np.int64], limit: int = 100) -> NDArray[np.float64]:
    """``1 / (k + rank + 1)`` for ranks below `limit`, else 0."""
    result = np.zeros(ranks.shape)
    inside = (ranks < limit).nonzero()[0]
    result[inside] = 1.0 / (RRF_K + 1.0 + ranks[inside])
    return result


_CHUNK_BESTS = ("raw", "stems", "content", "with_path", "centred", "coverage")
"""Chunk evidence of which a file has that of its best chunk."""


def _chunk_features(evidence: Evidence, plain: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Best chunk by each retriever, and agreement of their lists."""
    ranks = evidence.ranks
    agreement = (
        reciprocal(ranks["stems"])
        + reciprocal(ranks["with_path"])
        + 0.5 * reciprocal(ranks["content"])
        + 0.5 * reciprocal(ranks["raw"])
    )
    bests = by_file(evidence, np.stack([getattr(evidence, name) for name in _CHUNK_BESTS]))
    found = dict(zip(_CHUNK_BESTS, bests, strict=True))
    content = evidence.content.astype(np.float64)
    spread = np.exp(20.0 * (content - content.max(initial=0.0)))
    found["stems_relative"] = _relative(found["stems"])
    found["file_centred"] = evidence.file_centred.astype(np.float64)
    found["agreement"] = by_file(evidence, agreement)
    found["list_sum"] = by_file(evidence, plain, np.add)
    found["smooth"] = np.log(by_file(evidence, spread, np.add) + 1e-9)
    return found


def plain_fusion(evidence: Evidence) -> NDArray[np.float64]:
    """Equal-weight reciprocal rank fusion of raw words and meaning over the first 50 ranks, by chunk."""
    return 0.5 * reciprocal(evidence.ranks["raw"], 50) + 0.5 * reciprocal(evidence.ranks["with_path"], 50)


def _field_features(evidence: Evidence) -> dict[str, NDArray[np.float64]]:
    """BM25 of each field, how much of the question the softest match with definition names covers, and the chunk whose
    names fit best: `name_precision` by how much of them is asked for, `name_match` by that and the question both."""
    _, precision, match = name_matches(evidence)
    found = {name: evidence.field_scores[:, column].astype(np.float64) for column, name in enumerate(FIELDS)}
    weights = evidence.word_idf + 0.3
    found["soft"] = _share(by_file(evidence, evidence.names.soft), weights)
    found["definitions_relative"] = _relative(found["definitions"])
    found["name_precision"] = by_file(evidence, precision)
    found["name_match"] = by_file(evidence, match)
    del found["path"]
    return found


def _path_features(evidence: Evidence, paths: PathMatch, content_words: int) -> dict[str, NDArray[np.float64]]:
    """Question words met by stem, folder and directories, alone and as the best of all fields."""
    weights = evidence.word_idf + 0.3
    place = np.maximum(paths.stem, FIELD_WORTH["directories"] * paths.directories)
    named = np.maximum(place, FIELD_WORTH["definitions"] * evidence.word_fields["definitions"])
    anywhere = np.maximum(named, FIELD_WORTH["docs"] * evidence.word_fields["docs"])
    anywhere = np.maximum(anywhere, FIELD_WORTH["body"] * evidence.word_fields["body"])
    stem_share = _share(paths.stem, weights)
    met = (np.maximum(paths.stem, paths.folder) > 0).sum(axis=0) / max(content_words, 1)
    return {
        "path_ratio": met,
        "stem_words": stem_share,
        "stem_complete": np.where(paths.stem_complete >= 0.8, stem_share, 0.0),
        "stem_precision": paths.stem_precision,
        "folder_words": _share(paths.folder, weights),
        "named_words": _share(named, weights),
        "found_words": _share(anywhere, weights),
    }


def _kin_features(facts: PathFacts, stem_precision: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Candidates beside candidates of alike names: the plainer one is more often meant.

    `is_deeper_twin` marks files with a namesake nearer to the root (``Contracts/Cache/Store`` beside ``Cache/Store``);
    `extends_other` is, for a file whose stem has all words of another's and more (``BatchInsert`` beside ``Insert``),
    the share of its stem that is not asked for.
    """
    stem = _numbered(facts.stems)
    nearest = np.full(len(stem), np.iinfo(np.int64).max)
    np.minimum.at(nearest, stem, facts.depths)
    return {
        "is_deeper_twin": (facts.depths > nearest[stem]).astype(np.float64),
        "extends_other": np.where(_extends(facts.words), 1.0 - stem_precision, 0.0),
    }


def _extends(words: list[frozenset[str]]) -> NDArray[np.bool_]:
    """Whether each set of words holds all of another, not empty one and more. Shape (P,)."""
    different = set(words) - {frozenset()}
    holding: dict[str, list[frozenset[str]]] = {}
    for other in different:
        holding.setdefault(min(other), []).append(other)
    extends = {own for own in different if any(other < own for word in own for other in holding.get(word, ()))}
    return np.array([own in extends for own in words], dtype=np.bool_)


def _numbered(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of each value among the distinct ones, ascending."""
    order = values.argsort()
    ordered = values[order]
    places = np.zeros(len(values), dtype=np.int64)
    places[order[1:]] = (ordered[1:] != ordered[:-1]).cumsum()
    return places


_OF_NAMES = ("definitions_relative", "name_precision", "name_match")


def _spare_documents(found: dict[str, NDArray[np.float64]], facts: PathFacts) -> None:
    """Documents that are asked for define no names: they fit the names as well as the best candidate does."""
    documents = facts.roles >> ROLES.index("docs") & 1 > 0
    for name in _OF_NAMES:
        found[name] = np.where(documents, found[name].max(initial=0.0), found[name])


def _role_features(facts: PathFacts, is_wanted: Callable[[str], bool]) -> dict[str, NDArray[np.float64]]:
    """Categories of the path that the question does not ask for, and depth below the shallowest candidate."""
    spared = sum(1 << number for number, role in enumerate(ROLES) if is_wanted(role))
    held = (facts.roles & ~spared)[None, :] >> np.arange(len(ROLES))[:, None] & 1
    found = dict(zip([f"is_{role}" for role in ROLES], held.astype(np.float64), strict=True))
    found["depth"] = (facts.depths - facts.depths.min(initial=np.iinfo(np.int64).max)).astype(np.float64)
    return found


PENALTY = 0.3
INIT_PENALTY = 0.5
STUB_PENALTY = 0.7
"""Factors of the formula for tests, examples and compatibility code; for package markers; for type stubs."""


def agreement_within(evidence: Evidence, plain: NDArray[np.float64]) -> NDArray[np.float64]:
    """Best fused chunk of each file (`plain`, by chunk) relative to the best of all, and a fifth for how many of its
    chunks were found."""
    top, total = by_file(evidence, plain), by_file(evidence, plain, np.add)
    return top / max(float(plain.max(initial=0.0)), 1e-9) + 0.2 * total / max(float(total.max(initial=0.0)), 1e-9)


def formula(
    evidence: Evidence, found: dict[str, NDArray[np.float64]], plain: NDArray[np.float64]
) -> NDArray[np.float64]:
    """A hand-made score in the manner of good rankers of this kind: fusion, agreement within the file, path, penalty.

    One feature among others for prose; the whole score for questions that name a symbol (:func:`symbol_score`).
    """
    score = agreement_within(evidence, plain)
    ratio = found["path_ratio"]
    score = score + np.where(ratio >= 0.1, ratio, 0.0)
    score = score + 1.5 * definition_strength(evidence)
    return score * penalty(found)


def definition_strength(evidence: Evidence) -> NDArray[np.float64]:
    """1 for a file that defines a type the question names, 0.6 for another definition, half in another case."""
    exact, exact_type = evidence.exact.astype(np.float64), evidence.exact_type.astype(np.float64)
    return exact_type + 0.6 * np.maximum(exact - exact_type, 0.0)


_ASIDE = ("test", "example", "compat", "vendor", "build", "archive", "superseded")


def penalty(found: dict[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    """The factor of a file's role: 1 for ordinary source."""
    aside = np.maximum.reduce([found[f"is_{role}"] for role in _ASIDE])
    factor = np.where(aside > 0, PENALTY, 1.0)
    factor = factor * np.where(found["is_docs"] > 0, INIT_PENALTY, 1.0)
    factor = factor * np.where(found["is_init"] > 0, INIT_PENALTY, 1.0)
    return factor * np.where(found["is_type_stub"] > 0, STUB_PENALTY, 1.0)


def symbol_score(
    evidence: Evidence, found: dict[str, NDArray[np.float64]], stem_named: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """The score for a question that is a name: where it is defined, then the file called like it, then the rest.

    `stem_named` marks files whose stem is the name.
    """
    score = agreement_within(evidence, plain_fusion(evidence))
    score = score + 3.0 * definition_strength(evidence) * np.where(stem_named, 1.5, 1.0)
    return (score + np.where(stem_named, 0.5, 0.0)) * penalty(found)


def _share(matches: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weighted mean over question words; zeros where the question (or the model) has none."""
    if not len(weights) or not len(matches):
        return np.zeros(matches.shape[1])
    result: NDArray[np.float64] = (weights[:, None] * matches).sum(axis=0) / weights.sum()
    return result


def _relative(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """By the highest of them; a z-score does not say how near a candidate comes to the best."""
    result: NDArray[np.float64] = values / max(float(values.max(initial=0.0)), 1e-9)
    return result


FEATURES: frozenset[str] = frozenset(
    "raw stems content with_path centred file_centred coverage agreement list_sum smooth definitions docs "
    "head body soft path_ratio stem_words stem_complete stem_precision folder_words named_words "
    "found_words depth exact exact_type imported name_pairs name_precision name_match formula is_superseded "
    "stems_relative definitions_relative is_deeper_twin extends_other meaning_alone rare_name".split()
) | frozenset(f"is_{role}" for role in ROLES)
"""Names of all features."""

NEEDS_VECTORS: frozenset[str] = frozenset(
    "content with_path centred file_centred smooth soft name_precision name_match meaning_alone".split()
)
"""Features that say nothing where the index has no vectors."""
