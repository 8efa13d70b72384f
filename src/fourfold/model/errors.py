"""Every error that Fourfold raises on purpose.

::

    FourfoldError                 F000  exit 2  HTTP 400
    ├── UsageError                F100  exit 2  HTTP 400   an argument is wrong
    │   ├── BadQuery              F101  exit 2  HTTP 400   the query cannot be answered as it stands
    │   ├── BadFilter             F102  exit 2  HTTP 400   a filter names something that does not exist
    │   ├── BadConfig             F103  exit 2  HTTP 400   a configuration value or key is wrong
    │   ├── PathOutsideRoot       F104  exit 2  HTTP 403   a path leaves the indexed root
    │   └── BadPattern            F203  exit 2  HTTP 400   a regular expression is invalid
    ├── IndexUnavailable          F300  exit 3  HTTP 409   there is no index, or it cannot be built here
    │   ├── RootRefused           F301  exit 3  HTTP 409   the root is too wide (a home directory, a file system)
    │   ├── NewerFormat           F302  exit 3  HTTP 409   the index was made by a newer Fourfold
    │   └── IndexDamaged          F303  exit 3  HTTP 500   the index is damaged
    ├── LockHeld                  F400  exit 4  HTTP 423   another process writes this index
    ├── BackendUnavailable        F500  exit 5  HTTP 503   a model or a server cannot be reached
    │   └── ModelMismatch         F501  exit 5  HTTP 409   the index was made with another embedding model
    └── TimedOut                  F600  exit 2  HTTP 408   a bounded piece of work took too long

``str(error)`` is one sentence; :attr:`FourfoldError.hint` says what to do about it.
"""

from __future__ import annotations

from typing import ClassVar


class FourfoldError(Exception):
    """Base of the tree. `code` is stable across versions; `exit_code` and `http_status` match the interfaces."""

    code: ClassVar[str] = "F000"
    exit_code: ClassVar[int] = 2
    http_status: ClassVar[int] = 400

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(FourfoldError):
    """An argument is wrong: missing, out of range, of the wrong kind."""

    code = "F100"


class BadQuery(UsageError):
    """The query cannot be answered as it stands (blank, too long, filters only)."""

    code = "F101"


class BadFilter(UsageError):
    """A filter names a language, kind or path that does not exist."""

    code = "F102"


class BadConfig(UsageError):
    """A configuration file, key or value is wrong."""

    code = "F103"


class PathOutsideRoot(UsageError):
    """A path leaves the indexed root once its links are resolved."""

    code = "F104"
    http_status = 403


class BadPattern(UsageError):
    """A regular expression is invalid; `position` is the 0-based offset of the fault, or None."""

    code = "F203"

    def __init__(self, message: str, *, hint: str = "", position: int | None = None) -> None:
        super().__init__(message, hint=hint)
        self.position = position


class IndexUnavailable(FourfoldError):
    """There is no index, or it cannot be built here."""

    code = "F300"
    exit_code = 3
    http_status = 409


class RootRefused(IndexUnavailable):
    """The root is a home directory, a file-system root or another place too wide to index unasked."""

    code = "F301"


class NewerFormat(IndexUnavailable):
    """The index on disk was written by a newer version of Fourfold."""

    code = "F302"


class IndexDamaged(IndexUnavailable):
    """A part of the index is missing or fails its checksum."""

    code = "F303"
    http_status = 500


class LockHeld(FourfoldError):
    """Another process is writing this index; the message names its process."""

    code = "F400"
    exit_code = 4
    http_status = 423


class BackendUnavailable(FourfoldError):
    """A model, an optional package or a server cannot be reached."""

    code = "F500"
    exit_code = 5
    http_status = 503


class ModelMismatch(BackendUnavailable):
    """The index holds vectors of another embedding model than the one configured."""

    code = "F501"
    http_status = 409


class TimedOut(FourfoldError):
    """A bounded piece of work (a regular expression, a parse) took longer than allowed."""

    code = "F600"
    http_status = 408
