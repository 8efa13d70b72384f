"""The Ask page in a real browser: an answer with marks that open the file, a thread, a model's pieces as they come."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="the browser tests need Playwright")  # before what needs it

from tests.answer.conftest import FakeModel, reply, server  # noqa: F401 (a fixture)
from tests.e2e.test_page import (  # noqa: F401 (fixtures)
    ADDRESS,
    CHROMIUM,
    address,
    browser,
    indexed,
    page,
    project,
)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="the browser tests need Chromium")


def test_an_answer_comes_without_leaving_the_page_and_goes_on(page: Any) -> None:  # noqa: F811
    indexed(page)
    page.goto("/ask")
    page.keyboard.type("where is backoff_delay defined")
    page.keyboard.press("Enter")
    page.locator(".sources li").first.wait_for()
    page.wait_for_url("**/ask?**q=where+is+backoff_delay+defined")
    page.keyboard.type("and who calls it?")
    page.keyboard.press("Enter")
    page.locator(".earlier").wait_for()
    assert "Understood as: and who calls backoff_delay?" in page.locator("#answer").inner_text()
    page.reload()
    assert "Understood as: and who calls backoff_delay?" in page.locator("#answer").inner_text()
    mark = page.locator("#said a.cite").first
    place = mark.get_attribute("href")
    mark.click()
    page.wait_for_url("**/file/**")
    assert page.url.endswith(place)
    assert page.evaluate("document.querySelector(':target') !== null")


def test_asking_needs_no_script(browser: Any, page: Any, address: str) -> None:  # noqa: F811
    indexed(page)
    context = browser.new_context(java_script_enabled=False, base_url=address)
    plain = context.new_page()
    plain.goto("/ask")
    plain.locator("#question").fill("who calls backoff_delay")
    plain.keyboard.press("Enter")
    plain.locator(".sources li").first.wait_for()
    plain.locator("#question").fill("and which tests cover it?")
    plain.keyboard.press("Enter")
    plain.locator(".earlier").wait_for()
    assert "backoff_delay" in plain.locator("#answer").inner_text()
    context.close()


@pytest.fixture
def worded(project: Path, tmp_path: Path, server: FakeModel) -> Iterator[str]:  # noqa: F811
    """Where a process serves the project with a language model of this machine."""
    environment = {
        **os.environ,
        "FOURFOLD_CACHE_DIR": str(tmp_path),
        "FOURFOLD_EMBEDDING_MODEL": "hash",
        "FOURFOLD_LLM_ENDPOINT": server.address,
        "FOURFOLD_LLM_MODEL": "tiny",
    }
    command = [sys.executable, "-m", "fourfold.interfaces.cli.main", "-C", str(project), "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        found = ADDRESS.search(process.stderr.readline())
        assert found
        try:
            yield found[1]
        finally:
            process.terminate()


def test_a_models_lines_are_shown_once_they_are_checked(
    browser: Any,  # noqa: F811
    worded: str,
    server: FakeModel,  # noqa: F811
) -> None:
    server.scripts[:] = [
        reply(
            "The delay of `backoff_delay` has full jitter [src/net/retry.py:8-10].\n"
            "It is read from a table [src/net/retry.py:900-901].\n"
        )
    ]
    context = browser.new_context(base_url=worded)
    opened = context.new_page()
    opened.set_default_timeout(30_000)
    indexed(opened)
    opened.goto("/ask")
    opened.locator("#question").fill("how is the delay computed")
    opened.keyboard.press("Enter")
    opened.locator(".sources li").first.wait_for()
    text = opened.locator("#answer").inner_text()
    assert "answered by tiny" in text and "full jitter" in text
    assert "table" not in text
    assert "did not stand up to the check" in text
    context.close()
