"""From pressing Enter to painted results, in Chromium against ``fourfold serve`` on this machine.

    python -m benchmarks.page_paint --root django

Measured inside the page, for each question: from the submit to the second animation frame after the results stand in
the document (60 questions, each new to the server). Beside it the time of a bare ``/healthz`` fetched
by the same page, which tells what the load of the machine does. Needs Playwright and a Chromium.
"""

from __future__ import annotations

import argparse
import os
import shutil
from pathlib import Path

from benchmarks.http_load import QUESTIONS, serving

COUNT = 60
PAINTED = """async question => {
  const frame = () => new Promise(done => requestAnimationFrame(done));
  const marks = () => performance.getEntriesByName('fourfold-painted').length;
  const before = marks(), field = document.querySelector('#q');
  field.value = question;
  const begun = performance.now();
  document.querySelector('#ask').requestSubmit();
  while (marks() === before) await new Promise(done => setTimeout(done, 0));
  await frame(); await frame();
  return [performance.now() - begun, document.querySelectorAll('.card').length];
}"""
BARE = """async () => {
  const begun = performance.now();
  await (await fetch('/healthz')).text();
  return performance.now() - begun;
}"""


def main() -> None:
    """Measure and print medians and 95th percentiles."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(prog="python -m benchmarks.page_paint", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="the repository to serve, indexed before")
    chosen = parser.parse_args()
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    painted: list[float] = []
    bare: list[float] = []
    with serving(chosen.root) as (host, port, _), sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(120_000)
        page.goto(f"http://{host}:{port}/?q={QUESTIONS[0]}")
        page.locator(".card").first.wait_for()
        for question in QUESTIONS[1 :: len(QUESTIONS) // COUNT][:COUNT]:
            took, cards = page.evaluate(PAINTED, question)
            assert cards, question
            painted.append(took)
            bare.append(page.evaluate(BARE))
        browser.close()
    for name, times in (("painted", painted), ("healthz", bare)):
        times.sort()
        p95 = times[int(len(times) * 0.95)]
        print(f"{name}: median {times[len(times) // 2]:.0f} ms, p95 {p95:.0f} ms, n {len(times)}")


if __name__ == "__main__":
    main()
