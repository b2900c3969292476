"""The state of a table: frozen and complete; rules and outputs are computed from it."""

from msgspec import UNSET, Struct, UnsetType, field

from console.rules.board_marks import BoardMarks
from console.rules.card_state import DeckMarks, ShoeMarks
from console.rules.codes import LEDGER_FAULTS, LINK_FAULTS, LOCKS, NO_BETS, Fault, Phase, Refusal
from console.rules.drive import Drive
from console.rules.games import Game
from console.rules.link_state import LeftLink, LinkState
from console.rules.poker_settings import PokerSettings
from console.rules.poker_state import PokerState
from console.rules.release_marks import ReleaseMarks
from console.rules.settings import NextJackpot, Settings, Written, fit_game, prizes_of
from devices.device import Device
from devices.door_reports import DoorContact
from devices.roles import SEATS, KeyPosition, RailSeen, RailTraits
from jackpot.money.accounts import Balances
from jackpot.money.amounts import Cents
from jackpot.money.awards import Award
from jackpot.money.prizes import CombinationName, PrizeTable
from jackpot.money.settings import MoneySettings

Seats = frozenset[int]
NONE: Seats = frozenset()


class Rules(Struct, frozen=True):
    """What is constant while a table runs: its name, game, prizes, money and parts."""

    table: str
    game: Game
    money: MoneySettings
    prizes: PrizeTable | None = None
    rail: RailTraits | None = None
    inspector_fitted: bool = False
    link: str | UnsetType = UNSET
    """The linked jackpot that the table plays for; unset: its own."""
    poker: PokerSettings | UnsetType = UNSET


def rules_of(settings: Settings, rail: RailTraits | None) -> Rules:
    """The rules of a round under these settings; `rail`: the traits of the rail."""
    game = fit_game(settings.game, settings.poker)
    prizes = prizes_of(settings) if game.progressive else None
    inspector = settings.inspector_fitted
    return Rules(
        settings.table,
        game,
        settings.money,
        prizes,
        rail,
        inspector,
        settings.link,
        settings.poker,
    )


class SeatMarks(Struct, frozen=True):
    """The state of the seats."""

    occupied: Seats = NONE
    """The sensor sees something."""
    collecting: Seats = NONE
    """The gate was opened for its token."""
    stuck: Seats = NONE
    """Its token waits for COIN IN to be pressed again."""
    accepted: Seats = NONE
    """Its token is in the ledger."""
    changed: Seats = NONE
    """Has changed a card, and lost the right to the jackpot in this round."""
    void: Seats = NONE
    """Its hand is void."""
    unfree: Seats = NONE
    """What is there cannot be a token until the sensor was seen free."""
    reminded: Seats = NONE
    """As `unfree`, since an earlier round."""
    swallowed: tuple[int, ...] | None = None
    """Tokens that each seat's acceptor holds for a later round; None for a rail that swallows none,
    where tokens lie on the sensors."""
    returned: Seats = NONE
    """Its token was returned."""
    freed: Seats = NONE
    """Seen free while the ledger could not be written."""
    unproved: Seats = NONE
    """May have taken a token at that time, before a power cut: the counter must prove it."""

    @property
    def tokens(self) -> Seats:
        """Seats with a token that COIN IN can take."""
        if self.swallowed is None:
            return self.occupied - self.unfree
        held = zip(SEATS, self.swallowed, strict=True)
        return frozenset(seat for seat, count in held if count)

    @property
    def awaited(self) -> Seats:
        """Seats whose token has not dropped yet."""
        return self.collecting | self.stuck

    @property
    def playing(self) -> Seats:
        """Seats that take part in the round."""
        return self.accepted - self.void

    @property
    def eligible(self) -> Seats:
        """Seats that may win the jackpot in this round."""
        return self.accepted - self.void - self.changed


class RailMarks(Struct, frozen=True):
    """The rail: `seen` is its last report.

    `known`: it has reported since the start and since its last loss. `gap`: the explained
    difference between drops and tray, modulo 65536.
    """

    known: bool = False
    seen: RailSeen | None = None
    gap: int = 0


class ConfigurationMarks(Struct, frozen=True):
    """The SHA-256 of the configuration of the last start, and of the one acknowledged last.

    docs/reference/rules.md, section 15.
    """

    now: str
    acknowledged: str = ""


class DoorMarks(Struct, frozen=True):
    """The contacts that were last seen open; `known`: they have been seen since the start.

    docs/reference/rules.md, section 14.
    """

    open: tuple[DoorContact, ...] = ()
    known: bool = False


class PeopleMarks(Struct, frozen=True):
    """The last change on record: its number, and the list's SHA-256 after it."""

    number: int
    sha256: str


class Deadlines(Struct, frozen=True):
    """When something is due, in milliseconds of the monotonic clock."""

    gates: int | None = None
    """Tokens that have not dropped by then are stuck."""
    covered: tuple[tuple[int, int], ...] = ()
    """Since when each slot has been covered."""
    tray: int | None = None
    """The tray's count must agree."""
    drive: int | None = None
    """Gates opened by hand close."""


class Notice(Struct, frozen=True):
    """What the display shows until `until` (ms): a refusal; None: that a token came late."""

    code: Refusal | None
    until: int


class LastHandsCount(Struct, frozen=True):
    """The last hands still to be played; `begun`: one has begun since the declaration."""

    left: int
    begun: bool = False


class TableState(Struct, frozen=True):
    """A table at one instant, restored from the journal alone.

    `turn` numbers the openings of the gates (1 to 65535). `places_used`: winners of this round with
    a final award. `awards`: awards begun in this round. `tray_mark`: the tray account at the last
    hand count, as if each token since had the present value. `drive`: outputs that the technician
    drives. `corrections`: the number of corrections so far. `link`: at a table that is or was
    linked. `written`: what settings.toml must hold; unset before that was on record. `boards`:
    unset in a ledger from before enrolment, where every board is believed. `poker`: at a poker
    table. `over_limit`: what a limit has kept out of the jackpot in this round, in units; unset at
    a table that never had one. `release`: of a table that has run one. `doors`: at a table whose
    doors have contacts. `configuration`: at one where two people acknowledge a changed one.
    `people`: where a service has looked at the list of people.
    `next_jackpot`: where settings wait until the jackpot is won.
    """

    settings: Settings | None = None
    phase: Phase = Phase.PAUSED
    service: bool = False
    round: int = 0
    turn: int = 0
    key: KeyPosition | None = None
    inspector: bool = False
    seats: SeatMarks = field(default_factory=SeatMarks)
    rail: RailMarks = field(default_factory=RailMarks)
    choice: CombinationName | None = None
    award: Award | None = None
    awards: int = 0
    places_used: int = 0
    faults: tuple[Fault, ...] = ()
    notice: Notice | None = None
    deadlines: Deadlines = field(default_factory=Deadlines)
    last_hands: LastHandsCount | None = None
    deck: DeckMarks = field(default_factory=DeckMarks)
    shoe: ShoeMarks = field(default_factory=ShoeMarks)
    balances: Balances = field(default_factory=Balances)
    tray_mark: int = 0
    drive: Drive | None = None
    corrections: int = 0
    link: LinkState | LeftLink | UnsetType = UNSET
    written: Written | UnsetType = UNSET
    boards: BoardMarks | UnsetType = UNSET
    poker: PokerState | UnsetType = UNSET
    over_limit: int | UnsetType = UNSET
    release: ReleaseMarks | UnsetType = UNSET
    doors: DoorMarks | UnsetType = UNSET
    configuration: ConfigurationMarks | UnsetType = UNSET
    people: PeopleMarks | UnsetType = UNSET
    next_jackpot: NextJackpot | UnsetType = UNSET

    @property
    def unsteady(self) -> Seats:
        """Seats whose sensor flaps."""
        return self.rail.seen.unsteady or NONE if self.rail.seen is not None else NONE

    @property
    def shown_phase(self) -> Phase:
        """The phase that people see: SERVICE covers the one underneath."""
        return Phase.SERVICE if self.service else self.phase

    @property
    def locked(self) -> bool:
        """Whether a ledger fault locks the table."""
        return not LEDGER_FAULTS.isdisjoint(self.faults)

    @property
    def play_locked(self) -> bool:
        """Whether nothing is played: a ledger fault locks the table, or a changed program."""
        return not LOCKS.isdisjoint(self.faults)

    @property
    def due_settings(self) -> Written | None:
        """What the next start brings into force: the jackpot is won, and its round over."""
        waiting = self.next_jackpot
        if not isinstance(waiting, NextJackpot) or not waiting.won or self.locked:
            return None
        return waiting.written if self.phase is Phase.PAUSED else None

    @property
    def takes_bets(self) -> bool:
        """Whether a player may stake: betting is open, ledger, rail and link work.

        docs/reference/rules.md, section 7; docs/reference/link-rules.md, sections 3.1 and 4.
        """
        betting = self.shown_phase is Phase.BETTING
        works = NO_BETS.isdisjoint(self.faults) and not self.rail_is_foreign
        return betting and works and not self.asks_to_open

    @property
    def rail_is_foreign(self) -> bool:
        """Whether a board answers for the rail that is not enrolled."""
        return isinstance(self.boards, BoardMarks) and self.boards.is_foreign(Device.RAIL)

    @property
    def asks_to_open(self) -> bool:
        """Whether COIN IN has asked the centre, which has not answered."""
        return isinstance(self.link, LinkState) and self.link.opening is not None

    @property
    def jackpot_reading(self) -> Cents | None:
        """The jackpot that players may be shown; None: a linked one that is not known now."""
        if not isinstance(self.link, LinkState):
            return self.balances.jackpot_cents
        return None if self.off_link else self.link.reading

    @property
    def off_link(self) -> bool:
        """Whether the table is linked, and the centre out of its reach."""
        return not LINK_FAULTS.isdisjoint(self.faults)
