"""Files of a tree: which there are, why others are left out, and what text they hold.

:mod:`root` finds and guards the root, :mod:`walk` lists its files, :mod:`read` turns one into text,
:mod:`git` answers questions about the repository. Everything else here serves these four.
"""
