"""What a stage of ingestion is: a frozen dataclass with a `type` name and checked parameters.

A stage belongs to the *tree* (which files there are), to the *files* (what is made of them, batch by batch, in a worker
where there is much to do) or to the *store* (what becomes visible). Stages of files have an ``apply``; a stage of your
own is one of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import Field, dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar

from fourfold.config.option import convert, option_of
from fourfold.model.errors import BadConfig
from fourfold.source.found import Found, Skip

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourfold.index.build import Counted, SegmentBuilder, Source
    from fourfold.index.parsed_cache import ParsedCache
    from fourfold.model.parsed import ParsedFile
    from fourfold.source.read import SourceText
    from fourfold.source.tree import Tree
    from fourfold.source.walk import WalkOptions
    from fourfold.store.contract import IndexedFile

TREE, FILES, STORE = "tree", "files", "store"
"""Where a stage belongs."""


@dataclass(slots=True)
class Draft:
    """One file on its way into the index. `known_hash` is the content hash that the index holds for it (empty: none);
    `source` is its text once it is read, `parsed` and `knowledge` what parsing made of it."""

    found: Found
    known_hash: str = ""
    source: SourceText | None = None
    parsed: ParsedFile | None = None
    knowledge: bytes = b""
    skipped: Skip | None = None
    unchanged: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def path(self) -> str:
        """The path below the root."""
        return self.found.path

    @property
    def text(self) -> str:
        """The text as it is indexed (secrets masked), "" before it is read."""
        return self.source.text if self.source is not None else ""

    def leave_out(self, reason: str, detail: str = "") -> None:
        """Do not index the file; `fourfold status PATH` tells `reason` and `detail`."""
        self.skipped = Skip(self.path, reason, detail)

    def note(self, text: str) -> None:
        """Remember something of the file that `fourfold status PATH` tells."""
        self.notes.append(text)


@dataclass(slots=True)
class FileBatch:
    """Files that are prepared and committed together, and what the stages make of them: `files` and `sources` as they
    are stored and analysed, `counted` and `arrays` the columns of their segment."""

    drafts: list[Draft]
    files: list[IndexedFile] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    counted: Counted | None = None
    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)

    def stripped(self) -> FileBatch:
        """The batch without what only parsing and recording need: to be sent to another process."""
        for draft in self.drafts:
            draft.parsed, draft.knowledge = None, b""
        return self

    @property
    def open(self) -> list[Draft]:
        """The files that are still to be indexed."""
        return [draft for draft in self.drafts if draft.skipped is None and not draft.unchanged]


@dataclass(frozen=True, slots=True)
class Bench:
    """What stages of files work with: the tree that is read, how, what parsing made before (None: nothing is kept), and
    the builder of segments with its model."""

    tree: Tree
    walk: WalkOptions
    known: ParsedCache | None
    builder: SegmentBuilder


@dataclass(frozen=True)
class Stage:
    """Base of all stages. Parameters are fields made by :func:`fourfold.config.option.setting`, checked by the type and
    the limits of their default; BadConfig says what is allowed."""

    type: ClassVar[str] = ""
    place: ClassVar[str] = FILES

    def __post_init__(self) -> None:
        for name, item in self.parameters().items():
            object.__setattr__(self, name, convert(option_of(self.type, item), getattr(self, name)))

    @classmethod
    def parameters(cls) -> dict[str, Field[Any]]:
        """The parameters by name, in order."""
        return {item.name: item for item in fields(cls) if item.metadata}


@dataclass(frozen=True)
class FileStage(Stage):
    """Base of stages of files, those of your own too."""

    def apply(self, batch: FileBatch, bench: Bench) -> None:
        """Do the work on the files of a batch that are still :attr:`FileBatch.open`."""
        raise BadConfig(f"the stage {self.type or type(self).__name__} has no apply", hint="define apply(batch, bench)")


NamedFileStages = Sequence[tuple[str, FileStage]]
