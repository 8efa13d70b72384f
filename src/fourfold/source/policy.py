"""What is left out without any ignore file, and why.

Three kinds of rule:

- folders that hold no source of this project, by names that mean nothing else (``node_modules``) or by a
  marker that a tool leaves in them (``pyvenv.cfg``). They apply to *untracked* folders only: what git tracks
  is source. Names that projects also use for source (``build``, ``dist``, ``lib``, ``out``, ``target``,
  ``classes``, ``vendor``, ``bin``) are not among them;
- files by name: binary formats, lock files, source maps, minified bundles (secrets:
  :mod:`fourfold.source.secrets`);
- files by content: minified text, and generated text above :data:`GENERATED_MAX_CHARS`. Smaller generated
  files are kept, since people do look things up in generated clients; ranking puts them behind.
"""

from __future__ import annotations

import re
from collections.abc import Container

from fourfold.source.found import BINARY, GENERATED, LFS_POINTER, MINIFIED
from fourfold.source.words import words

POLICY_VERSION = "3"
"""Part of every walk's fingerprint: a change of any rule here makes the next walk look at every path
again."""

VCS_DIRS: frozenset[str] = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", ".sl", "CVS", "_darcs", ".pijul"})
"""Never walked, whatever the options say: they hold no files of the work tree."""

EXCLUDED_DIRS: frozenset[str] = words(
    """
    node_modules bower_components jspm_packages __pycache__ __pypackages__ elm-stuff dist-newstyle
    .stack-work .tox .nox .venv .mypy_cache .pytest_cache .ruff_cache .pytype .hypothesis .eggs
    .ipynb_checkpoints .gradle .terraform .serverless .next .nuxt .svelte-kit .astro .parcel-cache .turbo
    .angular .docusaurus .yarn .pnpm-store .cache .dart_tool .bundle .sass-cache .nyc_output .scannerwork
    .zig-cache .direnv .Trash __MACOSX
    """
)
"""Folders by names that are unambiguous: written by a tool, never by hand."""

EXCLUDED_DIR_SUFFIXES: tuple[str, ...] = (".egg-info", ".dist-info")

_CACHEDIR_SIGNATURE = b"Signature: 8a477f597d28d172789f06886806bc55"
"""First bytes of CACHEDIR.TAG, from the Cache Directory Tagging Specification (bford.info/cachedir)."""

DIR_MARKERS: dict[str, str] = {
    "pyvenv.cfg": "a Python virtual environment (pyvenv.cfg)",
    "conda-meta": "a conda environment (conda-meta)",
    "CACHEDIR.TAG": "a cache (CACHEDIR.TAG)",
    ".rustc_info.json": "a cargo target folder (.rustc_info.json)",
    "CMakeCache.txt": "a CMake build folder (CMakeCache.txt)",
}
"""Names inside a folder that tell what it is."""

BINARY_EXTENSIONS: frozenset[str] = words(
    """
    png jpg jpeg jpe gif bmp ico icns tif tiff webp avif heic heif psd xcf ai eps cr2 nef tga dds ktx exr
    hdr ttf otf woff woff2 eot pfb ttc mp3 wav ogg oga flac aac m4a wma opus mid midi mp4 m4v mkv avi mov
    wmv flv webm mpg mpeg ogv zip gz tgz bz2 tbz xz txz zst lz lz4 lzma 7z rar tar cab iso dmg img deb rpm
    apk ipa jar war ear aar whl egg gem nupkg crx xpi vsix msi phar exe dll so dylib o pyc pyo pyd class
    wasm elf pdb dex beam dyn_o dyn_hi rlib rmeta node nib swiftmodule pdf doc docx xls xlsx ppt pptx odt
    ods odp epub mobi djvu sqlite sqlite3 db3 mdb accdb parquet orc avro feather arrow npy npz h5 hdf5 pkl
    pickle joblib pt pth onnx tflite safetensors gguf ggml mlmodel caffemodel mat rds rdata dta sav blend
    fbx glb shp shx dbf gmo
    """
)
"""Extensions of formats that are never text. Ambiguous ones (.ts, .bin, .dat, .obj, .lib, .db) are decided by
content."""

LOCK_FILES: frozenset[str] = words(
    """
    package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock
    poetry.lock pipfile.lock pdm.lock uv.lock pixi.lock conda-lock.yml cargo.lock go.sum go.work.sum
    composer.lock gemfile.lock podfile.lock package.resolved cartfile.resolved mix.lock rebar.lock
    pubspec.lock flake.lock packages.lock.json gradle.lockfile buildscript-gradle.lockfile
    .terraform.lock.hcl conan.lock stack.yaml.lock cabal.project.freeze shard.lock paket.lock
    project.assets.json module.bazel.lock
    """
)
"""Lock files in lower case: thousands of lines of versions and checksums that answer no question about the
code."""

_GENERATED_NAME = re.compile(r"\.(?:js|mjs|cjs|css|ts)\.map$")
_MINIFIED_NAME = re.compile(r"[.-]min\.(?:js|mjs|cjs|css)$|\.bundle\.js$")

LONG_LINE = 1_000
VERY_LONG_LINE = 5_000
MINIFIED_SHARE = 0.5
MINIFIED_MIN_CHARS = 2_000
MINIFIED_MAX_SPACE = 0.10
"""A text is minified where more than half of it stands in lines of 5,000 characters or more, or in lines of
1,000 or more while blanks are below a tenth. Prose written one paragraph a line has about 16 % blanks,
minified JavaScript and CSS 1-6 % (measured on the bundles inside the django, sympy and scikit-learn source
packages)."""

GENERATED_MAX_CHARS = 200_000
"""Text that says that it is generated is skipped above this size: parser tables and embedded data, not
clients."""

_GENERATED_MARKER = re.compile(
    r"@generated\b|\bDO NOT EDIT\b|\b(?:auto-?|automatically )generated\b"
    r"|Code generated by|Generated by the protocol buffer compiler",
    re.IGNORECASE,
)
_MARKER_CHARS = 2_000


def excluded_dir(name: str) -> str:
    """Why an untracked folder of this name is left out, or ""."""
    if name in EXCLUDED_DIRS or name.endswith(EXCLUDED_DIR_SUFFIXES):
        return f"folders called {name} hold nothing written by hand"
    return ""


def marked_dir(names: Container[str], cachedir_tag: bytes) -> str:
    """Why an untracked folder that holds `names` is left out, or "". `cachedir_tag` is its CACHEDIR.TAG's
    beginning."""
    for marker, meaning in DIR_MARKERS.items():
        if marker not in names:
            continue
        if marker == "CACHEDIR.TAG" and not cachedir_tag.startswith(_CACHEDIR_SIGNATURE):
            continue
        if marker == "CMakeCache.txt" and "CMakeLists.txt" in names:
            continue  # built inside the source folder
        return meaning
    return ""


def skip_by_name(name: str) -> tuple[str, str] | None:
    """(reason, detail) where the file name alone decides, else None."""
    lower = name.lower()
    extension = lower.rpartition(".")[2]
    if extension in BINARY_EXTENSIONS and extension != lower:
        return BINARY, f".{extension} is a binary format"
    if lower in LOCK_FILES:
        return GENERATED, "a lock file"
    if extension == "map" and _GENERATED_NAME.search(lower):
        return GENERATED, "a source map"
    if extension in {"js", "mjs", "cjs", "css"} and _MINIFIED_NAME.search(lower):
        return MINIFIED, "its name says that it is minified"
    return None


LFS_HEAD = "version https://git-lfs.github.com/spec/v1\n"
"""How a pointer file begins (git-lfs specification); it is at most 1,024 bytes long."""
LFS_MAX_CHARS = 1_024


def skip_by_text(text: str) -> tuple[str, str] | None:
    """(reason, detail) where the content decides, else None."""
    if len(text) <= LFS_MAX_CHARS and text.startswith(LFS_HEAD):
        return LFS_POINTER, "git LFS keeps the file elsewhere"
    longest = _minified_line(text)
    if longest:
        return MINIFIED, f"most of it stands in lines of up to {longest:,} characters"
    if len(text) > GENERATED_MAX_CHARS and _GENERATED_MARKER.search(text, 0, _MARKER_CHARS):
        return GENERATED, f"it says that it is generated, and has {len(text):,} characters"
    return None


def _minified_line(text: str) -> int:
    """The length of the longest line of a minified text; 0 where the text is not minified."""
    if len(text) < MINIFIED_MIN_CHARS:
        return 0
    lengths = list(map(len, text.split("\n")))
    longest = max(lengths)
    if longest < LONG_LINE:
        return 0
    half = MINIFIED_SHARE * len(text)
    if sum(n for n in lengths if n >= VERY_LONG_LINE) > half:
        return longest
    if sum(n for n in lengths if n >= LONG_LINE) <= half:
        return 0
    blanks = text.count(" ") + text.count("\n") + text.count("\t")
    return longest if blanks < MINIFIED_MAX_SPACE * len(text) else 0
