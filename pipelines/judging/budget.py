"""What calls cost, and a budget that is reserved before each of them, so that it cannot be overrun."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

import msgspec

from pipelines.errors import NightcheckError, UsageError
from schemas.chat import Tokens

_MILLION = 1_000_000


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a million tokens of one model cost. What is left out costs as much as an ordinary token of its kind."""

    input: float
    output: float
    cached_input: float | None = None
    cache_write: float | None = None
    #: what a call in a batch costs, as a share of a live one
    batch_share: float = 1.0

    def of(self, tokens: Tokens, *, batch: bool = False) -> float:
        """Return the cost of a call. Cached and written tokens are parts of the prompt and are not counted again."""
        written = min(tokens.cache_write, tokens.prompt)
        cached = min(tokens.cached, tokens.prompt - written)
        ordinary = tokens.prompt - written - cached
        cost = (
            ordinary * self.input
            + cached * (self.input if self.cached_input is None else self.cached_input)
            + written * (self.input if self.cache_write is None else self.cache_write)
            + tokens.completion * self.output
        )
        return cost * (self.batch_share if batch else 1.0) / _MILLION

    def at_most(self, prompt: int, completion: int, *, batch: bool = False) -> float:
        """Return the most that a call can cost, when its whole prompt is written to the cache at that price."""
        dearest = max(self.input, self.cache_write or 0.0)
        cost = (prompt * dearest + completion * self.output) / _MILLION
        return cost * (self.batch_share if batch else 1.0)


#: what an endpoint on this machine costs
FREE = Price(input=0.0, output=0.0)


class UnpricedModelError(UsageError):
    """A model without a price cannot be held to a budget, so it is not asked at all."""

    def __init__(self, model: str) -> None:
        super().__init__(
            f"judge model {model!r}",
            "it has no price, and a model that is not priced is not asked",
            "Write its price per million tokens into a JSON file and name that in NIGHTCHECK_JUDGE_PRICES, as in "
            f'{{"{model}": {{"input": 0.5, "cached_input": 0.05, "output": 2.0, "batch_share": 0.5}}}}',
        )


def read_prices(content: bytes, source: str) -> dict[str, Price]:
    """Read a price table: a JSON object of prices by exact model id.

    Raises:
        NightcheckError: it is no such object, or a price is negative or not a number.
    """
    try:
        prices = msgspec.json.decode(content, type=dict[str, Price])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NightcheckError(source, str(error), "Mend the price table; see docs/judge.md for an example") from error
    for model, price in prices.items():
        figures = (price.input, price.output, price.cached_input or 0.0, price.cache_write or 0.0, price.batch_share)
        if min(figures) < 0:
            raise NightcheckError(source, f"a price of {model!r} is negative", "Mend the price table")
    return prices


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """The most that a night, and any one tenant in it, may cost; None where there is no such limit."""

    night: float | None = None
    tenant: float | None = None


class Limit(Enum):
    """Which limit stands in the way."""

    NIGHT = "night"
    TENANT = "tenant"


class Budget:
    """Money that is set aside before a call and given back, but for what the call really cost, after it."""

    def __init__(self, ceiling: Ceiling, before: Mapping[str, float] = MappingProxyType({})) -> None:
        """Begin with what each tenant has cost `before`, in earlier runs under the same ceiling."""
        self._ceiling = ceiling
        self._committed: defaultdict[str, float] = defaultdict(float, before)
        self._open: Counter[str] = Counter()
        self._spent = 0.0

    @property
    def spent(self) -> float:
        """Return what the finished calls of this run have cost so far."""
        return self._spent

    def may_give_back(self, limit: Limit, tenant: str) -> bool:
        """Say whether any call under way may still give money back that counts against a limit."""
        return bool(self._open.total() if limit is Limit.NIGHT else self._open[tenant])

    def reserve(self, tenant: str, *amounts: float) -> Limit | None:
        """Set money aside for one or more calls; where a limit would be passed, set nothing aside and say which.

        What costs nothing passes no limit, also where the money is gone.
        """
        amount = sum(amounts)
        if amount and self._ceiling.night is not None and sum(self._committed.values()) + amount > self._ceiling.night:
            return Limit.NIGHT
        if amount and self._ceiling.tenant is not None and self._committed[tenant] + amount > self._ceiling.tenant:
            return Limit.TENANT
        self._committed[tenant] += amount
        self._open[tenant] += len(amounts)
        return None

    def commit(self, tenant: str, cost: float) -> None:
        """Count what was paid for already and will be settled as if that had been set aside; no limit is asked."""
        self._committed[tenant] += cost

    def settle(self, tenant: str, reserved: float, cost: float) -> None:
        """Replace a reservation by what the call has cost."""
        self._committed[tenant] += cost - reserved
        self._open[tenant] -= 1
        self._spent += cost
