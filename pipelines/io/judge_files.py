"""The door to the judge's small files: votes, prices, batches, and what endpoints were found to do."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from pipelines.errors import NightcheckError
from schemas.chat import BatchRecord, Reply

_PROBES = Path("judge") / "endpoints.json"
_ANSWERS = Path("judge") / "answers"


class StoredProbe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a probe found out about one endpoint and one model."""

    form: str
    refused: tuple[str, ...]
    batches: bool
    probed_at: str


class BatchJournal:
    """The batches that are under way or not long over, one small file each."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "judge" / "batches"

    def records(self) -> list[BatchRecord]:
        """Return all that is remembered, oldest first."""
        if not self._folder.is_dir():
            return []
        found = []
        for path in self._folder.glob("*.json"):
            try:
                found.append(msgspec.json.decode(read_bytes(path), type=BatchRecord))
            except msgspec.DecodeError as error:
                raise NightcheckError(str(path), str(error), "It notes a paid batch: mend it, or delete it") from error
        return sorted(found, key=lambda record: (record.submitted_at, record.tag))

    def write(self, record: BatchRecord) -> None:
        """Remember a batch, durably."""
        write_aside(self._folder / f"{record.tag}.json", msgspec.json.encode(record))

    def remove(self, tag: str) -> None:
        """Forget a batch."""
        (self._folder / f"{tag}.json").unlink(missing_ok=True)


class AnswerJournal:
    """Answers that are paid for and whose verdicts are not stored yet: one that is killed there pays for them once.

    Each piece of work, such as the night of a day, has its own: what ends takes nothing from what does not. They quote
    what was judged, so they are kept no longer than that; whoever erases a visitor clears them all (`clear_answers`).
    """

    def __init__(self, home: Path, work: str) -> None:
        """Take the name of the piece of work; no two that run at once have the same."""
        self._path = home / _ANSWERS / f"{work}.jsonl"

    def begin(self) -> None:
        """Begin to keep, beside what is kept; to be called before what is asked about is read."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.touch()

    def kept(self) -> dict[str, Reply]:
        """Return what is kept, by the ids of the calls; a line that a crash cut off, or of no `Reply`, is none."""
        if not self._path.exists():
            return {}
        decoder = msgspec.json.Decoder(tuple[str, Reply])
        found = {}
        for line in read_lines(self._path):
            try:
                call_id, reply = decoder.decode(line)
            except msgspec.DecodeError:
                continue
            found[call_id] = reply
        return found

    def keep(self, call_id: str, reply: Reply) -> None:
        """Keep an answer: the kernel has it on return, which is enough for a process that is killed.

        Once it is cleared nothing is kept before it begins anew: who works on may have in hand what was erased.
        """
        with suppress(FileNotFoundError), open(self._path, "ab", opener=_existing) as file:
            file.write(b"\n" + msgspec.json.encode((call_id, reply)) + b"\n")

    def clear(self) -> None:
        """Forget all of them."""
        self._path.unlink(missing_ok=True)


def clear_answers(home: Path) -> None:
    """Forget the answers of every piece of work, also of those that are under way: they keep no more of them."""
    for path in (home / _ANSWERS).glob("*.jsonl"):
        path.unlink(missing_ok=True)


def _existing(path: str, flags: int) -> int:
    return os.open(path, flags & ~os.O_CREAT)


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file.

    Raises:
        NightcheckError: it cannot be read.
    """
    try:
        with path.open("rb") as lines:
            yield from lines
    except OSError as error:
        raise _unreadable(path, error) from error


def read_bytes(path: Path) -> bytes:
    """Return the content of a file.

    Raises:
        NightcheckError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from error


def read_capabilities(home: Path, base_url: str, model: str) -> StoredProbe | None:
    """Return what was found out about an endpoint and model, or None where it was never probed."""
    return _read_probes(home).get(_key(base_url, model))


def write_capabilities(home: Path, base_url: str, model: str, probe: StoredProbe) -> Path:
    """Store what was found out, beside what is known of other endpoints, and return the file."""
    probes = _read_probes(home) | {_key(base_url, model): probe}
    path = home / _PROBES
    write_aside(path, msgspec.json.format(msgspec.json.encode(probes, order="sorted"), indent=1))
    return path


def write_aside(path: Path, content: bytes) -> None:
    """Replace a file as a whole and durably: a reader, or a crash, sees the old content or the new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as aside:
        aside.write(content)
        aside.flush()
        os.fsync(aside.fileno())
    Path(aside.name).replace(path)


def _read_probes(home: Path) -> dict[str, StoredProbe]:
    path = home / _PROBES
    if not path.exists():
        return {}
    try:
        return msgspec.json.decode(read_bytes(path), type=dict[str, StoredProbe])
    except msgspec.DecodeError as error:
        raise NightcheckError(str(path), str(error), "Delete it and run `nightcheck judge probe` again") from error


def _key(base_url: str, model: str) -> str:
    return f"{base_url} {model}"


def _unreadable(path: Path, error: OSError) -> NightcheckError:
    return NightcheckError(str(path), error.strerror or "it cannot be read", "Check its name and that it can be read")
