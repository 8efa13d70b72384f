"""Questions about structure that name things as people do: modules, bare names, patterns without a language."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold import Index
from fourfold.model.errors import BadPattern, UsageError
from fourfold.pipeline.structure.usages import files_meant

FILES = {
    "src/shop/__init__.py": "",
    "src/shop/cart.py": (
        "class Base:\n    def total(self):\n        return 0\n\n\n"
        "class Cart(Base):\n    def total(self):\n        return 1\n\n\n"
        "def price(base: Base):\n    return base.total()\n\n\n"
        "def with_parent(parent: Cart):\n    return parent.total()\n\n\nNOTHING = price(None)\n"
    ),
    "src/shop/use.py": "import shop.cart\n\n\ndef bill(cart):\n    return shop.cart.price(cart)\n",
    "web/a.ts": "export function price(a: number) { return a; }\nexport const b = price(1);\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    root = tmp_path_factory.mktemp("shop")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return Index.open(root, root=root)


def test_importers_of_a_module_by_its_name(index: Index) -> None:
    for name in ("shop.cart", "src.shop.cart", "cart.py", "shop/cart.py"):
        assert [item.path for item in index.usages(name, direction="importers").items] == ["src/shop/use.py"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("src/shop/cart.py", ["src/shop/cart.py"]),
        ("shop", ["src/shop/__init__.py"]),
        ("art.py", []),
        ("shop::cart", ["src/shop/cart.py"]),
        ("", []),
        ("/", []),
    ],
)
def test_files_meant(asked: str, found: list[str]) -> None:
    assert files_meant(sorted(FILES), asked) == found


def test_variables_called_base_and_parent_are_variables(index: Index) -> None:
    assert ("price", "resolved") in [(one.symbol, one.confidence) for one in index.usages("Base.total").items]
    assert [one.symbol for one in index.usages("Cart.total").items] == ["with_parent"]


def test_impact_counts_what_is_reached_by_a_name_alone(index: Index) -> None:
    found = index.impact("Cart.total")
    assert sum(found.by_depth.values()) > found.unsure > 0
    assert found.to_dict()["unsure"] == found.unsure
    assert index.impact("shop.cart", direction="callees").unsure == 0


def test_a_pattern_without_a_language_is_tried_in_those_that_are_here(index: Index) -> None:
    found = index.match("price($A)")
    assert {item.language for item in found.items} == {"python", "typescript"}
    assert found.query["language"] == "python, typescript"
    assert index.match("export const $A = $B").query["language"] == "typescript"
    with pytest.raises(BadPattern):
        index.match("def (")


def test_no_language_with_patterns(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing\n")
    with pytest.raises(UsageError, match="no file here"):
        Index.open(tmp_path, root=tmp_path).match("f($A)")
