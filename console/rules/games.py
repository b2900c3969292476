"""The five games of the house: what each table has (docs/rules.md, sections 1, 3 and 8)."""

from dataclasses import dataclass
from enum import Enum

from devices.device import Device


class RailKind(Enum):
    """How tokens are taken."""

    SLOT = "slot"
    SENSOR = "sensor"
    CCTALK = "cctalk"


class ShufflerKind(Enum):
    """What shuffles: a dispenser that deals packets, or a mixer of six decks that deals none."""

    DEALER = "dealer"
    MIXER = "mixer"


class ShoeKind(Enum):
    """What the shoe tells: that a card left, or which card went where."""

    COUNTING = "counting"
    READING = "reading"


DECK = 52
SIX_DECKS = 6 * DECK


@dataclass(frozen=True, slots=True)
class Game:
    """A game: its name in configurations, its parts, and how its cards are dealt.

    `packets`: the cards of each packet of a hand, at the most, in the order they are dealt.
    `title`: what the display says of a table without a jackpot.
    """

    name: str
    rail: RailKind | None = None
    shuffler: ShufflerKind | None = None
    shoe: ShoeKind | None = None
    packets: tuple[int, ...] = ()
    changes_card: bool = False
    title: str = ""

    @property
    def progressive(self) -> bool:
        """Whether the table has a jackpot: rail, JPOT and combination buttons."""
        return self.rail is not None

    @property
    def devices(self) -> frozenset[Device]:
        """What can be unplugged from such a table."""
        parts = {
            Device.PANEL: True,
            Device.DISPLAY: True,
            Device.RAIL: self.rail,
            Device.SHUFFLER: self.shuffler,
            Device.SHOE: self.shoe,
        }
        return frozenset(device for device, fitted in parts.items() if fitted)

    @property
    def reads_coup(self) -> bool:
        """Whether the controller follows who draws and who wins."""
        return self.shoe is ShoeKind.READING

    @property
    def deck_size(self) -> int:
        """How many cards the shuffler must count."""
        return SIX_DECKS if self.shuffler is ShufflerKind.MIXER else DECK


GAMES = {
    game.name: game
    for game in (
        Game(
            "caribbean-stud",
            RailKind.SLOT,
            ShufflerKind.DEALER,
            packets=(5,) * 7 + (5,),
            changes_card=True,
        ),
        Game("tre-card-stud", RailKind.SENSOR, ShufflerKind.DEALER, packets=(3,) * 7 + (3,)),
        Game(
            "ultimate-texas-holdem",
            shuffler=ShufflerKind.DEALER,
            packets=(5, *(2,) * 6, 2),  # the common cards first; at most six seats
            title="ULTIMATE HOLD'EM",
        ),
        Game(
            "mini-punto-banco",
            shuffler=ShufflerKind.MIXER,
            shoe=ShoeKind.READING,
            title="MINI PUNTO BANCO",
        ),
        Game("black-jack", shoe=ShoeKind.COUNTING, title="BLACK JACK"),
    )
}
