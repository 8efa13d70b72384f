"""How alike two pieces of code are, worked out by hand."""

from __future__ import annotations

import pytest

from fourfold.rank.likeness import MEANING, WORDS, common_share, likeness, name_likeness, same_family


def test_the_shares_sum_to_one_and_the_score_is_their_sum() -> None:
    assert likeness(1.0, 1.0, 1.0) == pytest.approx(1.0)
    assert likeness(0.5, 0.2, 0.0) == pytest.approx(0.5 * MEANING + 0.2 * WORDS)
    assert likeness(-0.4, 0.0, 0.0) == 0.0


def test_common_share_is_the_dice_coefficient() -> None:
    assert common_share({"a", "b", "c"}, {"b", "c", "d"}) == pytest.approx(4 / 6)
    assert common_share({"a"}, {"a"}) == 1.0
    assert common_share(set(), {"a"}) == common_share(set(), set()) == 0.0


@pytest.mark.parametrize(
    ("first", "second", "alike"),
    [
        ("isPostgresError", "isSqliteError", 2 / 3),
        ("parse_config", "parseConfig", 1.0),
        ("_cull", "_cull", 1.0),
        ("Loader", "loader", 1.0),
        ("open_file", "close_socket", 0.0),
    ],
)
def test_names_are_alike_by_their_parts(first: str, second: str, alike: float) -> None:
    assert name_likeness(first, second) == pytest.approx(alike)


def test_what_is_called_is_compared_with_what_is_called() -> None:
    assert same_family("function", "method")
    assert same_family("class", "interface")
    assert not same_family("class", "function")
    assert same_family("constant", "variable")
