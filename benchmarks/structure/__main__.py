"""Print precision and recall of the graph's calls, or the recall of definitions.

``python -m benchmarks.structure --truth jedi|typescript|javac|gcc|ctags|checked|edits --corpus DIR``
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.structure import broken, checked, definitions
from benchmarks.structure.calls import MISSED, OPEN, RIGHT, WRONG, Judged, graph_below, judge, precision, recall
from benchmarks.structure.site import ToolMissing
from benchmarks.structure.truth import TOOLS, sites

SAMPLE = 1500
"""Calls drawn by default: the interval is then about .03 wide."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command; exit 2 where the tool is not here."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.structure", description=__doc__.split("\n")[0])
    parser.add_argument(
        "--truth", required=True, choices=[*TOOLS, "ctags", "edits", "checked"], help="what tells the truth"
    )
    parser.add_argument("--corpus", type=Path, required=True, action="append", help="source folder (repeatable)")
    parser.add_argument("--sample", type=int, default=SAMPLE, help=f"calls that are drawn, 0 for all ({SAMPLE})")
    parser.add_argument("--show", type=int, default=0, help="print so many of what is wrong and missed")
    options = parser.parse_args(arguments)
    try:
        for corpus in options.corpus:
            if options.truth == "ctags":
                definitions.report(corpus.resolve(), options.show)
            elif options.truth == "checked":
                checked.report(corpus.resolve(), options.show)
            elif options.truth == "edits":
                broken.report(corpus.resolve(), options.sample)
            else:
                report(options.truth, corpus.resolve(), options.sample, options.show)
    except ToolMissing as error:
        print(error, file=sys.stderr)
        sys.exit(2)


def report(tool: str, corpus: Path, sample: int, show: int) -> None:
    """Print one corpus."""
    judged = judge(graph_below(corpus), sites(tool, corpus, sample))
    inside = sum(bool(one.site.targets) for one in judged)
    print(f"{corpus.name}: {len(judged)} calls by {tool}, {inside} of them within the corpus")
    print(f"  precision of resolved edges  {precision(judged)}  of {precision(judged).count}")
    print(f"  recall of resolved edges     {recall(judged)}  of {inside}")
    print(f"  ... with edges by name alone {recall(judged, frozenset({RIGHT, OPEN}))}")
    for verdict in (WRONG, MISSED) if show else ():
        chosen = [one for one in judged if one.verdict == verdict and (one.site.targets or verdict == WRONG)]
        for one in chosen[:show]:
            print(f"  {verdict}: {_line(one, corpus)}")


def _line(one: Judged, corpus: Path) -> str:
    site = one.site
    text = (corpus / site.path).read_text(encoding="utf-8", errors="replace").split("\n")[site.line - 1].strip()
    meant = [f"{place.path}:{place.line}" for place in site.targets[:2]]
    told = [f"{node.path}:{node.start_line} {node.name}" for node in one.told[:2]]
    return f"{site.path}:{site.line} {site.name} | {text[:100]} | meant {meant} told {told}"


if __name__ == "__main__":
    main()
