"""The shape of chunks: what stands alone, what is joined, what is cut."""

from __future__ import annotations

from fourfold.syntax.parse import parse_file
from fourfold.syntax.windows import BASELINE_LINES, MAX_CHARS, MAX_LINES, TARGET_CHARS


def body(lines: int, indent: str = "    ") -> str:
    return "\n".join(f"{indent}value_{n} = compute_something(value_{n - 1}, {n})" for n in range(1, lines + 1))


def chunks(text: str, path: str = "a.py", language: str = "python"):
    return parse_file(path, text, language).chunks


def test_large_definitions_keep_their_own_chunk():
    text = f"def one():\n{body(30)}\n\n\ndef two():\n{body(30)}\n"
    assert [(c.symbol, c.kind, c.start_line, c.end_line) for c in chunks(text)] == [
        ("one", "function", 1, 31),
        ("two", "function", 34, 64),
    ]


def test_small_neighbours_are_joined_up_to_the_target():
    text = "\n\n".join(f"def f{n}(x):\n    return x + {n}" for n in range(200))
    found = chunks(text)
    assert len(found) < 10
    assert all(len(c.text) <= TARGET_CHARS for c in found)
    assert {c.kind for c in found} == {"function"}
    assert {c.symbol for c in found} == {""}


def test_a_class_is_its_head_and_its_methods():
    method = body(45, " " * 8)
    text = (
        f'class A(Base):\n    """Doc."""\n\n    x = 1\n\n    def one(self):\n{method}\n\n    def two(self):\n{method}\n'
    )
    head, one, two = chunks(text)
    assert (head.kind, head.symbol, head.signature) == ("class", "A", "class A(Base)")
    assert head.text.endswith("x = 1")
    assert (one.kind, one.symbol, one.parent) == ("method", "A.one", "A")
    assert (two.kind, two.symbol, two.parent) == ("method", "A.two", "A")


def test_a_small_class_is_one_chunk():
    text = "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n"
    (only,) = chunks(text)
    assert (only.kind, only.symbol) == ("class", "A")


def test_a_long_function_is_cut_between_statements():
    steps = "\n".join(f"    if condition_{n}:\n{body(6, ' ' * 8)}" for n in range(30))
    found = chunks(f"def long(a):\n{steps}\n")
    assert len(found) > 3
    assert all(c.symbol == "long" and c.signature == "def long(a)" for c in found)
    assert all(c.end_line - c.start_line < MAX_LINES and len(c.text) <= MAX_CHARS for c in found)
    assert all(c.text.lstrip().startswith("if condition_") for c in found[1:])


def test_functions_inside_a_long_function_are_found_by_name():
    inner = f"    def inner():\n{body(40, ' ' * 8)}\n"
    found = chunks(f"def outer():\n{body(30)}\n\n{inner}\n{body(30)}\n    return inner\n")
    assert [c.symbol for c in found] == ["outer", "outer.inner", "outer"]


def test_comments_and_decorators_belong_to_what_follows():
    text = f"x = 1\n\n# Explains it.\n@decorated\ndef f():\n{body(45)}\n"
    first, second = chunks(text)[:2]
    assert first.text == "x = 1"
    assert second.text.startswith("# Explains it.\n@decorated\ndef f")


def test_decorators_of_several_lines_and_block_comments_belong_to_what_follows():
    text = (
        "const x = 1;\n\n/* Shows the page.\n   In two parts. */\n@Component({\n  selector: 'a',\n})\n"
        f"export class Page {{\n  run() {{\n{body(45)}\n  }}\n}}\n"
    )
    found = chunks(text, "a.ts", "typescript")
    assert found[1].text.startswith("/* Shows the page.")
    assert found[1].symbol == "Page"


def test_rust_attributes_of_several_lines_belong_to_what_follows():
    text = f"use a::b;\n\n#[derive(\n    Debug,\n)]\npub fn f() {{\n{body(45)}\n}}\n"
    found = chunks(text, "a.rs", "rust")
    assert found[1].text.startswith("#[derive(")


def test_elixir_doc_strings_belong_to_what_follows():
    text = f'defmodule A do\n  use B\n\n  @doc """\n  Runs.\n  """\n  def run(x) do\n{body(40)}\n  end\nend\n'
    found = chunks(text, "a.ex", "elixir")
    assert found[1].text.lstrip().startswith('@doc """')
    assert found[1].symbol == "A.run"


def test_closing_lines_stay_with_what_they_close():
    text = "class A {\n" + "\n".join(f"  int f{n}() {{\n{body(25)}\n  }}\n" for n in range(4)) + "}\n"
    found = chunks(text, "A.java", "java")
    assert found[-1].text.endswith("}\n}") or found[-1].text.endswith("}\n\n}")


def test_tables_are_cut_between_entries():
    rows = "\n".join(f'    "key_{n}": ("some value", {n}, "another value here"),' for n in range(400))
    found = chunks(f"TABLE = {{\n{rows}\n}}\n")
    assert len(found) > 8
    assert all(len(c.text) <= MAX_CHARS for c in found)
    assert {c.symbol for c in found} == {"TABLE"}
    assert all(c.text.endswith((",", "}")) for c in found)


def test_module_code_is_kept():
    text = f'"""Doc."""\nimport os\n\n\ndef f():\n{body(45)}\n\n\nif __name__ == "__main__":\n    f()\n'
    found = chunks(text)
    assert found[0].kind == "module"
    assert "__main__" in found[-1].text


def test_two_definitions_on_one_line_are_one_chunk():
    text = "class A { int f() { return 1; } int g() { return 2; } } class B { }\n"
    (only,) = chunks(text, "A.java", "java")
    assert only.text == text.rstrip("\n")


def test_the_baseline_cuts_by_lines_alone():
    text = "\n".join(f"line {n}" for n in range(1, 121))
    parsed = parse_file("a.py", text, "python", chunker="lines")
    assert [(c.start_line, c.end_line, c.kind) for c in parsed.chunks] == [
        (1, BASELINE_LINES, "window"),
        (BASELINE_LINES + 1, 2 * BASELINE_LINES, "window"),
        (2 * BASELINE_LINES + 1, 120, "window"),
    ]
    assert parsed.symbols == ()


def test_windows_prefer_blank_lines():
    block = "\n".join(f"word {n} of a paragraph that goes on" for n in range(8))
    found = parse_file("a.txt", "\n\n".join([block] * 20), "text").chunks
    assert all(c.text.startswith("word 0") for c in found)


def test_broken_source_still_gives_its_definitions():
    parsed = parse_file("a.py", f"def good():\n{body(30)}\n\n\ndef broken(:\n    x = (\n", "python")
    assert parsed.has_errors
    assert "good" in {one.name for one in parsed.symbols}


def test_text_without_lines_has_no_chunks():
    for text in ("", "\n", " \n\t\n"):
        for language in ("python", "markdown", "json", "notebook", "vue", "text", ""):
            assert parse_file("x", text, language).chunks == ()
