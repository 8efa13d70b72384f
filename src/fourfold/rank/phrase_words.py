"""Words of a question's own phrasing: *calls* in "who calls slugify" is no name, whatever the index defines."""

from __future__ import annotations

from functools import lru_cache

from fourfold.model.text import words
from fourfold.rank.languages.stop_words import FOREIGN_STOP_WORDS, is_foreign
from fourfold.rank.path_rules import names

PHRASE_WORDS: frozenset[str] = names(
    # who calls, what uses, find the references
    "call calls called caller callers calling callee callees use uses used using usage usages invoke invokes invoked "
    "invoking invocation invocations import imports imported importing importer importers reference references "
    "referenced referencing ref refs refer refers mention mentions mentioned instantiate instantiates instantiated "
    "consume consumes consumed consumers find list show get search give see locate open look lookup print all every "
    "any everything everywhere place places line lines spots sites else "
    # subclasses, implementations, tests
    "subclass subclasses subclassing child children derived derive derives implementation implementations implement "
    "implements implementing implementers implementors implemented inherit inherits inheriting inherited inheritors "
    "extend extends extending extended override overrides overriding overridden test tests tested testing cover covers "
    "covered covering exercise exercises exercising unit "
    # what breaks if I change
    "change changes changed changing modify modifies modified modifying remove removes removed removing rename renames "
    "renamed renaming delete deletes deleted deleting refactor refactored refactoring alter altered drop dropped move "
    "moved moving edit edited touch touched deprecate deprecated replace replaced rewrite rework update updated "
    "updating swap break breaks broken breaking happen happens impact impacts impacted analysis "
    "affect affects affected effect effects depend depends depending dependent dependents dependencies blast radius "
    "safe safely risk risks risky downstream consequence consequences "
    # similar to, where is it defined
    "similar similarly like same duplicate duplicates duplicated copies clones variants resemble resembles analogous "
    "comparable equivalent define defines defined definition definitions declare declares declared declaration located "
    # Spanish, German, French, Indonesian
    "llama llaman usa usan utiliza utilizan hereda heredan subclases implementa cambia cambio cambiar pruebas ruft "
    "rufen aufruft aufgerufen benutzt benutzen verwendet verwenden nutzt nutzen erbt erben unterklassen andere andern "
    "getestet appelle appellent utilise utilisent herite heritent implemente modifie modifier casse memanggil "
    "dipanggil menggunakan digunakan mengubah diubah mewarisi turunan"
)
"""What the phrases of :mod:`fourfold.rank.languages` are made of, as far as it could be the name of something."""

PHRASE_NOUNS: frozenset[str] = names(
    "function functions method methods class classes struct structs interface interfaces enum enums trait traits type "
    "types module modules file files package packages component components variable variables constant constants "
    "macro macros symbol symbols protocol protocols mixin mixins code logic definition script scripts "
    "fonction fonctions funcion funciones clase clases funktion funktionen klasse klassen fungsi kelas"
)
"""Nouns beside a name ("which classes use Retry"), names themselves only where no other name stands."""

OPENERS: frozenset[str] = names(
    "comment pourquoi qui quoi quel quelle quels quelles ou como donde quien quienes cual cuales cuando porque "
    "wie wo wer was warum wieso weshalb wann welche welcher welches wodurch bagaimana gimana mengapa kenapa dimana "
    "siapa apa apakah kapan how why what where which who when whose explain"
)
"""Words that open a question, written without accents; none is a name there."""
MIN_QUESTION = 3
"""From so many words on the first may be an opener: *comment* alone is a name."""


def phrase_noise(is_phrase: bool, has_name: bool) -> frozenset[str]:
    """Words of a question that are part of its phrasing; nouns only where a name stands beside them."""
    if not is_phrase:
        return frozenset()
    return PHRASE_WORDS | PHRASE_NOUNS if has_name else PHRASE_WORDS


@lru_cache(maxsize=64)
def question_words(folded: str) -> frozenset[str]:
    """The words of a question (folded, see :func:`fourfold.rank.phrases.fold`) that only ask, lower case."""
    found = [word.lower() for word in words(folded)]
    asking = frozenset(found[:1]) & OPENERS if len(found) >= MIN_QUESTION else frozenset()
    return asking | FOREIGN_STOP_WORDS if is_foreign(found) else asking
