"""The server's log: a file in the cache, and warnings on standard error. Standard output belongs to the protocol."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

LOG_BYTES = 1_000_000
"""Size at which a log file is set aside; two older ones are kept."""


def log_path() -> Path:
    """Where the server logs: ``logs/mcp.log`` in the cache folder."""
    from fourfold.config.load import load_settings
    from fourfold.config.places import cache_dir
    from fourfold.config.settings import Settings
    from fourfold.model.errors import FourfoldError

    try:
        settings = load_settings(None).settings
    except FourfoldError:
        settings = Settings()
    return cache_dir(settings) / "logs" / "mcp.log"


class LogFile(logging.Handler):
    """The file, opened with the first record: finding its place reads settings, and `initialize` need not wait."""

    def __init__(self) -> None:
        super().__init__()
        self._file: logging.Handler | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record; a log that cannot be written is no reason to fail."""
        try:
            if self._file is None:
                self._file = _opened()
            self._file.handle(record)
        except Exception:
            self.handleError(record)


def set_up(verbose: bool = False) -> None:
    """Log to the file, and what is worse than a notice to standard error."""
    root = logging.getLogger()
    for handler in list(root.handlers):
        root.removeHandler(handler)
    root.setLevel(logging.DEBUG if verbose else logging.INFO)
    logging.getLogger("mcp").setLevel(logging.DEBUG if verbose else logging.WARNING)
    console = logging.StreamHandler(sys.stderr)
    console.setLevel(logging.DEBUG if verbose else logging.WARNING)
    console.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    root.addHandler(console)
    root.addHandler(LogFile())


def _opened() -> logging.Handler:
    from logging.handlers import RotatingFileHandler

    path = log_path()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = RotatingFileHandler(path, maxBytes=LOG_BYTES, backupCount=2, encoding="utf-8")
    file.setFormatter(logging.Formatter("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"))
    return file
