"""Every field report has a test, or stands among the open ones with the reason."""

from __future__ import annotations

from tests.reports.listed import OPEN, OTHERS, known_tests, proofs, reports


def test_every_report_is_proved_or_open() -> None:
    proved = proofs()
    assert len(reports()) >= 100
    assert {number for number, places in proved.items() if not places} == set(OPEN)


def test_no_test_names_a_report_that_there_is_not() -> None:
    assert set(proofs()) - set(reports()) == set()


def test_tests_of_another_name_are_there() -> None:
    found = known_tests()
    assert [name for names in OTHERS.values() for name in names if name not in found] == []
    assert set(OTHERS) | set(OPEN) <= set(reports())
