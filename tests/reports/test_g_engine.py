"""Field reports of group G (ranking and questions), acted out on an index."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.reports.project import Project, paths

from fourfold.model.errors import BadPattern, BadQuery
from fourfold.model.query import MAX_QUERY_CHARS, Filters
from fourfold.rank.listing import PLACES_OF_A_FILE

DEAD_CODE = {
    "src/dead_code.py": '"""Finds code that nothing reaches."""\n\n\n'
    "def detect_dead_code(graph, roots):\n"
    '    """Every function that no root reaches is dead."""\n'
    "    reached = set(roots)\n    return [name for name in graph if name not in reached]\n",
    "src/report.py": "def render(names):\n    return ', '.join(names)\n",
}
TEST_OF_DEAD_CODE = (
    "from src.dead_code import detect_dead_code\n\n\n"
    "def test_dead_code_is_detected():\n    # how dead code is detected: detect dead code, dead code detection\n"
    "    assert detect_dead_code({'dead': 1}, []) == ['dead']\n"
)


@pytest.mark.parametrize("question", ["how is dead code detected", "where is dead code found", "dead code detection"])
def test_g1_the_implementation_stands_above_its_tests(project: Project, question: str) -> None:
    project.write(DEAD_CODE)
    project.write({f"tests/test_dead_code_{number}.py": TEST_OF_DEAD_CODE for number in range(6)})
    assert paths(project.index().search(question))[0] == "src/dead_code.py"


def test_g1_tests_come_first_where_they_are_asked_for_by_a_whole_word(project: Project) -> None:
    project.write({**DEAD_CODE, "tests/test_dead_code.py": TEST_OF_DEAD_CODE})
    index = project.index()
    assert paths(index.search("tests of dead code detection"))[0] == "tests/test_dead_code.py"
    assert paths(index.search("latest dead code detection"))[0] == "src/dead_code.py"


def test_g3_documents_do_not_crowd_out_code(project: Project) -> None:
    project.write(DEAD_CODE)
    project.write(
        {
            f"{folder}/page{number}.md": "# Dead code\n\nHow dead code is detected: detect dead code.\n"
            for folder in ("docs", "archive")
            for number in range(8)
        }
    )
    project.write({"docs/dead_code.md": "# Dead code\n\nDead code is code that nothing reaches.\n"})
    project.write({"CHANGELOG.md": "# Changes\n\n- dead code is detected\n" * 20})
    index = project.index()
    assert paths(index.search("how is dead code detected"))[0] == "src/dead_code.py"
    assert paths(index.search("documentation of dead code"))[0].endswith(".md")
    kinds = {item.kind for item in index.search("how is dead code detected kind:function").items}
    assert kinds == {"function"}


def test_g4_the_definition_stands_above_its_mentions(project: Project) -> None:
    project.write({"z/parse.py": "def parse_url(text):\n    return text.split('/')\n"})
    project.write(
        {
            f"a/caller{number}.py": "from z.parse import parse_url\n\nparse_url(parse_url('parse_url'))\n"
            for number in range(30)
        }
    )
    index = project.index()
    for question in ("where is parse_url defined", "parse_url", "def parse_url", "what does parse_url do"):
        assert paths(index.search(question))[0] == "z/parse.py", question


@pytest.mark.parametrize(
    "question",
    [
        "where is filter_dicts_by_key defined",
        "please tell me where on earth filter_dicts_by_key lives",
        "can you find filter_dicts_by_key for me in this code base?",
        "filter_dicts_by_key在哪里定义",
        "I got an error in `filter_dicts_by_key()` yesterday, what does it do?",
    ],
)
def test_g5_prose_around_a_name_does_not_hide_it(project: Project, question: str) -> None:
    project.write(DEAD_CODE)
    project.write({"src/rows.py": "def filter_dicts_by_key(rows, key):\n    return [r for r in rows if key in r]\n"})
    assert paths(project.index().search(question))[0] == "src/rows.py"


def test_g5_absence_is_never_claimed_of_a_name_that_is_not_defined(project: Project) -> None:
    result = project.write(DEAD_CODE).index().search("where is detect_dead_codes defined")
    assert paths(result)[0] == "src/dead_code.py"
    assert "read as detect_dead_code" in (result.meta.suggestion or "")


def test_g7_a_long_file_does_not_fill_the_page_and_its_places_never_overlap(project: Project) -> None:
    functions = "\n\n".join(
        f"def parse_config_{number}(path):\n"
        f'    """Parse the config of part {number}."""\n'
        + "".join(f"    config_{line} = read_config(path, {line})\n" for line in range(30))
        for number in range(12)
    )
    project.write({"long.py": functions})
    project.write({f"short{n}.py": f"def config_{n}(path):\n    return parse(path, {n})\n" for n in range(6)})
    items = project.index().search("parse config").items
    assert len({item.path for item in items}) == 7
    of_long = [item for item in items if item.path == "long.py"]
    assert len(of_long) <= PLACES_OF_A_FILE
    for places in (
        [(item.start_line, item.end_line) for item in of_long],
        [(of_long[0].start_line, of_long[0].end_line), *((start, end) for start, end, _ in of_long[0].more)],
    ):
        assert len(places) > 1
        assert all(before[1] < after[0] for before, after in pairwise(sorted(places)))


def test_g8_every_matching_line_is_listed(project: Project) -> None:
    project.write({"a.py": "".join(f"value_{number} = {number}\n" for number in range(400))})
    result = project.index().grep(r"value_\d+")
    assert [line.line for line in result.items] == list(range(1, 401))
    assert not result.meta.truncated


@pytest.mark.parametrize(("pattern", "at"), [("foo(", "4"), ("a)b", "2"), ("[a-", "1"), ("*x", "1"), ("(?P<x", "")])
def test_g10_a_bad_pattern_is_an_error_with_its_place_and_a_way_out(project: Project, pattern: str, at: str) -> None:
    index = project.write({"a.py": "foo(bar)\n"}).index()
    with pytest.raises(BadPattern) as caught:
        index.grep(pattern)
    assert at in caught.value.message
    ran = project.run("grep", "--", pattern)
    assert (ran.code, ran.out) == (2, "")
    assert "-F" in ran.err
    assert index.grep("foo(", literal=True).items[0].line == 1


def test_g10_a_catastrophic_pattern_ends(project: Project) -> None:
    index = project.write({"a.py": "a" * 400 + "!\n"}).index()
    for pattern in (r"(a+)+$", r"(?=(a+)+$)b", r"(a|a)*b", r"(.*)*x"):
        result = index.grep(pattern)
        assert result.items == () or result.items[0].path == "a.py"


@pytest.mark.parametrize(
    "text", ["@nasa", "a-b", "don't", "GB/s", "foo.bar(", "C++", "a AND b", 'say "x"', "NEAR(", "x*"]
)
def test_g11_punctuation_is_text_everywhere(project: Project, text: str) -> None:
    index = project.write({"a.py": f"# left {text} right\n", "b.py": "nothing = 0\n"}).index()
    assert paths(index.grep(text, literal=True)) == ["a.py"]
    result = index.search(text)
    assert result.items[0].path == "a.py"
    ran = project.run("grep", "-F", "--", text)
    assert ran.out == f"a.py:1:# left {text} right\n"


@pytest.mark.parametrize("text", ["认证", "審批流程", "認証トークン", "인증"])
def test_g12_words_of_other_scripts_are_found(project: Project, text: str) -> None:
    index = project.write(
        {"a.py": f"def check(token):\n    # 用户{text}失败\n    return token\n", "b.py": "def other():\n    return 2\n"}
    ).index()
    assert paths(index.search(text))[0] == "a.py"
    assert index.grep(text).items[0].line == 2


def test_g12_one_character_of_a_longer_word_is_found_by_grep(project: Project) -> None:
    index = project.write({"a.py": "# 用户认证失败\nneedle = 1\n", "b.py": "needle = 2\n"}).index()
    assert paths(index.grep("证")) == ["a.py"]
    assert paths(index.search('"证"')) == ["a.py"]


def test_g14_a_pasted_trace_is_answered_by_its_names_and_the_limit_is_said(project: Project) -> None:
    project.write(DEAD_CODE)
    project.write({"src/ring.py": "class ShardRing:\n    def pick_shard(self, key):\n        raise KeyError(key)\n"})
    project.write({f"src/part{n}.py": f"def part_{n}(value):\n    return value + {n}\n" for n in range(12)})
    index = project.index()
    frames = "".join(f'  File "/srv/app/lib_{n}.py", line {n}, in handler_{n}\n    go()\n' for n in range(120))
    own = '  File "ring.py", line 3, in pick_shard\n'
    for trace in (f"{own}{frames}", f"{frames}{own}"):
        question = f"Traceback (most recent call last):\n{trace}KeyError: 'x9'"
        assert "src/ring.py" in paths(index.search(question))[:3]
    with pytest.raises(BadQuery, match=f"{MAX_QUERY_CHARS:,}"):
        index.search("x " * MAX_QUERY_CHARS)


def test_filters_narrow_every_way_of_answering(project: Project) -> None:
    project.write({"src/a.py": "def needle(): pass\n", "lib/b.py": "def needle(): pass\n\nneedle()\n"})
    index = project.index()
    only = Filters(paths=("lib",))
    for question in ("needle", "where is needle defined", '"def needle"', "who calls needle", "what about the needle"):
        assert set(paths(index.search(question, filters=only))) == {"lib/b.py"}, question
