"""Where this installation keeps its files and how it is set, read from the environment once, at the edge."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pipelines.address import checked_setting
from pipelines.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What every command needs to know. Every field has an environment variable, named in `from_environment`."""

    home: Path
    time_zone: str = "UTC"
    environments: tuple[str, ...] = ("production",)
    judge: str = "lexical"
    sample_cap: int | None = 40
    sample_seed: str = "nightcheck-1"
    memory_limit: str = "1GB"
    threads: int = 2
    webhook_url: str | None = None
    webhook_secret: str | None = None

    @property
    def warehouse(self) -> Path:
        """Return where the DuckDB file is."""
        return self.home / "warehouse.duckdb"

    @property
    def spool(self) -> Path:
        """Return the default folder of the spool."""
        return self.home / "spool"

    @property
    def published(self) -> Path:
        """Return the folder of what people and BI tools read."""
        return self.home / "published"

    @property
    def datasets(self) -> Path:
        """Return the folder of harvested sets."""
        return self.home / "datasets"

    @property
    def embeddings(self) -> Path:
        """Return the file that remembers embeddings."""
        return self.home / "embeddings.bin"

    @property
    def privacy_key(self) -> Path:
        """Return where the key of synthetic addresses and pseudonyms is kept."""
        return self.home / "privacy.key"

    def dataset_folder(self, name: str) -> Path:
        """Return the folder that a dataset's name means: a set among the harvested ones, or a path."""
        path = Path(name).expanduser()
        harvested = self.datasets / path
        return harvested if ".." not in path.parts and harvested.exists() else path.absolute()

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Settings":
        """Read `NIGHTCHECK_HOME` (default `~/.nightcheck`), `NIGHTCHECK_TIMEZONE` (where days are cut),
        `NIGHTCHECK_ENVIRONMENTS` (comma-separated: whose traffic is judged), `NIGHTCHECK_JUDGE`,
        `NIGHTCHECK_SAMPLE_CAP` (retrievals per tenant and night, or `all`), `NIGHTCHECK_SAMPLE_SEED`,
        `NIGHTCHECK_MEMORY_LIMIT`, `NIGHTCHECK_THREADS`, `NIGHTCHECK_WEBHOOK_URL` and `NIGHTCHECK_WEBHOOK_SECRET` (with
        which what is posted there is signed).

        Raises `UsageError` for a value that cannot be meant.
        """  # noqa: D205 - the list is the summary
        for name, value in environment.items():
            if name.startswith("NIGHTCHECK_") and any("\ud800" <= letter <= "\udfff" for letter in value):
                raise UsageError(name, "it is not UTF-8", "Write it as text in UTF-8")
        zone = environment.get("NIGHTCHECK_TIMEZONE", "UTC")
        try:
            ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise UsageError(
                "NIGHTCHECK_TIMEZONE", f"{zone!r} is no time zone", "Use a name like Europe/Rome"
            ) from error
        environments = tuple(
            name.strip() for name in environment.get("NIGHTCHECK_ENVIRONMENTS", "production").split(",") if name.strip()
        )
        return cls(
            home=Path(environment.get("NIGHTCHECK_HOME") or Path.home() / ".nightcheck").expanduser().absolute(),
            time_zone=zone,
            environments=environments or ("production",),
            judge=environment.get("NIGHTCHECK_JUDGE", "lexical"),
            sample_cap=sample_cap(environment.get("NIGHTCHECK_SAMPLE_CAP", "40")),
            sample_seed=environment.get("NIGHTCHECK_SAMPLE_SEED", "nightcheck-1"),
            memory_limit=_memory(environment.get("NIGHTCHECK_MEMORY_LIMIT", "1GB")),
            threads=_whole_number("NIGHTCHECK_THREADS", environment.get("NIGHTCHECK_THREADS", "2"), most=256),
            webhook_url=checked_setting("NIGHTCHECK_WEBHOOK_URL", environment),
            webhook_secret=environment.get("NIGHTCHECK_WEBHOOK_SECRET") or None,
        )


def sample_cap(text: str) -> int | None:
    """Read a cap: a whole number from 1, or `all`, which is none."""
    return None if text == "all" else _whole_number("NIGHTCHECK_SAMPLE_CAP or --sample", text)


#: the smallest memory that a night fits into
_LEAST_MEMORY = 64 * 1024**2
_UNITS = {"MB": 10**6, "GB": 10**9, "TB": 10**12, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}


def _memory(text: str) -> str:
    found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?) ?([MGT]i?B)", text, re.IGNORECASE | re.ASCII)
    if found is None or float(found[1]) * _UNITS[found[2].upper()] < _LEAST_MEMORY:
        raise UsageError("NIGHTCHECK_MEMORY_LIMIT", f"{text!r} is no amount from 64MiB", "Write it like 1GB")
    return text


def _whole_number(name: str, text: str, most: int = 2**31 - 1) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 10 or not 1 <= int(text) <= most:
        raise UsageError(name, f"{text!r} is no whole number from 1 to {most}", "Give one")
    return int(text)
