"""The five houses, and what differs between them.

docs/reference/poker-rules.md, sections 15 to 18.
"""

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct

from jackpot.money.rake import RakeHouse

SECOND = 1_000
HOUR = 3_600 * SECOND


class PokerHouse(Enum):
    """Whose rules are played."""

    SANREMO = "sanremo"
    PRESTIGE = "prestige"
    SAN_MARINO = "san-marino"
    TDA_2011 = "tda-2011"
    CITY = "city"


class Form(Enum):
    """What is played for."""

    CASH = "cash"
    TOURNAMENT = "tournament"


class TimeAllowed(Struct, frozen=True):
    """How long a called player has: seconds, then the seconds that are counted down."""

    seconds: int
    countdown: int = 0

    @property
    def total_ms(self) -> int:
        """Both together, in milliseconds."""
        return (self.seconds + self.countdown) * SECOND


class HouseRules(Struct, frozen=True):
    """What a house prescribes. `rake` is None in a house without a cash game."""

    time: Mapping[Form, TimeAllowed]
    """Of each form that is played there."""
    rake: RakeHouse | None = None
    dealer_begins: bool = False
    """The new dealer begins a hand, and a deal is awaited."""
    change_with_dealer: bool = False
    """A deck change is due with a new dealer."""
    change_with_level: bool = False
    """A deck change is due with a new level."""
    several_boards: bool = True
    """The players may agree on several boards."""
    change_after_ms: int = 0
    """With a new dealer only so long, and a hand for each player, after the change before."""


HOUSES: Mapping[PokerHouse, HouseRules] = {
    PokerHouse.SANREMO: HouseRules(
        {Form.CASH: TimeAllowed(60), Form.TOURNAMENT: TimeAllowed(60, 10)}, RakeHouse.SANREMO
    ),
    PokerHouse.PRESTIGE: HouseRules(
        dict.fromkeys(Form, TimeAllowed(25, 5)),
        RakeHouse.PRESTIGE,
        dealer_begins=True,
        change_with_dealer=True,
        change_with_level=True,
        several_boards=False,
    ),
    PokerHouse.SAN_MARINO: HouseRules({Form.CASH: TimeAllowed(60)}, RakeHouse.SAN_MARINO),
    PokerHouse.TDA_2011: HouseRules(
        {Form.TOURNAMENT: TimeAllowed(60, 10)}, change_with_dealer=True, change_with_level=True
    ),
    PokerHouse.CITY: HouseRules(
        {Form.TOURNAMENT: TimeAllowed(20, 10)},
        change_with_dealer=True,
        several_boards=False,
        change_after_ms=HOUR,
    ),
}
