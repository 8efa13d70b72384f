"""Which language a file is, and what a filter value means."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fourfold.model.errors import BadFilter
from fourfold.syntax.languages import LANGUAGES, language_of, resolve_language
from fourfold.syntax.languages.registry import aliases, by_extension


@pytest.mark.parametrize(
    ("path", "head", "language"),
    [
        ("src/a.py", "", "python"),
        ("A.PY", "", "python"),
        ("a.tsx", "", "typescript"),
        ("a.mjs", "", "javascript"),
        ("x/App.vue", "", "vue"),
        ("a.svelte", "", "svelte"),
        ("nb.ipynb", "", "notebook"),
        ("Dockerfile", "", "dockerfile"),
        ("Dockerfile.prod", "", "dockerfile"),
        ("deploy/Makefile", "", "makefile"),
        ("CMakeLists.txt", "", "cmake"),
        ("requirements-dev.txt", "", "text"),
        ("Gemfile", "", "ruby"),
        ("README", "", "text"),
        ("main.tf", "", "terraform"),
        ("bin/tool", "#!/usr/bin/env python3", "python"),
        ("bin/tool", "#!/usr/bin/env -S python3.11 -u", "python"),
        ("bin/tool", "#!/bin/sh", "bash"),
        ("bin/tool", "#! /usr/local/bin/ruby2.7 -w", "ruby"),
        ("bin/tool", "#!/usr/bin/env node", "javascript"),
        ("bin/tool", "# -*- mode: ruby -*-", "ruby"),
        ("bin/tool", "plain words", ""),
        ("bin/tool", "", ""),
        ("a.unknownext", "", ""),
        ("noext", "#!/usr/bin/env", ""),
        (".bashrc", "", "bash"),
        ("x.h", "int f(void);", "c"),
        ("x.h", "#pragma once\nnamespace a {\n", "cpp"),
        ("x.h", "template <typename T>\nclass A;\n", "cpp"),
        ("x.h", "#import <Foundation/Foundation.h>\n@interface A\n@end\n", "objc"),
        ("x.m", "@implementation A\n@end\n", "objc"),
        ("x.m", "function y = f(x)\ny = x;\nend\n", "matlab"),
        ("lib/x.t", "use strict;\n", "perl"),
    ],
)
def test_language_of(path, head, language):
    assert language_of(path, head) == language


def test_overrides_win_and_bad_ones_are_ignored():
    overrides = {".kjs": "js", "BUILD.custom": "python", "inc": "php", ".zzz": "no such"}
    assert language_of("a/x.kjs", overrides=overrides) == "javascript"
    assert language_of("BUILD.custom", overrides=overrides) == "python"
    assert language_of("x.inc", overrides=overrides) == "php"
    assert language_of("x.zzz", overrides=overrides) == ""
    assert language_of("x.py", overrides={".py": "text"}) == "text"


@pytest.mark.parametrize(
    ("typed", "language"),
    [
        ("py", "python"), ("ts", "typescript"), ("TSX", "typescript"), ("c++", "cpp"), ("C#", "csharp"),
        ("cs", "csharp"),
        ("golang", "go"), ("sh", "bash"), (".rs", "rust"), ("yml", "yaml"), (" Python ", "python"),
        ("objective-c", "objc"),
        ("d", "d"), ("r", "r"), ("hcl", "terraform"), ("md", "markdown"),
    ],
)  # fmt: skip
def test_resolve_language(typed, language):
    assert resolve_language(typed) == language


def test_unknown_language_names_the_nearest():
    with pytest.raises(BadFilter, match="no language called 'pyton'") as caught:
        resolve_language("pyton")
    assert "python" in caught.value.hint
    with pytest.raises(BadFilter) as caught:
        resolve_language("")
    assert caught.value.hint


def test_tables_are_consistent():
    assert len({language.name for language in LANGUAGES.values()}) == len(LANGUAGES)
    for language in LANGUAGES.values():
        assert language.name == language.name.lower()
        for extension in language.extensions:
            assert extension.startswith(".") and extension == extension.lower()
        for name in (*language.filenames, *language.aliases, *language.shebangs):
            assert name == name.lower()
    assert set(by_extension().values()) <= set(LANGUAGES)
    assert all(aliases()[name] == name for name in LANGUAGES)


def test_asking_for_a_language_loads_no_grammar():
    code = (
        "import sys; from fourfold.syntax.languages import language_of; from fourfold.syntax.parse import parse_file;"
        "language_of('a.py'); parse_file('a.md', '# T', 'markdown');"
        "assert not [name for name in sys.modules if name.startswith('tree_sitter')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
