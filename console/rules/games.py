"""The six games, and the parts of a table for each.

docs/reference/rules.md, sections 1, 3 and 8.
"""

from enum import Enum, StrEnum

from msgspec import Struct

from devices.device import Device


class RailKind(Enum):
    """How tokens are taken."""

    SLOT = "slot"
    SENSOR = "sensor"
    CCTALK = "cctalk"


class ShufflerKind(Enum):
    """A shuffler that deals packets, a mixer of six decks that deals none, or one that gives out
    whole decks at its green button."""

    DEALER = "dealer"
    MIXER = "mixer"
    DECK = "deck"


class ShoeKind(Enum):
    """What the shoe reports: that a card left, or which card went where."""

    COUNTING = "counting"
    READING = "reading"


class GameKind(StrEnum):
    """How a game is played: what its acts do and its outputs show."""

    CARDS = "cards"
    """A dealer's game, most with a jackpot."""
    POKER = "poker"


OMAHA = "omaha"
"""What people call Texas Hold'em with four cards each."""

DECK = 52
SIX_DECKS = 6 * DECK


class Game(Struct, frozen=True):
    """A game: its name in configurations, its parts, and how its cards are dealt."""

    name: str
    rail: RailKind | None = None
    shuffler: ShufflerKind | None = None
    shoe: ShoeKind | None = None
    packets: tuple[int, ...] = ()
    """The most cards of each packet of a hand, in the order of dealing."""
    changes_card: bool = False
    title: str = ""
    """The display's text for a table without a jackpot."""
    kind: GameKind = GameKind.CARDS
    legends: tuple[tuple[str, ...], ...] = ()
    """The names of the lit buttons from the left, where they have several."""
    called: str = ""
    """What people call it where the table's settings make another game of it."""

    @property
    def known_as(self) -> str:
        """What people call it: a name of `GAME_NAMES` (console/texts/table_texts.py)."""
        return self.called or self.name

    @property
    def first_legends(self) -> tuple[str, ...]:
        """What the lit buttons with several names are called first, from the left."""
        return tuple(names[0] for names in self.legends)

    @property
    def progressive(self) -> bool:
        """Whether the table has a jackpot: rail, JPOT and combination buttons."""
        return self.rail is not None

    @property
    def devices(self) -> frozenset[Device]:
        """The devices that can be unplugged at a table of this game."""
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
        """The number of cards that the shuffler must count."""
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
        Game(
            "texas-holdem",
            shuffler=ShufflerKind.DECK,
            packets=(DECK,),
            kind=GameKind.POKER,
            legends=(
                ("HAND", "CHIP_1"),
                ("FLOP", "FEWER", "CHIP_2"),
                ("TURN", "MORE", "CHIP_3"),
                ("RIVER", "DEALER", "CHIP_4"),
                ("TIME", "DECK", "CHIP_5"),
            ),
        ),
    )
}
