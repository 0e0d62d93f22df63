"""Read an ordered query batch by batch and store what comes of it, without keeping others from the warehouse."""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import Any, TypeVar

import pyarrow as pa

from pipelines.io.warehouse import Held, Warehouse

T = TypeVar("T")


def looked_at(
    look: Callable[[pa.RecordBatch], T], batches: Iterable[pa.RecordBatch], *, threads: int
) -> Generator[tuple[pa.RecordBatch, T], None, None]:
    """Yield each batch, in order, with what `look` finds in it, while some of the next are looked at in threads.

    A batch more than there are threads is read ahead and no further: texts that wait take memory. With one thread
    `look` may keep a state from batch to batch. Close the generator: its threads look at batches until then.
    """
    running: deque[tuple[pa.RecordBatch, Future[T]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for batch in batches:
            running.append((batch, pool.submit(look, batch)))
            if len(running) > threads:
                before, found = running.popleft()
                yield before, found.result()
        while running:
            before, found = running.popleft()
            yield before, found.result()


def in_steps(
    warehouse: Warehouse,
    query: str,
    parameters: Mapping[str, Any],
    look: Callable[[pa.RecordBatch], T],
    *,
    key: Sequence[str],
    at_once: int,
    threads: int,
    before_others: int = 0,
) -> Generator[tuple[Held, T], None, None]:
    """Yield what `look` finds in the rows of a query, batch by batch, each with the warehouse held open to store it.

    When someone else waits for the warehouse it is given up after the batches in hand, but not before `before_others`
    rows: to put the rest in order again takes its time, and beside a stream someone always waits. Later the query goes
    on behind the last row. So the query must be ordered by `key`, columns that are never null and tell its rows apart,
    and must leave out what is not behind the parameters `$after_<name>`: they are null at first. Rows that arrive
    meanwhile in front of that place are not seen. Batches are looked at as `looked_at` does. Close the generator: it
    holds the warehouse.
    """
    after: dict[str, Any] = {f"after_{name}": None for name in key}
    more = True

    def until_others_wait(held: Held, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        nonlocal more
        rows, more = 0, False
        for batch in batches:
            yield batch
            rows += batch.num_rows
            if rows >= before_others and held.wanted():
                more = True
                return

    while more:
        # a cursor of its own, so that rows stream while others are stored; rows left unread would keep the file open
        with (
            warehouse.hold() as held,
            closing(held.cursor()) as reader,
            closing(reader.sql(query, params={**parameters, **after}).to_arrow_reader(at_once)) as batches,
            closing(looked_at(look, until_others_wait(held, batches), threads=threads)) as looks,
        ):
            for batch, found in looks:
                yield held, found
                if batch.num_rows:
                    after = {f"after_{name}": batch.column(name)[-1].as_py() for name in key}
