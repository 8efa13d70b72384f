"""Retrievers: a query and a snapshot in, ranked hits out."""
