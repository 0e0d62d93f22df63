"""Drawing a labelled set from stored turns: which turns, at most how many per tenant, without personal data.

Pure and deterministic: the same turns in any order give the same set. Everything that is left out is counted with its
reason. What a detector cannot decide ends the harvest with an error, and the caller writes nothing.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from hmac import digest as keyed_digest

from pipelines.experiments.datasets.dataset import texts_of
from pipelines.experiments.datasets.item import Item
from pipelines.experiments.datasets.manifest import Split
from pipelines.experiments.datasets.near_duplicates import NearDuplicates
from pipelines.judging.verdict import Utterance
from pipelines.privacy import Dropped, Substitution, clean, is_reserved, require_clean

_ID_BYTES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTurn:
    """One turn as it is stored, with the conversation before it; `tags` say of which type it is."""

    tenant: str
    conversation_id: str
    turn_index: int
    message: str
    history: tuple[Utterance, ...] = ()
    language: str | None = None
    gate_decision: str | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HarvestRequest:
    """What to draw: turns with any of the `tags` (with none named, all), at most `per_tenant_cap` of a tenant.

    `held_out_share` of the conversations, by a stable hash, go to the split that no rule may be chosen on.
    """

    per_tenant_cap: int
    tags: frozenset[str] = frozenset()
    held_out_share: float = 0.5
    seed: str = "nightcheck-1"
    similarity: float = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvest:
    """What was drawn, by split, and how many turns were left out for which reason."""

    items: dict[Split, tuple[Item, ...]]
    left_out: dict[str, int]


def harvest(
    turns: Iterable[StoredTurn], request: HarvestRequest, *, key: bytes, earlier: Iterable[Item] = ()
) -> Harvest:
    """Draw a set from `turns`, no turn nearly the same as another of it or of the `earlier` items.

    Raises `PersonalDataLeftError` or `DetectorFailedError`; then there is no harvest.
    """
    substitution = Substitution(key)
    known = NearDuplicates(request.similarity)
    for each in earlier:
        known.add(_gist(each.message, each.history))
    left_out: Counter[str] = Counter()
    drawn: Counter[str] = Counter()
    items: dict[Split, list[Item]] = {split: [] for split in Split}
    for turn in _in_drawing_order(turns, request, left_out):
        found = (
            "over the cap" if drawn[turn.tenant] >= request.per_tenant_cap else _cleaned(turn, known, substitution, key)
        )
        if isinstance(found, str):
            left_out[found] += 1
            continue
        drawn[turn.tenant] += 1
        known.add(_gist(found.message, found.history))
        items[split_of(turn.tenant, turn.conversation_id, request)].append(found)
    return Harvest(
        items={split: tuple(sorted(found, key=lambda each: each.item_id)) for split, found in items.items()},
        left_out=dict(sorted(left_out.items())),
    )


def split_of(tenant: str, conversation_id: str, request: HarvestRequest) -> Split:
    """Return the split of a conversation; it hangs on nothing but its name and the seed."""
    share = _place(request.seed, "split", tenant, conversation_id) / 2**64
    return Split.HELD_OUT if share < request.held_out_share else Split.TUNING


def pseudonym(key: bytes, tenant: str, conversation_id: str) -> str:
    """Return the name that a conversation has in harvested sets; only who has the key can tell which one it is."""
    return keyed_digest(key, f"{tenant}\x00{conversation_id}".encode("utf-8", "surrogatepass"), "sha256")[
        :_ID_BYTES
    ].hex()


def _in_drawing_order(
    turns: Iterable[StoredTurn], request: HarvestRequest, left_out: Counter[str]
) -> Sequence[StoredTurn]:
    """Return the turns that may be drawn, in an order that only their names and the seed decide."""
    wanted: dict[tuple[str, str, int], StoredTurn] = {}
    for turn in turns:
        if request.tags and request.tags.isdisjoint(turn.tags):
            left_out["other tags"] += 1
        elif not turn.message.strip():
            left_out["empty"] += 1
        else:
            wanted[turn.tenant, turn.conversation_id, turn.turn_index] = turn
    return [wanted[name] for name in sorted(wanted, key=lambda name: (_place(request.seed, "draw", *name), name))]


def _cleaned(turn: StoredTurn, known: NearDuplicates, substitution: Substitution, key: bytes) -> Item | str:
    """Return the turn as an item without personal data, or the reason to leave it out."""
    conversation = pseudonym(key, turn.tenant, turn.conversation_id)
    name = f"{turn.tenant}/{conversation}/{turn.turn_index}"
    message = clean(turn.message, substitution, where=f"turn {name}")
    if isinstance(message, Dropped):
        return message.kinds[0]
    history = []
    for utterance in turn.history:
        said = clean(utterance.text, substitution, where=f"the history of turn {name}")
        if isinstance(said, Dropped):
            return said.kinds[0]
        history.append(Utterance(role=utterance.role, text=said.text))
    if known.seen(_gist(message.text, history)):
        return "near duplicate"
    item = Item(
        item_id=name,
        tenant=turn.tenant,
        conversation_id=conversation,
        turn_index=turn.turn_index,
        message=message.text,
        history=tuple(history),
        language=turn.language,
        tags=turn.tags,
    )
    for field, text in texts_of(item):
        require_clean(
            text, lambda address: substitution.issued(address) and is_reserved(address), where=f"turn {name}, {field}"
        )
    return item


def _gist(message: str, history: Sequence[Utterance]) -> str:
    """Return what tells a turn from others: its message, and what the visitor said before it ("Why?" says nothing)."""
    before = [utterance.text for utterance in history if utterance.role == "visitor"][-1:]
    return "\n".join([*before, message])


def _place(seed: str, purpose: str, *name: str | int) -> int:
    text = "\x00".join((seed, purpose, *map(str, name)))
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())
