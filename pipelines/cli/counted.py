"""Numbers of things, as people write them."""


def counted(number: int, one: str, many: str | None = None, *, width: int = 0) -> str:
    """Return `1 day`, `2 days`, `3,000 days`; `many` where the plural is more than an s, the number at a `width`."""
    return f"{number:{width},} {one if number == 1 else many or f'{one}s'}"
