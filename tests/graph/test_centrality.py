"""PageRank and communities on graphs small enough to work out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from fourfold.graph.centrality import communities, pagerank


def arrays(*pairs: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    columns = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return columns[:, 0], columns[:, 1]


def test_pagerank_of_a_cycle_is_even() -> None:
    assert pagerank(*arrays((0, 1), (1, 2), (2, 0)), 3) == pytest.approx([1.0, 1.0, 1.0], abs=1e-5)


def test_pagerank_of_a_star_agrees_with_its_equations() -> None:
    # Both leaves have r = 0.15 + 0.85 c / 3, the centre c = r + 2 * 0.85 r (it gives its weight to all), in sum 3.
    leaf, centre = 3 / 4.7, 2.7 * 3 / 4.7
    assert pagerank(*arrays((0, 2), (1, 2)), 3) == pytest.approx([leaf, leaf, centre], abs=1e-4)


def test_edges_that_repeat_count_once() -> None:
    once = pagerank(*arrays((0, 1), (0, 2)), 3)
    assert pagerank(*arrays((0, 1), (0, 1), (0, 1), (0, 2)), 3) == pytest.approx(once)


def test_pagerank_has_mean_one() -> None:
    random = np.random.default_rng(7)
    source, target = random.integers(0, 50, 200), random.integers(0, 50, 200)
    assert float(pagerank(source, target, 50).mean()) == pytest.approx(1.0, abs=1e-5)


def test_no_nodes_and_no_edges() -> None:
    assert len(pagerank(*arrays(), 0)) == 0
    assert pagerank(*arrays(), 2) == pytest.approx([1.0, 1.0])
    assert communities(*arrays(), 2).tolist() == [-1, -1]


def test_two_triangles_on_a_bridge_are_two_communities() -> None:
    edges = arrays((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3))
    found = communities(*edges, 7)
    assert found[0] == found[1] == found[2] != found[3]
    assert found[3] == found[4] == found[5]
    assert found[6] == -1


def test_the_largest_community_is_the_first() -> None:
    found = communities(*arrays((0, 1), (2, 3), (3, 4), (4, 2)), 5)
    assert found.tolist() == [1, 1, 0, 0, 0]
