"""A git server on loopback: ``git http-backend`` behind a small CGI server, with repositories that tests write to."""

from __future__ import annotations

import base64
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

GIT_ENV = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "A Person",
    "GIT_AUTHOR_EMAIL": "person@example.org",
    "GIT_COMMITTER_NAME": "A Person",
    "GIT_COMMITTER_EMAIL": "person@example.org",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
}


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder; its output."""
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=os.environ | GIT_ENV, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


class Repository:
    """A work tree, and the bare repository that the server shows of it."""

    def __init__(self, server: GitServer, name: str, files: dict[str, str]) -> None:
        self.work = server.folder / "work" / name
        self.bare = server.folder / "served" / f"{name}.git"
        self.url = f"{server.url}/{name}.git"
        self.work.mkdir(parents=True)
        git(self.work, "init", "-q", "-b", "main")
        git(server.folder, "init", "-q", "--bare", "-b", "main", str(self.bare))
        git(self.bare, "config", "uploadpack.allowFilter", "true")
        git(self.work, "remote", "add", "origin", str(self.bare))
        self.commit(files)

    def commit(self, files: dict[str, str | None], message: str = "change", *, push: bool = True) -> str:
        """Write (None: delete) files and commit; the commit's hash."""
        for path, text in files.items():
            place = self.work / path
            if text is None:
                place.unlink()
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        git(self.work, "add", "-A")
        git(self.work, "commit", "-q", "-m", message)
        if push:
            self.push("HEAD:main")
        return git(self.work, "rev-parse", "HEAD")

    def push(self, *what: str) -> None:
        """Push, by force."""
        git(self.work, "push", "-q", "--force", "origin", *what)


class GitServer:
    """Serves the repositories below `folder`; with `token` only to who brings it. `requests` are paths asked for,
    `sent` counts bytes of their answers; `broken` says how to fail: "cut" ends each pack after a few bytes, a number is
    sent as the status."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.token = ""
        self.broken: str | int = ""
        self.requests: list[str] = []
        self.sent = 0
        (folder / "served").mkdir(parents=True)
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def repository(self, name: str, files: dict[str, str]) -> Repository:
        """A new repository with one commit."""
        return Repository(self, name, files)

    def stop(self) -> None:
        """End it."""
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _handler(server: GitServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._serve(b"")

        def do_POST(self) -> None:
            if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
                self._serve(self._chunks())
            else:
                self._serve(self.rfile.read(int(self.headers.get("Content-Length", 0))))

        def _chunks(self) -> bytes:
            parts = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)

        def _serve(self, body: bytes) -> None:
            path, _, query = self.path.partition("?")
            server.requests.append(self.path)
            wanted = "Basic " + base64.b64encode(f"x-access-token:{server.token}".encode()).decode()
            if server.token and self.headers.get("Authorization") != wanted:
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="git"')
                self.end_headers()
                return
            if isinstance(server.broken, int):
                self.send_response(server.broken)
                self.end_headers()
                return
            env = {
                "PATH": os.environ["PATH"],
                "GIT_PROJECT_ROOT": str(server.folder / "served"),
                "GIT_HTTP_EXPORT_ALL": "1",
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                "REMOTE_ADDR": "127.0.0.1",
            } | {name: GIT_ENV[name] for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM")}
            done = subprocess.run(["git", "http-backend"], env=env, input=body, capture_output=True, check=False)
            head, _, data = done.stdout.partition(b"\r\n\r\n")
            fields = [line.split(": ", 1) for line in head.decode("latin-1").splitlines()]
            status = next((int(value.split()[0]) for name, value in fields if name == "Status"), 200)
            self.send_response(status)
            for name, value in fields:
                if name != "Status":
                    self.send_header(name, value)
            if server.broken == "cut" and b"PACK" in data:
                self.send_header("Content-Length", str(len(data)))
                data = data[: data.index(b"PACK") + 40]
            self.end_headers()
            server.sent += len(data)
            self.wfile.write(data)
            if server.broken == "cut":
                self.close_connection = True

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    return Handler
