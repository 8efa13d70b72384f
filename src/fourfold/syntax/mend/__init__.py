"""Broken source read as far as it is whole: what the damage would hide is made readable before the tree is used."""
