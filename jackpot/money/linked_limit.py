"""What a linked jackpot's limit keeps out of it (docs/reference/prizes.md, 2.12, 2.15, 2.19).

The centre does the same in SQL (`link.reckon_overflow`); rehearsals and the audit reckon here.
"""

from collections.abc import Iterable

from jackpot.money.amounts import Cents, to_units


def count_linked_overflow(
    brought: Iterable[int], there: int, kept: int, limit: Cents | None
) -> int:
    """The units that tokens, in their order, bring above the limit.

    `brought`: what each brings to the jackpot; below 0: it is returned, and takes first what was
    `kept` out in its round. `there`: the jackpot before them. Below 0: what goes back into it.
    """
    before = kept
    for part in brought:
        if part < 0:
            over = -min(-part, kept)
        elif limit is None:
            over = 0
        else:
            over = max(part - max(to_units(limit) - there, 0), 0)
        there += part - over
        kept += over
    return kept - before
