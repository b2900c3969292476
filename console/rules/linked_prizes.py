"""What of a prize file a linked jackpot cannot pay (docs/reference/link-rules.md, 3.9)."""

from collections.abc import Iterator

from jackpot.money.prizes import PrizeTable


def find_unlinked_parts(prizes: PrizeTable) -> Iterator[str]:
    """What the centre does not divide: its key first, with what would be right."""
    if prizes.limit is not None:
        yield "limit: a linked jackpot has none; leave it out"
    for prize in prizes.prizes:
        if prize.wholly_by_house:
            yield (
                f"{prize.combination}: from: a linked jackpot pays it; "
                'write from = "jackpot", or a share'
            )
        if prize.envy:
            yield f"{prize.combination}: envy: a linked jackpot pays none; leave it out"
