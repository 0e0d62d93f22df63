"""The settings of the judge that asks a language model, read from environment variables; pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import urlsplit

from pipelines.address import checked_address
from pipelines.errors import UsageError
from pipelines.judging.budget import Ceiling
from pipelines.judging.families import family_of, names_a_snapshot
from pipelines.judging.pace import Limits

#: where the openai client goes when no base URL is set
OFFICIAL = "https://api.openai.com/v1"
_PREFIX = "NIGHTCHECK_JUDGE_"
#: of what is counted in whole numbers
_MOST = 2**31 - 1
_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")


class Mode(StrEnum):
    """When answers come: at once, or at a lower price within a day."""

    LIVE = "live"
    BATCH = "batch"
    AUTO = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSettings:
    """Where the model is, what it may cost, and how fast it may be asked."""

    model: str
    api_key: str
    base_url: str = OFFICIAL
    effort: str = "low"
    output_limit: int = 4_000
    timeout: float = 120.0
    limits: Limits = field(default_factory=Limits)
    ceiling: Ceiling = field(default_factory=Ceiling)
    prices_file: str | None = None
    mode: Mode = Mode.LIVE
    #: hours to wait for batches before the rest is asked live
    batch_hours: float = 20.0

    @property
    def official(self) -> bool:
        """Whether this is OpenAI's own service, whose documentation says what it can do."""
        return (urlsplit(self.base_url).hostname or "").endswith("api.openai.com")

    @property
    def on_this_machine(self) -> bool:
        """Whether the endpoint is on loopback, where calls cost nothing."""
        return urlsplit(self.base_url).hostname in {"localhost", "127.0.0.1", "::1"}


def read_settings(environment: Mapping[str, str]) -> JudgeSettings:
    """Read the settings.

    Raises:
        UsageError: the model or the key is missing, or a value cannot be read.
    """
    read = _Reader(environment)
    base_url = checked_address(f"{_PREFIX}BASE_URL", read.text("BASE_URL") or OFFICIAL)
    model = read.text("MODEL")
    if model is None:
        raise UsageError(
            thing=f"{_PREFIX}MODEL",
            reason="no model is set",
            next_step="Set it to a dated snapshot, so that it does not change",
        )
    settings = JudgeSettings(
        model=model,
        api_key=environment.get("OPENAI_API_KEY", "").strip(),
        base_url=base_url.rstrip("/"),
        effort=read.choice("EFFORT", _EFFORTS, "low"),
        output_limit=read.whole("OUTPUT_TOKENS") or 4_000,
        timeout=read.number("TIMEOUT") or 120.0,
        limits=Limits(
            requests_per_minute=read.number("REQUESTS_PER_MINUTE"),
            tokens_per_minute=read.number("TOKENS_PER_MINUTE"),
            most_at_once=read.whole("MOST_AT_ONCE") or 64,
        ),
        ceiling=Ceiling(night=read.number("BUDGET_NIGHT"), tenant=read.number("BUDGET_TENANT")),
        prices_file=read.text("PRICES"),
        mode=Mode(read.choice("MODE", tuple(Mode), Mode.LIVE)),
        batch_hours=read.number("BATCH_HOURS") or 20.0,
    )
    if not settings.api_key and not settings.on_this_machine:
        raise UsageError("OPENAI_API_KEY", "no key is set", f"Set the key for {settings.base_url}")
    return settings


def concerns(model: str, shutdowns: Mapping[str, str]) -> list[str]:
    """Say what is wrong with measuring by this model for a long time: a name that moves, an announced end."""
    found = []
    if not names_a_snapshot(model):
        found.append(
            f"{model!r} is no dated snapshot: its provider may put another model behind it, and the rates would move "
            f"without a break in the trend (family {family_of(model).name})"
        )
    if model in shutdowns:
        found.append(
            f"{model!r} will be shut down on {shutdowns[model]}; choose its successor while both can be compared"
        )
    return found


class _Reader:
    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    def text(self, name: str) -> str | None:
        return self._environment.get(_PREFIX + name, "").strip() or None

    def choice(self, name: str, choices: tuple[str, ...], default: str) -> str:
        value = self.text(name) or default
        if value not in choices:
            raise UsageError(_PREFIX + name, f"{value!r} is not known", f"Choose one of: {', '.join(choices)}")
        return value

    def number(self, name: str) -> float | None:
        value = self.text(name)
        if value is None:
            return None
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if not 0 < number < float("inf"):
            raise UsageError(_PREFIX + name, f"{value!r} is no positive number", "Write a number such as 500")
        return number

    def whole(self, name: str) -> int | None:
        number = self.number(name)
        if number is None:
            return None
        if number > _MOST or not number.is_integer():
            raise UsageError(_PREFIX + name, f"{number:g} is no whole number up to {_MOST}", "Write one such as 500")
        return int(number)
