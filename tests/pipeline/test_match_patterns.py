"""Patterns of code: whole ones, and fragments that stand only within something else."""

from __future__ import annotations

import pytest

from fourfold.model.errors import BadPattern
from fourfold.pipeline.structure.pattern import root_of, rule_of

GO = 'package p\n\nfunc f() error {\n\tpanic("x")\n\tfmt.Println(a, b)\n\tswitch a {\n\tcase 1:\n\t}\n\treturn nil\n}\n'
PYTHON = "try:\n    a()\n    b()\nexcept ValueError as e:\n    pass\nexcept KeyError:\n    x()\nfinally:\n    y()\n"
JAVA = (
    "class A {\n  public int m(int a, int b) {\n    try { foo(1); } catch (IOException e) { bar(); baz(); }\n  }\n}\n"
)
SCRIPT = "try { foo() } catch (e) { a(); b() }\nclass Q { async m(a, b) { x(); y() } }\n"


@pytest.mark.parametrize(
    ("language", "pattern", "text", "found"),
    [
        ("go", "panic($X)", GO, ['panic("x")']),
        ("go", "fmt.Println($$$A)", GO, ["fmt.Println(a, b)"]),
        ("go", "case $X:", GO, ["case 1:"]),
        ("python", "except $E:", PYTHON, ["except ValueError as e:\n    pass", "except KeyError:\n    x()"]),
        ("python", "except $E as $N:", PYTHON, ["except ValueError as e:\n    pass"]),
        ("python", "finally:", PYTHON, ["finally:\n    y()"]),
        ("python", "for $A in $B:", "for i in x:\n    a()\n    b()\n", ["for i in x:\n    a()\n    b()"]),
        ("python", "@$D", "@a.b\ndef f(): pass\n", ["@a.b"]),
        ("python", "case $P:", "match a:\n    case 1:\n        f()\n", ["case 1:\n        f()"]),
        ("java", "foo($X)", JAVA, ["foo(1)"]),
        ("java", "catch ($E $N) { $$$ }", JAVA, ["catch (IOException e) { bar(); baz(); }"]),
        ("java", "public $T $M($$$) { $$$ }", JAVA, [JAVA[12:-3]]),
        ("typescript", "catch ($E) { $$$ }", SCRIPT, ["catch (e) { a(); b() }"]),
        ("typescript", "async $M($$$) { $$$ }", SCRIPT, ["async m(a, b) { x(); y() }"]),
        ("c", "free($P)", "int m() { free(a); }\n", ["free(a)"]),
        ("c", "int $F($$$) { $$$ }", "int m(int a) { free(a); b(); }\n", ["int m(int a) { free(a); b(); }"]),
        (
            "php",
            "catch ($E $N) { $$$ }",
            "<?php try { f(); } catch (E $e) { g(); h(); }",
            ["catch (E $e) { g(); h(); }"],
        ),
        ("rust", "$P => $V", "fn f() { match a { 1 => b, } }", ["1 => b,"]),
    ],
)
def test_a_fragment_is_read_where_it_may_stand(language: str, pattern: str, text: str, found: list[str]) -> None:
    nodes = root_of(text, language).find_all(rule_of(pattern, language))
    assert [node.text() for node in nodes] == found


@pytest.mark.parametrize(
    ("language", "pattern"),
    [
        ("go", "))"),
        ("python", "foo(("),
        ("python", "x = = 3"),
        ("java", "class {{"),
        ("javascript", "a(); b();"),
        ("c", "  "),
    ],
)
def test_what_is_no_code_anywhere_is_refused(language: str, pattern: str) -> None:
    with pytest.raises(BadPattern):
        rule_of(pattern, language)


@pytest.mark.parametrize("language", ["python", "go", "java", "php", "cpp"])
@pytest.mark.parametrize("pattern", ["@@", "{@@}", "\x00", "$$$" * 50, "(" * 5000, "\u4f60($X)", "x\n  y\n    z"])
def test_odd_patterns_are_answered_or_refused(language: str, pattern: str) -> None:
    try:
        assert rule_of(pattern, language)["rule"]["pattern"]
    except BadPattern as error:
        assert "not valid" in str(error)
