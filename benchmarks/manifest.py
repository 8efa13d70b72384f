"""The corpora: what they are, where they come from, where they lie."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

from benchmarks.dataset import HERE, QUESTIONS, load_questions

KINDS: tuple[str, ...] = ("sdist", "wheel", "npm", "git")
GROUPS: tuple[str, ...] = ("tuning", "long", "speed", "large", "mined")


@dataclass(frozen=True, slots=True)
class Corpus:
    """A source tree pinned by version.

    `kind` is one of :data:`KINDS`; `version` a release, or a full commit for git; `keep` are the only paths
    taken (all, where empty); `place` is the folder below the corpora directory; `language` and `suffix` say
    what is mined from it.
    """

    name: str
    kind: str
    version: str
    licence: str
    uses: tuple[str, ...]
    place: str
    url: str = ""
    keep: tuple[str, ...] = ()
    language: str = ""
    suffix: str = ""


def corpora_for(use: str) -> list[Corpus]:
    """Every corpus of a group. Raises ValueError for an unknown group."""
    if use not in GROUPS:
        raise ValueError(f"unknown group {use!r}: choose from {', '.join(GROUPS)}")
    if use == "tuning":
        return _tuning()
    if use == "long":
        return _long()
    return [corpus for corpus in _listed() if use in corpus.uses]


def corpus_named(name: str) -> Corpus:
    """A corpus of corpora.toml by name. Raises ValueError, naming those that exist."""
    listed = _listed()
    for corpus in listed:
        if corpus.name == name:
            return corpus
    raise ValueError(f"unknown corpus {name!r}: choose from {', '.join(corpus.name for corpus in listed)}")


def _listed() -> list[Corpus]:
    content = tomllib.loads((HERE / "corpora.toml").read_text(encoding="utf-8"))
    return [_corpus(entry) for entry in content["corpus"]]


def _corpus(entry: dict[str, object]) -> Corpus:
    """Sources that are only mined lie apart from the pruned copies, under ``packages``."""
    if entry["kind"] not in KINDS:
        raise ValueError(f"corpus {entry['name']}: kind must be one of {', '.join(KINDS)}")
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    name = str(entry["name"])
    place = f"packages/{name}" if values["uses"] == ("mined",) else name
    return Corpus(place=place, **values)  # type: ignore[arg-type]


def _tuning() -> list[Corpus]:
    entries = json.loads((QUESTIONS / "tuning" / "repos.json").read_text(encoding="utf-8"))
    return [
        Corpus(
            name=entry["repo"],
            kind="git",
            version=entry["rev"],
            licence="",
            uses=("tuning",),
            place=f"tuning/{entry['repo']}",
            url=entry["url"],
            keep=(entry["root"],) if entry["root"] else (),
        )
        for entry in entries
    ]


def _long() -> list[Corpus]:
    path = QUESTIONS / "long" / "queries.jsonl"
    commits = {record["repo"]: record["commit"] for record in map(json.loads, _lines(path))}
    repos = dict.fromkeys(question.repo for question in load_questions(path))
    return [
        Corpus(
            name=repo.rsplit("/", 1)[-1],
            kind="git",
            version=commits[repo],
            licence="",
            uses=("long",),
            place=f"long/{repo.rsplit('/', 1)[-1]}",
            url=f"https://github.com/{repo}.git",
        )
        for repo in repos
    ]


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
