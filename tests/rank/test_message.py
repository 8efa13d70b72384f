"""Messages meet the text that makes them, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.rank.message import MAX_WORDS, _meets_tokens, meets, message_of


@pytest.mark.parametrize(
    ("pasted", "code"),
    [
        (
            "connection reset by peer while reading header",
            'raise Reset("Connection reset by peer while reading header")',
        ),
        (
            "connection reset by peer while reading header",
            'log("connection reset by peer "\n    "while reading header")',
        ),
        ("Apps aren't loaded yet.", 'raise NotReady("Apps aren\'t loaded yet.")'),
        ("2024-01-01 12:00 ERROR web: no such table here", 'fail("no such table here")'),
        ("cannot open file", r'puts("\ncannot open file");'),
        ("expected %s, got %s", 'raise TypeError("expected %s, got %s" % (a, b))'),
    ],
)
def test_words_that_stand_there_meet_as_they_are(pasted: str, code: str) -> None:
    message = message_of(pasted)
    assert message is not None
    met = meets(message, code, values=False)
    assert met is not None
    assert 0.4 < met.share <= 1


@pytest.mark.parametrize(
    ("pasted", "code"),
    [
        ("connection reset by peer while reading header", '"connection reset by peer while reading %s" % part'),
        ("file /etc/app/a.conf not found in search path", 'fmt.Errorf("file %q not found in search path", name)'),
        ("invalid literal for int() with base 10: 'abc'", '"invalid literal for int() with base %d: %.200R"'),
        ("module foo has no attribute bar", 'f"module {self.name!r} has no attribute {attr}"'),
        ("cannot move a.txt to b.txt today", "`cannot move ${from} to ${to} today`"),
        ("cannot move a.txt to b.txt today", '"cannot move #{from} to #{to} today"'),
        ("cannot move a.txt to b.txt today", r'"cannot move \(from) to \(to) today"'),
        ("cannot move a.txt to b.txt today", '"cannot move %1$s to %2$s today"'),
        ("cannot move a.txt to b.txt today", '"cannot move %(from)s to %(to)s today"'),
        ("cannot move a.txt to b.txt today", '"cannot move " + from + " to " + to.name() + " today"'),
        ("cannot move a.txt to b.txt today", '"cannot move " . $from . " to " . $to . " today"'),
        ("cannot move a.txt to b.txt today", 'std::cerr << "cannot move " << from << " to " << to << " today";'),
        ("no keyword 'x' in field. Choices: a", '"no keyword \'%s\' in field. "\n    "Choices: %s"'),
        ("7 files could not be read", 'f"{count} files could not be read"'),
    ],
)
def test_values_meet_placeholders_of_many_languages(pasted: str, code: str) -> None:
    message = message_of(pasted)
    assert message is not None
    assert meets(message, code, values=False) is None
    met = meets(message, code, values=True)
    assert met is not None
    assert 0.5 <= met.share < 1


@pytest.mark.parametrize(
    ("pasted", "code"),
    [
        ("connection reset by peer", '"connection was reset by the peer"'),
        ("cannot move a.txt to b.txt", '"cannot copy %s to %s"'),
        ("all the words of a question here", '"%s"'),  # a value is not the whole message
        ("user bob said something very long to everybody", '"user %s"'),
        ("cannot read header of request", "cannot read it\nheader of request"),
    ],
)
def test_other_texts_do_not_meet(pasted: str, code: str) -> None:
    message = message_of(pasted)
    assert message is not None
    assert meets(message, code, values=True) is None


@pytest.mark.parametrize(
    "text", ["", "  ", "parse_config", "two words", "is it not", "a\nb c d e", "word " * (MAX_WORDS + 1)]
)
def test_what_is_too_short_too_plain_or_too_long_is_no_message(text: str) -> None:
    assert message_of(text) is None


def test_the_place_is_that_of_the_first_word() -> None:
    message = message_of("cannot open the archive")
    assert message is not None
    met = meets(message, "cannot open it\n\n  fail('cannot open the archive')\n", values=False)
    assert met is not None
    assert met.offset == len("cannot open it\n\n  fail('")
    assert met.share == 1


@given(st.text(max_size=120), st.text(alphabet=" %s{}$\"'+abc\n\\(", max_size=200))
def test_no_text_is_too_odd(pasted: str, code: str) -> None:
    message = message_of(pasted)
    if message is not None:
        met = meets(message, code, values=True)
        assert met is None or 0 <= met.offset < len(code)


def test_many_placeholders_stay_cheap() -> None:
    message = message_of(" ".join(["one two three"] * 20))
    assert message is not None
    assert meets(message, "%s " * 5_000, values=True) is None


def test_the_words_of_a_template_are_those_outside_of_quotes_and_brackets() -> None:
    made = message_of('Cannot assign "<Foo: Foo object (1)>": "Bar.baz" must be a "Baz" instance of 3.')
    assert made is not None and made.template == ("cannot", "assign", "must", "be", "a", "instance", "of")
    assert len(set(made.fields)) == len("Cannot assign VALUE VALUE must be a VALUE instance of 3.".split())
    bare = message_of('"option colour is not known"')  # nothing is left around it: it is the message itself
    assert bare is not None and bare.template == bare.words


WORDS = ("no", "such", "table", "Such", "such_table", "__", "%s", "{x}", "$x", "<<", ": ", "\n    ")
PIECES = st.sampled_from([*WORDS, *"fb_ \n\"'+.&()", "  ", "\\n", "\\t", "\\", "x" * 300, " " * 250])


@given(st.lists(PIECES, max_size=40))
def test_few_places_of_a_text_are_looked_at_to_the_same_end(pieces: list[str]) -> None:
    text = "".join(pieces)
    for asked in ("no such table", "such: no such table", "table f such"):
        message = message_of(asked)
        assert message is not None
        assert meets(message, text, values=False) == _meets_tokens(message, text, values=False)


GAPS = st.sampled_from([" ", "\n", '" "', '"\n    f"', "_"])


@given(st.lists(PIECES, max_size=12), st.lists(PIECES, max_size=12), GAPS)
def test_a_message_among_other_things_is_found_at_the_same_place(before: list[str], after: list[str], gap: str) -> None:
    text = "".join([*before, gap.join(["No", "such", "table"]), *after])
    message = message_of("no such table")
    assert message is not None
    assert meets(message, text, values=False) == _meets_tokens(message, text, values=False)
