"""Reading one found file: bytes, text, secrets out, and the hash of what remains."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from fourfold.model.record import record
from fourfold.source.decode import decode
from fourfold.source.entry import link_target, too_large
from fourfold.source.found import BINARY, LINK_OUTSIDE, SECRET, UNREADABLE, VANISHED, Found, Skip, WalkOptions
from fourfold.source.policy import skip_by_text
from fourfold.source.secrets import is_secret_path, is_secret_text, redact
from fourfold.source.small import open_regular, read_upto


@record(frozen=True, slots=True)
class SourceText:
    """The text of one file.

    `text` has ``\\n`` line ends only and no secrets; `content_hash` is the hex BLAKE2b-128 of its UTF-8;
    `lines` counts a last line without line end; `redactions` counts the secrets replaced; `encoding` is what
    the bytes were read as.
    """

    path: str
    text: str
    encoding: str
    content_hash: str
    lines: int
    redactions: int = 0


def read_file(root: Path, found: Found, options: WalkOptions | None = None) -> SourceText | Skip:
    """The text of a found file, or why there is none. Raises nothing: the tree may change while it is
    read."""
    options = options or WalkOptions()
    real = os.path.realpath(root)
    path = found.path
    # The walk looked at the names; between then and now a folder may have become a link that leads elsewhere.
    target = link_target(real, path)
    if target is None or is_secret_path(path) or is_secret_path(target):
        return _again(found, LINK_OUTSIDE if target is None else SECRET, "it leads out of the root or to a secret")
    try:
        data, status = _read(os.path.join(real, target), options.max_file_bytes)  # noqa: PTH118
    except FileNotFoundError:
        return _again(found, VANISHED, "it was removed while the tree was read")
    except OSError as error:
        return _again(found, UNREADABLE, error.strerror or str(error))
    if len(data) > options.max_file_bytes:
        return too_large(path, options, status)
    read = Found(path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    return text_of(read, data, options)


def text_of(found: Found, data: bytes, options: WalkOptions) -> SourceText | Skip:
    """The text that the bytes of a file hold, or why it is not read."""
    path = found.path
    decoded = decode(data)
    if decoded is None:
        return _again(found, BINARY, "its bytes are not text")
    by_text = skip_by_text(decoded.text)
    if by_text is not None:
        return _again(found, by_text[0], by_text[1])
    if is_secret_text(path, decoded.text):
        return _again(found, SECRET, "it holds an access token")
    text, redactions = redact(decoded.text) if options.redact_secrets else (decoded.text, 0)
    return SourceText(path, text, decoded.encoding, content_hash(text), count_lines(text), redactions)


def content_hash(text: str) -> str:
    """Hex BLAKE2b-128 of the text's UTF-8: what an index keys texts by."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def count_lines(text: str) -> int:
    """Lines of a text; a last one without line end counts, an empty one after the last line end does not."""
    return text.count("\n") + (1 if text and not text.endswith("\n") else 0)


def _read(path: str, limit: int) -> tuple[bytes, os.stat_result]:
    """At most one byte more than `limit`: enough to see that a file has grown above it."""
    descriptor, status = open_regular(path)
    try:
        return read_upto(descriptor, limit + 1), status
    finally:
        os.close(descriptor)


def _again(found: Found, reason: str, detail: str) -> Skip:
    return Skip(found.path, reason, detail, found.size, found.mtime_ns, found.ctime_ns, found.inode)
