"""Bytes to text."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.source.decode import decode


@pytest.mark.parametrize(
    ("data", "text", "encoding", "had_bom"),
    [
        (b"", "", "utf-8", False),
        ("é\n".encode(), "é\n", "utf-8", False),
        (codecs.BOM_UTF8 + b"x = 1\n", "x = 1\n", "utf-8", True),
        (codecs.BOM_UTF16_LE + "aé\n".encode("utf-16-le"), "aé\n", "utf-16-le", True),
        (codecs.BOM_UTF16_BE + "aé\n".encode("utf-16-be"), "aé\n", "utf-16-be", True),
        (codecs.BOM_UTF32_LE + "aé\n".encode("utf-32-le"), "aé\n", "utf-32-le", True),
        ("class A:\n  pass\n".encode("utf-16-le"), "class A:\n  pass\n", "utf-16-le", False),
        ("class A:\n  pass\n".encode("utf-16-be"), "class A:\n  pass\n", "utf-16-be", False),
        ("# café\n".encode("latin-1"), "# café\n", "cp1252", False),
        ("“x”\n".encode("cp1252"), "“x”\n", "cp1252", False),
        (b"\x81\xe9\n", "\x81é\n", "latin-1", False),
        (
            "# -*- coding: koi8-r -*-\n# имя\n".encode("koi8-r"),
            "# -*- coding: koi8-r -*-\n# имя\n",
            "koi8-r",
            False,
        ),
        (
            "# vim: set fileencoding=gbk :\n认证\n".encode("gbk"),
            "# vim: set fileencoding=gbk :\n认证\n",
            "gbk",
            False,
        ),
        (
            '<?xml version="1.0" encoding="Shift_JIS"?>\n<a>認証</a>'.encode("shift_jis"),
            '<?xml version="1.0" encoding="Shift_JIS"?>\n<a>認証</a>',
            "shift_jis",
            False,
        ),
        (b"# coding: idna\n\xe9\n", "# coding: idna\né\n", "cp1252", False),
        (b"# coding: no-such-thing\n\xe9\n", "# coding: no-such-thing\né\n", "cp1252", False),
        (b"a\r\nb\rc\n\rd", "a\nb\nc\n\nd", "utf-8", False),
        ("a\u2028b\x0cc\x85d\n".encode(), "a\u2028b\x0cc\x85d\n", "utf-8", False),
    ],
)
def test_decode(data: bytes, text: str, encoding: str, had_bom: bool) -> None:
    decoded = decode(data)
    assert decoded is not None
    assert (decoded.text, decoded.encoding, decoded.had_bom) == (text, encoding, had_bom)


@pytest.mark.parametrize(
    "data",
    [
        b"\x7fELF\x02\x01\x01\0\0\0",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"abc\0def",
        bytes(range(1, 32)) * 10,
        b"\0" * 9000,
    ],
)
def test_binary(data: bytes) -> None:
    assert decode(data) is None


def test_a_stray_nul_far_down_becomes_a_blank() -> None:
    decoded = decode(b"x = 1\n" * 2000 + b"\0\n")
    assert decoded is not None
    assert "\0" not in decoded.text
    assert decoded.text.endswith("\n \n")


@given(st.binary(max_size=400))
def test_never_raises_and_never_leaves_nul_or_return(data: bytes) -> None:
    decoded = decode(data)
    if decoded is not None:
        assert "\0" not in decoded.text
        assert "\r" not in decoded.text


@given(
    st.lists(st.text(st.characters(exclude_characters="\r\n\0", exclude_categories=["Cs", "Cc"])), max_size=8),
    st.data(),
)
def test_lines_are_what_the_terminators_make(lines: list[str], data: st.DataObject) -> None:
    ends = [data.draw(st.sampled_from(["\n", "\r\n", "\r"])) for _ in lines]
    # A lone return followed by an empty line that ends in \n would be one \r\n.
    raw = "".join(line + end + "|" for line, end in zip(lines, ends, strict=True))
    decoded = decode(raw.encode())
    assert decoded is not None
    expected = "".join(line + "\n|" for line in lines)
    assert decoded.text == expected.removeprefix("\ufeff")
