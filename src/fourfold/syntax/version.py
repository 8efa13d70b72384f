"""The version of what this layer says of a file."""

SYNTAX_VERSION = "11"
"""Written into every index: a change of chunks, symbols or imports for the same text must change it."""
