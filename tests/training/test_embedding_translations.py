"""Bilingual texts are read from the packages that hold them."""

from __future__ import annotations

import json
import tarfile
from io import BytesIO
from pathlib import Path

import pytest
from benchmarks.embedding_messages import english_messages
from training.embedding import archives
from training.embedding.packages import SOURCES, Package, archives_of
from training.embedding.translations import Translation, translations_of

PO = 'msgid "Delete the file"\nmsgstr "Eliminar el archivo"\n'


def _package(corpora: Path, name: str, files: dict[str, str]) -> Package:
    folder = corpora / SOURCES / "npm"
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(folder / f"{name}-1.0.tgz", "w:gz") as packed:
        for path, text in files.items():
            info = tarfile.TarInfo(f"package/{path}")
            info.size = len(text.encode())
            packed.addfile(info, BytesIO(text.encode()))
    return Package("npm", name, "1.0", "MIT", "translations")


def test_sheets_and_catalogues_are_read_and_barred_messages_are_not(tmp_path: Path) -> None:
    files = {
        "locales/en-US/editor.json": json.dumps({"open": "Open the file", "save": "Save the flow"}),
        "locales/de/editor.json": json.dumps({"open": "Datei öffnen", "save": "Flow speichern"}),
        "locale/es_ES/LC_MESSAGES/app.po": PO,
        "pack/locale/zh_CN/LC_MESSAGES/lab.json": json.dumps({"": {}, "menu\x04Run all cells": ["运行所有单元格"]}),
        "locale/zh_Hant_TW/LC_MESSAGES/app.po": 'msgid "Delete"\nmsgstr "刪除"\n',
    }
    package = _package(tmp_path, "app", files)
    found = set(translations_of(package, tmp_path, frozenset({"Save the flow"})))
    assert found == {
        Translation("Open the file", "Datei öffnen", "de", "npm--app"),
        Translation("Delete the file", "Eliminar el archivo", "es", "npm--app"),
        Translation("Run all cells", "运行所有单元格", "zh", "npm--app"),
    }


def test_the_documents_of_one_package_are_read_block_by_block(tmp_path: Path) -> None:
    documents = {
        "en-US": {"/a": {"html": "<p>Quits the app</p>"}},
        "ja-JP": {"/a": {"html": "<p>アプリを終了する</p>"}},
    }
    files = {"dist/docs.json": json.dumps(documents, ensure_ascii=False)}
    (one,) = translations_of(_package(tmp_path, "electron-i18n", files), tmp_path)
    assert (one.english, one.foreign, one.language) == ("Quits the app", "アプリを終了する", "ja")
    assert list(translations_of(_package(tmp_path, "other", files), tmp_path)) == []


def test_catalogues_may_be_larger_than_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_BYTES", 10)
    package = _package(tmp_path, "app", {"locale/es/app.po": PO, "locale/es/app.js": PO})
    (archive,) = archives_of(package, tmp_path / SOURCES / "npm")
    assert [path for path, _ in archives.members(archive)] == ["locale/es/app.po"]


def test_an_epoch_stands_in_the_name_of_what_apt_fetched(tmp_path: Path) -> None:
    package = Package("deb", "wordnet-base", "1:3.0-37", "WordNet-3.0", "translations")
    for name in ("wordnet-base_1%3a3.0-37_all.deb", "wordnet-base_2.0-1_all.deb"):
        (tmp_path / name).touch()
    assert [path.name for path in archives_of(package, tmp_path)] == ["wordnet-base_1%3a3.0-37_all.deb"]


def test_what_is_measured_on_is_barred(tmp_path: Path) -> None:
    assert english_messages(tmp_path) == frozenset()
    place = tmp_path / "django" / "contrib" / "admin" / "locale" / "es" / "LC_MESSAGES" / "django.po"
    place.parent.mkdir(parents=True)
    place.write_text(PO, "utf-8")
    assert english_messages(tmp_path) == {"Delete the file"}
