"""Installed packages as services: once a version, whichever projects use them, and nothing of them run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fourfold import Index
from fourfold.engine.dependencies import Dependencies
from fourfold.interfaces.cli.main import run
from fourfold.model.errors import IndexUnavailable, UsageError


def installed(site: Path, name: str, version: str, files: dict[str, str]) -> None:
    """A distribution as an installer leaves it."""
    info = site / f"{name}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    for path, text in files.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text, encoding="utf-8")
    listed = [*files, f"{name}-{version}.dist-info/METADATA", "../../../bin/tool"]
    (info / "RECORD").write_text("".join(f"{path},,\n" for path in listed), encoding="utf-8")


def project(folder: Path, version: str = "1.2") -> Path:
    """A project that uses a package of its environment."""
    folder.mkdir()
    (folder / "app.py").write_text("from netlib import send\n\n\ndef main():\n    return send(1)\n", encoding="utf-8")
    site = folder / ".venv" / "lib" / "python3.11" / "site-packages"
    source = {
        "netlib/__init__.py": "from netlib.wire import send\n",
        "netlib/wire.py": 'def send(message):\n    """Puts a message on the wire."""\n    return message\n',
    }
    installed(site, "netlib", version, source)
    installed(site, "editable", "0.1", {})
    (site / "stray.py").write_text("raise SystemExit('this must never run')\n", encoding="utf-8")
    return folder


def test_packages_are_indexed_once_a_version(tmp_path: Path) -> None:
    with Index.open(project(tmp_path / "one")) as first, Index.open(project(tmp_path / "two")) as second:
        report = Dependencies(first).refresh()
        assert report.indexed == ("netlib@1.2",)
        assert len(report.left) == 1
        assert "editable 0.1" in report.left[0]
        again = Dependencies(second).refresh()
        assert (again.indexed, again.known) == ((), ("netlib@1.2",)), "another project, the same version"
    with Index.open(project(tmp_path / "three", version="1.3")) as third:
        assert Dependencies(third).refresh().indexed == ("netlib@1.3",)


def test_scopes_ask_packages_or_all(tmp_path: Path) -> None:
    with Index.open(project(tmp_path / "one")) as index:
        packages = Dependencies(index)
        with pytest.raises(IndexUnavailable, match="no dependency is indexed"):
            packages.joined("deps")
        packages.refresh()
        index.refresh()
        found = packages.joined("deps").search("put a message on the wire").items
        assert (found[0].service, found[0].path) == ("netlib@1.2", "netlib/wire.py")
        everything = packages.joined("all")
        assert {item.service for item in everything.search("send main").items} == {"one", "netlib@1.2"}
        callers = everything.usages("send").items
        assert [(item.service, item.path, item.confidence) for item in callers] == [("one", "app.py", "resolved")]
        assert not any("stray" in record for record in packages.indexes()["netlib@1.2"]._store.snapshot().records())


def test_a_version_that_was_uninstalled_is_still_answered(tmp_path: Path) -> None:
    import shutil

    folder = project(tmp_path / "one")
    with Index.open(folder) as index:
        Dependencies(index).refresh()
        shutil.rmtree(folder / ".venv")
        assert Dependencies(index).joined("deps").search("put a message on the wire").items


def test_an_environment_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with Index.open(tmp_path / "empty") as index:
        with pytest.raises(UsageError, match="has no"):
            Dependencies(index).refresh()
        with pytest.raises(UsageError, match="no Python environment"):
            Dependencies(index).refresh(python=str(tmp_path / "nowhere"))


def test_node_packages_are_those_of_the_manifest(tmp_path: Path) -> None:
    folder = tmp_path / "web"
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    (outside / "package.json").write_text('{"version": "9.9.9"}', encoding="utf-8")
    for name, version in (("left", "1.0.0"), ("@team/right", "2.0.0"), ("unasked", "3.0.0")):
        base = folder / "node_modules" / name
        base.mkdir(parents=True)
        (base / "package.json").write_text(json.dumps({"name": name, "version": version}), encoding="utf-8")
        (base / "index.js").write_text(f"export function of_{name[-4:]}() {{ return 1 }}\n", encoding="utf-8")
        (base / "node_modules" / "inner").mkdir(parents=True)
        (base / "node_modules" / "inner" / "deep.js").write_text("const deep = 1\n", encoding="utf-8")
    (folder / "node_modules" / "linked").symlink_to(outside)
    wanted = {"left": "^1", "linked": "*", "missing": "*", "../evil": "*"}
    manifest = {"dependencies": wanted, "devDependencies": {"@team/right": "2"}}
    (folder / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
    with Index.open(folder) as index:
        report = Dependencies(index).refresh(node=True)
        assert report.indexed == ("@team/right@2.0.0", "left@1.0.0")
        assert [text.partition(":")[0] for text in report.left] == ["linked", "missing"]
        records = Dependencies(index).indexes()["left@1.0.0"]._store.snapshot().records()
        assert set(records) == {"package.json", "index.js"}


def test_the_command_indexes_and_asks_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project(tmp_path / "one"))
    assert run(["search", "--scope", "deps", "wire"]) == 3
    assert run(["index", "--deps"]) == 0
    assert "1 package indexed" in capfd.readouterr().err
    assert run(["search", "--scope", "all", "message on the wire"]) == 0
    assert "netlib@1.2/netlib/wire.py" in capfd.readouterr().out
    assert run(["index", "--deps", "--dry-run"]) == 2
