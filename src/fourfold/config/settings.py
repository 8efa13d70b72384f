"""The settings: one documented tree of frozen dataclasses, the only place with a key, its default, its range.

::

    Settings
    ├── index       what is read and how it is cut
    ├── search      how questions are answered
    ├── embedding   which model makes vectors
    ├── llm         which language model words answers
    ├── rerank      which model re-ranks
    ├── qdrant      where the Qdrant store is
    ├── helper      the command line's background process
    └── store, cache_dir, log_level, offline

Every section checks its values when it is made (:class:`fourfold.model.errors.BadConfig`), whoever makes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, fields
from functools import cache
from typing import Any, ClassVar

from fourfold.config.option import Option, Value, convert, nearest, option_of, setting, shown
from fourfold.model.errors import BadConfig
from fourfold.model.record import record

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
    "late_interaction",
    "tree",
    "tree_parallel",
    "tree_rerank",
)
"""Names of the shipped retrieval presets."""
MODEL_PRESETS = frozenset({"tree", "tree_parallel", "tree_rerank"})
"""Those that need the language model of ``[llm]``."""

_ADDRESS = re.compile(r"https?://[^\s/?#@\\]+(?:/[^\s?#@\\]*)?")

_COLLECTION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")

PRESET_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def own_preset(name: str) -> bool:
    """True where the user has a preset of this name: ``presets/NAME.yaml`` beside the user's configuration file."""
    from fourfold.config.load import user_file

    return PRESET_NAME.fullmatch(name) is not None and (user_file().parent / "presets" / f"{name}.yaml").is_file()


DEVICES: tuple[str, ...] = ("auto", "cpu", "cuda", "mps")
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


@record(frozen=True, slots=True)
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
    scip: str = setting(
        "",
        "SCIP index of a compiler, from the root: what it says of references counts before what names tell; "
        "empty: index.scip where there is one; none: no index",
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


@record(frozen=True, slots=True)
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


BUILT_IN: tuple[str, ...] = ("static", "hash", "none")
"""Embedding providers that come with the package and keep everything on this machine."""

PROVIDERS: tuple[str, ...] = (
    *BUILT_IN,
    "model2vec",
    "fastembed",
    "sentence-transformers",
    "minilm",
    "openai",
    "voyage",
    "cohere",
    "ollama",
)


@record(frozen=True, slots=True)
class EmbeddingSettings(_Checked):
    """Which model makes vectors. A built-in one may be named by `model` alone (``model = "none"``)."""

    SECTION: ClassVar[str] = "embedding"

    provider: str = setting(
        "static",
        "static is the bundled model; hash needs no model (tests); none searches without vectors; the others are "
        "explained in docs/providers.md",
        choices=PROVIDERS,
    )
    model: str = setting("", "model as its provider knows it, or its folder; empty: the provider's usual one")
    endpoint: str = setting("", "address of the server (openai, voyage, cohere, ollama); empty: the provider's own")
    key_env: str = setting(
        "", "environment variable that holds the key; empty: the provider's usual one, for its own address only"
    )
    dimension: int = setting(
        0, "components of a vector, where the model offers several; 0: its own", minimum=0, maximum=8192
    )
    output: str = setting(
        "float", "how vectors are sent: binary is one bit a component (voyage)", choices=("float", "binary")
    )
    max_tokens: int = setting(
        0, "tokens of a text that are read, estimated; 0: what the model reads", minimum=0, maximum=1_000_000
    )
    query_prompt: str = setting("", "put before each question; empty: the model's usual one, if it has one")
    document_prompt: str = setting("", "put before each piece of code; empty: the model's usual one, if it has one")
    device: str = setting("auto", "where a local model computes: auto, cpu, cuda, mps", choices=DEVICES)
    backend: str = setting("torch", "how sentence-transformers computes", choices=("torch", "onnx"))
    batch: int = setting(0, "texts per request or pass; 0: the provider's usual number", minimum=0, maximum=1000)
    parallel: int = setting(4, "requests to a server at the same time", minimum=1, maximum=64)
    requests_per_minute: int = setting(0, "requests to a server a minute; 0: as many as it takes", minimum=0)
    timeout_s: float = setting(60.0, "seconds one request may take", minimum=0.1, maximum=3600)
    accept_licence: tuple[str, ...] = setting(
        (), "names of models whose licence forbids commercial use, and which are to be used all the same"
    )

    def __post_init__(self) -> None:
        _Checked.__post_init__(self)
        if self.provider == "static" and self.model in BUILT_IN:
            object.__setattr__(self, "provider", self.model)
        if self.provider in BUILT_IN:
            if self.model not in ("", *BUILT_IN):
                raise BadConfig(
                    f"embedding.model is {shown(self.model)}, but no embedding.provider is named that has it",
                    hint="docs/providers.md lists models and their providers",
                )
            object.__setattr__(self, "model", "")
        if self.endpoint and not _ADDRESS.fullmatch(self.endpoint):
            raise BadConfig(
                "embedding.endpoint must be an http or https address without user, query or fragment",
                hint="the key goes into the variable that embedding.key_env names",
            )

    @property
    def base(self) -> str:
        """The built-in model whose vectors every index holds: the one that is named, beside another provider's the
        bundled one."""
        return self.provider if self.provider in BUILT_IN else "static"

    @property
    def external(self) -> bool:
        """True where a model makes vectors that does not come with the package."""
        return self.provider not in BUILT_IN


@record(frozen=True, slots=True)
class LlmSettings(_Checked):
    """Which language model words the answers of ``ask``, expands questions and re-ranks. Nothing is contacted unless
    `endpoint` is set or `provider` names a vendor."""

    SECTION: ClassVar[str] = "llm"

    provider: str = setting(
        "compatible",
        "compatible is any server that speaks OpenAI's chat completions; openai and anthropic use the vendor's own "
        "package (extras of these names) and service",
        choices=("compatible", "openai", "anthropic"),
    )
    endpoint: str = setting(
        "", "base address of the server (http://127.0.0.1:11434/v1); empty: the vendor's own, with compatible none"
    )
    model: str = setting(
        "", "name of the model as the server knows it; empty: gpt-6-luna (openai), claude-haiku-5-5 (anthropic)"
    )
    key_env: str = setting(
        "", "environment variable that holds the key; empty: OPENAI_API_KEY, ANTHROPIC_API_KEY, with compatible none"
    )
    timeout_s: float = setting(60.0, "seconds an answer may take, retries included", minimum=0.1, maximum=3600)
    input_price: float = setting(0.0, "US dollars for a million tokens read; 0: costs are not told", minimum=0)
    output_price: float = setting(0.0, "US dollars for a million tokens written; 0: costs are not told", minimum=0)
    sampling: bool = setting(True, "over MCP, where no model is configured: ask that of the client, where it offers it")

    def __post_init__(self) -> None:
        _Checked.__post_init__(self)
        if self.endpoint and not _ADDRESS.fullmatch(self.endpoint):
            raise BadConfig(
                "llm.endpoint must be an http or https address without user, query or fragment",
                hint="for instance http://127.0.0.1:11434/v1; the key goes into the variable that llm.key_env names",
            )


@record(frozen=True, slots=True)
class RerankSettings(_Checked):
    """Which model reads question and code together, for the steps and presets that re-rank. None does by default."""

    SECTION: ClassVar[str] = "rerank"

    provider: str = setting(
        "none",
        "onnx is a local folder; minilm is a package (a sentence encoder); fastembed and sentence-transformers fetch "
        "the model when first used",
        choices=("none", "onnx", "minilm", "fastembed", "sentence-transformers"),
    )
    model: str = setting(
        "",
        "the model's name or folder; empty: ms-marco-MiniLM-L-6-v2 (fastembed, sentence-transformers); minilm takes "
        "none, or tokens to compare word by word",
    )


QUANTISATIONS: tuple[str, ...] = ("int8", "binary", "none")


@record(frozen=True, slots=True)
class QdrantSettings(_Checked):
    """Where the Qdrant store is, and what its collection is made with (docs/qdrant.md)."""

    SECTION: ClassVar[str] = "qdrant"

    url: str = setting(
        "http://127.0.0.1:6333", "address of the server; edge:FOLDER and local:FOLDER are engines in this process"
    )
    key_env: str = setting("", "environment variable that holds the API key; empty: no key is sent")
    collection: str = setting("fourfold", "alias of the collection that holds all services")
    services: Mapping[str, str] = setting({}, 'folder to name in the collection: { "/src/shop" = "shop" }')
    shards: int = setting(1, "shards of a new collection", minimum=1, maximum=1024)
    replicas: int = setting(1, "copies of each shard of a new collection", minimum=1, maximum=16)
    quantisation: str = setting(
        "int8", "how vectors of a new collection are kept in memory; none: as they are", choices=QUANTISATIONS
    )
    exact: bool = setting(False, "compare with every vector of the service instead of following the graph")
    read_only: bool = setting(False, "search only: never index, never write to the server")
    timeout_s: int = setting(30, "seconds one request may take", minimum=1, maximum=3600)

    def __post_init__(self) -> None:
        _Checked.__post_init__(self)
        scheme, _, rest = self.url.partition(":")
        if not _ADDRESS.fullmatch(self.url) and not (scheme in ("edge", "local") and rest):
            raise BadConfig(
                "qdrant.url must be an http or https address without user, query or fragment, edge:FOLDER or "
                "local:FOLDER",
                hint="for instance http://127.0.0.1:6333; the key goes into the variable that qdrant.key_env names",
            )
        if not _COLLECTION.fullmatch(self.collection):
            raise BadConfig(
                f"qdrant.collection is not a name: {shown(self.collection)}",
                hint="letters, digits, dots, dashes and underscores: at most 100, the first a letter or a digit",
            )


@record(frozen=True, slots=True)
class HelperSettings(_Checked):
    """The background process that answers the command line's questions from open indexes (docs/performance.md)."""

    SECTION: ClassVar[str] = "helper"

    enabled: bool = setting(True, "start and ask it; where CI is set it has to be switched on by its variable")
    idle_s: float = setting(600.0, "seconds without a question after which it leaves", minimum=1, maximum=86_400)
    memory_mb: int = setting(600, "memory above which it closes its indexes, or leaves; MB", minimum=50)


@record(frozen=True, slots=True)
class Settings(_Checked):
    """All settings. ``Settings()`` holds the defaults."""

    index: IndexSettings = field(default_factory=IndexSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    llm: LlmSettings = field(default_factory=LlmSettings)
    rerank: RerankSettings = field(default_factory=RerankSettings)
    qdrant: QdrantSettings = field(default_factory=QdrantSettings)
    helper: HelperSettings = field(default_factory=HelperSettings)
    store: str = setting("local", "where indexes live", choices=("local", "qdrant"))
    cache_dir: str = setting("", "folder for indexes and caches; empty means the platform's cache folder")
    log_level: str = setting("warning", "least severe message shown on standard error", choices=LOG_LEVELS)
    offline: bool = setting(False, "ask no server anything, whatever is configured; HF_HUB_OFFLINE=1 means the same")

    def __post_init__(self) -> None:
        _Checked.__post_init__(self)


_Section = (
    IndexSettings | SearchSettings | EmbeddingSettings | LlmSettings | RerankSettings | QdrantSettings | HelperSettings
)

_SECTIONS: dict[str, type[_Section]] = {
    "index": IndexSettings,
    "search": SearchSettings,
    "embedding": EmbeddingSettings,
    "llm": LlmSettings,
    "rerank": RerankSettings,
    "qdrant": QdrantSettings,
    "helper": HelperSettings,
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
