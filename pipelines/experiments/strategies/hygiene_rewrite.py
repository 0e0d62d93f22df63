"""A rewrite held to rules, in the prompt and in code: nothing added that was not said, no more words than needed."""

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.strategies.plan import Ask, Plan, Strategy, text_plan

INSTRUCTIONS = """Rewrite the visitor's last message as one question that can be understood without the conversation.
Rules: use the visitor's own words wherever they say it; replace only what refers to the conversation; add nothing that
nobody said; keep the visitor's language; at most 30 words; plain text without any marks. If the message can be
understood alone, repeat it unchanged. Answer with the question alone."""
MOST_WORDS = 30


async def resolve(item: Item, ask: Ask) -> Plan:
    """Search the rewrite, unless it breaks the rule on length: then the message."""
    text = await ask.cleaned("hygiene_rewrite", INSTRUCTIONS)
    too_long = text is not None and len(text.split()) > max(MOST_WORDS, len(item.message.split()))
    return text_plan(item, None if too_long else text)


STRATEGY = Strategy(
    name="hygiene_rewrite", summary="a rewrite held to rules", resolve=resolve, made_of=(__name__,), asks=True
)
