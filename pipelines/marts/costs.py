"""What a night's verdicts took, in words; pure."""

import polars as pl


def cost_in_words(costs: pl.DataFrame, cost: float) -> str:
    """Say what verdicts took when they were made, by rows of status and counts, and what the night has cost itself.

    A verdict is paid for once: those known from before have calls and cost this night nothing.
    """
    columns = ("calls", "prompt_tokens", "cached_tokens", "completion_tokens")
    calls, tokens_in, cached, tokens_out = (int(costs[name].sum()) for name in columns)
    paid = f"cost {cost:,.4f} by the price table, over all runs of the night" if cost else "no cost"
    if not calls:
        return f"no calls, {paid}"
    return f"{calls:,} calls, {tokens_in:,} tokens in ({cached:,} of them cached), {tokens_out:,} tokens out, {paid}"
