"""Made-up turns and sets for these tests."""

from datetime import UTC, datetime

from pipelines.experiments.datasets import Item, Manifest, Provenance, Split
from pipelines.experiments.datasets.dataset import Dataset, describe
from pipelines.experiments.datasets.harvest import StoredTurn
from pipelines.judging.verdict import Utterance

KEY = b"a key that only these tests know"
NOW = datetime(2026, 11, 30, 6, 0, tzinfo=UTC)
SUBJECTS = ("kettles", "mowers", "lanterns", "bicycles", "curtains", "violins", "tents", "ladders", "ovens", "boats")
VERBS = ("repair", "return", "compare", "insure", "assemble", "clean", "paint", "store", "ship", "recycle")


def turn(conversation: int, *, tenant: str = "shop.example", message: str | None = None, **more: object) -> StoredTurn:
    """Return the first turn of a conversation; each conversation asks something of its own."""
    fields: dict[str, object] = {
        "tenant": tenant,
        "conversation_id": f"c-{conversation}",
        "turn_index": 0,
        "message": message or question(conversation),
        "language": "en",
        "tags": ("first",),
    }
    return StoredTurn(**(fields | more))  # type: ignore[arg-type]


def question(number: int) -> str:
    """Return the number-th of a hundred questions that have little in common."""
    subject, verb = SUBJECTS[number % 10], VERBS[number // 10 % 10]
    return f"how do people {verb} {subject} and what does a {subject}-{verb} plan number {number} cost"


def said(*texts: str) -> tuple[Utterance, ...]:
    """Return a conversation, the visitor first."""
    return tuple(Utterance(role="assistant" if place % 2 else "visitor", text=text) for place, text in enumerate(texts))


def dataset(*items: Item, released: bool = True, public: bool = False) -> Dataset:
    """Return a set with these items that nothing speaks against but they themselves."""
    manifest = Manifest(
        name="made-up",
        version=1,
        content_hash="",
        split=Split.TUNING,
        items=0,
        released=released,
        provenance=Provenance(source="made up", made_at=NOW, public=public),
    )
    return describe(manifest, items)


def item(number: int, message: str | None = None) -> Item:
    """Return one of a hundred items."""
    return Item(
        item_id=f"i-{number:02d}",
        tenant="shop.example",
        conversation_id=f"c-{number}",
        turn_index=0,
        message=message or question(number),
    )
