"""One noun, one file: no module grows past what one sitting can read."""

from __future__ import annotations

from pathlib import Path

import fourfold

MOST_LINES = 400


def test_no_module_is_longer_than_the_limit() -> None:
    source = Path(fourfold.__file__).parent
    sizes = {path: len(path.read_text(encoding="utf-8").split("\n")) - 1 for path in source.rglob("*.py")}
    assert sizes
    too_long = {str(path.relative_to(source)): size for path, size in sizes.items() if size > MOST_LINES}
    assert not too_long
