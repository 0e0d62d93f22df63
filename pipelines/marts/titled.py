"""A passage as one reads it; pure."""


def titled(title: str | None, text: str | None) -> str:
    """Return a passage on one line: its title, unless the text begins with that, and the text, if it is not hidden."""
    words = " ".join((text or "(hidden by the application)").split())
    name = " ".join((title or "").split())
    return words if not name or words.startswith(name) else f"{name}. {words}"


def cut(text: str, at_most: int) -> str:
    """Return the text, or its beginning with … where it is longer."""
    return text if len(text) <= at_most else f"{text[: at_most - 1].rstrip()}…"
