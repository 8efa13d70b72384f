"""Segment files: what is written is read, and what is broken is noticed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fourfold.model.errors import IndexDamaged
from fourfold.store.local import segment as module
from fourfold.store.local.segment import ALIGNMENT, Segment, write_segment

ARRAYS = {
    "b": np.arange(10, dtype="<i4"),
    "a": np.arange(12, dtype="|i1").reshape(3, 4),
    "empty": np.zeros((0, 64), "|i1"),
    "one": np.array([1.5], "<f4"),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_segment(tmp_path / "x.seg", ARRAYS)
    return tmp_path / "x.seg"


def test_arrays_come_back(path: Path) -> None:
    opened = Segment.open(path)
    opened.verify()
    assert sorted(opened.names) == sorted(ARRAYS)
    for name, array in ARRAYS.items():
        found = opened.array(name)
        assert (found.dtype, found.shape) == (array.dtype, array.shape)
        np.testing.assert_array_equal(found, array)
        assert not found.flags.writeable
        assert found.size == 0 or found.ctypes.data % ALIGNMENT == 0
    with pytest.raises(KeyError):
        opened.array("other")


def test_no_array_at_all(tmp_path: Path) -> None:
    write_segment(tmp_path / "x.seg", {})
    assert Segment.open(tmp_path / "x.seg").names == ()


def test_open_outlives_deletion(path: Path) -> None:
    opened = Segment.open(path)
    path.unlink()
    np.testing.assert_array_equal(opened.array("b"), ARRAYS["b"])


def test_missing(tmp_path: Path) -> None:
    with pytest.raises(IndexDamaged, match="missing"):
        Segment.open(tmp_path / "x.seg")


@pytest.mark.parametrize("length", [0, 5, 24, 100])
def test_cut_short(path: Path, length: int) -> None:
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(IndexDamaged):
        Segment.open(path)


def test_cut_by_one_byte_and_grown_by_one(path: Path) -> None:
    whole = path.read_bytes()
    for content in (whole[:-1], whole + b"\0"):
        path.write_bytes(content)
        with pytest.raises(IndexDamaged, match="bytes instead of"):
            Segment.open(path)


def test_every_flipped_byte_is_noticed(path: Path) -> None:
    whole = path.read_bytes()
    padding = set(range(len(whole)))
    opened = Segment.open(path)
    for name in opened.names:
        entry = opened._table[name]
        padding -= set(range(entry["offset"], entry["offset"] + opened.array(name).nbytes))
    header_end = 24 + int.from_bytes(whole[12:16], "little")
    for at in range(len(whole)):
        if at in padding and (at >= header_end or 20 <= at < 24):
            continue  # between the arrays, and the reserved word: nobody reads them
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x20]) + whole[at + 1 :])
        with pytest.raises(IndexDamaged):
            Segment.open(path).verify()


def test_failed_write_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module.os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        write_segment(tmp_path / "x.seg", ARRAYS)
    assert list(tmp_path.iterdir()) == []
