"""The conservation law of the stream: every record that was consumed is somewhere; pure."""

from collections.abc import Mapping


def violations(counts: Mapping[str, int]) -> list[str]:
    """Return in words how the law is broken, nothing where it holds. Takes the columns of `ops/conservation.sql`."""
    fates = ("stored", "duplicates", "conflicts", "quarantined", "erased")
    broken = []
    if counts["consumed"] != sum(counts[fate] for fate in fates):
        broken.append(f"{counts['consumed']} records were consumed, and {sum(counts[f] for f in fates)} accounted for")
    for fate, there in (
        ("stored", "events_in_log"),
        ("stored", "events_projected"),
        ("conflicts", "conflicts_kept"),
        ("quarantined", "records_in_quarantine"),
    ):
        if counts[fate] != counts[there]:
            broken.append(f"{counts[fate]} {fate} by the ledger, and {counts[there]} {there.replace('_', ' ')}")
    return broken
