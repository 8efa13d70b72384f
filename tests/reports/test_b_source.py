"""Field reports of group B: file content."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold.source.decode import decode
from fourfold.source.read import SourceText, read_file
from fourfold.source.walk import Skip, WalkOptions, walk


def read_all(root: Path, options: WalkOptions | None = None) -> dict[str, SourceText | Skip]:
    result = walk(root, options)
    return {found.path: read_file(root, found, options) for found in result.found} | {s.path: s for s in result.skipped}


@pytest.mark.parametrize(
    "data", [b"\xff\xfe", b"\xfe\xff\0", b"\xef\xbb\xbf\xff", b"# coding: utf-7\n+AG\xe9", b"\xe9" * 50]
)
def test_b1_no_bytes_make_decoding_raise(data: bytes) -> None:
    decoded = decode(data)
    assert decoded is None or "\r" not in decoded.text


def test_b2_a_gbk_file_has_one_stable_hash(tmp_path: Path) -> None:
    """The same bytes give the same text and hash each time, so an index knows the file again and does not
    retry it."""
    (tmp_path / "a.py").write_bytes("# 认证\nx = 1\n".encode("gbk"))
    one, two = read_all(tmp_path)["a.py"], read_all(tmp_path)["a.py"]
    assert isinstance(one, SourceText)
    assert one == two
    assert one.text.endswith("\nx = 1\n")


def test_b4_a_byte_order_mark_does_not_reach_the_first_line(tmp_path: Path) -> None:
    (tmp_path / "a.ps1").write_bytes(b"\xef\xbb\xbffunction Get-X {}\r\n")
    source = read_all(tmp_path)["a.ps1"]
    assert isinstance(source, SourceText)
    assert source.text == "function Get-X {}\n"


def test_b5_mixed_line_ends_keep_every_line_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"1\r\n2\n3\r4\r\n\r\n6\x0b still 6\xe2\x80\xa8still 6\r\n")
    (tmp_path / "b.txt").write_bytes(b"1\n2\n3\n4\n\n6\x0b still 6\xe2\x80\xa8still 6\n")
    one, two = read_all(tmp_path)["a.txt"], read_all(tmp_path)["b.txt"]
    assert isinstance(one, SourceText)
    assert isinstance(two, SourceText)
    assert one.text.split("\n")[5] == "6\x0b still 6\u2028still 6"
    assert (one.lines, one.content_hash) == (6, two.content_hash)


def test_b10_huge_and_minified_files_are_skipped_with_the_reason(tmp_path: Path) -> None:
    with (tmp_path / "rules.mk").open("wb") as file:
        file.truncate(38_000_000)
    (tmp_path / "all.css").write_text("a{b:c}" * 100_000)
    answers = read_all(tmp_path)
    assert {path: skip.reason for path, skip in answers.items() if isinstance(skip, Skip)} == {
        "rules.mk": "too-large",
        "all.css": "minified",
    }
