"""axe-core on every page, light and dark: no violation that is serious or critical.

axe-core comes from npm (``npm install axe-core``); AXE_CORE names its ``axe.min.js``, else ``node_modules`` of this
checkout is looked at. Skipped where it is not there: it is not part of the product.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="the browser tests need Playwright")  # before what needs it

from tests.e2e.test_page import CHROMIUM, address, browser, indexed, project  # noqa: F401 (fixtures)

AXE = Path(
    os.environ.get("AXE_CORE") or Path(__file__).parent.parent.parent / "node_modules" / "axe-core" / "axe.min.js"
)
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="the browser tests need Chromium"),
    pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not there: npm install axe-core"),
]
PAGES = (
    "/",
    "/?q=backoff",
    "/?q=nothinglikethis&language=go",
    "/ask",
    "/ask?q=who+calls+backoff_delay",
    "/file/src/net/retry.py?symbol=backoff_delay&at=8",
    "/file/nothing.py",
    "/graph?symbol=Policy",
    "/impact?symbol=backoff_delay",
    "/history",
    "/services",
    "/index?path=.env",
    "/evaluate",
    "/docs",
    "/login",
)
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
GRAVE = ("serious", "critical")
RUN = "tags => axe.run(document, {runOnly: {type: 'tag', values: tags}})"
UNFOLD = "document.querySelectorAll('details').forEach(one => { one.open = true; })"


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_no_page_has_a_serious_violation(browser: Any, address: str, width: int, scheme: str) -> None:  # noqa: F811
    # The page's own policy forbids foreign scripts: this one is ours, for the test.
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, base_url=address, bypass_csp=True
    )
    page = context.new_page()
    page.set_default_timeout(30_000)
    indexed(page)
    found: dict[str, list[str]] = {}
    passed = 0
    for place in PAGES:
        page.goto(place)
        page.evaluate(UNFOLD)
        page.add_script_tag(path=AXE)
        result = page.evaluate(RUN, TAGS)
        passed += len(result["passes"])
        faults = [
            f"{one['id']} ({one['impact']}): {one['nodes'][0]['html'][:160]}"
            for one in result["violations"]
            if one["impact"] in GRAVE
        ]
        if faults:
            found[place] = faults
    context.close()
    assert found == {}
    assert passed > 10 * len(PAGES)
