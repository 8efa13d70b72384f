"""Files that people have: after install and uninstall each is as before, byte for byte, or was refused."""

from __future__ import annotations

import json
import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.interfaces.agents.clients import CLIENTS, PROJECT, USER, Scope, found
from fourfold.interfaces.agents.edit import Refused, json_insertion, json_removal
from fourfold.interfaces.agents.instructions import BLOCK
from fourfold.interfaces.agents.jsonc import Malformed, parse
from fourfold.interfaces.agents.plan import Change, carry_out, plan_install, plan_uninstall
from fourfold.interfaces.agents.record import Records

JSON_FILES = {
    "missing": None,
    "empty": "",
    "blank": "\n  \n",
    "empty object": "{}",
    "empty object and newline": "{}\n",
    "empty servers": '{\n  "mcpServers": {}\n}\n',
    "no servers": '{\n  "theme": "dark"\n}\n',
    "other server": '{\n  "mcpServers": {\n    "git": {\n      "command": "uvx"\n    }\n  }\n}\n',
    "one line": '{"mcpServers": {"git": {"command": "uvx", "args": ["a"]}}, "x": 1}',
    "one line no servers": '{"x":1}',
    "four blanks": '{\n    "mcpServers": {\n        "git": {"command": "uvx"}\n    },\n    "z": [1, 2]\n}\n',
    "tabs": '{\n\t"mcpServers": {\n\t\t"git": {"command": "uvx"}\n\t}\n}',
    "line comments": '// a\n{\n  // b\n  "mcpServers": { // all\n    // git\n    "git": {} // last\n  }\n}\n// end',
    "block comments": '/* a */ { /* b */ "mcpServers": /* c */ {\n /* d */ } /* e */ }\n',
    "only a comment inside": '{\n  "mcpServers": {\n    // none yet\n  }\n}\n',
    "trailing commas": '{\n  "mcpServers": {\n    "git": {"args": ["a",],},\n  },\n}\n',
    "comma in a text": '{\n  "mcpServers": {\n    "git": {"command": "a,}] // no comment"}\n  }\n}\n',
    "windows line ends": '{\r\n  "mcpServers": {\r\n    "git": {}\r\n  }\r\n}\r\n',
    "byte order mark": '\ufeff{\n  "mcpServers": {}\n}\n',
    "escapes": '{"\\u006dcpServers": {"\\"x\\"": "\\\\"}, "日本": "語"}',
    "servers last": '{"a": {"mcpServers": {"no": 1}}, "mcpServers": {"git": {}}}',
}
JSON_REFUSED = {
    "servers are a list": ('{"mcpServers": []}', 'its "mcpServers" is no object'),
    "servers are null": ('{"mcpServers": null}', 'its "mcpServers" is no object'),
    "a list": ("[1]", "it is no JSON object"),
    "broken": ('{"mcpServers": {', "it is not valid JSON (line 1"),
    "two documents": ("{} {}", "behind the end"),
    "twice": ('{"mcpServers": {}, "mcpServers": {}}', 'it has "mcpServers" twice'),
    "ours but other": ('{"mcpServers": {"fourfold": {"command": "x"}}}', "of another kind"),
}
TOML_FILES = {
    "missing": None,
    "empty": "",
    "settings": '# mine\nmodel = "o"  # best\n',
    "no last line end": 'model = "o"',
    "other server": '[mcp_servers.git]\ncommand = "uvx"\n\n[mcp_servers.git.env]\nA = "b"\n\n[profiles.x]\ny = 1\n',
    "windows line ends": 'model = "o"\r\n\r\n[mcp_servers.git]\r\ncommand = "uvx"\r\n',
    "dotted": 'mcp_servers.git.command = "uvx"\n',
}
TOML_REFUSED = {
    "inline": ('mcp_servers = { git = { command = "uvx" } }\n', "a table cannot be added"),
    "an array": ('[[mcp_servers]]\nname = "git"\n', "is no table"),
    "broken": ("model = \n", "it is not valid TOML"),
    "ours but other": ('[mcp_servers.fourfold]\ncommand = "x"\n', "of another kind"),
}
TEXT_FILES = {
    "missing": None,
    "empty": "",
    "text": "# Rules\n\nBe brief.\n",
    "no last line end": "Be brief.",
    "windows line ends": "# Rules\r\n\r\nBe brief.\r\n",
    "blank lines": "a\n\n\n\n",
}


class Place:
    """A project and a home folder of the test's own."""

    def __init__(self, base: Path) -> None:
        self.scope = Scope(base / "project", base / "home", {})
        for folder in (self.scope.project, self.scope.home):
            folder.mkdir()
        self.base = base

    def records(self) -> Records:
        return Records(self.base / "cache")

    def install(self, *names: str, kind: str = PROJECT) -> list[Change]:
        changes = plan_install([CLIENTS[name] for name in names], kind, self.scope, "fourfold")
        carry_out(changes, self.records(), installing=True)
        return changes

    def uninstall(self, *names: str, kind: str = PROJECT, forget: bool = False) -> list[Change]:
        records = Records(self.base / "empty") if forget else self.records()
        changes = plan_uninstall([CLIENTS[name] for name in names], kind, self.scope, records)
        carry_out(changes, records, installing=False)
        return changes

    def state(self) -> dict[str, bytes]:
        """Every file, and every folder (with a slash), of the project and the home folder."""
        found = {}
        for top in (self.scope.project, self.scope.home):
            for path in top.rglob("*"):
                name = path.relative_to(self.base).as_posix()
                found[name if path.is_file() else f"{name}/"] = path.read_bytes() if path.is_file() else b""
        return found


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def put(path: Path, text: str | None) -> None:
    if text is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


@pytest.mark.parametrize("name", JSON_FILES)
@pytest.mark.parametrize("client", ["claude-code", "cursor", "gemini"])
def test_a_json_file_comes_back_byte_for_byte(place: Place, name: str, client: str) -> None:
    path = CLIENTS[client].config[PROJECT](place.scope)
    put(path, JSON_FILES[name])
    before = place.state()
    changes = place.install(client)
    assert not [change.refused for change in changes if change.refused]
    tree = parse(path.read_bytes().decode())
    assert tree.data["mcpServers"]["fourfold"]["command"] == "fourfold"
    old = parse(JSON_FILES[name] or "{}").data if (JSON_FILES[name] or "").strip() else {}
    del tree.data["mcpServers"]["fourfold"]
    if not tree.data["mcpServers"] and "mcpServers" not in old:
        del tree.data["mcpServers"]
    assert tree.data == old
    assert all(change.done for change in place.install(client))
    place.uninstall(client)
    assert place.state() == before


@pytest.mark.parametrize("name", JSON_FILES)
def test_without_a_record_the_entry_goes_and_all_else_stays(place: Place, name: str) -> None:
    path = CLIENTS["cursor"].config[PROJECT](place.scope)
    put(path, JSON_FILES[name])
    place.install("cursor")
    place.uninstall("cursor", forget=True)
    text = path.read_bytes().decode()
    assert "fourfold" not in text
    left = parse(text).data
    old = JSON_FILES[name]
    assert left == {"mcpServers": {}, **(parse(old).data if (old or "").strip() else {})}
    if old and '"mcpServers": {\n' in old and "git" in old:
        assert text == old


@pytest.mark.parametrize("name", JSON_REFUSED)
def test_a_json_file_that_cannot_be_edited_is_left_alone(place: Place, name: str) -> None:
    text, said = JSON_REFUSED[name]
    put(place.scope.project / ".mcp.json", text)
    change = next(change for change in place.install("claude-code") if change.what == "server")
    assert said in change.refused
    assert (place.scope.project / ".mcp.json").read_text() == text


@pytest.mark.parametrize("name", TOML_FILES)
@pytest.mark.parametrize("forget", [False, True])
def test_a_toml_file_comes_back_byte_for_byte(place: Place, name: str, forget: bool) -> None:
    path = place.scope.home / ".codex/config.toml"
    put(path, TOML_FILES[name])
    before = place.state()
    changes = place.install("codex", kind=USER)
    assert not [change.refused for change in changes if change.refused]
    assert tomllib.loads(path.read_text())["mcp_servers"]["fourfold"] == {"command": "fourfold", "args": ["mcp"]}
    place.uninstall("codex", kind=USER, forget=forget)
    if forget:
        assert path.read_bytes().decode().rstrip("\r\n") == (TOML_FILES[name] or "").rstrip("\r\n")
    else:
        assert place.state() == before


@pytest.mark.parametrize("name", TOML_REFUSED)
def test_a_toml_file_that_cannot_be_edited_is_left_alone(place: Place, name: str) -> None:
    text, said = TOML_REFUSED[name]
    put(place.scope.home / ".codex/config.toml", text)
    change = next(change for change in place.install("codex", kind=USER) if change.what == "server")
    assert said in change.refused
    assert (place.scope.home / ".codex/config.toml").read_text() == text


@pytest.mark.parametrize("name", TEXT_FILES)
def test_an_instruction_file_comes_back_byte_for_byte(place: Place, name: str) -> None:
    put(place.scope.project / "AGENTS.md", TEXT_FILES[name])
    before = place.state()
    place.install("codex", "cursor", "vscode", "zed")
    text = (place.scope.project / "AGENTS.md").read_bytes().decode()
    assert text.count("fourfold:begin") == 1
    assert text.startswith(TEXT_FILES[name] or "")
    place.uninstall("codex", "cursor", "vscode", "zed")
    assert place.state() == before


def test_the_block_has_at_most_fifteen_lines() -> None:
    assert len(BLOCK.split("\n")) + 2 <= 15


def test_what_people_wrote_since_stays(place: Place) -> None:
    agents, config = place.scope.project / "CLAUDE.md", place.scope.project / ".mcp.json"
    put(agents, "# Mine\n")
    put(config, '{\n  "mcpServers": {\n    "git": {}\n  }\n}\n')
    place.install("claude-code")
    agents.write_text(agents.read_text() + "\nAdded later.\n")
    config.write_text(config.read_text().replace('"git": {}', '"git": {"later": true}'))
    place.uninstall("claude-code")
    assert agents.read_text() == "# Mine\n\nAdded later.\n"
    assert config.read_text() == '{\n  "mcpServers": {\n    "git": {"later": true}\n  }\n}\n'


def test_a_read_only_file_is_left_alone(place: Place) -> None:
    path = place.scope.project / ".mcp.json"
    put(path, "{}")
    path.chmod(stat.S_IRUSR)
    change = place.install("claude-code")[0]
    assert change.refused == "it is read-only"
    assert path.read_text() == "{}"


def test_a_link_of_the_user_is_kept_and_its_target_edited(place: Place) -> None:
    target = place.base / "dotfiles/cursor.json"
    put(target, '{"mcpServers": {"git": {}}}')
    link = place.scope.home / ".cursor/mcp.json"
    link.parent.mkdir()
    link.symlink_to(target)
    place.install("cursor", kind=USER)
    assert link.is_symlink() and "fourfold" in target.read_text()
    place.uninstall("cursor", kind=USER)
    assert link.is_symlink() and target.read_text() == '{"mcpServers": {"git": {}}}'


def test_j4_a_link_out_of_the_project_is_left_alone(place: Place) -> None:
    outside = place.base / "authorized_keys"
    put(outside, "key\n")
    (place.scope.project / "AGENTS.md").symlink_to(outside)
    change = next(change for change in place.install("codex") if change.what == "instructions")
    assert "a link that leaves the project" in change.refused
    assert outside.read_text() == "key\n"


def test_a_file_that_is_no_utf8_and_a_folder_are_left_alone(place: Place) -> None:
    (place.scope.project / ".mcp.json").write_bytes(b"\xff\xfe{\x00}\x00")
    (place.scope.project / "CLAUDE.md").mkdir()
    refused = [change.refused for change in place.install("claude-code") if change.refused]
    assert refused == ["it is not UTF-8 text", "it is no regular file"]


def test_permissions_stay_and_a_backup_is_kept(place: Place) -> None:
    path = place.scope.project / ".mcp.json"
    put(path, '{"secret": 1}')
    path.chmod(0o640)
    place.install("claude-code")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    written = place.records().get(path.resolve())
    assert written is not None
    assert Path(written.backup).read_text() == '{"secret": 1}'
    assert stat.S_IMODE(Path(written.backup).stat().st_mode) == 0o600


def test_opencode_keeps_its_own_shapes(place: Place) -> None:
    put(place.scope.project / "opencode.jsonc", '{\n  // new\n  "mcp": {"servers": {"a": {"type": "local"}}}\n}\n')
    before = place.state()
    place.install("opencode")
    data = parse((place.scope.project / "opencode.jsonc").read_text()).data
    assert data["mcp"]["servers"]["fourfold"]["command"] == ["fourfold", "mcp"]
    place.uninstall("opencode")
    assert place.state() == before


@pytest.mark.parametrize("kind", [PROJECT, USER])
def test_every_client_round_trips_from_nothing(place: Place, kind: str) -> None:
    names = [name for name, client in CLIENTS.items() if kind in client.config]
    before = place.state()
    assert not [change.refused for change in place.install(*names, kind=kind) if change.refused]
    assert len(place.state()) > len(names)
    place.uninstall(*names, kind=kind)
    assert place.state() == before


def test_clients_are_found_by_their_folders(place: Place) -> None:
    assert found(place.scope) == []
    (place.scope.home / ".codex").mkdir()
    (place.scope.home / ".gemini").mkdir()
    assert [client.name for client in found(place.scope)] == ["codex", "gemini"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text('a"\\,/{}[]:é\n', max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab/", max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.sampled_from(["a", "b", "mcpServers"]), VALUES, max_size=3), st.sampled_from([None, 1, 2, "\t"])
)
def test_any_json_object_is_edited_reversibly(data: dict[str, object], indent: int | str | None) -> None:
    old = json.dumps(data, indent=indent)
    assert parse(old).data == data
    servers = data.get("mcpServers", {})
    try:
        insertion = json_insertion(old, ("mcpServers",), "fourfold", {"command": "x", "args": ["mcp"]})
    except Refused:
        assert not isinstance(servers, dict)
        return
    new = insertion.into(old)
    wanted = {**data, "mcpServers": {**servers, "fourfold": {"command": "x", "args": ["mcp"]}}}  # type: ignore[dict-item]
    assert json.loads(new) == wanted
    assert new.replace(insertion.text, "", 1) == old or new.count(insertion.text) != 1
    assert json.loads(json_removal(new, ("mcpServers",), "fourfold")) == {**data, "mcpServers": servers}


@given(st.text('{}[]",:/*\\\n a1', max_size=30))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        parse(text)
    except Malformed as error:
        assert error.line >= 1
