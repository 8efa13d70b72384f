"""Keeping the index equal to the tree: diff, parse, chunk, embed, commit."""
