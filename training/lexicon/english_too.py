"""Words of the glossaries that are English too: ``python -m training.lexicon.english_too WORD_LIST``.

WORD_LIST holds a word of English a line (SCOWL, Debian's wamerican-small). Those that the glossaries would take for a
sign of another language are written beside them; a question of one or two words is not told by such a word alone.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fourfold.pipeline.glossaries import ENGLISH_TOO, LATIN, english_words, load

BORROWED = ("carte",)
"""Only ever met in English beside another word (*a la carte*)."""


def main(word_list: Path) -> None:
    """Write the words."""
    read = word_list.read_text("utf-8").splitlines()
    english = [word for word in read if word.isascii() and word.isalpha() and word.islower()]
    known = english_words().__contains__
    found = {word for language in LATIN for word in english if load(language).shows(word, known)}
    ENGLISH_TOO.write_text("\n".join(sorted({*found, *BORROWED})) + "\n", "ascii")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
