"""Measures of Fourfold: corpora pinned by version, question sets, scores, comparisons and speed."""
