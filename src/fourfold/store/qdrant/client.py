"""The gateway of a server (or of the client's own local mode, which answers the same requests in this process)."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

from fourfold.model.errors import BackendUnavailable, IndexUnavailable
from fourfold.store.qdrant import retry
from fourfold.store.qdrant.gateway import MAX_POINTS, PAGE, batches
from fourfold.store.qdrant.layout import CODE, INTEGERS, KEYWORDS, TENANT, Layout
from fourfold.store.qdrant.points import Found, Leg, Point, Sparse, Where

if TYPE_CHECKING:
    from qdrant_client import QdrantClient

T = TypeVar("T")

IN_FLIGHT = 4
"""Requests that write at the same time: enough to hide the way to the server, few enough not to be refused."""
OLDEST_SERVER = (1, 20)
"""The first server that weighs sparse vectors by the statistics of one service (`idf` of the search parameters)."""


class ClientGateway:
    """`connect` makes a client, when one is first needed and again after :meth:`close`. `collection` is the alias that
    is read and written. `exact` asks for exact nearest neighbours.

    `local` says that the client is in local mode: no indexes, no cluster, always exact, and not made for threads.
    """

    def __init__(
        self,
        connect: Callable[[], QdrantClient],
        collection: str,
        address: str,
        *,
        local: bool = False,
        exact: bool = False,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._connect = connect
        self._client: QdrantClient | None = None
        self.collection = collection
        self._address = address
        self._local = local
        self._exact = exact
        self._sleep = sleep
        self._guard = threading.RLock()

    @property
    def client(self) -> QdrantClient:
        """The connection."""
        with self._guard:
            if self._client is None:
                self._client = self._connect()
            return self._client

    @property
    def address(self) -> str:
        """Where the collection is, in words."""
        return self._address

    def exists(self) -> bool:
        """True where the collection (or an alias of that name) is there. Raises BackendUnavailable for old servers."""
        self._check_server  # noqa: B018 (checks once)
        return self._try(lambda: self.client.collection_exists(self.collection))

    def create(self, layout: Layout) -> None:
        """Make the collection ``NAME-1`` behind the alias ``NAME``, and its payload indexes."""
        if not self.exists():
            self.create_physical(f"{self.collection}-1", layout)
            self.switch(f"{self.collection}-1")

    def create_physical(self, name: str, layout: Layout) -> None:
        """Make a collection under its own name, or go on where its making was cut short."""
        from fourfold.store.qdrant import requests

        if not self._try(lambda: self.client.collection_exists(name)):
            settings = requests.collection(layout, local=self._local)
            try:
                self._try(lambda: self.client.create_collection(name, **settings))
            except BackendUnavailable:  # another indexer was faster
                if not self._try(lambda: self.client.collection_exists(name)):
                    raise
        if self._local:
            return
        for field, schema in requests.indexes(TENANT, KEYWORDS, INTEGERS):
            self._try(partial(self.client.create_payload_index, name, field, field_schema=schema, wait=True))

    def switch(self, name: str) -> None:
        """Let the alias name another collection, in one step: readers see the old one or the new one, never none."""
        from fourfold.store.qdrant import requests

        present = self.physical()
        if present != name:
            operations = requests.switch(self.collection, name, replace=bool(present))
            self._try(lambda: self.client.update_collection_aliases(operations))

    def physical(self) -> str:
        """The collection that the alias names now; empty where there is no alias."""
        found = self._try(self.client.get_aliases).aliases
        return next((item.collection_name for item in found if item.alias_name == self.collection), "")

    def drop_physical(self, name: str) -> None:
        """Delete a collection by its own name."""
        self._try(lambda: self.client.delete_collection(name))

    def named(self, name: str) -> ClientGateway:
        """A gateway to another collection of the same server."""
        options = {"local": self._local, "exact": self._exact, "sleep": self._sleep}
        return ClientGateway(lambda: self.client, name, f"{self._address} ({name})", **options)  # type: ignore[arg-type]

    def dimension(self) -> int:
        """Dimension of the dense vectors; 0 where the collection has none."""
        info = self._try(lambda: self.client.get_collection(self.collection))
        vectors = info.config.params.vectors
        found = vectors.get(CODE) if isinstance(vectors, dict) else None
        return int(found.size) if found is not None else 0

    def put(self, points: Sequence[Point], *, only: Where | None = None) -> None:
        """Store points, several requests at a time."""
        from fourfold.store.qdrant import requests

        options: dict[str, Any] = {"wait": True}
        if only is not None:
            options["update_filter"] = requests.filter_of(only)
            if not self._local:
                options["ordering"] = "strong"

        def send(part: Sequence[Point]) -> None:
            made = [requests.point(item) for item in part]
            self._try(lambda: self.client.upsert(self.collection, made, **options))

        self._each(send, list(batches(points)))

    def set_payload(self, where: Where, payload: Mapping[str, Any]) -> None:
        """Set payload values of all matching points."""
        from fourfold.store.qdrant import requests

        chosen = requests.filter_of(where)
        self._try(lambda: self.client.set_payload(self.collection, dict(payload), points=chosen, wait=True))

    def set_each(self, changes: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        """Set payload values of single points, many in one request."""
        from fourfold.store.qdrant import requests

        for start in range(0, len(changes), MAX_POINTS):
            operations = requests.settings(changes[start : start + MAX_POINTS])
            self._try(partial(self.client.batch_update_points, self.collection, operations, wait=True))

    def set_vectors(self, points: Sequence[Point]) -> None:
        """Replace the named vectors that `points` hold."""
        from fourfold.store.qdrant import requests

        def send(part: Sequence[Point]) -> None:
            made = [requests.point_vectors(item) for item in part]
            self._try(lambda: self.client.update_vectors(self.collection, made, wait=True))

        self._each(send, list(batches(points)))

    def delete(self, where: Where) -> None:
        """Delete all matching points."""
        from fourfold.store.qdrant import requests

        chosen = requests.selector(where)
        self._try(lambda: self.client.delete(self.collection, chosen, wait=True))

    def get(self, ids: Sequence[str], keys: Sequence[str]) -> list[Found]:
        """Those of the points that exist."""
        found: list[Found] = []
        for start in range(0, len(ids), PAGE):
            part = list(ids[start : start + PAGE])
            request = partial(self.client.retrieve, self.collection, part, with_payload=list(keys), **self._agreed)
            records: list[Any] = self._read(request, [])
            found.extend(_found(record) for record in records)
        return found

    def scroll(self, where: Where, keys: Sequence[str], *, vectors: bool = False) -> Iterator[Found]:
        """All matching points, a page at a time."""
        from fourfold.store.qdrant import requests

        chosen, offset = requests.filter_of(where), None
        records: list[Any]
        payload: bool | list[str] = list(keys) or True
        while True:
            request = partial(
                self.client.scroll,
                self.collection,
                scroll_filter=chosen,
                limit=PAGE,
                offset=offset,
                with_payload=payload,
                with_vectors=vectors,
                **self._agreed,
            )
            records, offset = self._try(request)
            yield from (_found(record) for record in records)
            if offset is None:
                return

    def count(self, where: Where) -> int:
        """How many points match, exactly."""
        from fourfold.store.qdrant import requests

        chosen = requests.filter_of(where)
        return int(self._try(lambda: self.client.count(self.collection, count_filter=chosen, exact=True).count))

    def ask(self, legs: Sequence[Leg], keys: Sequence[str]) -> list[list[Found]]:
        """The answers to several legs in one request."""
        from fourfold.store.qdrant import requests

        made = [requests.leg(item, keys, exact=self._exact and not self._local) for item in legs]
        answers = self._try(lambda: self.client.query_batch_points(self.collection, made))
        return [[_found(point) for point in answer.points] for answer in answers]

    def fused(self, legs: Sequence[Leg], k: int, limit: int, keys: Sequence[str]) -> list[Found]:
        """One query with a prefetch for each leg, fused on the server."""
        from fourfold.store.qdrant import requests

        options = requests.fused(legs, k, exact=self._exact and not self._local)
        answer = self._try(
            lambda: self.client.query_points(self.collection, limit=limit, with_payload=list(keys), **options)
        )
        return [_found(point) for point in answer.points]

    def close(self) -> None:
        """Close the connections; the next request opens new ones."""
        with self._guard:
            if self._client is not None:
                self._client.close()
                self._client = None

    @cached_property
    def _agreed(self) -> dict[str, Any]:
        """Rows are read from most replicas: one that lags must not show an old manifest, or lack a new row."""
        from qdrant_client import models

        return {} if self._local else {"consistency": models.ReadConsistencyType.MAJORITY}

    @cached_property
    def _check_server(self) -> bool:
        if self._local:
            return True
        version = str(self._try(self.client.info).version)
        numbers = tuple(int(part) for part in version.split("-")[0].split(".")[:2] if part.isdigit())
        if numbers < OLDEST_SERVER:
            needed = ".".join(map(str, OLDEST_SERVER))
            raise BackendUnavailable(
                f"the Qdrant server at {self._address} is version {version}, needed is {needed} or newer",
                hint=f"upgrade it; {retry.FALLBACK}",
            )
        return True

    def _each(self, send: Callable[[Sequence[Point]], None], parts: Sequence[Sequence[Point]]) -> None:
        if self._local or len(parts) < 2:
            for part in parts:
                send(part)
            return
        with ThreadPoolExecutor(IN_FLIGHT, thread_name_prefix="qdrant") as pool:
            for done in [pool.submit(send, part) for part in parts]:
                done.result()

    def _read(self, work: Callable[[], Any], nothing: Any) -> Any:
        """What `work` returns, `nothing` where the collection is not there."""
        try:
            return self._try(work)
        except IndexUnavailable:
            return nothing

    def _try(self, work: Callable[[], T]) -> T:
        if not self._local:
            return retry.attempt(work, self._meaning, self._sleep)
        with self._guard:
            return retry.attempt(work, self._meaning_of_local, self._sleep)

    def _meaning(self, error: Exception) -> retry.Fault | None:
        from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
        from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

        if isinstance(error, ResourceExhaustedResponse):
            return retry.of_status(self._address, 429, error.message, float(error.retry_after_s))
        if isinstance(error, UnexpectedResponse):
            text = error.content.decode("utf-8", "replace")
            return retry.of_status(self._address, error.status_code or 500, text)
        if isinstance(error, ResponseHandlingException):
            cause = error.source
            name = type(cause).__name__
            if "Timeout" in name:
                return retry.Fault(retry.unreachable(self._address, "did not answer in time"), retry=True)
            if type(cause).__module__.startswith("httpx"):
                return retry.Fault(retry.unreachable(self._address, f"cannot be reached ({cause})"), retry=True)
            return retry.Fault(retry.unreachable(self._address, f"sent what cannot be read ({name})"))
        if isinstance(error, json.JSONDecodeError) or type(error).__name__ == "ValidationError":
            return retry.Fault(retry.unreachable(self._address, "sent what cannot be read"))
        return None

    def _meaning_of_local(self, error: Exception) -> retry.Fault | None:
        if isinstance(error, ValueError) and "not found" in str(error):
            return retry.Fault(retry.missing(self._address))
        return None


def _found(record: Any) -> Found:
    vectors: dict[str, Any] = {}
    for name, value in (record.vector or {}).items() if isinstance(record.vector, Mapping) else ():
        sparse = hasattr(value, "indices")
        vectors[name] = Sparse(list(value.indices), list(value.values)) if sparse else list(value)
    return Found(str(record.id), record.payload or {}, float(getattr(record, "score", 0.0) or 0.0), vectors)
