"""A rewrite in the style of a telegram: the few words that matter."""

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.strategies.plan import Ask, Plan, Strategy, text_plan

INSTRUCTIONS = """Say in at most 8 words what the visitor's last message asks for, as one would type it into a search
box: no sentence, no punctuation, the visitor's language, the request and not only its topic. Answer with those words
alone."""
MOST_WORDS = 8


async def resolve(item: Item, ask: Ask) -> Plan:
    """Search the words, cut after the eighth."""
    text = await ask.cleaned("telegraphic", INSTRUCTIONS)
    return text_plan(item, None if text is None else " ".join(text.split()[:MOST_WORDS]))


STRATEGY = Strategy(
    name="telegraphic", summary="a model's request in eight words", resolve=resolve, made_of=(__name__,), asks=True
)
