"""Layers of settings: order, origins, what a project may narrow, what happens to faults in each layer."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fourfold.config.load import MAX_CONFIG_BYTES, Loaded, load_settings, user_file
from fourfold.model.errors import BadConfig


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """An empty user file, used by :func:`load`."""
    path = tmp_path / "user.toml"
    path.write_text("")
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def load(root: Path, user: Path, overrides: dict[str, object] | None = None, **variables: str) -> Loaded:
    return load_settings(root, overrides, environ={"FOURFOLD_CONFIG": str(user), **variables})


def test_without_any_layer_everything_is_a_default(root: Path, user: Path) -> None:
    loaded = load(root, user)
    assert set(loaded.origins.values()) == {"default"}
    assert loaded.warnings == ()


def test_each_layer_wins_over_the_one_below_and_says_so(root: Path, user: Path) -> None:
    user.write_text("[search]\nlimit = 50\n[index]\nworkers = 3\n")
    loaded = load(root, user)
    assert (loaded.settings.search.limit, loaded.origins["search.limit"]) == (50, f"user file {user}")

    (root / "fourfold.toml").write_text("[search]\nlimit = 40\n")
    loaded = load(root, user)
    assert (loaded.settings.search.limit, loaded.origins["search.limit"]) == (40, "project fourfold.toml")

    loaded = load(root, user, FOURFOLD_SEARCH_LIMIT="60")
    assert loaded.settings.search.limit == 60
    assert loaded.origins["search.limit"] == "environment FOURFOLD_SEARCH_LIMIT"

    loaded = load(root, user, {"search.limit": 70, "search.preset": None}, FOURFOLD_SEARCH_LIMIT="60")
    assert (loaded.settings.search.limit, loaded.origins["search.limit"]) == (70, "flag")
    assert loaded.origins["search.preset"] == "default"
    assert (loaded.settings.index.workers, loaded.origins["index.workers"]) == (3, f"user file {user}")


def test_top_level_keys_and_their_variables(root: Path, user: Path) -> None:
    user.write_text('cache_dir = "/a"\n')
    assert load(root, user).settings.cache_dir == "/a"
    assert load(root, user, FOURFOLD_CACHE_DIR="/b").settings.cache_dir == "/b"
    assert load(root, user, FOURFOLD_CACHE_DIR="").settings.cache_dir == "/a"


def test_a_project_adds_patterns_and_the_user_wins_on_languages(root: Path, user: Path) -> None:
    user.write_text('[index]\nexclude = ["a"]\nlanguages = { kjs = "javascript" }\n')
    (root / "pyproject.toml").write_text(
        '[tool.fourfold.index]\nexclude = ["b", "a"]\nlanguages = { kjs = "python", ".rsc" = "rust" }\n'
    )
    loaded = load(root, user)
    assert loaded.settings.index.exclude == ("a", "b")
    assert loaded.settings.index.languages == {"kjs": "javascript", "rsc": "rust"}
    assert loaded.origins["index.exclude"] == f"user file {user} + project pyproject.toml"


def test_fourfold_toml_wins_over_pyproject(root: Path, user: Path) -> None:
    (root / "pyproject.toml").write_text("[tool.fourfold.search]\nlimit = 3\n")
    assert load(root, user).settings.search.limit == 3
    (root / "fourfold.toml").write_text("[search]\nlimit = 4\n")
    assert load(root, user).settings.search.limit == 4


def test_a_pyproject_without_our_table_is_no_layer(root: Path, user: Path) -> None:
    (root / "pyproject.toml").write_text('[project]\nname = "x"\n')
    assert load(root, user).warnings == ()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[index]\nmax_file_bytes = 5_000_000\n", "index.max_file_bytes"),
        ("[index]\nhidden = true\n", "index.hidden"),
        ("[index]\nredact_secrets = false\n", "index.redact_secrets"),
        ("[index]\nnested_repos = true\n", "index.nested_repos"),
        ("[index]\nworkers = 64\n", "index.workers"),
        ("[index]\nparse_deadline_s = 500\n", "index.parse_deadline_s"),
        ('[index]\ninclude = ["../../etc"]\n', "index.include"),
        ('[index]\nexclude = ["!private/**"]\n', "index.exclude"),
        ('[index]\nchunker = "lines"\n', "index.chunker"),
        ("[search]\nlimit = 500\n", "search.limit"),
        ("[search]\nrefresh = false\n", "search.refresh"),
        ('[embedding]\nmodel = "none"\n', "embedding.model"),
        ('store = "local"\n', "store"),
        ('cache_dir = "/tmp/elsewhere"\n', "cache_dir"),
        ('log_level = "debug"\n', "log_level"),
    ],
)
def test_j6_a_project_cannot_widen(root: Path, user: Path, text: str, key: str) -> None:
    before = load(root, user).settings
    (root / "fourfold.toml").write_text(text)
    loaded = load(root, user)
    assert loaded.settings == before
    assert loaded.origins[key] == "default"
    assert len(loaded.warnings) == 1
    assert key in loaded.warnings[0]


@pytest.mark.parametrize(
    "content",
    [
        b"[index\n",
        b"index = 3\nsearch = []\n",
        b"\xff\xfe\x00",
        b"x = " + b"[" * 20_000,
        b"#" * (MAX_CONFIG_BYTES + 1),
        b"[index]\nunknown = 1\n",
        b"[surch]\nlimit = 1\n",
        b"[search]\nlimit = 'ten'\n",
    ],
)
def test_f12_a_malformed_project_file_warns_and_changes_nothing(root: Path, user: Path, content: bytes) -> None:
    before = load(root, user).settings
    (root / "fourfold.toml").write_bytes(content)
    loaded = load(root, user)
    assert loaded.settings == before
    assert loaded.warnings
    assert all("fourfold.toml" in warning and len(warning) < 400 for warning in loaded.warnings)


def test_one_bad_key_of_a_project_does_not_cost_the_others(root: Path, user: Path) -> None:
    (root / "fourfold.toml").write_text("[search]\nlimt = 3\nlimit = 4\n")
    loaded = load(root, user)
    assert loaded.settings.search.limit == 4
    assert "search.limit" in loaded.warnings[0]


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_a_project_file_that_links_out_of_the_root_is_not_read(root: Path, user: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.toml"
    outside.write_text("[search]\nlimit = 2\n")
    (root / "fourfold.toml").symlink_to(outside)
    loaded = load(root, user)
    assert loaded.settings.search.limit == 10
    assert "leaves the project" in loaded.warnings[0]


def test_a_bom_in_a_configuration_file_is_no_fault(root: Path, user: Path) -> None:
    user.write_bytes(b"\xef\xbb\xbf[search]\r\nlimit = 7\r\n")
    assert load(root, user).settings.search.limit == 7


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[search]\nlimt = 3\n", "search.limt"),
        (b"[search\n", "not valid TOML"),
        (b"\xff", "UTF-8"),
        (b"[search]\nlimit = 0\n", "search.limit"),
    ],
)
def test_a_fault_in_the_user_file_is_an_error_that_names_it(root: Path, user: Path, content: bytes, said: str) -> None:
    user.write_bytes(content)
    with pytest.raises(BadConfig) as caught:
        load(root, user)
    assert said in caught.value.message
    assert str(user) in caught.value.message


def test_a_wrong_variable_is_an_error_and_an_unknown_one_a_warning(root: Path, user: Path) -> None:
    with pytest.raises(BadConfig, match="FOURFOLD_SEARCH_LIMIT"):
        load(root, user, FOURFOLD_SEARCH_LIMIT="ten")
    loaded = load(root, user, FOURFOLD_CACHE_DIRR="/x", FOURFOLD_DISABLE_PLUGINS="1")
    assert loaded.warnings == ("FOURFOLD_CACHE_DIRR is not a setting; did you mean FOURFOLD_CACHE_DIR?",)


def test_an_unknown_flag_key_is_an_error(root: Path, user: Path) -> None:
    with pytest.raises(BadConfig, match=r"index\.exlude"):
        load(root, user, {"index.exlude": ("a",)})


def test_a_named_user_file_must_exist(root: Path, tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="does not exist"):
        load(root, tmp_path / "none.toml")


def test_the_platform_decides_where_the_user_file_is() -> None:
    assert user_file({}).parts[-2:] == ("fourfold", "config.toml")


def test_without_a_root_there_is_no_project_layer(root: Path, user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "fourfold.toml").write_text("[search]\nlimit = 2\n")
    monkeypatch.chdir(root)
    assert load_settings(None, environ={"FOURFOLD_CONFIG": str(user)}).settings.search.limit == 10
