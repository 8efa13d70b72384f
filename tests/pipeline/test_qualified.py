"""A qualified name in a question means the member of that owner, not namesakes elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fourfold.engine import Index

FILES = {
    "src/Option.ts": "export const match = (self: unknown) => self\n",
    "src/Either.ts": "export const match = (self: unknown) => [self]\n",
    "src/one.ts": "import * as Option from './Option'\nexport function one(x: unknown) {\nreturn Option.match(x)\n}\n",
    "src/two.ts": "import * as Either from './Either'\nexport function two(x: unknown) {\nreturn Either.match(x)\n}\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    root: Path = tmp_path_factory.mktemp("qualified")
    for path, text in FILES.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)
    with Index.open(root) as opened:
        opened.refresh()
        yield opened


@pytest.mark.parametrize(("owner", "user"), [("Option", "one"), ("Either", "two")])
@pytest.mark.parametrize("question", ["who calls {}.match", "what breaks if I change {}.match"])
def test_users_of_a_member_of_a_module(index: Index, owner: str, user: str, question: str) -> None:
    found = [item.path for item in index.search(question.format(owner), refresh=False).items]
    assert found[0] == f"src/{user}.ts"
    assert {"src/one.ts", "src/two.ts"} - set(found) == {"src/one.ts", "src/two.ts"} - {found[0]}


@pytest.mark.parametrize("owner", ["Option", "Either"])
def test_the_definition_in_the_module_that_is_named_comes_first(index: Index, owner: str) -> None:
    assert index.search(f"where is {owner}.match defined", refresh=False).items[0].path == f"src/{owner}.ts"
