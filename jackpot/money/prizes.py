"""Prize tables: what each combination pays, and out of whose money.

docs/reference/rules.md, section 3; docs/reference/prizes.md, section 1.
"""

from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from typing import Annotated

from msgspec import Meta, Struct

from jackpot.money.accounts import Account
from jackpot.money.amounts import Cents
from jackpot.money.settings import MoneySettings

NAME_PATTERN = r"^[A-Z0-9_]{2,20}\Z"

CombinationName = Annotated[str, Meta(pattern=NAME_PATTERN)]
"""The name of a winning combination: one of `Combination`, or one that a prize file brings."""

LONGEST_TEXT = 14
"""Characters of a combination on the display, so that ` x7` fits behind it."""

DisplayText = Annotated[str, Meta(pattern=rf"^[ -~]{{0,{LONGEST_TEXT}}}\Z")]

Ways = Annotated[str, Meta(pattern=r"^([1-9][0-9]{0,17}/[1-9][0-9]{0,17})?\Z")]

Currency = Annotated[str, Meta(pattern=r"^[A-Z]{3}\Z")]

MOST_PRIZES = 5
"""As many as there are combination buttons."""

EURO = "EUR"


class Combination(StrEnum):
    """The winning combinations that need no words of a prize file."""

    ROYAL_FLUSH = "ROYAL_FLUSH"
    STRAIGHT_FLUSH = "STRAIGHT_FLUSH"
    FOUR_OF_A_KIND = "FOUR_OF_A_KIND"
    FULL_HOUSE = "FULL_HOUSE"
    FLUSH = "FLUSH"
    DOUBLE_THREE_PLAYER = "DOUBLE_THREE_PLAYER"
    DOUBLE_THREE_DEALER = "DOUBLE_THREE_DEALER"
    THREE_OF_A_KIND = "THREE_OF_A_KIND"


class Prize(Struct, frozen=True, omit_defaults=True):
    """What one winner gets: a `share` of the jackpot in basis points, or, where that is 0, a
    fixed `amount`.

    `high`: the key must be at JPH. `envy`: what every other seat gets for each winner. `by_house`:
    the house pays the fixed amount and the envy; a share is always the jackpot's. `it`, `en`: the
    display's words, "" for those of `Combination`. `ways`: how often the combination comes, hands
    of all hands, "" where it follows from the game.
    """

    combination: CombinationName
    share: int
    high: bool
    amount: Cents = Cents(0)
    envy: Cents = Cents(0)
    by_house: bool = False
    it: DisplayText = ""
    en: DisplayText = ""
    ways: Ways = ""

    @property
    def wholly_by_house(self) -> bool:
        """Whether the jackpot pays nothing of it."""
        return self.by_house and not self.share

    @property
    def chance(self) -> Fraction | None:
        """`ways` as a fraction; None where the file says nothing."""
        return Fraction(self.ways) if self.ways else None


class PrizeTable(Struct, frozen=True, omit_defaults=True):
    """A table's prizes, in the order of its combination buttons from the left.

    `currency`: three letters. `limit`: the jackpot grows no further; None: there is no limit.
    `overflow`: the account that gets what the limit keeps out.
    """

    prizes: tuple[Prize, ...]
    currency: Currency = EURO
    limit: Cents | None = None
    overflow: Account = Account.RESERVE

    def of(self, combination: str) -> Prize:
        """The combination's prize. Raises ValueError if this table does not have it."""
        for prize in self.prizes:
            if prize.combination == combination:
                return prize
        raise ValueError(f"{combination} wins nothing in this game")

    @property
    def combinations(self) -> tuple[str, ...]:
        """The names of the combinations, from the left."""
        return tuple(str(prize.combination) for prize in self.prizes)


def find_above_limit(
    prizes: PrizeTable, money: MoneySettings
) -> Iterator[tuple[str, Cents, Cents]]:
    """What the house would put in above the limit: `opening` or `base`, its amount, the limit."""
    for key, amount in (("opening", money.opening), ("base", money.base)):
        if prizes.limit is not None and amount > prizes.limit:
            yield key, amount, prizes.limit
