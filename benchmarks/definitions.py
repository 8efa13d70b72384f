"""Is the definition of a name the first result? ``python -m benchmarks.definitions TREE... [--symbols N] [--missed]``.

Symbols are sampled evenly over the source trees (seeded, each spelling once, names of two letters and more; titles of
tests and headings of prose are no names). Each is asked for in several ways: bare (``parse_config``), wrapped ("where
is parse_config defined"), explained ("how does parse_config work"; only where the form says that it is a name) and
qualified with its parents (``Loader.parse_config``; ``Loader::parse_config`` in Rust, C++, Ruby and PHP). Right is a
first result on a line where a definition of just that name begins (of that qualified name, where this was asked): for
``Index.symbol`` the place itself, for ``Index.search`` the span shown.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fourfold import Index
from fourfold.model.errors import BadQuery
from fourfold.model.result import ResultItem
from fourfold.model.symbol import Symbol
from fourfold.rank.identifiers import is_shaped
from fourfold.retrieve.symbols import normalised

SEED = 20_240_601
COLONS = frozenset({"rust", "cpp", "ruby", "php"})
"""Languages that write ``::`` between the parts of a name."""
NO_NAMES = frozenset({"test", "section", "file", "cell", "block"})
"""Kinds whose names are titles."""
FORMS = ("bare", "wrapped", "explained", "qualified")
ALONE = frozenset({"wrapped", "explained"})
"""Forms that only a search is asked in."""

Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Sample:
    """A symbol of a tree, how it is asked for, and the places where an answer is right, by form."""

    symbol: Symbol
    path: str
    asked: dict[str, str]
    right: dict[str, set[Place]]


@dataclass(slots=True)
class Share:
    """How many of the questions had the right first result."""

    right: int = 0
    asked: int = 0

    def __str__(self) -> str:
        return f"{self.right / self.asked:7.3f}" if self.asked else "      -"


def samples(index: Index, wanted: int) -> list[Sample]:
    """`wanted` symbols of an index, the same with every run."""
    _, searcher, _ = index._answer(lambda found: None, False, None)
    languages = dict(zip(searcher.corpus.paths, searcher.corpus.languages, strict=True))
    named: dict[str, list[tuple[str, Symbol]]] = {}
    for path, symbols in sorted(searcher.snapshot.symbols().items()):
        for symbol in symbols:
            if symbol.kind not in NO_NAMES and len(symbol.name) > 1 and symbol.name.isidentifier():
                named.setdefault(symbol.name, []).append((path, symbol))
    chosen = random.Random(SEED).sample(sorted(named), min(wanted, len(named)))
    return [_sample(name, named[name], languages) for name in chosen]


def _sample(name: str, places: Sequence[tuple[str, Symbol]], languages: dict[str, str]) -> Sample:
    path, symbol = random.Random(f"{SEED} {name}").choice(list(places))
    qualified = normalised(symbol.qualified_name)
    mark = "::" if languages.get(path) in COLONS else "."
    asked = {
        "bare": name,
        "wrapped": f"where is {name} defined",
        "explained": f"how does {name} work" if is_shaped(name) else "",
        "qualified": qualified.replace(".", mark),
    }
    all_places = {(place, one.start_line) for place, one in places}
    same = {
        (place, one.start_line)
        for place, one in places
        if f".{normalised(one.qualified_name)}".endswith(f".{qualified}")
    }
    return Sample(symbol, path, asked, {**dict.fromkeys(FORMS, all_places), "qualified": same})


def outcomes(index: Index, sample: Sample) -> Iterator[tuple[str, str, bool, str]]:
    """(method, form, whether the first result is right, what it was)."""
    for form in FORMS:
        if form == "qualified" and "." not in normalised(sample.symbol.qualified_name):
            continue
        if not sample.asked[form]:
            continue
        right = sample.right[form]
        found = _searched(index, sample.asked[form])
        good = bool(found) and any(
            path == found[0].path and found[0].start_line <= line <= found[0].end_line for path, line in right
        )
        yield "search", form, good, found[0].location if found else "nothing"
        if form in ALONE:
            continue
        item = next(iter(index.symbol(sample.asked[form], limit=1, refresh=False).items), None)
        yield (
            "symbol",
            form,
            item is not None and (item.path, item.start_line) in right,
            item.location if item is not None else "nothing",
        )


def _searched(index: Index, question: str) -> Sequence[ResultItem]:
    """The first result; none where the question is refused, which counts as a miss."""
    try:
        return index.search(question, limit=1, refresh=False).items
    except BadQuery:
        return ()


def main(arguments: list[str] | None = None) -> None:
    """Print the share of right first results by tree, method and form."""
    assert __doc__
    parser = argparse.ArgumentParser(prog="python -m benchmarks.definitions", description=__doc__.split("\n")[0])
    parser.add_argument("trees", type=Path, nargs="+", metavar="TREE", help="source trees (indexed where they are not)")
    parser.add_argument("--symbols", type=int, default=2000, help="symbols in all")
    parser.add_argument("--missed", action="store_true", help="list what is missed")
    options = parser.parse_args(arguments)
    total: dict[tuple[str, str], Share] = {}
    heads = [("search", form) for form in FORMS] + [("symbol", "bare"), ("symbol", "qualified")]
    print(f"{'tree':24}{'symbols':>8}" + "".join(f"{f'{method} {form}':>18}" for method, form in heads))
    for tree in options.trees:
        shares: dict[tuple[str, str], Share] = {}
        with Index.open(tree, root=tree) as index:
            index.refresh()
            chosen = samples(index, options.symbols // len(options.trees))
            for sample in chosen:
                for method, form, good, first in outcomes(index, sample):
                    for counts in (shares, total):
                        share = counts.setdefault((method, form), Share())
                        share.asked += 1
                        share.right += good
                    if options.missed and not good:
                        place = f"{sample.path}:{sample.symbol.start_line}"
                        print(f"  {method} {sample.asked[form]!r}: {first}, wanted {sample.symbol.kind} {place}")
        _print(tree.name, len(chosen), [shares.get(head, Share()) for head in heads])
    _print("all", sum(share.asked for head, share in total.items() if head == heads[0]), [total[h] for h in heads])


def _print(name: str, number: int, shares: Sequence[Share]) -> None:
    print(f"{name:24}{number:8}" + "".join(f"{share!s:>18}" for share in shares), flush=True)


if __name__ == "__main__":
    main()
