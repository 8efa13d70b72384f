"""Which test proves which field report: ``python -m tests.reports.listed`` prints the table.

A test that begins with the id of a report (``test_a1_...``, ``test_d5_d6_...``) proves it, wherever it stands. Reports
that are proved by a test of another name are in :data:`OTHERS`, those that are not proved in :data:`OPEN`.
"""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent.parent
PAGE = Path(__file__).parent / "README.md"
_ROW = re.compile(r"^\| ([A-J]\d+) \| (.+?) \| (.+) \|$", re.MULTILINE)
_TEST = re.compile(r"^(?:async )?def (test_\w+)\(", re.MULTILINE)
_IDS = re.compile(r"test_((?:[a-j]\d+_)+)")

OTHERS: dict[str, tuple[str, ...]] = {
    "F9": ("test_a_lasting_fault_is_one_sentence_that_offers_the_local_store", "test_patience_ends"),
    "F13": ("test_f4_a_fault_is_an_error_with_the_logs_place_and_no_trace",),
    "H5": ("test_no_command_opens_a_socket", "test_h4_not_even_a_network_module_is_loaded"),
    "H6": ("test_requests_stay_small", "test_a_connection_cut_in_the_middle_of_an_upsert_shows_nothing_of_it"),
    "H7": ("test_silence_ends_after_the_time_out", "test_slow_bytes_end_with_the_time_out"),
}
"""Report and the tests that prove it under another name."""
OPEN: dict[str, str] = {
    "E7": "nothing has been run on Windows: files are replaced by rename without trying again",
}
"""Report and why no test proves it."""


def reports() -> dict[str, tuple[str, str]]:
    """Symptom and right behaviour of each report, by id, in the order of the page."""
    return {number: (symptom, right) for number, symptom, right in _ROW.findall(PAGE.read_text(encoding="utf-8"))}


def known_tests() -> dict[str, list[str]]:
    """Every test, as ``folder/file.py::name``, by its name."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for name in _TEST.findall(path.read_text(encoding="utf-8")):
            found.setdefault(name, []).append(f"{path.relative_to(TESTS).as_posix()}::{name}")
    return found


def proofs() -> dict[str, list[str]]:
    """The tests of each report, by id; also of ids that the page does not have."""
    found: dict[str, list[str]] = {number: [] for number in reports()}
    for name, places in known_tests().items():
        match = _IDS.match(name)
        for number in match.group(1).strip("_").upper().split("_") if match else ():
            found.setdefault(number, []).extend(places)
        for number in (number for number, names in OTHERS.items() if name in names):
            found.setdefault(number, []).extend(places)
    return found


def main() -> None:
    """Print each report with its tests."""
    proved = proofs()
    for number, (symptom, _) in reports().items():
        print(f"{number:4} {symptom}")
        for place in proved[number] or [f"OPEN: {OPEN.get(number, 'no test')}"]:
            print(f"       {place}")
    done = sum(bool(places) for places in proved.values())
    print(f"{done} of {len(proved)} reports proved by {len({p for places in proved.values() for p in places})} tests")


if __name__ == "__main__":
    main()
