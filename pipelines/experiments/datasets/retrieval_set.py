"""A dataset out of a published retrieval benchmark: turns with their history, human relevance, passage collections.

The folder that is read holds `turns.jsonl` (one turn a line: `task_id` as `conversation<::>turn`, `domain`, `raw`,
`history`, stored rewrites, labels), `qrels.json` (domain → task → passage → grade) and one
`passages_<domain>.jsonl.gz` per domain (`_id`, `title`, `text`).
"""

import gzip
from collections.abc import Iterator, Mapping
from hashlib import sha256

import msgspec

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.datasets.manifest import Collection
from pipelines.experiments.datasets.passage import Passage, pack
from pipelines.judging.verdict import Utterance

TURNS = "turns.jsonl"
QRELS = "qrels.json"
_TASK = "<::>"
_ROLES = {"user": "visitor", "assistant": "assistant"}


class _Said(msgspec.Struct):
    role: str
    text: str


class _Turn(msgspec.Struct):
    task_id: str
    domain: str
    raw: str
    history: list[_Said]
    label3: str | None = None
    multi_turn: list[str] = []
    question_type: list[str] = []
    answerability: list[str] = []
    official_rewrite: str | None = None
    sonnet4_rewrite: str | None = None
    mixtral_rewrite: str | None = None
    sonnet45_history_summary_query: str | None = None


class _Passage(msgspec.Struct, rename={"passage_id": "_id"}):
    passage_id: str
    text: str
    title: str = ""


_RECORDED = ("official_rewrite", "sonnet4_rewrite", "mixtral_rewrite", "sonnet45_history_summary_query")


def tenant_of(domain: str) -> str:
    """Return the tenant that stands for a domain of the benchmark, under a reserved suffix."""
    return f"{domain.lower()}.example"


def passages_file(domain: str) -> str:
    """Return the name of the file that holds a domain's passages."""
    return f"passages_{domain}.jsonl.gz"


def read_turns(turns: bytes, qrels: bytes) -> dict[str, tuple[Item, ...]]:
    """Return the items by domain. A turn without labels has `qrels` None; raises `msgspec.DecodeError`."""
    judged = msgspec.json.decode(qrels, type=dict[str, dict[str, dict[str, int]]])
    decoder = msgspec.json.Decoder(_Turn)
    items: dict[str, list[Item]] = {}
    for line in turns.splitlines():
        turn = decoder.decode(line)
        items.setdefault(turn.domain, []).append(_item(turn, judged.get(turn.domain, {})))
    return {domain: tuple(found) for domain, found in items.items()}


def read_collection(domain: str, packed: bytes) -> tuple[Collection, bytes]:
    """Return a domain's passages in the form of a dataset's collection, and the bytes of its file."""
    decoder = msgspec.json.Decoder(_Passage)
    read = [decoder.decode(line) for line in gzip.decompress(packed).splitlines()]
    written = pack(Passage(passage_id=each.passage_id, text=each.text, title=each.title) for each in read)
    name = f"passages-{tenant_of(domain)}.jsonl.gz"
    return Collection(file=name, content_hash=sha256(written).hexdigest(), passages=len(read)), written


def _item(turn: _Turn, judged: Mapping[str, dict[str, int]]) -> Item:
    conversation, _, number = turn.task_id.partition(_TASK)
    index = int(number) - 1
    recorded = {name: text for name in _RECORDED if (text := getattr(turn, name)) is not None}
    return Item(
        item_id=f"{tenant_of(turn.domain)}/{conversation}/{number}",
        tenant=tenant_of(turn.domain),
        conversation_id=conversation,
        turn_index=index,
        message=turn.raw,
        history=tuple(Utterance(role=_ROLES[said.role], text=said.text) for said in turn.history),
        language="en",
        tags=tuple(_tags(turn, index)),
        qrels=judged.get(turn.task_id),
        recorded=recorded,
    )


def _tags(turn: _Turn, index: int) -> Iterator[str]:
    yield "first" if index == 0 else "later"
    if turn.label3 is not None:
        yield turn.label3
    for kind, values in (
        ("multi_turn", turn.multi_turn),
        ("question", turn.question_type),
        ("answer", turn.answerability),
    ):
        for value in values:
            if value != "N/A":
                yield f"{kind}:{value.lower().replace(' ', '_')}"
