"""The settings of a poker table, and what differs between the five houses.

docs/reference/poker-rules.md, sections 15 to 18 and 21.
"""

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct

from console.rules.poker_clock import Blinds, Step, Steps, end_with_level, step_of
from jackpot.money.amounts import Cents
from jackpot.money.rake import RakeCap, RakeHouse, RakeTerms, choose_terms

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


CARDS = 52
OUT_AT_RIVER = 8
"""Board and burnt cards."""
FEWEST_PLAYERS, MOST_PLAYERS, MOST_DECLARED = 2, 10, 11
CHIPS = 5
HOLDEM_CARDS, OMAHA_CARDS = 2, 4
"""Of each player."""


class PokerSettings(Struct, frozen=True):
    """What a house sets at a poker table. Raises ValueError that names what does not fit together.

    `hole`: cards of each player, 2 (Hold'em) or 4 (Omaha). `time`: None for the house's.
    `late_registration`: its last level; 0: none. `tournament`: whose clock several tables share;
    "": the table's clock is its own.
    """

    house: PokerHouse = PokerHouse.SANREMO
    form: Form = Form.CASH
    players: int = 9
    hole: int = 2
    deck_shuffler: bool = False
    blinds: Blinds = Blinds(5, 10)
    steps: Steps = ()
    late_registration: int = 0
    time: TimeAllowed | None = None
    chips: tuple[Cents, ...] = tuple(Cents(euro * 100) for euro in (500, 100, 25, 5, 1))
    rate: int | None = None
    fixed: Cents | None = None
    cap: RakeCap | None = None
    tournament: str = ""

    def __post_init__(self) -> None:
        """Check the values together. Raises ValueError."""
        rules = HOUSES[self.house]
        if self.form not in rules.time:
            there = ", ".join(form.value for form in rules.time)
            raise ValueError(f"house: {self.house.value} has no {self.form.value}, but {there}")
        if not FEWEST_PLAYERS <= self.players <= MOST_PLAYERS:
            raise ValueError(f"players: {self.players}; {FEWEST_PLAYERS} to {MOST_PLAYERS}")
        if self.hole not in (HOLDEM_CARDS, OMAHA_CARDS):
            raise ValueError(f"hole: {self.hole}; 2 for Hold'em, 4 for Omaha")
        if len(self.chips) != CHIPS or min(self.chips) <= 0:
            raise ValueError(f"chips: the values of the {CHIPS} buttons, each above 0")
        if self.form is Form.CASH and self.steps:
            raise ValueError("level: levels and breaks belong to a tournament: 'form tournament'")
        if self.tournament and self.form is Form.CASH:
            raise ValueError("tournament: a cash table shares no clock")
        if self.steps and self.steps[0].blinds is None:
            raise ValueError("break: a tournament begins with a level")
        if rules.rake is None and (self.rate, self.fixed, self.cap) != (None, None, None):
            raise ValueError(f"rake: {self.house.value} has no cash game, and so no rake")
        if rules.rake is not None:
            try:
                self.rake_terms(half=False)
            except ValueError as error:
                raise ValueError(f"rake: {error}") from error

    def rake_terms(self, *, half: bool, cap: RakeCap | None = None) -> RakeTerms:
        """How the rake is reckoned; `cap`: a declared one. Raises ValueError for what the house
        has not."""
        rake = HOUSES[self.house].rake
        if rake is None:
            raise ValueError(f"rake: {self.house.value} has no cash game")
        return choose_terms(rake, rate=self.rate, fixed=self.fixed, cap=cap or self.cap, half=half)

    @property
    def halves_rake(self) -> bool:
        """Whether half of the rake may be taken."""
        return HOUSES[self.house].rake is RakeHouse.PRESTIGE

    @property
    def caps_rake(self) -> bool:
        """Whether the rake's cap may be set."""
        house = HOUSES[self.house].rake
        return self.form is Form.CASH and house not in (None, RakeHouse.PRESTIGE)

    @property
    def structure(self) -> Steps:
        """The steps of its clock; without any, one level without end. Empty in cash."""
        if self.form is Form.CASH:
            return ()
        return end_with_level(self.steps) or (Step(0, self.blinds),)

    def blinds_of(self, level: int) -> Blinds:
        """The blinds of a level; of level 0, a cash table's."""
        steps = self.structure
        step = step_of(steps, level)
        return (steps[step].blinds if step is not None else None) or self.blinds

    @property
    def time_allowed(self) -> TimeAllowed:
        """What a called player has."""
        return self.time or HOUSES[self.house].time[self.form]
