"""How figures are written for people; pure."""


def share(value: float | None) -> str:
    """Return a share as a percentage, or the word for one that is not known."""
    return "unknown" if value is None else f"{value:.1%}"


def share_with_interval(value: float | None, low: float | None, high: float | None) -> str:
    """Return a share with its 95 % interval, where there is one."""
    return share(value) if low is None or high is None else f"{share(value)} [{share(low)}, {share(high)}]"
