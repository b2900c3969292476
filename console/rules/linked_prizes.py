"""What of a prize file a linked jackpot cannot pay (docs/reference/link-rules.md, 3.9)."""

import re
from collections.abc import Iterator

from jackpot.money.prizes import EURO, PrizeTable

_KNOWN_NAME = re.compile("[A-Z_]+")
"""What the centre takes as the name of a combination."""


def find_unlinked_parts(prizes: PrizeTable) -> Iterator[str]:
    """What the centre does not divide: its key first, with what would be right."""
    if prizes.limit is not None:
        yield "limit: a linked jackpot has none; leave it out"
    if prizes.currency != EURO:
        yield f"currency: {prizes.currency}; a linked jackpot is in {EURO}"
    for prize in prizes.prizes:
        if prize.amount:
            yield f"{prize.combination}: amount: a linked jackpot pays shares; write a share"
        if prize.envy:
            yield f"{prize.combination}: envy: a linked jackpot pays none; leave it out"
        if not _KNOWN_NAME.fullmatch(prize.combination):
            yield f"{prize.combination}: combination: with a link a name has no digits"
