"""Files that are data rather than text: a token or two a line, for hundreds of lines (dictionaries, tables of names).

They hold every word of a language, and so a bit of every question that code has no word for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fourfold.store.local.schema import FILE_FIELDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.store.local.corpus import Corpus

MIN_LINES = {"": 60, "text": 60, "json": 500}
"""Lines from which a file of such a language may be a list; code and prose with a language of their own never are."""
MAX_STEMS_A_LINE = 2.0
"""Stems a line, at most: prose has eight and more, a table of settings three."""


def word_lists(corpus: Corpus) -> NDArray[np.bool_]:
    """True for files (numbers of the corpus) that are lists of tokens."""
    least = np.array([MIN_LINES.get(language, 0) for language in corpus.languages], dtype=np.int64)
    lines = corpus.column("file.lines").astype(np.int64)
    stems = corpus.field_lengths[:, FILE_FIELDS.index("body")]
    found: NDArray[np.bool_] = (least > 0) & (lines >= least) & (stems <= MAX_STEMS_A_LINE * lines)
    return found
