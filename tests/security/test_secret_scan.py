"""The redaction on the labelled set: what is printed by ``python -m benchmarks.secret_scan``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from benchmarks.secret_lines import SECRET, negatives, positives
from benchmarks.secret_scan import LEAST, Scan, in_folder, main, scan

from fourfold.source.secrets import redact


@pytest.fixture(scope="module")
def result() -> Scan:
    """The scan of the whole set."""
    return scan(positives(), negatives())


def test_the_set_is_large_and_varied() -> None:
    secret, harmless = positives(), negatives()
    assert len(secret) >= 60 and len({item.kind for item in secret}) >= 30
    assert len(harmless) >= 100 and min(Counter(item.kind for item in harmless).values()) >= 8
    assert len({item.line for item in (*secret, *harmless)}) == len(secret) + len(harmless)
    assert all(item.secret in item.line and SECRET not in item.secret for item in secret)
    assert positives() == secret


def test_secrets_are_covered(result: Scan) -> None:
    assert result.recall >= LEAST, [item.line for item in result.missed]


def test_look_alikes_are_left_alone(result: Scan) -> None:
    assert result.precision >= LEAST, [item.line for item in result.wrong]


def test_what_is_covered_does_not_hang_on_the_lines_around() -> None:
    """All lines as one file, harmless ones between: as many are covered as line by line."""
    pairs = zip(positives(), negatives(), strict=False)
    text = "".join(f"{item.line}\n{harmless.line}\n" for item, harmless in pairs)
    assert LEAST * len(positives()) <= redact(text)[1] <= len(positives())


def test_our_own_source_holds_none() -> None:
    source = Path(__file__).parents[2] / "src" / "fourfold"
    assert [(path.name, number) for path, number, _ in in_folder(source)] == []


def test_the_command_reports_and_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_text(positives()[0].line + "\n")
    assert main([str(tmp_path), "--show"]) == 0
    printed = capsys.readouterr().out
    assert "recall    0.9" in printed or "recall    1.0" in printed
    assert f"{tmp_path}: 1 lines covered" in printed and "a.py:1:" in printed
