"""The full check that the hot path leaves to the night: one id under two times is a conflict, kept, not projected."""

from pipelines.ingest.run import PROJECTIONS, project_again
from pipelines.io.warehouse import Warehouse
from schemas import sql


def settle(warehouse: Warehouse) -> int:
    """Move every later delivery of an id that was stored before to the conflicts; return how many were moved.

    Looks at what came since the last call. The first delivery keeps its rows, the ledger is kept true,
    and the nights of the days that lost an event are to be run again.
    """
    with warehouse.write() as connection:
        ((since,),) = connection.execute(sql.load("ingest/checked_up_to.sql")).fetchall()
        ((newest,),) = connection.execute(sql.load("night/watermark.sql")).fetchall()
        if newest <= since:
            return 0
        connection.execute(sql.load("ingest/double_ids.sql"), {"since": since})
        ((moved,),) = connection.execute(sql.load("ingest/move_double_ids.sql")).fetchall()
        if moved:
            connection.execute(sql.load("ingest/account_double_ids.sql"))
            connection.execute(sql.load("ingest/delete_double_ids.sql"))
            connection.execute(sql.load("night/reopen_double_ids.sql"))
            for name in PROJECTIONS:
                connection.execute(sql.load(f"projections/{name}/delete_double_ids.sql"))
            kept = connection.execute(sql.load("ingest/kept_of_double_ids.sql")).fetchall()
            project_again(connection, kept, warehouse.time_zone, days=False)
        connection.execute(sql.load("ops/set.sql"), {"name": "checked_up_to", "value": str(newest)})
    return int(moved)
