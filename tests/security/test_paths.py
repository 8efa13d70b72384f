"""Nothing outside of the root, and nothing inside that is refused by name, is shown at any entry point.

The table is whole: every attack of :mod:`tests.security.attacks` at every entry point of
:mod:`tests.security.entries`; and each entry point shows what it is for when it is asked for an ordinary file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.mcp.conftest import talk
from tests.security.attacks import GOOD, INSIDE, OUTSIDE, attacks
from tests.security.entries import CLI, HTTP, MCP, PYTHON, ask_cli, ask_http, ask_mcp, ask_python

from fourfold import Index
from fourfold.engine.kept import KeptIndexes
from fourfold.interfaces.http.app import create_app
from fourfold.interfaces.http.options import ServeOptions
from fourfold.interfaces.mcp.server import McpServer
from fourfold.interfaces.mcp.workspace import Workspace

SAYS_INDEXED = "indexed"
"""What a status says of the good file in place of its content."""


@pytest.fixture(scope="module")
def web(index: Index) -> Iterator[TestClient]:
    """A client of the page and the API."""
    with TestClient(create_app(index, ServeOptions()), base_url="http://localhost:8000") as made:
        yield made


def tried(root: Path) -> list[str]:
    """Every path that an entry point is asked for."""
    return [GOOD, *(attack.path for attack in attacks(root))]


def check(entry: str, root: Path, ask: Callable[[str], str]) -> None:
    """One entry point: the good path shows something, no attack shows anything that it must not."""
    shown = ask(GOOD)
    assert INSIDE in shown or SAYS_INDEXED in shown, f"{entry} does not show {GOOD}: {shown[:300]}"
    shows = [attack for attack in attacks(root) if OUTSIDE in ask(attack.path)]
    assert shows == [], entry


@pytest.fixture(scope="module")
def kept(index: Index) -> Iterator[KeptIndexes]:
    """The index open for every command, as the helper keeps it."""
    made = KeptIndexes()
    yield made
    made.clear()


@pytest.mark.parametrize("entry", CLI)
def test_the_command_line_shows_nothing_outside(entry: str, root: Path, kept: KeptIndexes) -> None:
    check(entry, root, lambda path: ask_cli(root, CLI[entry](path), kept))


@pytest.mark.parametrize("entry", PYTHON)
def test_the_python_api_shows_nothing_outside(entry: str, root: Path, index: Index) -> None:
    check(entry, root, lambda path: ask_python(index, PYTHON[entry], path))


@pytest.mark.parametrize("entry", HTTP)
def test_http_shows_nothing_outside(entry: str, root: Path, web: TestClient) -> None:
    paths = tried(root)

    async def work() -> dict[str, str]:
        return {path: await ask_http(web.app, HTTP[entry], path) for path in paths}

    assert web.portal is not None
    shown = web.portal.call(work)
    check(entry, root, lambda path: shown[path])


@pytest.fixture(scope="module")
def told(root: Path, index: Index) -> dict[str, dict[str, str]]:
    """What each entry point of MCP shows of each path, over one connection."""

    async def work(client: Any) -> dict[str, dict[str, str]]:
        return {entry: {path: await ask_mcp(client, ask, path) for path in tried(root)} for entry, ask in MCP.items()}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fourfold.interfaces.mcp.service.REFRESH_WAIT_S", 60.0)
        patch.setattr("fourfold.interfaces.mcp.service.BUILD_WAIT_S", 60.0)
        result: dict[str, dict[str, str]] = talk(McpServer(Workspace([root]), log="the-log"), work)
    return result


@pytest.mark.parametrize("entry", MCP)
def test_mcp_shows_nothing_outside(entry: str, root: Path, told: dict[str, dict[str, str]]) -> None:
    check(entry, root, lambda path: told[entry][path])


def test_what_is_swapped_for_a_link_after_indexing_is_not_followed(tmp_path: Path) -> None:
    """The path was good when it was indexed; what is read now is checked now."""
    from tests.built import Built

    with Built(tmp_path) as made:
        made.write({"a.py": f"def {INSIDE}():\n    pass\n"})
        (tmp_path / "outside.py").write_text(f"def {OUTSIDE}():\n    pass\n")
        (made.root / "a.py").unlink()
        (made.root / "a.py").symlink_to("../outside.py")
        assert OUTSIDE not in ask_python(made.index, lambda index, path: index.read(path), "a.py")
        assert OUTSIDE not in repr(made.index.grep(OUTSIDE).items)
        assert OUTSIDE not in repr(made.index.search(OUTSIDE).items)


def test_a_hard_link_is_a_file_of_the_project(tmp_path: Path) -> None:
    """A second name of a file is that file: no system tells the two apart. A repository cannot bring one along, as git
    has none; a name that is refused stays refused."""
    from tests.built import Built

    (tmp_path / "outside.py").write_text(f"def {OUTSIDE}():\n    pass\n")
    with Built(tmp_path) as made:
        for name in ("a.py", ".env"):
            os.link(tmp_path / "outside.py", made.root / name)
        made.index.refresh()
        assert made.index.read("a.py").text == (made.root / "a.py").read_text()
        assert made.index.read(".env").text is None
        assert {item.path for item in made.index.grep(OUTSIDE).items} == {"a.py"}
