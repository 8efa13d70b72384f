"""The benchmark of routes: its truth is well formed, its counts are right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from benchmarks.routes import Count, Project, compare, found_routes, load_truth, main

COMMIT = re.compile(r"[0-9a-f]{40}")
METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "ANY"})


def test_the_truth_is_well_formed() -> None:
    projects = load_truth()
    assert sum(len(project.routes) for project in projects) >= 900
    assert len({project.framework for project in projects}) == 14
    for project in projects:
        assert COMMIT.fullmatch(project.commit)
        for method, path, file in project.routes:
            assert method in METHODS
            assert path.startswith("/")
            assert file and not file.startswith("/")


def test_only_files_of_the_truth_are_compared() -> None:
    project = Project("a/b", "0" * 40, "flask", False, frozenset({("GET", "/x", "a.py"), ("GET", "/y", "a.py")}))
    found = [("GET", "/x", "a.py"), ("GET", "/z", "a.py"), ("GET", "/x", "b.py")]
    count, missed, extra = compare(project, found)
    assert count == Count(2, 1, 1)
    assert (count.recall, count.precision) == (0.5, 0.5)
    assert missed == [("GET", "/y", "a.py")]
    assert extra == [("GET", "/z", "a.py")]


def test_routes_of_a_tree(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("from flask import Flask\n@app.route('/x')\ndef x(): ...\n")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "a.js").write_text("const app = express();\napp.get('/y', y);\n")
    assert found_routes(tmp_path) == {("GET", "/x", "app.py")}


def test_the_table_has_a_row_for_each_framework(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for project in load_truth():
        (tmp_path / project.corpus.place).mkdir(parents=True)
    main(["--corpora", str(tmp_path)])
    rows = [line.split()[0] for line in capsys.readouterr().out.strip().split("\n")]
    assert rows[0] == "framework"
    assert {project.framework for project in load_truth()} <= set(rows)
