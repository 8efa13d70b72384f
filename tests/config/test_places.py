"""Places of indexes: one folder a root, whatever its spelling; orphans found, nothing else."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import platformdirs
import pytest

from fourfold.config.places import (
    all_index_dirs,
    cache_dir,
    index_dir,
    orphans,
    prepare_index_dir,
    recorded_root,
    size_of,
)
from fourfold.config.platform_folders import cache_folder, config_folder
from fourfold.config.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache_dir=str(tmp_path / "cache"))


def test_the_place_is_named_after_the_root_and_its_hash(settings: Settings, tmp_path: Path) -> None:
    place = index_dir(tmp_path / "my repo", settings)
    name, _, digest = place.name.rpartition("-")
    assert name == "my_repo"
    assert len(digest) == 16
    assert set(digest) <= set("0123456789abcdef")
    assert place.parent == tmp_path / "cache" / "indexes"


def test_h8_two_roots_of_one_name_have_two_places(settings: Settings, tmp_path: Path) -> None:
    assert index_dir(tmp_path / "a" / "app", settings) != index_dir(tmp_path / "b" / "app", settings)


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_e2_one_root_has_one_place_however_it_is_written(settings: Settings, tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    expected = index_dir(real, settings)
    assert index_dir(tmp_path / "link", settings) == expected
    assert index_dir(tmp_path / "real" / ".." / "real", settings) == expected
    assert index_dir(Path(os.path.relpath(real)), settings) == expected


@pytest.mark.parametrize("name", ["...", "日本", "a/../b", "x" * 300])
def test_odd_names_give_a_plain_folder_name(settings: Settings, tmp_path: Path, name: str) -> None:
    place = index_dir(tmp_path / name, settings)
    assert place.parent == tmp_path / "cache" / "indexes"
    assert place.name.isascii()
    assert len(place.name) < 64
    assert not place.name.startswith(".")


def test_a_file_system_root_has_a_place_too(settings: Settings) -> None:
    assert index_dir(Path("/"), settings).name.startswith("root-")


def test_c14_orphans_are_indexes_whose_root_is_gone(settings: Settings, tmp_path: Path) -> None:
    kept, gone = tmp_path / "kept", tmp_path / "gone"
    for root in (kept, gone):
        root.mkdir()
        prepare_index_dir(root, settings)
    unknown = tmp_path / "cache" / "indexes" / "unknown-0000000000000000"
    unknown.mkdir()
    assert orphans(settings) == []
    place = index_dir(gone, settings)
    shutil.rmtree(gone)
    assert orphans(settings) == [place]
    assert recorded_root(place) == gone.resolve()
    assert recorded_root(unknown) is None
    assert len(all_index_dirs(settings)) == 3


def test_preparing_twice_changes_nothing_and_tags_the_cache(settings: Settings, tmp_path: Path) -> None:
    place = prepare_index_dir(tmp_path, settings)
    before = size_of(place)
    assert prepare_index_dir(tmp_path, settings) == place
    assert size_of(place) == before > 0
    tag = (cache_dir(settings) / "CACHEDIR.TAG").read_text()
    assert tag.startswith("Signature: 8a477f597d28d172789f06886806bc55")


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_an_index_is_readable_by_its_owner_only(settings: Settings, tmp_path: Path) -> None:
    assert prepare_index_dir(tmp_path, settings).stat().st_mode & 0o077 == 0


def test_without_a_cache_there_is_nothing_to_list(settings: Settings) -> None:
    assert all_index_dirs(settings) == []
    assert orphans(settings) == []


def test_the_platform_decides_where_the_cache_is() -> None:
    assert cache_dir(Settings()).name.lower() in ("fourfold", "cache")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems ask platformdirs itself")
@pytest.mark.parametrize("value", [None, "", " ", "/some/where", "~/there", "relative"])
def test_platform_folders_are_those_of_platformdirs(monkeypatch: pytest.MonkeyPatch, value: str | None) -> None:
    for variable in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        if value is None:
            monkeypatch.delenv(variable, raising=False)
        else:
            monkeypatch.setenv(variable, value)
    assert cache_folder() == Path(platformdirs.user_cache_dir("fourfold", appauthor=False))
    assert config_folder() == Path(platformdirs.user_config_dir("fourfold", appauthor=False))
