"""The page in a real browser, served by a real process. Skipped where there is no Chromium or no Playwright."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.http.conftest import FILES

playwright = pytest.importorskip("playwright.sync_api", reason="the browser tests need Playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="the browser tests need Chromium")
PLACES = (
    "/",
    "/?q=backoff",
    "/ask?q=who+calls+backoff_delay",
    "/file/src/net/retry.py",
    "/graph?symbol=Policy",
    "/impact?symbol=Policy",
    "/index",
)
ADDRESS = re.compile(r"serving .* at (http://\S+/) \(")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project on disk."""
    root = tmp_path_factory.mktemp("project")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def address(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where ``fourfold serve`` serves it."""
    environment = {
        **os.environ,
        "FOURFOLD_CACHE_DIR": str(tmp_path_factory.mktemp("cache")),
        "FOURFOLD_EMBEDDING_MODEL": "hash",
    }
    command = [sys.executable, "-m", "fourfold.interfaces.cli.main", "-C", str(project), "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stderr is not None
        found = ADDRESS.search(server.stderr.readline())
        assert found
        try:
            yield found[1]
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, headless."""
    with playwright.sync_playwright() as play:
        made = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """A page that is wide enough for the preview; whatever it complains of fails the test."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=address)
    opened = context.new_page()
    opened.set_default_timeout(20_000)
    complaints: list[str] = []
    opened.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    yield opened
    context.close()
    assert complaints == []


def indexed(page: Any) -> None:
    """Wait until the first build has ended."""
    for _ in range(200):
        page.goto("/")
        if page.locator(".examples a").count():
            return
        time.sleep(0.1)
    raise AssertionError("the index is not built")


def test_results_come_while_one_types(page: Any) -> None:
    indexed(page)
    page.locator("#q").press_sequentially("backoff delay", delay=20)
    page.locator(".card").first.wait_for()
    page.wait_for_url("**/?q=backoff+delay")
    assert page.locator("mark").count() > 0
    page.locator(".preview .in").first.wait_for()


def test_a_facet_narrows_and_the_address_can_be_shared(page: Any) -> None:
    indexed(page)
    page.goto("/?q=backoff")
    page.locator(".facet a", has_text="tests").first.click()
    page.locator(".facet a.on", has_text="tests").wait_for()
    page.wait_for_url("**role=tests**")
    paths = page.locator(".card").evaluate_all("cards => cards.map(card => card.dataset.path)")
    assert paths == ["tests/test_retry.py"]
    page.reload()
    assert page.locator(".card").count() == 1


def test_the_keyboard_alone_is_enough(page: Any) -> None:
    indexed(page)
    page.goto("/?q=backoff")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("j")
    second = page.locator(".card").nth(1)
    assert "current" in second.get_attribute("class")
    page.keyboard.press("k")
    first = page.locator(".card").first
    assert "current" in first.get_attribute("class")
    page.keyboard.press("w")
    assert first.locator(".why").get_attribute("open") is not None
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#keys").is_visible()
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.press("Escape")
    path = first.get_attribute("data-path")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/file/**")
    assert path in page.locator("main h1").inner_text().replace("\n", "")


def test_a_file_opens_at_its_line_and_leads_to_the_graph(page: Any) -> None:
    indexed(page)
    page.goto("/file/src/net/retry.py?symbol=backoff_delay&at=8#L8")
    assert page.evaluate("document.querySelector(':target').id") == "L8"
    page.locator(".uses .links a", has_text="graph").click()
    page.wait_for_url("**/graph?symbol=backoff_delay**")
    page.locator(".drawing a", has_text="Policy.wait").click()
    page.wait_for_url("**symbol=Policy.wait**")
    assert page.locator(".sides", has_text="backoff_delay").is_visible()


def test_indexing_is_watched_live(page: Any, project: Path) -> None:
    indexed(page)
    page.goto("/index")
    before = page.locator("dl.tally dd").first.inner_text()
    (project / "added.py").write_text("def added_meanwhile():\n    return 1\n", encoding="utf-8")
    page.locator("[data-do=refresh]").click()
    page.wait_for_function("before => document.querySelector('dl.tally dd').textContent !== before", arg=before)
    page.locator("#job-line", has_text="Refreshed in").wait_for()


def test_search_works_without_javascript(browser: Any, address: str, page: Any) -> None:
    indexed(page)
    context = browser.new_context(java_script_enabled=False, base_url=address)
    plain = context.new_page()
    plain.goto("/")
    plain.locator("#q").fill("backoff delay")
    plain.locator("#ask button").click()
    assert plain.locator(".card").count() > 0
    plain.locator(".card .open").first.click()
    assert plain.locator(".source .l").count() > 0
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 900, 1440])
def test_no_page_is_wider_than_the_screen(browser: Any, address: str, page: Any, width: int, scheme: str) -> None:
    indexed(page)
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, base_url=address)
    narrow = context.new_page()
    for place in (
        "/",
        "/?q=backoff",
        "/file/src/net/retry.py",
        "/graph?symbol=Policy",
        "/impact?symbol=Policy",
        "/index",
    ):
        narrow.goto(place)
        assert narrow.evaluate("document.documentElement.scrollWidth") <= width, place
    context.close()


def test_a_foreign_page_cannot_read_anything(browser: Any, address: str, tmp_path: Path) -> None:
    context = browser.new_context()
    foreign = context.new_page()
    foreign.goto("data:text/html,<h1>foreign</h1>")
    said = foreign.evaluate(
        "address => fetch(address + 'api/v1/search?q=backoff').then(r => r.text(), e => 'refused: ' + e)", address
    )
    assert said.startswith("refused")
    context.close()
