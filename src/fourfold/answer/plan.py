"""From a question to sections of claims: which kind of question asks for what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from fourfold.answer import architecture
from fourfold.answer.claim import Claim, Section
from fourfold.answer.describe import bases, defined, place, works
from fourfold.answer.near import near
from fourfold.answer.places import by_file
from fourfold.answer.places import places as places_of
from fourfold.answer.prose import code, count, folded, name_of
from fourfold.answer.question import way
from fourfold.answer.relations import claims_of, connections, effects, references
from fourfold.model.text import words
from fourfold.pipeline.run import run_grep
from fourfold.pipeline.structure.symbols import find
from fourfold.pipeline.structure.usages import usages
from fourfold.rank.identifiers import is_shaped
from fourfold.rank.intent import DEFINITION, EXACT, IMPACT, REFERENCES, SIMILAR
from fourfold.rank.weights import is_described
from fourfold.retrieve.patterns import compile_pattern
from fourfold.store.terms import stem_terms

if TYPE_CHECKING:
    from fourfold.answer.places import Place
    from fourfold.answer.scene import Scene
    from fourfold.model.structure import SymbolItem

LINES = 14
"""Lines that hold a name which nothing defines, listed at most."""
DEFINITIONS = 6
WRITTEN_READ = 200
"""Lines that hold a name which nothing defines, read before the best are listed."""
USES_SHOWN = 3
USES_COUNTED = 200
_ASKING = frozenset(term for word in ("explain", "describe", "show", "tell", "find") for term in stem_terms(word))
_CATALOGUES = frozenset({"gettext"})
MAX_PATH = 200
MOST = 0.6
"""Share of the places that makes a folder the one where most of them are."""


def sections(scene: Scene) -> list[Section]:
    """What there is to say about a question, most to the point first; [] where nothing was found."""
    found = _said(scene)
    if found and scene.query.misspelt:
        read = f"Nothing here is named exactly {code(scene.query.misspelt)}; this is about {code(scene.query.respelt)}."
        found[0].lead = f"{read} {found[0].lead}".strip()
    return found


def _said(scene: Scene) -> list[Section]:
    query = scene.query
    if query.intent in (REFERENCES, IMPACT) and is_described(query.text, query.identifiers):
        found = _described(scene)
    elif query.intent in (REFERENCES, IMPACT):
        found = _first(scene, lambda name: _uses(scene, name))
    elif query.intent == DEFINITION:
        found = _first(scene, lambda name: definition(scene, name)) or _written(scene) or _like(scene)
    elif query.intent == EXACT:
        found = _literal(scene)
    else:
        found = []
    if found and query.intent in (REFERENCES, IMPACT) and not any(map(is_shaped, query.identifiers)):
        return [*found, *explanation(scene)]  # a plain word may be no name: "what happens when a file changes"
    return found or _with_absent(scene, explanation(scene))


def _uses(scene: Scene, name: str) -> list[Section]:
    """What a question about uses asks of a name."""
    if scene.query.intent == IMPACT:
        return effects(scene, name)
    return references(scene, name, way(scene.query.text))


def _described(scene: Scene) -> list[Section]:
    """The uses of what a question describes without naming it: of the definition that comes closest."""
    best = next((one.item for one in places_of(scene) if one.item is not None and telling(scene, one)), None)
    found = _uses(scene, best.symbol) if best is not None else []
    if best is not None and found:
        lead = f"{name_of(best.symbol, best.kind)} comes closest to what is described."
        found[0].lead = f"{lead} {found[0].lead}".strip()
    return found


def definition(scene: Scene, name: str) -> list[Section]:
    """Where a name is defined, what it is, who uses it; [] where nothing has it."""
    items = find(scene.structure, name, scene.filters, exact=True, limit=50)
    if not items:
        return []
    return [*_introduced(scene, items[0]), *_further(scene, items[1:])]


def explanation(scene: Scene) -> list[Section]:
    """The places that a question is about, each with what it does, and how they hang together."""
    places = places_of(scene)
    places = by_file([one for one in places if telling(scene, one)] or places)
    if not places:
        return []
    shown = places
    found: list[Section] = []
    subject = _subject(scene)
    if subject is not None:
        found += _introduced(scene, subject)
        places = [one for one in places if one.item is None or one.item.symbol != subject.symbol]
    if architecture.asked(scene.query.text) and subject is None:
        if architecture.of_whole(scene.query.text):
            return architecture.whole(scene) or _listed(scene, _where(scene, places, again=False), places)
        found += architecture.part(scene)
    if places:
        lead = "Most alike:" if scene.query.intent == SIMILAR else _where(scene, places, again=bool(found))
        found += _listed(scene, lead, _with_near(scene, places, subject))
    joined = connections(scene, shown)
    if joined.claims and scene.query.intent != SIMILAR:
        found.append(joined)
    return found


def _with_near(scene: Scene, places: list[Place], subject: SymbolItem | None) -> list[Place]:
    """The places, and in their files what else comes near the question; parts of the type that is asked about first."""
    beside = [] if scene.query.intent == SIMILAR else [one for one in near(scene, places) if telling(scene, one)]
    if subject is None:
        return by_file([*places, *beside])
    found = [*places, *(one for one in beside if one.item is None or one.item.symbol != subject.symbol)]
    return sorted(found, key=lambda one: one.item is None or one.item.parent != subject.symbol)


def _listed(scene: Scene, lead: str, places: list[Place]) -> list[Section]:
    """Places file by file; a file of which there are several is named once, above them."""
    runs: list[tuple[str, list[Place]]] = []
    for path, group in groupby(places, key=lambda one: one.result.path):
        own = list(group)
        if len(own) > 1:
            runs.append((f"{code(path, MAX_PATH)}:", own))
        elif runs and not runs[-1][0]:
            runs[-1][1].extend(own)
        else:
            runs.append(("", own))
    sections = [Section(head, [place(scene, one, named=bool(head)) for one in own]) for head, own in runs]
    sections[0].lead = f"{lead}\n\n{sections[0].lead}".rstrip()
    return sections


def telling(scene: Scene, found: Place) -> bool:
    """False for a lone value that shares no word with the question, for what shares only a word that asks ("explain"),
    and for catalogues of translations: they tell nothing."""
    item = found.item
    if found.result.language in _CATALOGUES:
        return False
    if item is None:
        return True
    told = {term for word in words(f"{item.symbol} {item.doc}") for term in stem_terms(word)}
    shared = told & scene.stems()
    if shared and shared <= _ASKING:
        return False
    return item.kind not in ("variable", "constant", "field") or (scene.query.intent != SIMILAR and bool(shared))


def _first(scene: Scene, ask: Callable[[str], list[Section]]) -> list[Section]:
    """The sections about the first name of the question that the index knows; what is written as code is surely a name,
    a plain word (*change*, *session*) may be just a word."""
    names = sorted(scene.query.identifiers, key=lambda name: not is_shaped(name))
    return next((found for found in map(ask, names) if found), [])


def _introduced(scene: Scene, item: SymbolItem) -> list[Section]:
    """A definition with what it is made of, who uses it and which tests reach it."""
    claims = [defined(scene, item), *filter(None, (bases(scene, item), works(scene, item)))]
    found = [Section(claims=claims)]
    name = item.symbol
    used = usages(scene.structure, name, "uses", scene.filters, USES_COUNTED)
    if used.items:
        shown = claims_of(scene, [one for one in used.items if one.relation != "imports"] or used.items, "uses")
        total = count(len(used.items), "place")
        least = "at least " if len(used.items) == USES_COUNTED else ""
        among = ", among them" if len(used.items) > USES_SHOWN else ""
        found.append(Section(f"Traced uses of {code(item.name)}: {least}{total}{among}:", shown[:USES_SHOWN]))
    return found


def _further(scene: Scene, items: list[SymbolItem]) -> list[Section]:
    """Other definitions of the same name."""
    if not items:
        return []
    claims = [
        Claim(
            f"{name_of(item.symbol, item.kind)} ({item.kind}, {code(f'{item.path}:{scene.pages.named_line(item)}')})",
            (scene.pages.head(item),),
            bullet=True,
        )
        for item in items[:DEFINITIONS]
    ]
    return [Section("The same name is also defined here:", claims, max(len(items) - DEFINITIONS, 0))]


def _like(scene: Scene) -> list[Section]:
    """Definitions whose names are like the one asked for, where nothing has it."""
    for name in scene.query.identifiers[:1]:
        items = find(scene.structure, name, scene.filters, limit=DEFINITIONS)
        if items:
            claims = [replace(defined(scene, item), bullet=True) for item in items]
            return [Section(f"Nothing here is named exactly {code(name)}. Nearest by name:", claims)]
    return []


def _written(scene: Scene) -> list[Section]:
    """The lines that hold a name which nothing defines, written as code is: an error's code, a key, a name from
    elsewhere."""
    for name in filter(is_shaped, scene.query.identifiers[:1]):
        pattern = compile_pattern(name, literal=True)
        found = run_grep(scene.structure.searcher, scene.structure.root, pattern, scene.filters, limit=WRITTEN_READ)
        lines = sorted(found.lines, key=lambda line: -scene.structure.worth(line.path))
        claims = []
        for line in lines:
            evidence = scene.pages.evidence(line.path, line.line, line.line)
            text = f"{code(f'{line.path}:{line.line}')}: {code(evidence.quote)}"
            claims.append(Claim(text, (evidence,), bullet=True))
        if claims:
            lead = f"Nothing here defines {code(name)}; it stands here:"
            return [Section(lead, claims[:LINES], max(len(claims) - LINES, 0))]
    return []


def _literal(scene: Scene) -> list[Section]:
    """Every line found that holds the text asked for."""
    wanted = "" if scene.query.literal_is_regex else scene.query.literal.lower()
    claims: list[Claim] = []
    for result in scene.results:
        inside = range(result.start_line, result.end_line + 1)
        lines = [at for at in inside if wanted and wanted in scene.pages.line(result.path, at).lower()]
        for at in lines or result.matched_lines:
            line = scene.pages.evidence(result.path, at, at, result.symbol)
            holder = f" in {name_of(result.symbol, result.kind)}" if result.symbol else ""
            claims.append(Claim(f"{code(f'{result.path}:{at}')}{holder}: {code(line.quote)}", (line,), bullet=True))
    unique = list({claim.evidence[0]: claim for claim in claims}.values())
    return [Section(f"{code(scene.query.literal)} stands here:", unique, scene.dropped)] if unique else []


def _subject(scene: Scene) -> SymbolItem | None:
    """The definition that an explanation is asked about by name: written as code is, and known."""
    for name in scene.query.identifiers:
        if is_shaped(name):
            items = find(scene.structure, name, scene.filters, exact=True, limit=1)
            if items:
                return items[0]
    return None


def _where(scene: Scene, places: list[Place], *, again: bool) -> str:
    """The line that introduces places: how many, and in which folder most of them are. That they are about the question
    is more than a search knows."""
    paths = [one.result.path for one in places]
    number = count(len(places), "further place" if again else "place")
    come = f"{number} {'comes' if len(places) == 1 else 'come'} closest to this"
    folder = _common(paths)
    if folder and len(paths) > 2:
        held = sum(path.startswith(f"{folder}/") for path in paths)
        come += f", {'all' if held == len(paths) else f'{held:,}'} of them in {code(folder + '/')}"
    return f"{come}:"


def _with_absent(scene: Scene, found: list[Section]) -> list[Section]:
    """The sections, the first of which begins with what of the question occurs nowhere, where something does."""
    if scene.absent and found:
        said = f"{scene.absent[0].upper()}{scene.absent[1:]}."
        found[0] = replace(found[0], lead=f"{said} {found[0].lead}".strip())
    return found


def _common(paths: list[str]) -> str:
    """The deepest folder that holds most of some paths; "" where there is none below the root."""
    holders = Counter(
        "/".join(parts[:depth]) for path in paths for parts in [path.split("/")] for depth in range(1, len(parts))
    )
    fit = [folder for folder, held in holders.items() if held >= MOST * len(paths)]
    return folded(max(fit, key=lambda folder: (folder.count("/"), holders[folder]), default=""))
