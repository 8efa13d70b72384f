"""Words of the phrasing are no names, whatever the index defines."""

from __future__ import annotations

import pytest

from fourfold.rank.intent import classify

KNOWN = frozenset(
    "slugify urlize calls uses use subclasses change break comment como wie tests cover functions similar classes "
    "implementations BaseCache Field get Tests".split()
)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("who calls slugify", ("slugify",)),
        ("who calls or uses slugify", ("slugify",)),
        ("who calls slugify or urlize", ("slugify", "urlize")),
        ("subclasses of BaseCache", ("BaseCache",)),
        ("which classes use BaseCache", ("BaseCache",)),
        ("what would break if I change BaseCache.get", ("BaseCache.get",)),
        ("which tests cover slugify", ("slugify",)),
        ("functions similar to slugify", ("slugify",)),
        ("Comment les mots de passe sont-ils slugify", ("slugify",)),
        ("Comment valider un formulaire", ()),
        ("¿Cómo se valida un formulario?", ()),
        ("Wie wird das Formular geprüft", ()),
        ("who calls the code that hashes passwords", ()),
    ],
)
def test_the_phrase_is_no_name(question: str, names: tuple[str, ...]) -> None:
    assert classify(question, KNOWN.__contains__).identifiers == names


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("who calls change", "change"),
        ("who uses `calls`", "calls"),
        ("who uses calls()", "calls"),
        ("callers of get", "get"),
        ("comment", "comment"),
        ("usages of Field", "Field"),
        ("who imports Tests", "Tests"),
    ],
)
def test_a_word_that_is_asked_for_stays_a_name(question: str, name: str) -> None:
    assert name in classify(question, KNOWN.__contains__).identifiers
