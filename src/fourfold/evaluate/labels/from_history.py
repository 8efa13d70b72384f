"""Questions from commit subjects: what was changed, asked for in the files that were changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from fourfold.evaluate.labels.candidates import Candidate
from fourfold.evaluate.labels.phrasing import content, torn
from fourfold.evaluate.labels.rarity import Rarity
from fourfold.evaluate.labels.tree import Tree
from fourfold.evaluate.question import Target

MAX_FILES = 2
"""A commit that changed more files of the package is about more than one thing."""
WORDS = (5, 16)
MIN_CONTENT = 4
MIN_TELLING = 2
MIN_IN_TARGET = 0.7
"""Share of the content words that a changed file must still hold."""

_MARKS = (
    re.compile(r"\s*\(?(?:closes?|fix(?:es)?|refs?|issue)?:?\s*(?:GH-|#)\d+\)?", re.I),
    re.compile(r"^(?:\[[^\]]*\]|\([^)]*\))\s*"),
    re.compile(r"^[\w./,+-]+(?:\([^)]*\))?!?:\s+"),
)
_DULL = re.compile(
    r"\b(?:typos?|changelog|release|bump|version|readme|docs?|documentation|comments?|javadoc|kdoc|tests?|lint|format|"
    r"formatting|whitespace|style|refactor\w*|clean ?up|cleanup|merge|revert|todo|upgrade|dependenc\w+|deps?|ci|build|"
    r"gradle|maven|cabal|ghc|travis|warnings?|rename\w*|review|wip|deprecat\w+|nits?|benchmarks?|examples?|copyright|"
    r"license|spelling|unused|simplif\w+|minor|misc|various|some|more|new|update \w+$|spec|specs|imports?|indent\w*|"
    r"clippy|rustfmt|pep8|mypy|type hints?|annotations?|"
    r"now|as well|again|instead|fix up|methods?|errors? found|compil\w+|vet|valgrind|asan|coverity)\b",
    re.I,
)
_OPENING = re.compile(
    r"^(?:(?:fix(?:es|ed|ing)?|add(?:s|ed|ing)?|implement(?:s|ed)?|improve[sd]?|support(?:s|ed)?|handle[sd]?)\s+"
    r"(?:(?:a |an |the )?(?:bug|issue|problem|support|option|ability|regression|crash)s?\s+"
    r"(?:where|when|with|in|for|to|of|that)\s+)?"
    r"|(?=(?:allow|ensure|prevent|detect|check|validate|cache|avoid|report|respect|escape|parse|decode|encode|resolve|"
    r"normalize|print|show|display|reject|preserve|limit|retry|skip|ignore|compute|generate|track|log)\s))",
    re.I,
)
"""How a subject begins that says what the code does, not how it was moved about."""
_PROSE = re.compile(r"[A-Za-z][\w ,.'\"`/()+<>#$@?:-]*")


def from_history(commits: Iterable[tuple[str, Sequence[str]]], tree: Tree, rarity: Rarity) -> Iterator[Candidate]:
    """A question for each commit (subject, changed paths below the tree's top) that changed one or two files and says
    what."""
    answering = set(tree.targets())
    tests = set(tree.tests())
    for subject, changed in commits:
        targets = [path for path in changed if path in answering]
        code = [path for path in changed if path in tree.parsed and path not in tests]
        text = question_of(subject) if 1 <= len(targets) <= MAX_FILES and len(code) == len(targets) else None
        if text and rarity.telling(text) >= MIN_TELLING and rarity.share_in(text, targets[0]) >= MIN_IN_TARGET:
            yield Candidate("commit", text, "semantic", tuple(map(Target, targets)), ("commit",))


def question_of(subject: str) -> str | None:
    """The subject without numbers, scope and the word "fix"; None where it says little."""
    text = subject.strip()
    for mark in _MARKS:
        text = mark.sub("", text)
    if _DULL.search(text) or not _PROSE.fullmatch(text) or not _OPENING.match(text):
        return None
    text = _OPENING.sub("", text, count=1).strip(" .:`").replace("`", "")
    if not WORDS[0] <= len(text.split()) <= WORDS[1] or len(content(text)) < MIN_CONTENT or torn(text):
        return None
    return text
