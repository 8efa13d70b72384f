"""Makes the pictures of docs/page.md: ``FOURFOLD_IMAGES=http://127.0.0.1:8000 pytest tests/e2e/test_page_images.py``.

The address is that of a ``fourfold serve`` on a checkout of django. Skipped unless it is given.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ADDRESS = os.environ.get("FOURFOLD_IMAGES", "")
pytestmark = pytest.mark.skipif(not ADDRESS, reason="FOURFOLD_IMAGES names no server")
IMAGES = Path(__file__).parent.parent.parent / "docs" / "images"
EXECUTOR = "django/db/migrations/executor.py"
SHOTS = [
    ("search-light", "/?q=how+are+migrations+applied+in+order", 1440, "light"),
    ("file-light", f"/file/{EXECUTOR}?symbol=MigrationExecutor.migrate&at=94#L94", 1440, "light"),
    ("ask-light", "/ask?q=how+are+migrations+applied+in+order", 1440, "light"),
    ("graph-dark", "/graph?symbol=MigrationExecutor.migrate", 1440, "dark"),
    ("search-dark-narrow", "/?q=how+are+migrations+applied+in+order", 390, "dark"),
]


@pytest.mark.parametrize(("name", "place", "width", "scheme"), SHOTS)
def test_a_picture_is_made(name: str, place: str, width: int, scheme: str) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        answer = page.goto(ADDRESS + place)
        assert answer is not None and answer.ok
        if place.startswith("/?q=") and width >= 1280:
            page.locator(".preview .in").first.wait_for()
        page.screenshot(path=IMAGES / f"{name}.png")
        browser.close()
    assert (IMAGES / f"{name}.png").stat().st_size > 10_000
