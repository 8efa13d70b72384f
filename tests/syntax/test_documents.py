"""Prose, notebooks, components and configuration."""

from __future__ import annotations

import json

from fourfold.syntax.parse import parse_file

PARAGRAPH = "Words that say something about the thing at hand, at some length.\n" * 12


def test_markdown_by_heading():
    text = f"# Top\n\n{PARAGRAPH}\n## Install\n\n{PARAGRAPH}\n### Linux\n\n{PARAGRAPH}\n## Use\n\n{PARAGRAPH}"
    parsed = parse_file("a.md", text, "markdown")
    assert [(c.symbol, c.parent, c.kind) for c in parsed.chunks] == [
        ("Top", "", "section"),
        ("Install", "Top", "section"),
        ("Linux", "Top / Install", "section"),
        ("Use", "Top", "section"),
    ]
    assert parsed.doc == "Top"


def test_markdown_headings_in_code_fences_are_no_headings():
    fences = "```sh\n# not a heading\n```\n\n~~~\n# nor this\n```\n# nor that\n~~~\n"
    text = f"# Top\n\n{PARAGRAPH}\n{fences}\n{PARAGRAPH}\n# Next\n{PARAGRAPH}"
    symbols = [c.symbol for c in parse_file("a.md", text, "markdown").chunks]
    assert sorted(set(symbols)) == ["Next", "Top"]


def test_markdown_front_matter_setext_and_markup():
    text = f"---\ntitle: x\n---\n\nThe *big* [one](http://x)\n=====\n\n{PARAGRAPH}\n\nSmaller `two`\n---\n\n{PARAGRAPH}"
    found = parse_file("a.md", text, "markdown").chunks
    assert [c.symbol for c in found] == ["The big one", "Smaller two"]


def test_short_sections_stay_with_the_section_above():
    text = "# Top\n\nOne.\n\n## A\n\nTwo.\n\n## B\n\nThree.\n"
    (only,) = parse_file("a.md", text, "markdown").chunks
    assert only.symbol == "Top"


def test_rst_by_heading():
    text = f"=====\nTitle\n=====\n\n{PARAGRAPH}\nPart\n====\n\n{PARAGRAPH}\nDetail\n------\n\n{PARAGRAPH}"
    found = parse_file("a.rst", text, "rst").chunks
    assert [(c.symbol, c.parent) for c in found] == [
        ("Title", ""),
        ("Part", "Title"),
        ("Detail", "Title / Part"),
    ]


def notebook(*cells, indent=1):
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4}, indent=indent)


def cell(kind, source):
    return {"cell_type": kind, "metadata": {}, "outputs": [], "source": source.splitlines(keepends=True)}


def test_notebook_cells_and_symbols_have_true_lines():
    code = "import numpy as np\n!ls\n\ndef load(path):\n    return np.load(path)\n"
    text = notebook(
        cell("markdown", "# Loading\n"),
        cell("code", code),
        cell("markdown", "# Plot\n"),
        cell("code", "plot()"),
    )
    parsed = parse_file("a.ipynb", text, "notebook")
    cells = [c for c in parsed.chunks if c.kind == "cell"]
    assert [c.symbol for c in cells] == ["Loading", "Plot"]
    (load,) = parsed.symbols
    lines = text.split("\n")
    assert "def load" in lines[load.start_line - 1]
    assert "return np.load" in lines[load.end_line - 1]
    assert parsed.imports == {"numpy", "np"}
    assert parsed.doc == "Loading"


def test_notebook_on_one_line_and_no_notebook():
    one_line = json.dumps({"cells": [cell("code", "x = 1\n")]})
    assert len(parse_file("a.ipynb", one_line, "notebook").chunks) == 1
    parsed = parse_file("a.ipynb", "{broken", "notebook")
    assert parsed.fallback.startswith("not readable as notebook")
    assert parsed.chunks[0].text == "{broken"


def test_yaml_by_top_level_key():
    jobs = "\n".join(f"  step_{n}: run something that takes a while" for n in range(45))
    text = f"# About.\nname: x\non: push\n\n# The jobs.\njobs:\n{jobs}\nmore:\n{jobs}\n"
    found = parse_file("a.yml", text, "yaml").chunks
    assert [(c.symbol, c.kind) for c in found] == [("name", "config"), ("jobs", "config"), ("more", "config")]
    assert found[1].text.startswith("# The jobs.\njobs:")


def test_toml_and_json_by_table_and_key():
    lines = "\n".join(f'key_{n} = "some value or other, not short"' for n in range(40))
    found = parse_file("a.toml", f"[tool.a]\n{lines}\n\n[tool.b]\n{lines}\n", "toml").chunks
    assert [c.symbol for c in found] == ["tool.a", "tool.b"]
    text = json.dumps(
        {"scripts": {f"s{n}": "x" * 40 for n in range(30)}, "deps": {f"d{n}": "y" * 40 for n in range(30)}},
        indent=2,
    )
    found = parse_file("a.json", text, "json").chunks
    assert [c.symbol for c in found if c.symbol] == ["scripts", "deps"]


def test_html_comments_hide_scripts():
    text = "<!-- <script>function hidden() {}</script> -->\n<script>\nfunction seen() {}\n</script>\n"
    assert [one.name for one in parse_file("a.svelte", text, "svelte").symbols] == ["seen"]


def test_scripts_that_are_data_are_not_parsed():
    text = '<script type="application/ld+json">\n{"a": 1}\n</script>\n<p>x</p>\n'
    parsed = parse_file("a.vue", text, "vue")
    assert parsed.symbols == () and parsed.fallback == ""
