"""Field reports of group J that concern discovery: secrets and paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold.model.errors import PathOutsideRoot
from fourfold.source.read import SourceText, read_file
from fourfold.source.root import relative_path
from fourfold.source.walk import Found, Skip, WalkOptions, eligible, walk

SECRETS = [".env", "deploy/server.pem", "credentials.json", "id_rsa"]


@pytest.mark.parametrize("options", [WalkOptions(), WalkOptions(hidden=True, ignore_files=False, include=("*",))])
def test_j1_key_files_are_refused_at_every_way_in(tmp_path: Path, options: WalkOptions) -> None:
    for path in SECRETS:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("PASSWORD=hunter2\n")
    result = walk(tmp_path, options)
    assert result.found == []
    assert {skip.path: skip.reason for skip in result.skipped} == dict.fromkeys(SECRETS, "secret")
    for path in SECRETS:
        asked = eligible(tmp_path, path, options)
        read = read_file(tmp_path, Found(path, 17, 0, 0, 0), options)
        assert asked is not None
        assert isinstance(read, Skip)
        assert (asked.reason, read.reason) == ("secret", "secret")


def test_j2_tokens_in_source_never_leave_the_reader(tmp_path: Path) -> None:
    tokens = ["AKIA" + "Q3EGRWXAMPLE7K2B", "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"]
    (tmp_path / "a.py").write_text("".join(f'K{n} = "{token}"\n' for n, token in enumerate(tokens)))
    (found,) = walk(tmp_path).found
    source = read_file(tmp_path, found)
    assert isinstance(source, SourceText)
    assert source.redactions == 2
    assert source.text == "".join(f'K{n} = "{"*" * len(token)}"\n' for n, token in enumerate(tokens))


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "../repo-evil/x", "a/../../repo-evil/x", "link/x"])
def test_j4_paths_cannot_leave_the_root(tmp_path: Path, path: str) -> None:
    root = tmp_path / "repo"
    for folder in (root, tmp_path / "repo-evil"):
        folder.mkdir()
        (folder / "x").write_text("x\n")
    (root / "link").symlink_to("../repo-evil")
    with pytest.raises(PathOutsideRoot):
        relative_path(root, path)
