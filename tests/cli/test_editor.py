"""Opening an editor: only the person's environment names it, and no shell reads the path."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fourfold.interfaces.cli.editor import editor_command, open_in_editor
from fourfold.model.errors import UsageError


@pytest.mark.parametrize(
    ("editor", "tail"),
    [
        ("vim", ["+41", "{file}"]),
        ("/usr/bin/nvim -u NONE", ["-u", "NONE", "+41", "{file}"]),
        ("code --wait", ["--wait", "--goto", "{file}:41"]),
        ("hx", ["{file}:41"]),
        ("pycharm", ["--line", "41", "{file}"]),
        ("my-own-editor", ["{file}"]),
    ],
)
def test_each_editor_is_told_the_line_its_way(editor: str, tail: list[str], tmp_path: Path) -> None:
    path = tmp_path / "a; rm -rf $HOME `x`.py"
    command = editor_command(path, 41, {"EDITOR": editor})
    assert command[1:] == [part.format(file=path) for part in tail]


def test_visual_wins_over_editor(tmp_path: Path) -> None:
    assert editor_command(tmp_path, 1, {"VISUAL": "hx", "EDITOR": "vim"})[0] == "hx"


@pytest.mark.parametrize("environ", [{}, {"EDITOR": ""}, {"EDITOR": "vim 'open"}])
def test_without_a_usable_editor_the_error_says_what_to_set(environ: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        editor_command(tmp_path, 1, environ)
    assert "EDITOR" in caught.value.hint


def test_the_editor_runs_on_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, script = tmp_path / "a b.py", tmp_path / "ed.py"
    path.write_text("x")
    script.write_text("import sys, pathlib\npathlib.Path(sys.argv[1]).write_text('edited')\n")
    monkeypatch.setenv("VISUAL", f"'{sys.executable}' '{script}'")
    open_in_editor(path, 3)
    assert path.read_text() == "edited"


def test_a_vanished_file_a_missing_editor_and_a_failing_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "no-such-editor-anywhere")
    with pytest.raises(UsageError, match="no longer there"):
        open_in_editor(tmp_path / "gone.py", 1)
    (tmp_path / "a.py").write_text("x")
    with pytest.raises(UsageError, match="cannot be started"):
        open_in_editor(tmp_path / "a.py", 1)
    monkeypatch.setenv("VISUAL", f"'{sys.executable}' -c 'raise SystemExit(3)'")
    with pytest.raises(UsageError, match="code 3"):
        open_in_editor(tmp_path / "a.py", 1)
