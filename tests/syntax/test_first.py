"""Python end to end."""

from __future__ import annotations

from fourfold.syntax.languages import language_of
from fourfold.syntax.parse import parse_file

SOURCE = '''"""Talks to the server."""
import os.path
from .wire import Frame


class Client:
    """A client."""

    retries = 3

    @property
    def name(self):
        return "x"


def connect(host: str,
            port: int = 80) -> Client:
    return Client()
'''


def test_symbols_of_a_python_file():
    parsed = parse_file("a.py", SOURCE, language_of("a.py"))
    assert [(s.qualified_name, s.kind, s.start_line, s.end_line) for s in parsed.symbols] == [
        ("Client", "class", 6, 13),
        ("Client.retries", "field", 9, 9),
        ("Client.name", "method", 11, 13),
        ("connect", "function", 16, 18),
    ]
    assert parsed.symbols[-1].signature == "def connect(host: str, port: int = 80) -> Client"
    assert parsed.imports == {"os", "path", "wire", "Frame"}
    assert parsed.doc == "Talks to the server."
