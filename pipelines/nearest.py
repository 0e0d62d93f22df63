"""The name that someone probably meant; pure."""

from collections.abc import Iterable
from difflib import get_close_matches


def meant(word: str, known: Iterable[str], *, prefix: str = "") -> str:
    """Return a question for the nearest of the known names, with a space after it, or nothing where none is near.

    A `prefix` that all names have is left out of `word` and `known`, or all would be near.
    """
    near = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"Did you mean {prefix}{near[0]}? " if near else ""
