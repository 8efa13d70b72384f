"""The instruments of the speed measurements, and the page that is made of results."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from benchmarks.machine import circumstances
from benchmarks.probe import edit_files, percentile
from benchmarks.proctree import run_watched
from benchmarks.tables import table

from benchmarks import report, speed
from fourfold import Index

GROWING = """
import subprocess, sys, time
if sys.argv[1] == "parent":
    subprocess.run([sys.executable, "-c", sys.argv[2], "child", ""], check=True)
else:
    block = bytearray(96 * 2**20)
    time.sleep(0.4)
print("done")
"""


def test_memory_of_child_processes_counts() -> None:
    ran = run_watched([sys.executable, "-c", GROWING, "parent", GROWING])
    assert ran.output.endswith("done\n")
    assert 96 * 2**20 < ran.peak_rss < 400 * 2**20
    assert ran.seconds >= 0.4


def test_a_failing_command_says_why() -> None:
    with pytest.raises(RuntimeError, match="ended with 3: so it is"):
        run_watched([sys.executable, "-c", "import sys; print('so it is', file=sys.stderr); sys.exit(3)"])


def test_editing_changes_as_many_indexed_files_as_asked(tmp_path: Path) -> None:
    for number in range(25):
        (tmp_path / f"m{number:02}.py").write_text("value = 1\n" * 40)
    (tmp_path / "m00.py").write_text("value = [" + "1, " * 100_000 + "]\n")  # minified: not read
    before = {path: path.read_text() for path in tmp_path.iterdir()}
    with Index.open(tmp_path, root=tmp_path) as index:
        index.refresh()
        edited = edit_files(index, 10)
    changed = {path for path, text in before.items() if path.read_text() != text}
    assert changed == set(edited)
    assert len(edited) == 10
    assert tmp_path / "m00.py" not in edited


@pytest.mark.parametrize(("percent", "value"), [(50, 5.0), (95, 10.0), (100, 10.0), (10, 1.0)])
def test_percentiles(percent: int, value: float) -> None:
    assert percentile([float(n) for n in range(10, 0, -1)], percent) == value


RECORD = {
    "corpus": "django",
    "index": {"files": 10, "lines": 490000, "chunks": 9, "wall_s": 9.5, "lines_per_s": 51579,
              "peak_rss_mib": 400, "bytes_on_disk": 30, "source_bytes": 20},
    "refresh_unchanged_ms": 40.0,
    "refresh_edited": {str(count): {"ms": 100.0 + count, "first_ms": 7777.0} for count in speed.EDITED},
    "query": {"p50_ms": 1.5, "p95_ms": 3.5, "p50_ms_with_refresh": 40.5},
    "process_ms": {"fourfold search": 300.0, "fourfold grep": 200.0, "python": 20.0},
}  # fmt: skip


def test_the_speed_table_has_a_column_a_corpus() -> None:
    printed = speed.as_table([RECORD, {**RECORD, "corpus": "sympy"}])
    assert "django" in printed.splitlines()[0]
    assert "490,000" in printed
    assert "1.50" in printed
    assert "not installed" in printed
    assert "110.0" in printed
    assert "7777.0" in printed
    assert "1100.0" in printed


def test_results_of_before_say_what_was_not_measured() -> None:
    before = {**RECORD, "refresh_ten_files_ms": 200.0}
    del before["refresh_edited"]
    printed = speed.as_table([before])
    assert "200.0" in printed
    assert printed.count(speed.UNMEASURED) == 5


def test_the_page_is_made_of_the_results(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    page.write_text(f"# Before\n\n{report.BEGIN}\nwritten before\n{report.END}\n\nAfter\n")
    content = {**circumstances("python -m benchmarks.speed"), "records": [RECORD]}
    (tmp_path / "speed.json").write_text(json.dumps(content))
    report.main(["--results", str(tmp_path), "--page", str(page)])
    text = page.read_text()
    assert text.startswith("# Before")
    assert text.endswith("After\n")
    assert "written before" not in text
    assert "`python -m benchmarks.speed`" in text
    report.main(["--results", str(tmp_path), "--page", str(page), "--check"])
    page.write_text(text.replace("490,000", "990,000"))
    with pytest.raises(SystemExit, match="out of date"):
        report.main(["--results", str(tmp_path), "--page", str(page), "--check"])


def test_a_page_without_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="tables: begin"):
        report.replaced("# Nothing", "new")


def test_tables_are_aligned() -> None:
    assert table(["a", "bb"], [["ccc", "1"]]) == "| a   | bb |\n| --- | -: |\n| ccc |  1 |"
