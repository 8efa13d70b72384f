"""Definitions that were met beside other tools' lists and not known: each with what it must not bring along."""

from __future__ import annotations

import pytest

from fourfold.syntax.languages import language_of
from fourfold.syntax.parse import parse_file


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "a.ts",
            "class A {\n  constructor(\n    public val: string,\n    private readonly x = 1,\n    readonly q?: Q,\n"
            "    plain: number,\n  ) {\n    const local = 1;\n  }\n}\n",
            ["class A", "method A.constructor", "field A.val", "field A.x", "field A.q"],
        ),
        (
            "a.ts",
            "namespace util {\n  export const made = (x) => x;\n"
            "  export const b: N['b'] =\n    c ? (v) => v : (v) => {"
            "\n      const local = 1;\n      return v;\n    };\n}\n",
            ["module util", "function util.made", "variable util.b"],
        ),
        (
            "a.ts",
            "declare const V: string;\ndeclare global {\n  const G: number;\n  var H: 1;\n}\n"
            "export declare const E: 1;\n",
            ["variable V", "variable G", "variable H", "variable E"],
        ),
        (
            "a.lua",
            'utils.icons = once(function()\n  local ok = pcall(require, "icons")\n  return require("icons")\nend)\n'
            'local json = require("json")\n',
            ["variable utils.icons"],
        ),
        (
            "a.lua",
            "return { run = opts.run or function(x) end, other = opts.other or 1 }\n",
            ["function run"],
        ),
        (
            "A.hs",
            "module A where\n\nnewtype Size = Size { width :: Int }\n",
            ["type Size", "constant Size.Size", "field Size.width"],
        ),
        (
            "a.zig",
            "a: u8,\n\nfn Box(T: type) type {\n    return struct {\n        value: T,\n        const Self = @This();\n"
            "        fn get(self: Self) T {\n            const local = self;\n"
            "            return local.value;\n        }\n"
            "    };\n}\n\nfn plain() u8 {\n    const local = 1;\n    return local;\n}\n",
            ["field a", "struct Box", "field Box.value", "field Box.Self", "method Box.get", "function plain"],
        ),
    ],
)  # fmt: skip
def test_what_is_a_definition(path: str, text: str, expected: list[str]) -> None:
    parsed = parse_file(path, text, language_of(path))
    assert not parsed.has_errors
    assert [f"{one.kind} {one.qualified_name}" for one in parsed.symbols] == expected
