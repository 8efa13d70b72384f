"""Places and files that questions name."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.rank.location import MAX_PLACES, NamedPlace, is_place, named_files, named_places

TRACE = """Traceback (most recent call last):
  File "/srv/app/src/main.py", line 12, in main
    run()
  File "/srv/app/src/run.py", line 7, in run
    raise ValueError("no")
ValueError: no"""


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ("src/app.py:120", "src/app.py", 120),
        ("src/app.py:120:8", "src/app.py", 120),
        ("src/app.py:120-140", "src/app.py", 120),
        ("src/app.py#L120", "src/app.py", 120),
        ("src/app.py#L120-L140", "src/app.py", 120),
        ("app.ts(12,5)", "app.ts", 12),
        ("src/app.py line 120", "src/app.py", 120),
        ("src/app.py, line 120", "src/app.py", 120),
        ("a.php on line 9", "a.php", 9),
        ('File "src/app.py", line 120', "src/app.py", 120),
        ("what is at src/app.py:120?", "src/app.py", 120),
        ("see `src/app.py:120`", "src/app.py", 120),
        (r"C:\work\src\app.py:120", "C:/work/src/app.py", 120),
        ("./lib/a-b.test.tsx:3", "./lib/a-b.test.tsx", 3),
    ],
)
def test_a_place_alone(text: str, path: str, line: int) -> None:
    assert is_place(text)
    assert named_places(text) == [NamedPlace(path, line)]


@pytest.mark.parametrize(
    "text",
    [
        "why does src/app.py:120 fail",
        "at 10:30",
        "https://example.com:443/",
        "version 1.2:30",
        "src/app.py",
        "a::b:12",
        "10",
    ],
)
def test_no_place_alone(text: str) -> None:
    assert not is_place(text)


@pytest.mark.parametrize(
    ("frame", "path", "line"),
    [
        ("    at send (/srv/app/src/http.js:10:5)", "/srv/app/src/http.js", 10),
        ("\tat com.shop.Cart.add(Cart.java:42)", "Cart.java", 42),
        ("\t/srv/app/main.go:12 +0x1d", "/srv/app/main.go", 12),
        ("   at Shop.Cart.Add() in C:\\src\\Cart.cs:line 12", "C:/src/Cart.cs", 12),
        ("app/models/cart.rb:12:in `add'", "app/models/cart.rb", 12),
        ("#0 /srv/app/Cart.php(12): add()", "/srv/app/Cart.php", 12),
        ("  --> src/main.rs:4:5", "src/main.rs", 4),
        ("why does src/app.py:120 fail", "src/app.py", 120),
    ],
)
def test_frames_of_many_languages(frame: str, path: str, line: int) -> None:
    assert named_places(frame) == [NamedPlace(path, line)]


def test_the_innermost_call_comes_first() -> None:
    assert named_places(TRACE) == [NamedPlace("/srv/app/src/run.py", 7), NamedPlace("/srv/app/src/main.py", 12)]


def test_long_texts_are_read_at_both_ends_in_bounded_time() -> None:
    text = "a.py:1 " + "x" * 200_000 + " b.py:2"
    begun = time.process_time()
    assert named_places(text) == [NamedPlace("a.py", 1), NamedPlace("b.py", 2)]
    assert not is_place("a/" * 200_000 + ".py:1")
    assert named_files("a/" * 200_000) == []
    assert time.process_time() - begun < 5.0, "not quadratic"
    assert len(named_places("\n".join(f"f{n}.py:{n}" for n in range(500)))) == MAX_PLACES


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("what does utils/text.py do", ["utils/text.py"]),
        ("how are options handled in messages.py", ["messages.py"]),
        ("explain `src/a-b.test.ts`.", ["src/a-b.test.ts"]),
        ("compare a.py, b.py and a.py", ["a.py", "b.py"]),
        ("how does it work e.g. here", []),
        ("why", []),
    ],
)
def test_files_named_in_a_question(text: str, files: list[str]) -> None:
    assert [name for name in named_files(text) if "." in name.strip(".") and len(name) > 3] == files


@given(st.text(st.sampled_from("ab/\\.:()#L12 \n\"'File, line"), max_size=200))
def test_any_text_is_read(text: str) -> None:
    is_place(text)
    named_files(text)
    assert all(place.path and place.line >= 0 for place in named_places(text))
