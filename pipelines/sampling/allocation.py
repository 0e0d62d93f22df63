"""How many retrievals each stratum gives to the sample; pure."""

from collections.abc import Sequence

#: fewer than two say nothing about the spread within a stratum; five say something
FLOOR = 5


def allocate(sizes: Sequence[int], cap: int) -> list[int]:
    """Return how many to draw from strata of these sizes, in the same order: at most `cap` together, all if they fit.

    Every stratum first gets a floor (five, or all that it has; less where the cap does not reach for five), the rest
    goes out in proportion to what each has left, by largest remainder, ties in the order of the strata. Where the cap is
    below the number of strata each still gets one: a stratum that is never drawn could not be estimated.
    """
    if sum(sizes) <= cap:
        return list(sizes)
    floor = next((f for f in range(FLOOR, 1, -1) if sum(min(size, f) for size in sizes) <= cap), 1)
    drawn = [min(size, floor) for size in sizes]
    rest = max(cap - sum(drawn), 0)
    left = [size - has for size, has in zip(sizes, drawn, strict=True)]
    whole = sum(left)
    shares = [rest * each // whole for each in left]
    remainders = [(-(rest * each % whole), place) for place, each in enumerate(left)]
    for _, place in sorted(remainders)[: rest - sum(shares)]:
        shares[place] += 1
    return [has + share for has, share in zip(drawn, shares, strict=True)]
