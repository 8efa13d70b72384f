"""The whole program on the Qdrant store: the answers of the local one, and clear words where it cannot be used."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fourfold import Index
from fourfold.config.load import load_settings
from fourfold.config.settings import QdrantSettings, Settings
from fourfold.model.errors import BackendUnavailable, BadConfig
from fourfold.model.query import Filters
from fourfold.pipeline.pipeline import RetrieverPipeline
from fourfold.pipeline.state import RetrieverState, SearchQuery
from fourfold.pipeline.steps.fused import FusedFetcher
from fourfold.store.opening import open_store
from fourfold.store.qdrant.opening import open_gateway, service_name

pytest.importorskip("qdrant_client")
pytest.importorskip("qdrant_edge")

SOURCE = Path(__file__).resolve().parents[2] / "src" / "fourfold" / "graph"
QUESTIONS = (
    "how is a call resolved to its definition",
    "where is centrality computed",
    "Graph",
    '"strongest"',
    "which names are ambiguous lang:python -path:modules",
)


def opened(root: Path, settings: Settings) -> Index:
    """A refreshed index."""
    index = Index.open(root, root=root, settings=settings)
    index.refresh()
    return index


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Index, Index]]:
    folder = tmp_path_factory.mktemp("stores")
    root = folder / "root"
    root.mkdir()
    for path in sorted(SOURCE.glob("*.py"))[:12]:
        (root / path.name).write_bytes(path.read_bytes())
    qdrant = QdrantSettings(url=f"edge:{folder}/engine", exact=True)
    local = opened(root, Settings(cache_dir=str(folder / "local")))
    remote = opened(root, Settings(cache_dir=str(folder / "remote"), store="qdrant", qdrant=qdrant))
    yield local, remote
    local.close()
    remote.close()


def places(index: Index, question: str, **options: Any) -> list[tuple[str, int, int, str | None]]:
    found = index.search(question, refresh=False, **options).items
    return [(item.path, item.start_line, item.end_line, item.symbol) for item in found]


@pytest.mark.parametrize("preset", ["default", "text", "dense", "hybrid", "contract", "graph"])
def test_both_stores_give_the_same_answers(pair: tuple[Index, Index], preset: str) -> None:
    local, remote = pair
    for question in QUESTIONS:
        assert places(remote, question, preset=preset) == places(local, question, preset=preset)
        narrow = Filters(kinds=("function",))
        assert places(remote, question, preset=preset, filters=narrow) == places(
            local, question, preset=preset, filters=narrow
        )


def test_grep_structure_and_status_are_the_same(pair: tuple[Index, Index]) -> None:
    local, remote = pair
    for pattern in ("def .*resolve", "Confidence|confidence", "x"):
        mine, theirs = (index.grep(pattern, refresh=False) for index in (local, remote))
        assert theirs.items == mine.items
    mine_status, status = local.status(), remote.status()
    assert (status.files, status.chunks, status.symbols, status.lines) == (
        mine_status.files, mine_status.chunks, mine_status.symbols, mine_status.lines
    )  # fmt: skip
    assert status.stale_files == 0
    assert "edge:" in status.location


def test_words_and_meaning_are_fused_on_the_server_as_here(pair: tuple[Index, Index]) -> None:
    def fused(index: Index, question: str) -> dict[int, float]:
        pipeline = index.pipeline(RetrieverPipeline([("fused", FusedFetcher(pool=20, k=40))]))
        state = asyncio.run(pipeline.run(RetrieverState(SearchQuery(question))))
        assert state.strategy == "weighted_rrf"
        return {item.chunk: item.score for item in state.items}

    for question in QUESTIONS[:3]:
        here, there = (fused(index, question) for index in pair)
        assert len(here) == len(there) == 20
        last = 1.00001 * min(here.values())  # which of equals is the last one is for each engine to say
        sure = {chunk: score for chunk, score in here.items() if score > last}
        assert len(sure) > 10
        assert {chunk: there[chunk] for chunk in sure} == pytest.approx(sure, rel=1e-5)


def test_an_edit_is_seen_and_a_deleted_file_is_gone(pair: tuple[Index, Index]) -> None:
    for index in pair:
        (index.root / "extra.py").write_text("def entirely_new_thing():\n    return 7\n", encoding="utf-8")
        assert index.search("entirely_new_thing").items[0].path == "extra.py"
        (index.root / "extra.py").unlink()
        assert all(item.path != "extra.py" for item in index.search("entirely_new_thing").items)


def settings_of(**qdrant: Any) -> Settings:
    return Settings(store="qdrant", qdrant=QdrantSettings(**qdrant))


@pytest.mark.parametrize("url", ["", "ftp://host", "http://user@host", "http://host?x=1", "edge:", "localhost:6333"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(BadConfig, match=r"qdrant\.url must be"):
        QdrantSettings(url=url)


@pytest.mark.parametrize("name", ["", "a b", "../x", "-x", "x" * 101])
def test_a_collection_needs_a_name(name: str) -> None:
    with pytest.raises(BadConfig, match=r"qdrant\.collection is not a name"):
        QdrantSettings(collection=name)


def test_a_repository_may_not_choose_a_server(tmp_path: Path) -> None:
    (tmp_path / "fourfold.toml").write_text(
        'store = "qdrant"\n[qdrant]\nurl = "http://evil.example"\n', encoding="utf-8"
    )
    loaded = load_settings(tmp_path, environ={"FOURFOLD_CONFIG": ""})
    assert (loaded.settings.store, loaded.settings.qdrant) == ("local", QdrantSettings())
    assert sum("only the user may set it" in warning for warning in loaded.warnings) == 2


def test_offline_asks_no_server(tmp_path: Path) -> None:
    with pytest.raises(BackendUnavailable, match="offline: the Qdrant server at http://h:1 is not asked"):
        open_gateway(settings_of(url="http://h:1"), {"HF_HUB_OFFLINE": "1"})


def test_the_key_comes_from_its_variable_and_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_of(url="http://127.0.0.1:1", key_env="SHOP_KEY")
    with pytest.raises(BackendUnavailable, match="SHOP_KEY that should hold the Qdrant server's key is not set"):
        open_gateway(settings, {})
    gateway = open_gateway(settings, {"SHOP_KEY": "s3cret"})
    assert "s3cret" not in gateway.address
    with pytest.raises(BackendUnavailable) as caught:
        monkeypatch.setattr("fourfold.store.qdrant.retry.ATTEMPTS", 1)
        gateway.exists()
    assert "s3cret" not in f"{caught.value} {caught.value.hint}"
    with pytest.raises(BadConfig, match="over https only"):
        open_gateway(settings_of(url="http://shop.example:6333", key_env="SHOP_KEY"), {"SHOP_KEY": "s3cret"})


def test_vectors_of_other_providers_are_not_kept_there(tmp_path: Path) -> None:
    loaded = load_settings(None, {"store": "qdrant", "embedding.provider": "minilm"}, environ={"FOURFOLD_CONFIG": ""})
    with pytest.raises(BadConfig, match="keeps vectors of the built-in models only"):
        open_store(tmp_path, loaded.settings)


def test_a_service_is_named_by_its_folder_or_by_the_user(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    assert service_name(root, settings_of()).startswith("shop-")
    assert service_name(root, settings_of(services={str(root): "webshop"})) == "webshop"
    assert service_name(tmp_path, settings_of(services={str(root): "webshop"})) != "webshop"
