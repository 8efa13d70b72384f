"""The page as a browser without JavaScript gets it."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.built import Built
from tests.http.conftest import SECRET, serving

PAGES = [
    "/",
    "/?q=how+does+the+backoff+work",
    "/?q=%22no+such+text+anywhere%22",
    "/file/src/net/retry.py",
    "/file/src/net/retry.py?symbol=backoff_delay&at=8",
    "/graph",
    "/graph?symbol=backoff_delay",
    "/graph?symbol=Patient",
    "/graph?symbol=backof_delay",
    "/impact",
    "/impact?symbol=backoff_delay",
    "/index",
    "/evaluate",
    "/index?path=.env",
    "/docs",
    "/login",
]


class Page(HTMLParser):
    """What matters of a page: its links, its ids, its attributes, its tags that are open."""

    VOID = frozenset({"meta", "link", "input", "br", "img", "rect", "circle", "path"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, f"</{tag}> closes something else"

    def links(self) -> list[str]:
        return [attrs["href"] or "" for tag, attrs in self.tags if tag == "a" and "href" in attrs]


def page(client: TestClient, address: str) -> tuple[str, Page]:
    reply = client.get(address, headers={"accept": "text/html"})
    assert reply.status_code == 200, reply.text[:500]
    return reply.text, Page(reply.text)


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_whole_and_runs_nothing_inline(client: TestClient, address: str) -> None:
    text, parsed = page(client, address)
    assert parsed.open == []
    ids = [attrs["id"] for _, attrs in parsed.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    for tag, attrs in parsed.tags:
        assert "style" not in attrs and not any(name.startswith("on") for name in attrs), (tag, attrs)
        if tag == "script":
            assert (attrs["src"] or "").startswith("/static/")
        if tag in ("input", "select") and attrs.get("type") not in ("hidden", "radio"):
            labelled = attrs.get("aria-label") or f'for="{attrs.get("id")}"' in text
            assert labelled, attrs
    assert all(link.startswith(("/", "#", "vscode://")) for link in parsed.links())
    assert text.startswith("<!doctype html>") and "<main" in text and text.count("<h1") == 1


def test_every_link_of_the_search_page_leads_somewhere(client: TestClient) -> None:
    _, parsed = page(client, "/?q=backoff+delay")
    links = {html.unescape(link).partition("#")[0] for link in parsed.links() if link.startswith("/")}
    assert len(links) > 10
    for link in links:
        assert client.get(link, headers={"accept": "text/html"}).status_code == 200, link


def test_search_without_javascript_shows_cards_with_why_and_code(client: TestClient) -> None:
    text, _ = page(client, "/?q=how+does+the+backoff+delay+work")
    assert 'class="card"' in text
    assert "retry.py" in text and "<mark>" in text
    assert "understand code" in text and "found by" in text and "vscode://file/" in text


def test_facets_narrow_and_can_be_taken_away(client: TestClient) -> None:
    everything, parsed = page(client, "/?q=backoff")
    tests = next(html.unescape(link) for link in parsed.links() if "role=tests" in link)
    narrowed, _ = page(client, tests)
    shown = set(re.findall(r'data-path="([^"]*)"', narrowed))
    assert shown == {"tests/test_retry.py"} < set(re.findall(r'data-path="([^"]*)"', everything))
    assert 'class="on"' in narrowed
    python, _ = page(client, "/?q=backoff&language=python")
    assert all(path.endswith(".py") for path in re.findall(r'data-path="([^"]*)"', python))


def test_more_results_are_a_link_away(client: TestClient) -> None:
    few, parsed = page(client, "/?q=backoff&n=1")
    assert few.count('class="card"') == 1
    more = next(html.unescape(link) for link in parsed.links() if "n=21" in link)
    assert page(client, more)[0].count('class="card"') > 1


def test_hostile_names_and_code_stay_text(client: TestClient) -> None:
    text, parsed = page(client, "/?q=hostileBackoff")
    assert "alert(" not in text.replace("alert(&#39;", "").replace("<mark>", "")
    assert not any(tag in ("img", "b") for tag, _ in parsed.tags)
    link = next(link for link in parsed.links() if link.startswith("/file/web/") and "#L" in link)
    shown, inner = page(client, html.unescape(link).partition("#")[0])
    assert not any(tag in ("img", "b") for tag, _ in inner.tags)
    assert "&lt;/pre&gt;&lt;img" in shown
    reply = client.get('/?q="><script>alert(1)</script>', headers={"accept": "text/html"})
    assert "<script>alert" not in reply.text
    Page(reply.text)


def test_a_file_has_an_outline_lines_and_the_usages_of_a_symbol(client: TestClient) -> None:
    text, parsed = page(client, "/file/src/net/retry.py?symbol=backoff_delay&at=8")
    ids = {attrs.get("id") for _, attrs in parsed.tags}
    assert {"L1", "L8", "L10"} <= ids
    assert "Used by 4 symbols" in text
    for user in ("Policy.wait", "Patient.wait", "delay", "test_backoff_delay_is_capped"):
        assert user in text


def test_secrets_are_not_shown(client: TestClient) -> None:
    assert SECRET not in client.get("/api/v1/file?path=src/net/retry.py").text
    for address in ("/file/src/net/retry.py", "/?q=ACCESS_KEY", "/part/lines?path=src/net/retry.py&start=1&end=9"):
        assert SECRET not in page(client, address)[0]
    assert client.get("/file/.env", headers={"accept": "text/html"}).status_code == 404


def test_the_graph_is_a_drawing_and_a_list(client: TestClient) -> None:
    text, parsed = page(client, "/graph?symbol=Patient")
    assert any(tag == "svg" and attrs.get("role") == "group" for tag, attrs in parsed.tags)
    assert "Inherits from" in text and "Policy" in text
    callers, parsed = page(client, "/graph?symbol=backoff_delay&n=1")
    assert "10 more" in callers
    walked = next(html.unescape(link) for link in parsed.links() if link.startswith("/graph?") and "wait" in link)
    assert "backoff_delay" in page(client, walked)[0]
    without, _ = page(client, "/graph?symbol=backoff_delay&tests=false")
    assert "test_backoff_delay_is_capped" not in without


def test_a_name_that_is_not_there_leads_to_names_like_it(client: TestClient) -> None:
    assert "No definition of" in page(client, "/graph?symbol=backof_delay")[0]
    assert "symbol=backoff_delay" in page(client, "/graph?symbol=backof_delay")[0]


def test_impact_is_a_tree(client: TestClient) -> None:
    text, _ = page(client, "/impact?symbol=backoff_delay")
    assert 'class="tree"' in text and "Policy.wait" in text and "<dt>tests</dt>" in text


def test_the_index_page_says_what_is_skipped_and_why(client: TestClient) -> None:
    text, _ = page(client, "/index?path=.env")
    assert "secret" in text and "<code>.env</code>" in text
    assert "python" in text


def test_the_api_page_lists_every_documented_route(client: TestClient) -> None:
    text, _ = page(client, "/docs")
    for path in client.get("/openapi.json").json()["paths"]:
        assert f"<code>{path}</code>" in text


def test_metrics_count_requests_by_route(client: TestClient) -> None:
    client.get("/api/v1/search?q=unlikelyword")
    reply = client.get("/metrics")
    assert reply.headers["content-type"].startswith("text/plain")
    assert re.search(
        r'fourfold_http_requests_total\{method="GET",route="/api/v1/search",status="200"\} \d+', reply.text
    )
    assert 'le="+Inf"' in reply.text and "unlikelyword" not in reply.text


def test_more_results_lead_on_to_the_last_page_and_no_further(tmp_path: Path) -> None:
    with Built(tmp_path) as made:
        made.write({f"part_{n}.py": f"def drain_queue_{n}(jobs):\n    return jobs[{n}:]\n" for n in range(75)})
        made.index.refresh()
        with serving(made) as client:
            address, shown = "/?q=how+is+a+queue+of+jobs+drained", []
            while address:
                page = client.get(address)
                assert page.status_code == 200
                shown.append(page.text.count('<li class="card"'))
                found = re.search(r'class="more"><a href="([^"]+)"', page.text)
                address = found.group(1).replace("&amp;", "&") if found else ""
    assert shown == [10, 30, 50, 60]
