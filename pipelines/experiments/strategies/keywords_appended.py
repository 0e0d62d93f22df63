"""The same keywords, after the visitor's own words, in one text."""

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.strategies.keyword_lists import ask_keywords
from pipelines.experiments.strategies.plan import Ask, Plan, Strategy, text_plan


async def resolve(item: Item, ask: Ask) -> Plan:
    """Search the message followed by the keywords that it does not hold."""
    found = await ask_keywords(ask)
    new = [word for word in (found.all if found else ()) if word.lower() not in item.message.lower()]
    return text_plan(item, " ".join([item.message, *new]))


STRATEGY = Strategy(
    name="keywords_appended",
    summary="message + keywords in one text",
    resolve=resolve,
    made_of=(__name__, "pipelines.experiments.strategies.keyword_lists"),
    asks=True,
)
