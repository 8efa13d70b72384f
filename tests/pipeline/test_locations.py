"""Places and files that a question names come first, whatever its words meet elsewhere."""

from __future__ import annotations

import pytest
from tests.built import indexed

from fourfold import Index

HANDLER = """def handle_{n}(request):
    if request is None:
        raise ValueError('no request')
    return request


"""
FILES = {
    "src/http/handlers.py": "".join(HANDLER.format(n=n) for n in range(30)),
    "src/http/text.py": "def join(parts):\n    return ''.join(parts)\n",
    "src/mail/text.py": "def split(text):\n    return text.split()\n",
    "src/core/request.py": "class Request:\n    def check(self):\n        return True\n",
    "docs/request.md": "# Requests\n\nHow a request is handled and where errors are raised.\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """A file of many alike functions, and two files of one name."""
    return indexed(tmp_path_factory.mktemp("located"), FILES)


@pytest.mark.parametrize(
    "text",
    ["src/http/handlers.py:62", "http/handlers.py#L62", "handlers.py line 62", "/srv/old/src/http/handlers.py:62:5"],
)
def test_a_place_alone_is_the_answer(index: Index, text: str) -> None:
    found = index.search(text)
    (item,) = found.items
    assert item.path == "src/http/handlers.py"
    assert item.start_line <= 62 <= item.end_line
    assert item.matched_lines == (62,)
    assert (found.meta.fusion_strategy, item.why.method) == ("direct", "location")


def test_a_name_of_two_files_means_both(index: Index) -> None:
    assert [item.path for item in index.search("text.py:2").items] == ["src/http/text.py", "src/mail/text.py"]
    assert [item.path for item in index.search("mail/text.py:2").items] == ["src/mail/text.py"]


def test_the_frames_of_a_trace_come_first_innermost_first(index: Index) -> None:
    trace = (
        'Traceback (most recent call last):\n  File "/usr/lib/python3/runpy.py", line 196, in run\n'
        '  File "/srv/app/src/core/request.py", line 3, in check\n'
        '  File "/srv/app/src/http/handlers.py", line 3, in handle_0\nValueError: no request\n'
    )
    items = index.search(trace, explain=True).items
    assert [(item.path, item.matched_lines) for item in items[:2]] == [
        ("src/http/handlers.py", (3,)),
        ("src/core/request.py", (3,)),
    ]
    assert dict(items[0].why.signals) == {"location": 1.0}
    assert len({(item.path, item.start_line) for item in items}) == len(items)


def test_a_place_in_a_sentence_comes_first(index: Index) -> None:
    item = index.search("why does src/core/request.py:2 return without an error").items[0]
    assert (item.path, item.matched_lines) == ("src/core/request.py", (2,))


@pytest.mark.parametrize("text", ["src/http/handlers.py:100000", "nowhere.py:3"])
def test_a_place_that_is_not_there_is_asked_in_words(index: Index, text: str) -> None:
    assert all(item.why.method != "location" for item in index.search(text).items)


def test_filters_hold_for_places(index: Index) -> None:
    assert all(item.path.startswith("docs/") for item in index.search("src/core/request.py:2 path:docs").items)


@pytest.mark.parametrize(
    "text", ["where are errors raised in core/request.py", "how is a request handled in request.py"]
)
def test_a_file_that_is_named_comes_first_and_says_so(index: Index, text: str) -> None:
    item = index.search(text, explain=True).items[0]
    assert item.path == "src/core/request.py"
    assert item.why.signals[0] == ("bonus", 4.0)
