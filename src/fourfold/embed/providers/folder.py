"""A local model: its folder by name or path, and a revision that tells its weights from any others'."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from fourfold.model.errors import BackendUnavailable

_WHOLE_BYTES = 4 << 20
"""Files up to this size are hashed whole; of larger ones the size and three pieces of a megabyte: weights that were
trained anew differ everywhere, and hashing a gigabyte would cost a second at every start."""
_PIECE = 1 << 20
_IGNORED = frozenset({".md", ".txt~", ".png", ".jpg", ".gitattributes", ".lock"})
HUB_FILES = ("*.json", "*.txt", "*.model", "*.safetensors", "*.onnx", "*.onnx_data", "README.md")


def is_path(name: str) -> bool:
    """True where a model's name is the path of a folder rather than a name on the hub."""
    return name.startswith((".", "~", "/", os.sep)) or Path(name).expanduser().is_dir()


def model_folder(name: str, *, offline: bool, extra: str) -> Path:
    """The folder of a model: `name` itself where it is a path, else its copy in the hub's cache, downloaded on the
    first use unless `offline`. `extra` is the optional extra that brings the hub's client.

    Raises BackendUnavailable where there is none.
    """
    if is_path(name):
        folder = Path(name).expanduser().absolute()
        if not folder.is_dir():
            raise BackendUnavailable(f"there is no model folder {folder}", hint="check embedding.model")
        return folder
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        raise missing("huggingface_hub", extra) from None
    try:
        return Path(snapshot_download(name, local_files_only=offline, allow_patterns=list(HUB_FILES)))
    except Exception as error:
        raise not_had(name, error, offline=offline) from None


def not_had(name: str, error: Exception, *, offline: bool) -> BackendUnavailable:
    """Why a model could not be had. The client raises errors of a dozen libraries: their kind is all that is told."""
    if offline:
        return BackendUnavailable(
            f"offline: the embedding model {name} is not on this machine",
            hint="allow one download (offline = false), or name the model's folder in embedding.model",
        )
    return BackendUnavailable(
        f"the embedding model {name} cannot be downloaded or read ({type(error).__name__})",
        hint="check embedding.model and the connection, or name the model's folder in embedding.model",
    )


def missing(package: str, extra: str) -> BackendUnavailable:
    """What to say where an optional package is not installed."""
    return BackendUnavailable(f"the package {package} is not installed", hint=f"run: pip install 'fourfold[{extra}]'")


def revision_of(folder: Path) -> str:
    """16 hex digits of a hash over the names and content of the files below a model's folder. Raises OSError."""
    state = hashlib.blake2b(digest_size=8)
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if not path.is_file() or path.suffix.lower() in _IGNORED or any(part.startswith(".") for part in inside.parts):
            continue
        size = path.stat().st_size
        state.update(f"{inside.as_posix()}\0{size}\0".encode("utf-8", "surrogatepass"))
        with path.open("rb") as file:
            if size <= _WHOLE_BYTES:
                state.update(file.read())
                continue
            for at in (0, size // 2, size - _PIECE):
                file.seek(at)
                state.update(file.read(_PIECE))
    return state.hexdigest()
