"""A bundle takes the place of another one whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from training.export_bundle import written_beside


def test_the_old_bundle_stands_until_the_new_one_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "data"
    target.mkdir()
    np.save(target / "vectors.npy", np.zeros(3))
    (target / "grams.txt").write_text("of the old one")
    mapped = np.load(target / "vectors.npy", mmap_mode="r")
    with written_beside(target) as folder:
        np.save(folder / "vectors.npy", np.ones(3))
        assert not np.load(target / "vectors.npy").any()
    assert np.load(target / "vectors.npy").all()
    assert not mapped.any(), "who has the old file mapped keeps it"
    assert [path.name for path in target.iterdir()] == ["vectors.npy"]
    assert list(tmp_path.iterdir()) == [target]


def test_where_writing_fails_the_old_bundle_stays(tmp_path: Path) -> None:
    target = tmp_path / "data"
    target.mkdir()
    (target / "model.json").write_text("old")
    with pytest.raises(OSError, match="disk full"), written_beside(target) as folder:
        (folder / "model.json").write_text("new")
        raise OSError("disk full")
    assert (target / "model.json").read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_bundle_may_be_the_first_of_its_place(tmp_path: Path) -> None:
    with written_beside(tmp_path / "new" / "data") as folder:
        (folder / "model.json").write_text("first")
    assert (tmp_path / "new" / "data" / "model.json").read_text() == "first"
