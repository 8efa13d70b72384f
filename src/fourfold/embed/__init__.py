"""Embedding models behind one protocol; the bundled static model is the default."""
