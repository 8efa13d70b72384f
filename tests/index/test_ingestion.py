"""Ingestion as a pipeline: the stages of every refresh, their parameters, stages of one's own among them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pytest
from tests.built import Built

from fourfold.config.option import setting
from fourfold.engine import Index
from fourfold.index.ingestion import SHIPPED, IngestionPipeline
from fourfold.index.refresh import RefreshOptions
from fourfold.index.stage import Bench, FileBatch, FileStage
from fourfold.index.stages import Walk
from fourfold.model.errors import BadConfig, UsageError

FILES = {
    "src/kept.py": "# licence: mine\n\n\ndef kept():\n    return 1\n",
    "src/other.py": "def other():\n    return 2\n",
    "notes.md": "# Notes\n\nlicence: mine\n",
}


@dataclass(frozen=True)
class OnlyWith(FileStage):
    """Leaves out files without a mark, notes the others."""

    type: ClassVar[str] = "only_with"
    mark: str = setting("licence", "what a file must hold")
    least: int = setting(1, "how often", minimum=1, maximum=9)

    def apply(self, batch: FileBatch, bench: Bench) -> None:
        for draft in batch.open:
            times = draft.text.count(self.mark)
            if times < self.least:
                draft.leave_out("unmarked", f"it does not hold {self.mark}")
            else:
                draft.note(f"{self.mark}: {times}")


@dataclass(frozen=True)
class Fails(FileStage):
    """Raises."""

    type: ClassVar[str] = "fails"

    def apply(self, batch: FileBatch, bench: Bench) -> None:
        raise ZeroDivisionError("no")


@pytest.fixture
def built(tmp_path: Path) -> Iterator[Built]:
    with Built(tmp_path) as made:
        yield made.write(FILES)


def indexed(index: Index) -> set[str]:
    return {path for path, record in index._store.snapshot().records().items() if record.status == "indexed"}


def test_the_stages_stand_in_their_order_and_say_what_they_take() -> None:
    pipeline = IngestionPipeline.default()
    assert list(pipeline) == [stage.type for stage in SHIPPED]
    assert len(pipeline) == len(SHIPPED) == 10
    assert pipeline["parse"].chunker == "ast"
    assert pipeline["embed"].model == "static"
    assert {stage.place for _, stage in pipeline.stages} == {"tree", "files", "store"}
    for stage in SHIPPED:
        assert stage.__doc__
        assert all(item.metadata["help"] for item in stage.parameters().values())


def test_a_pipeline_and_the_options_of_a_refresh_say_the_same() -> None:
    options = RefreshOptions(chunker="lines", deadline_s=0.5, languages={".x": "python"}, model="hash", workers=3)
    options = replace(options, walk=replace(options.walk, exclude=("a*",), redact_secrets=False, max_file_bytes=9))
    assert IngestionPipeline.of(options).options(RefreshOptions(workers=3)) == options
    own = IngestionPipeline.of(options).insert("own", OnlyWith(), after="read")
    assert IngestionPipeline.of(own.options(RefreshOptions())) == own


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda p: p.replace("parse", chunker="tree"), "parse.chunker must be one of ast, lines"),
        (lambda p: p.replace("parse", chunkr="ast"), "no parameter 'chunkr'"),
        (lambda p: p.replace("walk", max_file_bytes=0), "walk.max_file_bytes"),
        (lambda p: p.replace("write", x=1), "no parameter 'x'"),
        (lambda p: p.insert("own", OnlyWith(least=10), after="read"), "only_with.least"),
        (lambda p: p.insert("own", OnlyWith(), after="walk"), "cannot stand there"),
        (lambda p: p.insert("own", OnlyWith(), after="embed"), "cannot stand there"),
        (lambda p: p.insert("read", OnlyWith(), after="read"), "two stages are called 'read'"),
        (lambda p: p.insert("", OnlyWith(), after="read"), "no name"),
        (lambda p: p.insert("own", "nothing", after="read"), "no stage but a str"),
        (lambda p: p.without("parse"), "needs the shipped stages"),
        (lambda p: IngestionPipeline([("walk", Walk())]), "needs the shipped stages"),
        (lambda p: IngestionPipeline(p.stages[::-1]), "needs the shipped stages"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_runs(make: object, said: str) -> None:
    with pytest.raises(BadConfig) as caught:
        make(IngestionPipeline.default())  # type: ignore[operator]
    assert said in str(caught.value)


def test_an_unknown_stage_names_the_known_ones() -> None:
    with pytest.raises(KeyError, match="no stage 'pares'; stages: walk, compare, read"):
        IngestionPipeline.default()["pares"]


def test_a_stage_of_ones_own_leaves_files_out_and_notes_others(built: Built) -> None:
    index = built.index
    index.use_ingestion(index.ingestion.insert("licence", OnlyWith(), after="unchanged"))
    report = index.refresh()
    assert "ingestion stages changed" in " ".join(report.warnings)
    assert indexed(index) == {"src/kept.py", "notes.md"}
    left_out = index.status_of("src/other.py")
    assert (left_out.reason, left_out.detail) == ("unmarked", "it does not hold licence")
    assert "licence: 1" in index.status_of("src/kept.py").note
    assert not index.refresh().changed
    (built.root / "src/other.py").write_text("# licence: mine\n\n\ndef other():\n    return 3\n")
    index.refresh()
    assert "src/other.py" in indexed(index)


def test_an_index_of_other_stages_is_made_anew(built: Built) -> None:
    index = built.index
    plain = index.ingestion
    index.use_ingestion(plain.insert("licence", OnlyWith(), after="unchanged"))
    index.refresh()
    index.use_ingestion(plain.insert("licence", OnlyWith(mark="return"), after="unchanged"))
    index.refresh()
    assert indexed(index) == {"src/kept.py", "src/other.py"}
    index.use_ingestion(None)
    index.refresh()
    assert indexed(index) == set(FILES)
    assert not index.refresh().added


def test_parameters_of_shipped_stages_hold_in_a_refresh(built: Built) -> None:
    index = built.index
    index.use_ingestion(index.ingestion.replace("walk", exclude=("*.md",)).replace("parse", chunker="lines"))
    index.refresh()
    assert indexed(index) == {"src/kept.py", "src/other.py"}
    assert index._store.snapshot().meta["chunker"].startswith("lines-")


def test_a_stage_that_fails_is_named_and_what_was_there_stays(built: Built) -> None:
    index = built.index
    index.use_ingestion(index.ingestion.insert("broken", Fails(), after="read"))
    with pytest.raises(UsageError, match="the ingestion stage broken failed: ZeroDivisionError: no"):
        index.refresh(force=True)


def test_the_page_runs_as_it_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = Path(__file__).parents[2] / "docs" / "pipelines.md"
    code = page.read_text("utf-8").split("## Ingestion")[1].split("```python\n")[1].split("```")[0]
    with Built(tmp_path) as made:
        made.write({"a.py": "def a():\n    return 1\n", "b.py": "# @generated\n\n\ndef b():\n    return 2\n"})
        ran = code.replace('Index.open(".")', "opened")
        space: dict[str, object] = {"opened": made.index, "__name__": "page"}
        exec(compile(ran, "pipelines.md", "exec", dont_inherit=True), space)
        said = capsys.readouterr().out
        assert said.startswith("['walk', 'compare', 'read', 'unchanged', 'parse'")
        assert "added=1" in said and "skipped={'generated': 1}" in said
