"""Paths that try to leave a root, a project to try them on, and what must never be seen."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass
from pathlib import Path

OUTSIDE = "canary_of_the_outside"
"""Stands in everything that no answer may show; no path holds it."""
INSIDE = "greeting_of_the_inside"
"""Stands in the file that every entry point shows when it is asked for it."""
GOOD = "src/app.py"
_GOOD_FILES = (GOOD, "src/like_it.py")
"""Two, as what is similar to a file is another one."""

_CODE = "def {name}():\n    return '{name}'\n"
_OUTSIDE_FILES = ("outside.py", "repo-evil/x.py", "home/.ssh/id_rsa")
_INSIDE_SECRETS = (
    ".env",
    "deploy/server.pem",
    "src/ID_RSA",
    ".ENV.LOCAL",
    "café.pem",
    ".git/hidden.py",
    "ignored/x.py",
)


@dataclass(frozen=True, slots=True)
class Attack:
    """A path and the kind of trick that it is."""

    kind: str
    path: str


def make_outside(folder: Path) -> None:
    """Write what lies outside of the root ``folder/repo``: beside it, in a folder whose name begins like it."""
    for name in _OUTSIDE_FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(_CODE.format(name=OUTSIDE))


def make_inside(root: Path) -> None:
    """Write the project: one good file, files that are refused by name, and links that lead astray."""
    for name in (*_GOOD_FILES, *_INSIDE_SECRETS):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(_CODE.format(name=INSIDE if name in _GOOD_FILES else OUTSIDE))
    (root / ".gitignore").write_text("ignored/\n")
    links: dict[str, str | Path] = {
        "link.py": "../outside.py",
        "absolute.py": root.parent / "outside.py",
        "folder": "../repo-evil",
        "up": "..",
        "env.py": ".env",
        "git.py": ".git/hidden.py",
        "first.py": "second.py",
        "second.py": "link.py",
        "loop.py": "loop.py",
        "dangling.py": "../nothing.py",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)


def attacks(root: Path) -> list[Attack]:
    """Every attack on the project at `root`, whose parent holds what lies outside."""
    outside = os.fspath(root.parent / "outside.py")
    table = {
        "dots": (
            "../outside.py",
            "../../../../../../../../etc/passwd",
            "src/../../outside.py",
            "./../outside.py",
            "src/./.././../outside.py",
            "src//..//..//outside.py",
            "src/app.py/../../../outside.py",
            "no/such/../../../outside.py",
            "....//outside.py",
            "..",
            "../",
            "src/..%2f..%2foutside.py",
            "%2e%2e/outside.py",
            "..%252foutside.py",
            "~/outside.py",
        ),
        "absolute": (
            outside,
            "/" + outside,
            "//" + outside,
            "/etc/passwd",
            "/proc/self/environ",
            "/proc/self/cwd/../outside.py",
            "/dev/stdin",
            f"file://{outside}",
            f"{root}/../outside.py",
            f"{root}-evil/x.py",
            "../repo-evil/x.py",
        ),
        "link": (
            "link.py",
            "absolute.py",
            "folder/x.py",
            "folder",
            "up/outside.py",
            "up/repo-evil/x.py",
            "up/repo/../outside.py",
            "env.py",
            "git.py",
            "first.py",
            "loop.py",
            "dangling.py",
            "up",
        ),
        "inside": (".env", "deploy/server.pem", ".git/hidden.py", ".git/config", "ignored/x.py", "src/../.env"),
        "case": ("src/ID_RSA", ".ENV.LOCAL", ".ENV", ".Git/hidden.py", "Deploy/Server.PEM", "..\\OUTSIDE.PY"),
        "normalisation": (
            unicodedata.normalize("NFD", "café.pem"),
            unicodedata.normalize("NFC", "café.pem"),
            "\uff0e\uff0e/outside.py",  # full-width full stops: ".." under NFKC
            "\u2025/outside.py",  # two dot leader: ".." under NFKC
            "..\u2215outside.py",  # division slash
            "..\uff0foutside.py",  # full-width solidus
            ".\u200b./outside.py",  # zero width space between the dots
            "\u202e../outside.py",  # right-to-left override
            ".\uff45nv",  # full-width e
        ),
        "nul": ("src/app.py\0", "\0", "../outside.py\0.py", "src/app.py\0/../../outside.py", ".env\0.example"),
        "windows": (
            "..\\outside.py",
            "src\\..\\..\\outside.py",
            "C:\\Windows\\win.ini",
            "C:/Windows/win.ini",
            "c:outside.py",
            "\\\\server\\share\\outside.py",
            "//server/share/outside.py",
            "\\\\?\\C:\\outside.py",
            "//./pipe/outside",
            "//?/C:/outside.py",
            "CON",
            "src/nul",
            "aux.py",
            "COM1.txt",
            "lpt9",
            ".env::$DATA",
            ".env.",
            ".env ",
            "src/app.py::$INDEX_ALLOCATION",
        ),
        "strange": (
            "",
            " ",
            ".",
            "-",
            "--help",
            "\n",
            "a\nb",
            "\x1b[31m",
            "a" * 300,
            "a/" * 200,
            "\ud800",
            "..\udcff/outside.py",
        ),
    }
    return [Attack(kind, path) for kind, paths in table.items() for path in paths]
