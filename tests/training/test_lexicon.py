"""Making the glossaries: aligning documents, cutting runs, learning what words mean."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

pytest.importorskip("training.lexicon")

from training.lexicon.__main__ import glossary
from training.lexicon.documents import aligned, notebook_cells, xliff_units
from training.lexicon.entries import entries
from training.lexicon.model import fit, turned
from training.lexicon.segment import Segmenter, runs
from training.lexicon.sources import load_sources
from training.lexicon.wordnets import english_words, word_pairs

ENGLISH = "# Caches\n\nA cache [holds](x) values.\n\n```\ncode\n```\n\n- one\n- two\n"
GERMAN = "# Zwischenspeicher\n\nEin Cache [hält](x) Werte.\n\n```\ncode\n```\n\n- eins\n- zwei\n"


def test_paragraphs_at_the_same_place_correspond() -> None:
    assert list(aligned(ENGLISH, GERMAN)) == [
        ("Caches", "Zwischenspeicher"),
        ("A cache holds values.", "Ein Cache hält Werte."),
        ("one", "eins"),
        ("two", "zwei"),
    ]


def test_a_section_of_another_length_gives_its_heading_alone() -> None:
    assert list(aligned(ENGLISH, GERMAN.replace("- zwei\n", ""))) == [("Caches", "Zwischenspeicher")]
    assert list(aligned(ENGLISH, GERMAN + "\n# Noch eins\n")) == []


def test_cells_correspond_by_their_identifiers() -> None:
    def notebook(*cells: tuple[str, str]) -> str:
        made = [{"cell_type": "markdown", "metadata": {"id": key}, "source": [text]} for key, text in cells]
        return json.dumps({"cells": made})

    english = notebook(("a", "Train the model"), ("b", "Test it"))
    assert list(notebook_cells(english, notebook(("b", "Prüfe es"), ("c", "Neu")))) == [("Test it", "Prüfe es")]
    assert list(notebook_cells(english, "no notebook")) == []


def test_units_of_xliff_that_are_translated() -> None:
    text = (
        '<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2"><file><body>'
        '<trans-unit id="1"><source>File not found</source><target state="translated">Datei fehlt</target></trans-unit>'
        '<trans-unit id="2"><source>New one</source><target state="new">Neu</target></trans-unit>'
        "</body></file></xliff>"
    )
    assert list(xliff_units(text)) == [("File not found", "Datei fehlt")]


def test_runs_are_cut_at_the_pieces_that_occur_often() -> None:
    texts = ["数据"] * 40 + ["连接"] * 40 + ["数据连接"] * 20 + ["キャッシュ"] * 5 + ["的"]
    cut = Segmenter(texts)
    assert cut("数据连接的キャッシュ") == ["数据", "连接", "的", "キャッシュ"]
    assert list(runs("abc 数据ﾃﾞｰﾀ")) == ["数据", "データ"]


def test_what_stands_together_is_what_is_meant() -> None:
    """Two texts tell apart what one alone could not: with "casa azul" = "blue house" and "casa" = "house", blue is
    azul (Knight's example of Model 1)."""
    pairs = [([1, 2], [1, 2]), ([1], [1])]
    table = fit(pairs, rounds=20)
    found = {(s, t): p for s, t, p, _ in table.rows()}
    assert found[2, 2] > 0.9 > found[2, 1]
    for source in (0, 1, 2):
        assert np.isclose(sum(p for (s, _), p in found.items() if s == source), 1.0)
    assert turned(pairs) == [([1, 2], [1, 2]), ([1], [1])]


def test_entries_give_the_sure_meanings() -> None:
    pairs = [([1], [1]), ([1], [1]), ([1, 2], [1, 2]), ([2], [2])]
    found = {word: meanings for word, meanings, _ in entries(pairs, ["", "casa", "azul"], ["", "house", "blue"])}
    assert found == {"casa": ["house"], "azul": ["blue"]}


def test_a_glossary_of_a_few_texts() -> None:
    texts = [("save the file", "guardar el fichero"), ("delete the file", "borrar el fichero")] * 6
    texts += [("save the user", "guardar el usuario"), ("delete the user", "borrar el usuario")] * 6
    found = glossary("es", texts, [])
    assert Counter(meanings[0] for meanings in found.values()) == {"save": 1, "delete": 1, "file": 1, "user": 1}
    assert found["fichero"] == ["file"]


def test_wordnets_share_their_meanings() -> None:
    files = dict.fromkeys(("data.verb", "data.adj", "data.adv"), "  1 licence\n")
    files["data.noun"] = "  1 licence\n00001740 03 n 02 rare_word 0 prime_number 0 000 | a number\n"
    files["cntlist.rev"] = "prime_number%1:00:00:: 1 3\n"
    table = "# head\n00001740-n\tcmn:lemma\t素数\n00001740-n\tcmn:def\t0\tx\n99999999-n\tcmn:lemma\t无\n"
    assert list(word_pairs(table, english_words(files))) == [("prime number", "素数"), ("rare word", "素数")]


def test_sources_name_their_commit_and_licence() -> None:
    for source in load_sources():
        assert len(source.commit) == 40
        assert source.licence in {"Apache-2.0", "CC-BY-4.0", "MIT"}
