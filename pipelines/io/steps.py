"""Read an ordered query batch by batch and store what comes of it, without keeping others from the warehouse."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from typing import Any

import pyarrow as pa

from pipelines.io.warehouse import Held, Warehouse


def in_steps(
    warehouse: Warehouse,
    query: str,
    parameters: Mapping[str, Any],
    *,
    key: Sequence[str],
    at_once: int,
    before_others: int = 0,
) -> Generator[tuple[Held, pa.RecordBatch], None, None]:
    """Yield the rows of a query in batches, each with the warehouse held open to store what comes of it.

    When someone else waits for the warehouse it is given up after the batch in hand, but not before `before_others`
    rows: to put the rest in order again takes its time, and beside a stream someone always waits. Later the query goes
    on behind the last row. So the query must be ordered by `key`, columns that are never null and tell its rows apart,
    and must leave out what is not behind the parameters `$after_<name>`: they are null at first. Rows that arrive
    meanwhile in front of that place are not seen. Close the generator: it holds the warehouse.
    """
    after: dict[str, Any] = {f"after_{name}": None for name in key}
    more = True
    while more:
        more, rows = False, 0
        # a cursor of its own, so that rows stream while others are stored
        with warehouse.hold() as held, closing(held.cursor()) as reader:
            for batch in reader.sql(query, params={**parameters, **after}).to_arrow_reader(at_once):
                yield held, batch
                rows += batch.num_rows
                if batch.num_rows:
                    after = {f"after_{name}": batch.column(name)[-1].as_py() for name in key}
                if rows >= before_others and held.wanted():
                    more = True
                    break
