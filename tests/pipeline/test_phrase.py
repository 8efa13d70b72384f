"""A message pasted without quotes comes first, wherever the words alone would put it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.built import Built

from fourfold.config.settings import MODEL_PRESETS, PRESETS
from fourfold.engine import Index
from fourfold.pipeline.direct import MADE

FILLER = "\n\n".join(
    f"def read_header_{n}(peer, connection, reset):\n"
    f'    """Read the header while the connection of a peer is reset, number {n}."""\n    return connection.reset(peer)'
    for n in range(30)
)
FILES = {
    "src/reading.py": FILLER,
    "src/wire.py": "import os\n\n\ndef pull(sock):\n    data = sock.recv(1)\n    if not data:\n"
    '        raise OSError("connection reset by peer while reading header")\n    return data\n',
    "src/config.py": "def lookup(name, place):\n"
    '    raise KeyError(f"option {name!r} is not known in section {place}")\n',
    "src/names.py": "def code():\n    return 'E1101'\n\n\ndef missing(name):\n"
    "    raise OSError('ENOENT: no such file or directory')\n\n\ndef other():\n    return 'ENOENT'\n",
    "src/fields.py": "class Session:\n    pass\n\n\ndef check(kind, name, fields):\n"
    "    fail('Class ' + kind.name + ' declares several fields named \\'' + name + '\\'; they are ' + join(fields))\n"
    "\n\ndef number(value):\n    fail('forbidden values in numbers: ' + value)\n",
    "src/links.py": "def link(kind, holder):\n"
    '    raise ValueError(\'Cannot link "%r": "%s.%s" must be a "%s" record.\' % (kind, holder))\n',
    "src/shelf.py": "# Shop.owner, Owner and Shop: the shop of an owner\nclass Shop:\n    owner = 1\n",
    "src/shelves.py": "\n\n".join(f"def shop_{n}(owner, shop, x):\n    return shop.owner(x)" for n in range(40)),
    "tests/test_fields.py": "def test_number():\n    assert 'forbidden values in numbers: infinity' == said\n",
    "tests/test_wire.py": 'def test_pull():\n    assert "connection reset by peer while reading header"\n',
    "src/options.py": "def option_known(section):\n    # whether an option is known: of a section\n    return 1\n" * 9,
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    with Built(tmp_path_factory.mktemp("phrase")) as built:
        yield built.write(FILES).index


def first(index: Index, question: str) -> tuple[str, int]:
    found = index.search(question, refresh=False)
    return found.items[0].path, found.items[0].matched_lines[0]


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("connection reset by peer while reading header", ("src/wire.py", 7)),
        ("Connection Reset by Peer while reading header.", ("src/wire.py", 7)),
        ("OSError: connection reset by peer while reading header", ("src/wire.py", 7)),
        ("12:01:33 worker[7]: connection reset by peer while reading header", ("src/wire.py", 7)),
        ("option 'colour' is not known in section display", ("src/config.py", 2)),
        ("KeyError: option 'colour' is not known in section display", ("src/config.py", 2)),
        ('"option colour is not known in section display"', ("src/config.py", 2)),
        ("ENOENT: no such file or directory", ("src/names.py", 6)),
        ("E1101", ("src/names.py", 2)),
        # it begins as a definition does
        ("class Session declares several fields named 'x'; they are a and b", ("src/fields.py", 6)),
        # tests hold the message as it is, the code makes it
        ("forbidden values in numbers: infinity", ("src/fields.py", 10)),
    ],
)
def test_a_pasted_message_is_found_where_it_is_made(index: Index, question: str, place: tuple[str, int]) -> None:
    assert first(index, question) == place


def test_scores_stay_in_order_and_the_reason_is_told(index: Index) -> None:
    found = index.search("connection reset by peer while reading header", refresh=False, explain=True)
    assert found.items[0].why.signals[0] == ("message", 1.0)
    assert [item.path for item in found.items[:2]] == ["src/wire.py", "tests/test_wire.py"]
    assert found.items[0].score > found.items[2].score
    assert len({item.location for item in found.items}) == len(found.items)


@pytest.mark.parametrize("preset", sorted({*PRESETS} - MODEL_PRESETS))
def test_scores_fall_from_place_to_place(index: Index, preset: str) -> None:
    for asked in ("connection reset by peer while reading header", "read_header_3", "how is the header read", "E1101"):
        scores = [item.score for item in index.search(asked, refresh=False, preset=preset).items]
        assert scores == sorted(scores, reverse=True), asked


def test_a_message_with_a_value_says_that_it_does_not_stand_there(index: Index) -> None:
    found = index.search("KeyError: option 'colour' is not known in section display", refresh=False)
    assert found.meta.suggestion in (MADE, None)
    quoted = index.search('"option colour is not known in section display"', refresh=False)
    assert quoted.meta.suggestion == MADE


@pytest.mark.parametrize("error", ["", "ValueError: "])
@pytest.mark.parametrize("value", ["1", "5", "<Shop: x>", "<Shop: Shop object (1) owner of a shop with 3 owners>"])
@pytest.mark.parametrize(("holder", "kind"), [("Shop.owner", "Owner"), ("Bar.baz", "Baz")])
def test_values_do_not_decide_where_a_message_is_made(
    index: Index, error: str, value: str, holder: str, kind: str
) -> None:
    asked = f'{error}Cannot link "{value}": "{holder}" must be a "{kind}" record.'
    assert first(index, asked) == ("src/links.py", 2)
    assert index.search(asked, refresh=False).meta.suggestion == MADE


def test_places_that_hold_a_value_of_a_message_only_are_told_as_such(index: Index) -> None:
    found = index.search('Never seen "x": "Shop.owner" fell out of the "y" window.', refresh=False)
    assert found.items[0].path == "src/shelf.py"
    assert found.meta.suggestion == "the text does not occur as a whole; these hold 'Shop.owner' of it"
    for whole in ('"Shop.owner"', 'where does "Shop.owner" become an "x" or a "y"'):
        assert not index.search(whole, refresh=False).meta.suggestion


def test_filters_hold_for_messages_too(index: Index) -> None:
    found = index.search("connection reset by peer while reading header path:tests", refresh=False)
    assert found.items[0].path == "tests/test_wire.py"
    assert all(item.path.startswith("tests/") for item in found.items)


@pytest.mark.parametrize("question", ["how is the header read while a peer is reset?", "read header of a connection"])
def test_a_question_in_words_is_answered_as_before(index: Index, question: str) -> None:
    assert all(item.why.signals[:1] != (("message", 1.0),) for item in index.search(question, refresh=False).items)
