"""The table of docs/errors.md and the program agree, both ways, and each interface answers as the table says."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from fourfold.interfaces.cli.failure import report
from fourfold.interfaces.cli.terminal import terminal_of
from fourfold.interfaces.http.failures import CODES, body_bytes, code_of, status_of
from fourfold.interfaces.mcp.server import _failure
from fourfold.model import errors
from fourfold.model.errors import FourfoldError

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "fourfold"
PAGE = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| \[(F\d{3})\]\(#(f\d{3})\) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)
COMMAND_LINE_ONLY = {"F900"}


def table() -> dict[str, tuple[str, str, tuple[int, ...], str]]:
    """Class, exit code, HTTP statuses and MCP form by code, as documented."""
    rows = {}
    for code, anchor, name, leaves, status, form in ROW.findall(PAGE):
        assert anchor == code.lower() and code not in rows
        statuses = tuple(int(one) for one in status.split(", ")) if status != "-" else ()
        rows[code] = (name.strip("`"), leaves, statuses, form)
    return rows


def classes() -> Iterator[type[FourfoldError]]:
    """Every class with a code of its own, found where the source gives one."""
    for path in sorted(SOURCE.rglob("*.py")):
        if re.search(r'^    code(: ClassVar\[str\])? = "F\d{3}"', path.read_text(encoding="utf-8"), re.MULTILINE):
            module = import_module("fourfold." + ".".join(path.relative_to(SOURCE).with_suffix("").parts))
            for value in vars(module).values():
                if isinstance(value, type) and value.__module__ == module.__name__ and "code" in vars(value):
                    assert issubclass(value, FourfoldError)
                    yield value


def made(kind: type[FourfoldError]) -> FourfoldError:
    """An error of a class."""
    return kind(OSError(28, "no space left")) if kind.code in COMMAND_LINE_ONLY else kind("it broke", hint="mend it")  # type: ignore[arg-type]


def test_every_code_of_the_program_is_documented_and_no_other() -> None:
    raised = {kind.code: kind.__name__ for kind in classes()}
    assert len(raised) == len(list(classes())), "two classes share a code"
    assert {code: row[0] for code, row in table().items() if row[0] != "-"} == raised
    assert set(table()) == set(raised) | set(CODES.values())


def test_no_code_stands_in_the_source_that_the_table_does_not_know() -> None:
    found = {
        code for path in SOURCE.rglob("*.py") for code in re.findall(r'"(F\d{3})"', path.read_text(encoding="utf-8"))
    }
    assert found == set(table())


@pytest.mark.parametrize("kind", list(classes()), ids=lambda kind: kind.code)
def test_exit_code_status_and_reply_are_those_of_the_table(kind: type[FourfoldError]) -> None:
    _, leaves, statuses, form = table()[kind.code]
    error = made(kind)
    stream = io.StringIO()
    assert str(report(error, terminal_of(stream, color=False))) == leaves
    assert stream.getvalue().startswith(f"error {kind.code}: ")
    assert "hint: " in stream.getvalue()
    if form == "tool error":
        assert (status_of(error), code_of(error)) == (statuses[0], kind.code)
        reply = _failure(error)
        assert reply.is_error and reply.content[0].text == f"error {kind.code}: it broke\nhint: mend it"  # type: ignore[union-attr]
        assert reply.structured_content == {
            "error": {"code": kind.code, "message": "it broke", "hint": "mend it"},
        }


def test_the_statuses_that_http_alone_gives_are_those_of_the_table() -> None:
    documented: dict[int, set[str]] = {}
    for code, (_, _, statuses, _) in table().items():
        for status in statuses:
            documented.setdefault(status, set()).add(code)
    assert [status for status, code in CODES.items() if code not in documented.get(status, ())] == []
    alone = {(code, status) for code, row in table().items() if row[0] == "-" for status in row[2]}
    assert alone == {(code, status) for status, code in CODES.items() if table()[code][0] == "-"}
    assert b'"F000"' in body_bytes(418, "x")


@pytest.mark.parametrize("code", list(table()))
def test_each_code_has_a_section_with_cause_and_cure(code: str) -> None:
    section = PAGE.split(f"\n## {code}\n")[1].split("\n## ")[0]
    assert PAGE.count(f"\n## {code}\n") == 1
    assert re.match(r"\n\S.*\.\n\n\*\*Cause:\*\* \S", section)
    assert "\n**Cure:** " in section


def test_sections_are_of_codes_that_there_are() -> None:
    assert re.findall(r"^## (F\d{3})$", PAGE, re.MULTILINE) == list(table())


def test_the_drawn_tree_is_the_tree() -> None:
    """The picture in the module of the errors has each class, its code, its exit code and its status."""
    drawn = re.findall(r"(\w+) +(F\d{3})  exit (\d+)  HTTP (\d+)", errors.__doc__ or "")
    real = [kind for kind in classes() if kind.__module__ == errors.__name__]
    assert sorted(drawn) == sorted(
        (kind.__name__, kind.code, str(kind.exit_code), str(kind.http_status)) for kind in real
    )


def test_every_option_and_page_that_the_cures_name_is_there() -> None:
    everything = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for option in set(re.findall(r"`(--[a-z-]+)", PAGE)):
        assert f"`{option}`" in everything, option
    for page in set(re.findall(r"\]\((\w+\.md)\)", PAGE)):
        assert (ROOT / "docs" / page).exists(), page
