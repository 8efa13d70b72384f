"""A server on loopback that speaks as much of GitHub's and GitLab's interfaces as reading a repository needs."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.services.git_server import Repository

Answer = tuple[int, dict[str, str], bytes]
TOKEN = "right-token-0123456789"


class ForgeServer:
    """Serves one repository as ``/team/app``. `asked` are the requests that came, `refuse` answers in place of all,
    `spoil` changes the bytes of an archive, `private` wants :data:`TOKEN`."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.refuse: Answer | None = None
        self.spoil: Callable[[bytes], bytes] = bytes
        self.private = False
        self.elsewhere = ""
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                sent = {name.lower(): value for name, value in self.headers.items()}
                server.asked.append((self.path, sent))
                status, headers, body = server.answer(self.path, sent)
                self.send_response(status)
                for name, value in (headers | {"Content-Length": str(len(body))}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                return

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._http.server_port}/team/app"

    def stop(self) -> None:
        """End it."""
        self._http.shutdown()
        self._http.server_close()

    def answer(self, path: str, sent: dict[str, str]) -> Answer:
        """Status, headers and body."""
        if self.refuse is not None:
            return self.refuse
        token = sent.get("authorization", "").removeprefix("Bearer ") or sent.get("private-token", "")
        if self.private and token != TOKEN and not path.startswith("/signed/"):
            return (401, {}, b'{"message": "Bad credentials"}') if token else (404, {}, b'{"message": "Not Found"}')
        where = unquote(urlsplit(path).path)
        for prefix in ("/api/v3/repos/team/app/commits/", "/api/v4/projects/team/app/repository/commits/"):
            if where.startswith(prefix):
                return self._commit(where.removeprefix(prefix), sent, gitlab="v4" in prefix)
        if where.startswith("/api/v3/repos/team/app/zipball/"):
            return 302, {"Location": self.elsewhere or f"/signed/{where.rpartition('/')[2]}"}, b""
        if where == "/api/v4/projects/team/app/repository/archive.zip":
            return 200, {}, self._zip(urlsplit(path).query.removeprefix("sha="))
        if where.startswith("/signed/"):
            return 200, {}, self._zip(where.removeprefix("/signed/"))
        return 404, {}, b'{"message": "Not Found"}'

    def _commit(self, ref: str, sent: dict[str, str], *, gitlab: bool) -> Answer:
        found = self._git("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}").decode().strip()
        if not found:
            return (404, {}, b'{"message": "404 Commit Not Found"}') if gitlab else (422, {}, b"No commit found")
        etag = f'W/"{found[:16]}"'
        if sent.get("if-none-match") == etag:
            return 304, {"ETag": etag}, b""
        body = json.dumps({"id": found, "title": "x"}).encode() if gitlab else found.encode()
        return 200, {"ETag": etag}, body

    def _zip(self, commit: str) -> bytes:
        return self.spoil(self._git("archive", "--format=zip", f"--prefix=team-app-{commit[:7]}/", commit))

    def _git(self, *arguments: str) -> bytes:
        folder = self.repository.bare
        return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=False).stdout
