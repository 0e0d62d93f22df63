"""The one door to the DuckDB file: who may open it, when, and with which rights.

DuckDB lets one process write, and lets nobody read meanwhile. So processes queue on a lock file beside the warehouse,
shared for readers and exclusive for writers, instead of failing on DuckDB's own lock. A second file is a turnstile that
everyone passes on the way in: it keeps the queue fair, and tells one who holds the warehouse that others wait.
"""

import fcntl
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import IO

import duckdb

from pipelines.errors import NightcheckError
from pipelines.io import contract
from pipelines.io.contract import settings_of
from pipelines.io.folders import sync
from pipelines.io.room import room
from pipelines.io.turns import in_turn, locked
from schemas import sql

Connection = duckdb.DuckDBPyConnection


class NoWarehouseError(NightcheckError):
    """There is nothing to read yet."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path), "there is no warehouse yet", "Read some events first: nightcheck ingest SOURCE")


class WarehouseTimeZoneError(NightcheckError):
    """The warehouse's days were cut in another time zone than the one configured."""

    def __init__(self, path: Path, made_with: str, configured: str) -> None:
        super().__init__(
            str(path),
            f"its days are those of {made_with}, and {configured} is configured",
            f"Set NIGHTCHECK_TIMEZONE={made_with}, or cut the days anew: nightcheck rebuild",
        )


class DamagedWarehouseError(NightcheckError):
    """DuckDB does not take the file, or not with these settings."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            str(path),
            f"DuckDB cannot open it: {reason}",
            "If its .wal is damaged, set that aside and ingest again; else put a copy back",
        )


class OpenElsewhereError(NightcheckError):
    """A program that does not queue as nightcheck does has the file open."""

    def __init__(self, path: Path, process: str | None) -> None:
        super().__init__(
            str(path),
            f"{'process ' + process if process else 'another program'} has it open without queueing for it",
            "Close it there and run the same again; to look at numbers, open published/nightcheck.duckdb beside it",
        )


class BusyWarehouseError(NightcheckError):
    """Someone holds the warehouse for longer than the caller was ready to wait."""

    def __init__(self, path: Path, seconds: float) -> None:
        super().__init__(
            str(path), f"another process has held it for {seconds:.0f} seconds", "Try again, or end that process"
        )


def _say_nothing(_message: str) -> None:
    return


class Warehouse:
    """The DuckDB file at `path`. Open it for one short transaction: `with warehouse.write() as connection: …`."""

    def __init__(
        self,
        path: Path,
        *,
        time_zone: str = "UTC",
        memory_limit: str = "1GB",
        threads: int = 2,
        wait_seconds: float = 3600.0,
        on_wait: Callable[[str], None] = _say_nothing,
    ) -> None:
        self.path = path
        self.time_zone = time_zone
        self._memory_limit = memory_limit
        self._threads = threads
        self._wait_seconds = wait_seconds
        self._on_wait = on_wait
        self._contract_checked = False

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open for reading; many may at once. Raises `NoWarehouseError` where nothing was ever written."""
        if not self.path.exists():
            raise NoWarehouseError(self.path)
        if not self._contract_checked and not self._fits_contract():
            with self.write():  # brings an older warehouse up to the contract
                pass
        with self._locked(fcntl.LOCK_SH):
            connection = self._connect(read_only=True)
            try:
                yield connection
            finally:
                connection.close()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open for one transaction: committed at the end of the block, rolled back if it raises.

        An error from the commit itself leaves its outcome in doubt; the connection is closed all the same, and the
        caller must read from the warehouse what had been done.
        """
        with self.hold() as held, held.transaction() as connection:
            yield connection

    @contextmanager
    def recut(self) -> Iterator[Connection]:
        """Open for one transaction that derives every day anew, in the configured time zone, whatever it was before."""
        with self._locked(fcntl.LOCK_EX):
            connection = self._connect(read_only=False)
            try:
                known = settings_of(connection)
                self._fit(connection, known)
                with _transaction(connection):
                    if known.get("time_zone", self.time_zone) != self.time_zone:
                        connection.execute(sql.load("ops/set.sql"), {"name": "time_zone", "value": self.time_zone})
                        connection.execute(sql.load("night/unpublish.sql"))  # every night's day is another one now
                    yield connection
            finally:
                connection.close()

    @contextmanager
    def hold(self, *, threads: int | None = None) -> Iterator["Held"]:
        """Open for several transactions; the holder must let go soon after `wanted()` becomes true.

        `threads` is how many DuckDB works with, where that shall not be as configured.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._locked(fcntl.LOCK_EX):
            connection = self._connect(read_only=False, threads=threads)
            try:
                self._bring_up_to_contract(connection)
                yield Held(connection, self._turnstile_path)
            finally:
                connection.close()

    @contextmanager
    def replace(self) -> Iterator[tuple[Connection, Path]]:
        """Open for a rewrite of the whole file: yields the old warehouse and the path for the new one.

        After the block the new file takes the old one's place in one step; if it raises, the old one stays.
        """
        new = self.path.with_suffix(".new")
        with self._locked(fcntl.LOCK_EX):
            discard(new)
            connection = self._connect(read_only=False, writable_folder=self.path.parent)
            try:
                yield connection, new
            except BaseException:
                connection.close()
                discard(new)
                raise
            connection.close()
            self.path.with_name(self.path.name + ".wal").unlink(missing_ok=True)
            new.replace(self.path)
            sync(self.path.parent)

    def in_turn(self, work: str, lock: Path) -> AbstractContextManager[None]:
        """Do a piece of work of several transactions while no other process does it; see `turns.in_turn`."""
        return in_turn(work, lock, seconds=self._wait_seconds, on_wait=self._on_wait)

    @property
    def _turnstile_path(self) -> Path:
        return self.path.with_name(self.path.name + ".turnstile")

    @contextmanager
    def _locked(self, mode: int) -> Iterator[None]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with room(self.path), self.path.with_name(self.path.name + ".lock").open("a") as lock:
            with self._turnstile_path.open("a") as turnstile:
                self._wait_for(turnstile, fcntl.LOCK_EX)
                self._wait_for(lock, mode)
            yield

    def _wait_for(self, file: IO[str], mode: int) -> None:
        waited_for = f"{self.path}, which another process has open"
        if not locked(file, mode, waited_for, seconds=self._wait_seconds, on_wait=self._on_wait):
            raise BusyWarehouseError(self.path, self._wait_seconds)

    def _connect(
        self, *, read_only: bool, writable_folder: Path | None = None, threads: int | None = None
    ) -> Connection:
        try:
            with room(self.path):
                return self._configured(read_only, writable_folder, threads or self._threads)
        except duckdb.Error as error:
            if "Conflicting lock is held" in str(error):
                process = re.search(r"\(PID (\d+)\)", str(error))
                raise OpenElsewhereError(self.path, process and process[1]) from error
            raise DamagedWarehouseError(self.path, str(error).splitlines()[0]) from error

    def _configured(self, read_only: bool, writable_folder: Path | None, threads: int) -> Connection:
        connection = _open(
            str(self.path),
            read_only=read_only,
            memory_limit=self._memory_limit,
            threads=threads,
            # the default of 16 MiB rewrites row groups in the midst of every second batch: 1.4 to 1.8 times slower
            checkpoint_threshold="256MB",
        )
        if writable_folder is not None:
            connection.execute("set allowed_directories = $folders", {"folders": [str(writable_folder)]})
        return _locked_down(connection)

    def _fits_contract(self) -> bool:
        """Whether the warehouse is as the contract has it; looks as a reader, which keeps no reader out."""
        with self._locked(fcntl.LOCK_SH):
            connection = self._connect(read_only=True)
            try:
                known = settings_of(connection)
            finally:
                connection.close()
        self._check_time_zone(known)
        self._contract_checked = known.get("contract") == contract.fingerprint()
        return self._contract_checked

    def _check_time_zone(self, known: dict[str, str]) -> None:
        made_with = known.get("time_zone", self.time_zone)
        if made_with != self.time_zone:
            raise WarehouseTimeZoneError(self.path, made_with, self.time_zone)

    def _bring_up_to_contract(self, connection: Connection) -> None:
        if self._contract_checked:
            return
        known = settings_of(connection)
        self._check_time_zone(known)
        self._fit(connection, known)
        self._contract_checked = True

    def _fit(self, connection: Connection, known: dict[str, str]) -> None:
        """Run what the warehouse lacks of the contract."""
        if known.get("contract") == contract.fingerprint():
            return
        with _transaction(connection):
            contract.apply(connection, is_new=not known)
            settings = {"contract": contract.fingerprint(), "time_zone": known.get("time_zone", self.time_zone)}
            for name, value in settings.items():
                connection.execute(sql.load("ops/set.sql"), {"name": name, "value": value})


class Held:
    """A warehouse that is held open over several transactions."""

    def __init__(self, connection: Connection, turnstile: Path) -> None:
        self._connection = connection
        self._turnstile = turnstile

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """One transaction: committed at the end of the block, rolled back if it raises."""
        with _transaction(self._connection):
            yield self._connection

    def cursor(self) -> Connection:
        """Return a second connection to the same warehouse, to read by while transactions go on; close it."""
        return self._connection.cursor()

    def wanted(self) -> bool:
        """Whether someone else waits for the warehouse."""
        with self._turnstile.open("a") as turnstile:
            try:
                fcntl.flock(turnstile, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False


@contextmanager
def _transaction(connection: Connection) -> Iterator[None]:
    connection.execute("begin")
    try:
        yield
    except BaseException:
        with suppress(duckdb.Error):  # after a FATAL nothing works any more; the first error is the one to see
            connection.execute("rollback")
        raise
    connection.execute("commit")


@contextmanager
def made_aside(path: Path) -> Iterator[Connection]:
    """Make a new DuckDB file at `path`, for what is published: whole in one file after the block, gone if it raises."""
    discard(path)
    connection = _locked_down(_open(str(path)))
    try:
        yield connection
        connection.execute("checkpoint")  # to close it does the same, and says nothing where there is no room for it
    except BaseException:
        connection.close()
        discard(path)
        raise
    connection.close()


def discard(path: Path) -> None:
    """Remove a DuckDB file and its log, where they are."""
    for each in (path, path.with_name(f"{path.name}.wal")):
        each.unlink(missing_ok=True)


def describe(table: str) -> tuple[str, list[tuple[str, str, str]]]:
    """Return what a table's contract says of it: its comment, and name, type and comment of each column.

    `table` is schema-qualified. The contract is read from its DDL; no warehouse is needed.
    """
    schema, _, name = table.partition(".")
    named = {"schema": schema, "name": name}
    connection = _locked_down(_open(":memory:"))
    try:
        for statements in sql.contracts().values():
            connection.execute(statements)
        ((comment,),) = connection.execute(sql.load("ops/table_comment.sql"), named).fetchall()
        columns = connection.execute(sql.load("ops/columns.sql"), named).fetchall()
    finally:
        connection.close()
    return comment or "", [(column, kind, text or "") for column, kind, text in columns]


def _open(path: str, *, read_only: bool = False, **config: str | int) -> Connection:
    extensions = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
    return duckdb.connect(path, read_only=read_only, config={**config, **extensions})


def _locked_down(connection: Connection) -> Connection:
    """Pin the time zone, shut the way out to files and the network, and let nothing change that."""
    connection.execute("set TimeZone = 'UTC'")
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")
    return connection
