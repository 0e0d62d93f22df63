"""How figures are written for people; pure."""


def share(value: float | None) -> str:
    """Return a share as a percentage, or the word for one that is not known."""
    return "unknown" if value is None else f"{value:.1%}"


def share_with_interval(value: float | None, low: float | None, high: float | None) -> str:
    """Return a share with its 95 % interval, where there is one."""
    return share(value) if low is None or high is None else f"{share(value)} [{share(low)}, {share(high)}]"


def compact(value: float | None, low: float | None, high: float | None) -> str:
    """Return a share with its interval in percent for a narrow column, such as `38.7% (34.7–42.9)`."""
    if value is None or low is None or high is None:
        return share(value)
    return f"{value:.1%} ({low * 100:.1f}–{high * 100:.1f})"


def below(value: float | None, low: float | None, high: float | None, joint: str = "\n") -> str:
    """Return a share and after `joint` its interval in percent, for a column without room for both side by side."""
    return compact(value, low, high).replace(" (", joint).rstrip(")")


def nights_taken(held: int, of: int) -> str:
    """Return how a window is headed: of how many nights there are figures in it, where not of all."""
    return f"{of} nights" if held == of else f"{held} of {of} nights"
