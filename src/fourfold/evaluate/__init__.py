"""Asking a set of questions whose answers are known: how good the search is, and what would make it better."""
