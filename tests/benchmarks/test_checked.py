"""Lists of hand-checked definitions are scored by place and by name with owners."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.structure import checked
from benchmarks.structure.site import ToolMissing

ZIG = "a: u8,\nfn Box(T: type) type {\n    return struct {\n        value: T,\n        fn get() void {}\n    };\n}\n"


def test_a_list_is_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [[1, "constant", "a"], [2, "struct", "Box"], [4, "field", "Box.other"], [5, "field", "Box.get"]]
    listed = {"commit": "0" * 40, "files": {"box.zig": rows}}
    (tmp_path / "zig.json").write_text(json.dumps(listed))
    (tmp_path / "box.zig").write_text(ZIG)
    monkeypatch.setattr(checked, "FOLDER", tmp_path)
    found, more = checked.check("zig", tmp_path)
    assert [(row.found, row.same_sort) for row in found] == [(True, True), (True, True), (False, False), (True, False)]
    assert [one.qualified_name for _, one in more] == ["Box.value"]
    first = next(checked.lines_of("zig", found, more, 5))
    assert first.startswith(
        "zig: 3 of 4 definitions found (0.750), 3 under their bare name, 2 of the same sort; 1 told"
    )


def test_another_repository_is_said(tmp_path: Path) -> None:
    with pytest.raises(ToolMissing, match="dart, scala, swift, zig"):
        checked.report(tmp_path, 0)


@pytest.mark.parametrize("language", checked.languages())
def test_every_list_holds_a_hundred(language: str) -> None:
    listed = json.loads((checked.FOLDER / f"{language}.json").read_text("utf-8"))
    assert sum(len(rows) for rows in listed["files"].values()) == 100
    assert len(listed["commit"]) == 40
