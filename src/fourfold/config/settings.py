"""The settings: one documented tree of frozen dataclasses, the only place with a key, its default, its range.

::

    Settings
    ├── index       what is read and how it is cut
    ├── search      how questions are answered
    ├── embedding   which model makes vectors
    ├── llm         which language model words answers
    └── store, cache_dir, log_level, offline

Every section checks its values when it is made (:class:`fourfold.model.errors.BadConfig`), whoever makes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, ClassVar

from fourfold.config.option import Option, Value, convert, nearest, option_of, setting, shown
from fourfold.model.errors import BadConfig

PRESETS: tuple[str, ...] = (
    "default",
    "quick",
    "thorough",
    "contract",
    "text",
    "dense",
    "hybrid",
    "graph",
    "structural",
)
"""Names of the shipped retrieval presets."""

_ADDRESS = re.compile(r"https?://[^\s/?#@\\]+(?:/[^\s?#@\\]*)?")

PRESET_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def own_preset(name: str) -> bool:
    """True where the user has a preset of this name: ``presets/NAME.yaml`` beside the user's configuration file."""
    from fourfold.config.load import user_file

    return PRESET_NAME.fullmatch(name) is not None and (user_file().parent / "presets" / f"{name}.yaml").is_file()


LOG_LEVELS: tuple[str, ...] = ("error", "warning", "info", "debug")


class _Checked:
    """Base of the sections: converts and checks each field on construction."""

    __slots__ = ()
    SECTION: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for item in fields(self):  # type: ignore[arg-type]
            if item.metadata:
                value = convert(option_of(self.SECTION, item), getattr(self, item.name))
                object.__setattr__(self, item.name, value)


@dataclass(frozen=True, slots=True)
class IndexSettings(_Checked):
    """What is read and how it is cut."""

    SECTION: ClassVar[str] = "index"

    max_file_bytes: int = setting(
        1_000_000, "larger files are skipped (reason too-large); bytes", minimum=1, maximum=200_000_000
    )
    chunker: str = setting(
        "ast", "ast cuts at definitions; lines is the baseline of line windows", choices=("ast", "lines")
    )
    hidden: bool = setting(False, "index hidden files and folders that git does not track, too")
    include: tuple[str, ...] = setting(
        (), "gitignore patterns of paths to index although they are hidden, ignored or excluded by default"
    )
    exclude: tuple[str, ...] = setting((), "gitignore patterns of paths to leave out")
    nested_repos: bool = setting(False, "index git clones that lie inside the root (submodules always are)")
    languages: Mapping[str, str] = setting(
        {}, 'file extension or name to language, where Fourfold does not know it: { kjs = "javascript" }'
    )
    workers: int = setting(0, "processes that parse; 0: by processors and work", minimum=0, maximum=256)
    parse_deadline_s: float = setting(
        2.0, "seconds to parse one file before it is cut by line windows instead", minimum=0.05, maximum=600
    )
    redact_secrets: bool = setting(True, "replace keys, tokens and passwords found in files by asterisks")
    lock_wait_s: float = setting(
        0.0,
        "seconds that `fourfold index` waits while another process writes the index",
        minimum=0,
        maximum=3600,
    )

    def __post_init__(self) -> None:
        _Checked.__post_init__(self)
        folded = {key.lstrip(".").lower(): name.lower() for key, name in self.languages.items()}
        object.__setattr__(self, "languages", folded)


@dataclass(frozen=True, slots=True)
class SearchSettings(_Checked):
    """How questions are answered."""

    SECTION: ClassVar[str] = "search"

    limit: int = setting(10, "results shown", minimum=1, maximum=1000)
    preset: str = setting(
        "default", "retrieval preset: a shipped one, or one of your own", choices=PRESETS, also=own_preset
    )
    refresh: bool = setting(True, "bring the index up to date before each search")
    fail_stale: bool = setting(False, "with refresh off: fail (exit 3) rather than answer from a stale index")
    k: int = setting(0, "constant of rank fusion (RRF); 0: the preset's own", minimum=0, maximum=10_000)


@dataclass(frozen=True, slots=True)
class EmbeddingSettings(_Checked):
    """Which model makes vectors."""

    SECTION: ClassVar[str] = "embedding"

    model: str = setting(
        "static",
        "static is the bundled model; hash needs no model (tests); none searches without vectors",
        choices=("static", "hash", "none"),
    )


@dataclass(frozen=True, slots=True)
class LlmSettings(_Checked):
    """Which language model words the answers of ``ask``. Nothing is contacted unless `endpoint` is set."""

    SECTION: ClassVar[str] = "llm"

    endpoint: str = setting(
        "", "base address of an OpenAI-compatible server (http://127.0.0.1:11434/v1); empty: no language model"
    )
    model: str = setting("", "name of the model as that server knows it")
    key_env: str = setting("", "environment variable that holds the key; empty: no key is sent")
    timeout_s: float = setting(60.0, "seconds an answer may take, retries included", minimum=0.1, maximum=3600)

    def __post_init__(self) -> None:
        _Checked.__post_init__(self)
        if self.endpoint and not _ADDRESS.fullmatch(self.endpoint):
            raise BadConfig(
                "llm.endpoint must be an http or https address without user, query or fragment",
                hint="for instance http://127.0.0.1:11434/v1; the key goes into the variable that llm.key_env names",
            )


@dataclass(frozen=True, slots=True)
class Settings(_Checked):
    """All settings. ``Settings()`` holds the defaults."""

    index: IndexSettings = field(default_factory=IndexSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    llm: LlmSettings = field(default_factory=LlmSettings)
    store: str = setting("local", "where indexes live", choices=("local",))
    cache_dir: str = setting("", "folder for indexes and caches; empty means the platform's cache folder")
    log_level: str = setting("warning", "least severe message shown on standard error", choices=LOG_LEVELS)
    offline: bool = setting(False, "ask no server anything, whatever is configured; HF_HUB_OFFLINE=1 means the same")

    def __post_init__(self) -> None:
        _Checked.__post_init__(self)


_SECTIONS: dict[str, type[IndexSettings | SearchSettings | EmbeddingSettings | LlmSettings]] = {
    "index": IndexSettings,
    "search": SearchSettings,
    "embedding": EmbeddingSettings,
    "llm": LlmSettings,
}


@cache
def options() -> Mapping[str, Option]:
    """Every setting by its dotted key, in the order of the tree."""
    found = [option_of(name, item) for name, section in _SECTIONS.items() for item in fields(section)]
    found += [option_of("", item) for item in fields(Settings) if item.metadata]
    return {option.key: option for option in found}


def find_option(key: str) -> Option:
    """The option of a dotted key; raises :class:`BadConfig` naming the nearest one."""
    option = options().get(key)
    if option is None:
        near = nearest(key, options())
        hint = f'did you mean "{near}"?' if near else "see the keys with `fourfold config show`"
        raise BadConfig(f"there is no setting {shown(key)}", hint=hint)
    return option


def flatten(settings: Settings) -> dict[str, Value]:
    """Every value by its dotted key, in the order of :func:`options`."""
    flat: dict[str, Value] = {}
    for key in options():
        section, _, name = key.rpartition(".")
        flat[key] = getattr(getattr(settings, section) if section else settings, name)
    return flat


def build(values: Mapping[str, object]) -> Settings:
    """Settings from dotted keys; what is not named keeps its default. Raises :class:`BadConfig`."""
    tree: dict[str, dict[str, Any]] = {name: {} for name in ("", *_SECTIONS)}
    for key, value in values.items():
        section, _, name = find_option(key).key.rpartition(".")
        tree[section][name] = value
    sections: dict[str, Any] = {name: made(**tree[name]) for name, made in _SECTIONS.items()}
    return Settings(**sections, **tree[""])
