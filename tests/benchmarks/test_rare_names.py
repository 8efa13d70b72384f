"""Questions that mention a name in passing, and what counts as found."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.built import Built

from benchmarks import rare_names

FILES = {
    "table.py": 'CODES = {"first": max_age_conn, "second": 2}\n',
    **{f"m{n}.py": f"def read_{n}(parser_state):\n    return parser_state\n" for n in range(12)},
}


def test_names_that_few_chunks_hold_and_nothing_defines_are_asked_for(tmp_path: Path) -> None:
    with Built(tmp_path) as built:
        index = built.write({**FILES, "other.py": "value = max_age_conn\n"}).index
        assert rare_names.names_held(index, 1, 2) == {"max_age_conn"}
        assert rare_names.names_held(index, 3, 20) == {"parser_state"}
        assert rare_names.rank_of(index, "max_age_conn", "where do we deal with max_age_conn") == 1
        assert rare_names.rank_of(index, "zzz_zzz", "where do we deal with max_age_conn") is None


def test_shares_count_ranks_within() -> None:
    assert rare_names.shares([1, 3, None, 10]) == ["0.250", "0.500", "0.750"]


def test_the_command_prints_a_row_a_tree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_text("value = max_age_conn \n", encoding="utf-8")
    rare_names.main([str(tmp_path), "--names", "3"])
    assert "| all" in capsys.readouterr().out
