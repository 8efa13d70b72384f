"""Ingestion as a pipeline of named stages: what a refresh does, addressable, with parameters that are checked.

::

    pipeline = IngestionPipeline.default()
    pipeline["parse"].chunker                                        # "ast"
    pipeline = pipeline.replace("parse", chunker="lines")
    pipeline = pipeline.insert("licence", DropUnlicensed(), after="read")
    index.use_ingestion(pipeline)
    index.refresh()

A refresh is this pipeline: settings and :class:`fourfold.index.refresh.RefreshOptions` say the same in another form.
Stages of your own stand between `read` and `tokens`. They run in the process that refreshes, and are part of the
identity of the index: under other ones it is made anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from fourfold.index import stages as shipped
from fourfold.index.stage import Bench, FileBatch, FileStage, NamedFileStages, Stage
from fourfold.model.errors import BadConfig, FourfoldError, UsageError

if TYPE_CHECKING:
    from fourfold.index.refresh import RefreshOptions
    from fourfold.index.task import PrepareOptions

SHIPPED: tuple[type[Stage], ...] = (
    shipped.Walk,
    shipped.Compare,
    shipped.Read,
    shipped.Unchanged,
    shipped.Parse,
    shipped.Record,
    shipped.Tokens,
    shipped.Embed,
    shipped.Write,
    shipped.Finish,
)
"""In their order. Each stands in every pipeline once, under its type name."""
_REQUIRED = tuple(stage.type for stage in SHIPPED)
FIRST, LAST = "read", "tokens"
"""Stages of your own stand behind the first and before the last of these."""


@dataclass(frozen=True)
class IngestionPipeline:
    """Stages by name, in the order in which they run. Raises BadConfig for stages that are missing, misplaced or named
    twice."""

    stages: Sequence[tuple[str, Stage]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "stages", tuple(self.stages))
        for name, stage in self.stages:
            if not isinstance(stage, Stage):
                raise BadConfig(f"{name} is no stage but a {type(stage).__name__}", hint="derive from FileStage")
            if not name or list(self).count(name) > 1:
                raise BadConfig(f"two stages are called {name!r}" if name else "a stage has no name")
        own = tuple(name for name, stage in self.stages if type(stage) in SHIPPED)
        if own != _REQUIRED or any(type(self[name]).type != name for name in _REQUIRED):
            raise BadConfig("an ingestion pipeline needs the shipped stages in order", hint=", ".join(_REQUIRED))
        for name in self.added:
            if not isinstance(self[name], FileStage):
                raise BadConfig(f"{name} is no stage of files", hint="derive from FileStage and define apply")
            if not self._at(FIRST) < self._at(name) <= self._at(LAST):
                raise BadConfig(f"the stage {name} cannot stand there", hint=f"put it behind {FIRST} and before {LAST}")

    @classmethod
    def of(cls, options: RefreshOptions) -> IngestionPipeline:
        """The pipeline of a refresh with these options."""
        walk = {item.name: getattr(options.walk, item.name) for item in fields(options.walk)}
        walk.pop("redact_secrets")
        of_files = options.stages or file_stages(options)
        stages: list[tuple[str, Stage]] = [("walk", shipped.Walk(**walk)), ("compare", shipped.Compare())]
        return cls([*stages, *of_files, ("write", shipped.Write()), ("finish", shipped.Finish())])

    @classmethod
    def default(cls) -> IngestionPipeline:
        """The pipeline of the default settings."""
        from fourfold.index.refresh import RefreshOptions

        return cls.of(RefreshOptions())

    def __getitem__(self, name: str) -> Any:
        for own, stage in self.stages:
            if own == name:
                return stage
        raise KeyError(f"there is no stage {name!r}; stages: {', '.join(self)}")

    def __iter__(self) -> Iterator[str]:
        return iter([name for name, _ in self.stages])

    def __len__(self) -> int:
        return len(self.stages)

    @property
    def added(self) -> tuple[str, ...]:
        """The names of the stages that do not ship."""
        return tuple(name for name, stage in self.stages if type(stage) not in SHIPPED)

    def replace(self, name: str, **parameters: Any) -> IngestionPipeline:
        """The same pipeline with other parameters of one stage. Raises KeyError, or BadConfig for a bad parameter."""
        stage = self[name]
        known = stage.parameters()
        for parameter in parameters:
            if parameter not in known:
                takes = f"parameters: {', '.join(known)}" if known else "it takes none"
                raise BadConfig(f"the stage {name} has no parameter {parameter!r}", hint=takes)
        changed = replace(stage, **parameters)
        return IngestionPipeline([(own, changed if own == name else one) for own, one in self.stages])

    def insert(self, name: str, stage: FileStage, *, after: str) -> IngestionPipeline:
        """The same pipeline with a stage of your own behind the stage `after`. Raises KeyError or BadConfig."""
        at = self._at(after) + 1
        return IngestionPipeline([*self.stages[:at], (name, stage), *self.stages[at:]])

    def without(self, name: str) -> IngestionPipeline:
        """The same pipeline without a stage that does not ship. Raises KeyError or BadConfig."""
        self._at(name)
        return IngestionPipeline([(own, stage) for own, stage in self.stages if own != name])

    def options(self, base: RefreshOptions) -> RefreshOptions:
        """The options of a refresh that runs this pipeline; what is no matter of a stage (workers, the commit) is from
        `base`."""
        walk, parse = self["walk"], self["parse"]
        chosen = {name: getattr(walk, name) for name in walk.parameters()}
        of_files = tuple((name, one) for name, one in self.stages if isinstance(one, FileStage))
        return replace(
            base,
            walk=replace(base.walk, **chosen, redact_secrets=self["read"].redact_secrets),
            chunker=parse.chunker,
            deadline_s=parse.deadline_s,
            languages=dict(parse.languages),
            model=self["embed"].model,
            stages=of_files if self.added else (),
        )

    def _at(self, name: str) -> int:
        self[name]
        return list(self).index(name)


def file_stages(options: RefreshOptions | PrepareOptions) -> NamedFileStages:
    """The shipped stages of files under some options, in order."""
    return (
        ("read", shipped.Read(redact_secrets=options.walk.redact_secrets)),
        ("unchanged", shipped.Unchanged()),
        ("parse", shipped.Parse(options.chunker, options.deadline_s, options.languages)),
        ("record", shipped.Record()),
        ("tokens", shipped.Tokens()),
        ("embed", shipped.Embed(options.model)),
    )


def run_stage(name: str, stage: FileStage, batch: FileBatch, bench: Bench) -> None:
    """Run one stage of files. What a stage of your own raises becomes a UsageError that names it."""
    if type(stage) in SHIPPED:
        stage.apply(batch, bench)
        return
    try:
        stage.apply(batch, bench)
    except FourfoldError:
        raise
    except Exception as error:
        said = f"the ingestion stage {name} failed: {type(error).__name__}: {error}"
        raise UsageError(said, hint="what was committed before it stays; mend the stage and refresh again") from error
