"""Answers in words: what the index knows, put into sentences whose every citation is looked up on disk."""
