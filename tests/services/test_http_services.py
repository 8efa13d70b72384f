"""Services over HTTP: syncing as jobs, registering, webhooks with their signatures."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.services.git_server import GitServer, Repository

from fourfold import Workspace
from fourfold.config.services import ServiceConfig, load_services
from fourfold.interfaces.http.app import create_app
from fourfold.interfaces.http.options import ServeOptions
from fourfold.interfaces.http.webhooks import address_key

SECRET = "a-secret-of-the-webhooks"
WRITE = {"X-Fourfold": "1"}


@pytest.fixture
def served(workspace: Workspace, app: Repository) -> Iterator[TestClient]:
    """A server of the workspace that allows everything."""
    assert not workspace.sync()[1]
    options = ServeOptions(
        services=("*",), allow_register=True, webhook_secret=SECRET, hosts=("testserver",), token="t" * 20
    )
    application = create_app(workspace.index(("*",)), options, workspace)
    with TestClient(application, headers={"Authorization": "Bearer " + "t" * 20}) as client:
        yield client


def ended(client: TestClient, number: int) -> dict[str, Any]:
    """A job once it has ended."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        job: dict[str, Any] = client.get(f"/api/v1/jobs/{number}").json()
        if job["state"] in ("done", "failed", "cancelled"):
            return job
        time.sleep(0.02)
    raise AssertionError("the job does not end")


def push_of(app: Repository, ref: str = "refs/heads/main") -> bytes:
    """What GitHub sends of a push."""
    repository = {"clone_url": app.url, "ssh_url": "git@127.0.0.1:app.git", "default_branch": "main"}
    return json.dumps({"ref": ref, "repository": repository}).encode()


def github(body: bytes, secret: str = SECRET, number: str = "1") -> dict[str, str]:
    """Headers of a delivery of GitHub."""
    signature = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return {"X-Hub-Signature-256": f"sha256={signature}", "X-GitHub-Event": "push", "X-GitHub-Delivery": number}


def test_services_are_listed_without_places(served: TestClient, app: Repository) -> None:
    (row,) = served.get("/api/v1/services").json()["items"]
    assert (row["name"], row["git"], row["error"]) == ("app", app.url, None)
    assert len(row["commit"]) == 40


def test_results_name_the_service_and_its_ref(served: TestClient) -> None:
    found = served.get("/api/v1/search", params={"q": "exponential back-off", "service": "app"}).json()
    assert (found["items"][0]["service"], found["items"][0]["path"]) == ("app", "src/retry.py")
    assert found["meta"]["services"][0]["name"] == "app"
    unknown = served.get("/api/v1/search", params={"q": "exponential back-off", "service": "nope"})
    assert unknown.status_code == 400
    assert "no service" in unknown.json()["error"]["message"]


def test_a_reindex_is_a_job(served: TestClient, app: Repository) -> None:
    app.commit({"src/new.py": "def brand_new_function():\n    return 1\n"})
    answer = served.post("/api/v1/reindex", json={"service": "app"}, headers=WRITE)
    assert answer.status_code == 202
    job = ended(served, answer.json()["items"][0]["id"])
    assert job["state"] == "done"
    assert job["report"]["report"]["added"] == 1
    found = served.get("/api/v1/grep", params={"pattern": "brand_new_function", "service": "app"}).json()
    assert [item["service"] for item in found["items"]] == ["app"]
    assert served.get("/api/v1/jobs").json()["items"][0]["id"] == job["id"]


def test_progress_is_streamed_as_lines(served: TestClient, app: Repository) -> None:
    app.commit({"src/new.py": "def brand_new_function():\n    return 1\n"})
    headers = WRITE | {"Accept": "application/x-ndjson"}
    with served.stream("POST", "/api/v1/reindex", json={}, headers=headers) as answer:
        states = [json.loads(line) for line in answer.iter_lines()]
    assert states[-1]["state"] == "done"
    assert states[-1]["report"]["report"]["added"] == 1


def test_a_service_that_fails_is_tried_again_and_then_said(
    workspace: Workspace, app: Repository, server: GitServer
) -> None:
    from fourfold.engine.sync_queue import ATTEMPTS, FAILED, SyncQueue

    queue = SyncQueue(workspace, first_wait_s=0.01)
    server.broken = 500
    job, new = queue.submit("app")
    assert new
    assert job.finished.wait(30)
    assert (job.state, job.attempts) == (FAILED, ATTEMPTS)
    assert job.error is not None
    server.broken = ""
    again, _ = queue.submit("app")
    assert again.finished.wait(30)
    assert again.state == "done"
    queue.stop()


def test_one_that_waits_stands_for_all_that_ask(workspace: Workspace) -> None:
    from fourfold.engine.sync_queue import CANCELLED, SyncQueue

    queue = SyncQueue(workspace, workers=0)
    first, _ = queue.submit("app")
    second, new = queue.submit("app", force=True)
    assert second is first
    assert not new
    assert first.force
    queue.cancel(first)
    assert first.state == CANCELLED
    queue.stop()


def test_a_repository_is_registered_by_https_only(served: TestClient, app: Repository) -> None:
    for git in (app.url, "file:///etc", "/etc", "ext::sh -c id", "http://example.org/x.git"):
        answer = served.post("/api/v1/reindex", json={"register": {"name": "new", "git": git}}, headers=WRITE)
        assert answer.status_code == 400, git
    with_token = {"name": "new", "git": "https://example.org/x.git", "token_env": "PATH"}
    assert served.post("/api/v1/reindex", json={"register": with_token}, headers=WRITE).status_code == 422
    assert [service.name for service in load_services()] == ["app"]


def test_a_registered_repository_is_queued_and_kept(served: TestClient) -> None:
    new = {"name": "new", "git": "https://no-such-host.invalid/team/new.git", "ref": "main"}
    answer = served.post("/api/v1/reindex", json={"register": new}, headers=WRITE)
    assert answer.status_code == 202
    job = answer.json()["items"][0]
    assert (job["service"], job["reason"]) == ("new", "registered")
    assert [service.name for service in load_services()] == ["app", "new"]
    served.post(f"/api/v1/jobs/{job['id']}/cancel", headers=WRITE)


def test_nothing_is_registered_or_synced_where_that_is_not_allowed(workspace: Workspace, app: Repository) -> None:
    assert not workspace.sync()[1]
    options = ServeOptions(services=("*",), hosts=("testserver",))
    new = {"register": {"name": "new", "git": "https://example.org/x.git"}}
    with TestClient(create_app(workspace.index(), options, workspace)) as client:
        assert client.post("/api/v1/reindex", json={}).status_code == 403, "a write needs its header"
        assert client.post("/api/v1/reindex", json=new, headers=WRITE).status_code == 403
        assert client.post("/api/v1/webhooks/github", content=push_of(app)).status_code == 403, "none is signed here"
        assert client.post("/api/v1/webhooks/github", content=push_of(app), headers=WRITE).status_code == 404
    options = ServeOptions(services=("*",), hosts=("testserver",), read_only=True, webhook_secret=SECRET)
    with TestClient(create_app(workspace.index(), options, workspace)) as client:
        assert client.post("/api/v1/reindex", json={}, headers=WRITE).status_code == 403
        body = push_of(app)
        assert client.post("/api/v1/webhooks/github", content=body, headers=github(body)).status_code == 403


def test_a_signed_push_syncs_its_service(served: TestClient, app: Repository) -> None:
    app.commit({"src/new.py": "def brand_new_function():\n    return 1\n"})
    body = push_of(app)
    headers = github(body, number="push-1") | {"Authorization": ""}
    answer = served.post("/api/v1/webhooks/github", content=body, headers=headers)
    assert answer.status_code == 202
    job = ended(served, answer.json()["items"][0]["id"])
    assert (job["state"], job["reason"]) == ("done", "webhook")
    assert not served.post("/api/v1/webhooks/github", content=body, headers=headers).json()["items"], "sent twice"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Hub-Signature-256": "sha256=" + "0" * 64},
        {"X-Hub-Signature": "sha1=" + "0" * 40},
    ],
)
def test_a_webhook_without_the_right_signature_is_refused(
    served: TestClient, app: Repository, headers: dict[str, str]
) -> None:
    before = len(served.get("/api/v1/jobs").json()["items"])
    assert served.post("/api/v1/webhooks/github", content=push_of(app), headers=headers).status_code == 401
    assert len(served.get("/api/v1/jobs").json()["items"]) == before


def test_a_signature_of_another_body_or_secret_is_refused(served: TestClient, app: Repository) -> None:
    body = push_of(app)
    for headers in (github(body + b" "), github(body, secret="another-secret-altogether")):
        assert served.post("/api/v1/webhooks/github", content=body, headers=headers).status_code == 401


def test_a_push_elsewhere_syncs_nothing(served: TestClient, app: Repository) -> None:
    for number, body in enumerate(
        [push_of(app, "refs/heads/other"), push_of(app).replace(b"app.git", b"else.git"), b'{"zen": "quiet"}']
    ):
        headers = github(body, number=f"elsewhere-{number}")
        answer = served.post("/api/v1/webhooks/github", content=body, headers=headers)
        assert answer.status_code == 202
        assert not answer.json()["items"]


def test_gitlab_signs_in_its_own_way(served: TestClient, app: Repository) -> None:
    body = json.dumps({"ref": "refs/heads/main", "project": {"git_http_url": app.url}}).encode()
    stamp = str(int(time.time()))

    def headers(number: str, stamp: str, key: bytes = SECRET.encode()) -> dict[str, str]:
        signed = hmac.new(key, f"{number}.{stamp}.".encode() + body, hashlib.sha256).digest()
        return {
            "webhook-id": number,
            "webhook-timestamp": stamp,
            "webhook-signature": "v1," + base64.b64encode(signed).decode(),
            "X-Gitlab-Event": "Push Hook",
        }

    post = "/api/v1/webhooks/gitlab"
    answer = served.post(post, content=body, headers=headers("lab-1", stamp))
    assert [job["service"] for job in answer.json()["items"]] == ["app"]
    ended(served, answer.json()["items"][0]["id"])
    assert served.post(post, content=body, headers=headers("lab-2", stamp, b"wrong")).status_code == 401
    assert served.post(post, content=body, headers=headers("lab-3", "1000000000")).status_code == 401, "long ago"
    wrong = headers("lab-4", stamp, b"wrong") | {"X-Gitlab-Token": SECRET}
    assert served.post(post, content=body, headers=wrong).status_code == 401, "the signature alone counts"
    plain = {"X-Gitlab-Token": SECRET, "X-Gitlab-Event": "Push Hook", "X-Gitlab-Event-UUID": "lab-5"}
    assert served.post(post, content=body, headers=plain).json()["items"]
    assert served.post(post, content=body, headers=plain | {"X-Gitlab-Token": "no"}).status_code == 401


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://github.com/Team/App.git", "git@github.com:team/app"),
        ("ssh://git@git.example.org:2222/team/app.git", "https://git.example.org/team/app/"),
        ("https://user@git.example.org:8443/team/app", "git.example.org:team/app.git"),
    ],
)
def test_an_address_has_one_key_however_it_is_spelt(one: str, other: str) -> None:
    assert address_key(one) == address_key(other) != ""


def test_a_server_of_one_project_has_no_services(tmp_path: Any) -> None:
    from fourfold import Index

    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a.py").write_text("def one():\n    return 1\n", encoding="utf-8")
    with (
        Index.open(tmp_path / "project") as index,
        TestClient(create_app(index, ServeOptions(hosts=("testserver",)))) as client,
    ):
        assert not client.get("/api/v1/services").json()["items"]
        assert client.post("/api/v1/reindex", json={}, headers=WRITE).status_code == 404
        assert client.get("/api/v1/search", params={"q": "one", "service": "app"}).status_code == 400


def test_the_config_is_not_touched_by_services_of_another_file(tmp_path: Any) -> None:
    listing = tmp_path / "team.toml"
    listing.write_text('[services.web]\npath = "web"\n', encoding="utf-8")
    (service,) = load_services(listing)
    assert service == ServiceConfig("web", path=str(tmp_path / "web"), listed=str(listing))


def test_the_page_lists_services_and_syncs(served: TestClient, app: Repository, server: GitServer) -> None:
    app.commit({"src/new.py": "def brand_new_function():\n    return 1\n"})
    job = served.post("/api/v1/reindex", json={"service": "app"}, headers=WRITE).json()["items"][0]["id"]
    assert ended(served, job)["state"] == "done"
    text = served.get("/services", headers={"Accept": "text/html"}).text
    assert app.url in text and "1 added, 0 changed, 0 removed" in text and ">fresh<" in text
    row = served.get("/api/v1/services").json()["items"][0]
    assert (row["files"], row["commit"]) == (4, row["indexed_commit"])
    server.broken = 500
    served.post("/api/v1/reindex", json={"service": "app"}, headers=WRITE)
    part = served.get("/part/services", headers={"Accept": "text/html"}).text
    assert "<html" not in part and 'data-live-busy="true"' in part
    server.broken = ""


def test_the_page_narrows_to_a_service(served: TestClient) -> None:
    found = served.get("/", params={"q": "exponential back-off", "service": "app"}, headers={"Accept": "text/html"})
    assert 'data-path="src/retry.py"' in found.text and 'name="service" value="app"' in found.text
    unknown = served.get("/", params={"q": "exponential back-off", "service": "nope"}, headers={"Accept": "text/html"})
    assert unknown.status_code == 400
