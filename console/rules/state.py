"""The state of a table: frozen, whole, and all that the round and the outputs are computed from."""

from dataclasses import dataclass, field

from console.rules.card_state import DeckMarks, ShoeMarks
from console.rules.codes import LEDGER_FAULTS, Fault, Phase, Refusal
from console.rules.drive import Drive
from console.rules.games import GAMES, Game
from console.rules.settings import Settings
from devices.roles import SEATS, KeyPosition, RailSeen, RailTraits
from jackpot.accounts import Balances
from jackpot.awards import Award
from jackpot.prizes import Combination, PrizeTable, load_prizes
from jackpot.settings import MoneySettings

Seats = frozenset[int]
NONE: Seats = frozenset()


@dataclass(frozen=True, slots=True)
class Rules:
    """What does not change while a table runs: its name, game, prizes, money and parts."""

    table: str
    game: Game
    money: MoneySettings
    prizes: PrizeTable | None = None
    rail: RailTraits | None = None
    inspector_fitted: bool = False


def rules_of(settings: Settings, rail: RailTraits | None) -> Rules:
    """What the round is played by under these settings; `rail`: the traits of the rail."""
    game = GAMES[settings.game]
    prizes = load_prizes(settings.game) if game.progressive else None
    inspector = settings.inspector_fitted
    return Rules(settings.table, game, settings.money, prizes, rail, inspector)


@dataclass(frozen=True, slots=True)
class SeatMarks:
    """What is known of the seats.

    `occupied`: the sensor sees something. `collecting`: the gate has been opened for its token.
    `stuck`: its token waits for COIN IN to be pressed again. `accepted`: its token is in the
    ledger. `changed`: has changed a card and lost its right for the round. `void`: its hand is
    void. `unfree`: what lies there cannot be a token until the sensor has been seen free;
    `reminded`: the same, since an earlier round. `swallowed`: tokens that the acceptor of each seat
    holds for a round to come (None: this rail swallows none, tokens lie on its sensors).
    `returned`: its token has gone back. `freed`: seen free while the ledger could not be written.
    `unproved`: a token may have gone in then, before a cut of power: the counter must prove it.
    """

    occupied: Seats = NONE
    collecting: Seats = NONE
    stuck: Seats = NONE
    accepted: Seats = NONE
    changed: Seats = NONE
    void: Seats = NONE
    unfree: Seats = NONE
    reminded: Seats = NONE
    swallowed: tuple[int, ...] | None = None
    returned: Seats = NONE
    freed: Seats = NONE
    unproved: Seats = NONE

    @property
    def tokens(self) -> Seats:
        """Seats with a token that can be taken at COIN IN."""
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


@dataclass(frozen=True, slots=True)
class RailMarks:
    """The rail as last `seen`. `known`: seen since the start and since it was last lost.

    `gap`: drops less tray that is accounted for, modulo 65536.
    """

    known: bool = False
    seen: RailSeen | None = None
    gap: int = 0


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Milliseconds of the monotonic clock at which something falls due.

    `gates`: tokens not dropped are stuck. `covered`: since when each slot has been covered.
    `tray`: the tray's count must agree. `drive`: gates opened by hand close.
    """

    gates: int | None = None
    covered: tuple[tuple[int, int], ...] = ()
    tray: int | None = None
    drive: int | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """A refusal the display shows until `until` (ms)."""

    code: Refusal
    until: int


@dataclass(frozen=True, slots=True)
class LastHandsCount:
    """Hands left of the last ones; `begun`: one of them has, since it was counted."""

    left: int
    begun: bool = False


@dataclass(frozen=True, slots=True)
class TableState:
    """A table at one instant. What the journal says, and nothing else, gives it back.

    `turn` numbers the openings of the gates (1 to 65535). `places_used`: winners of this round
    whose award is final. `awards`: awards begun in this round. `tray_mark`: the tray account
    when the tray was last counted by hand. `drive`: outputs that the technician drives.
    `corrections`: how many corrections have been made.
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
    choice: Combination | None = None
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

    @property
    def shown_phase(self) -> Phase:
        """The phase a person is told: SERVICE covers the one underneath."""
        return Phase.SERVICE if self.service else self.phase

    @property
    def locked(self) -> bool:
        """Whether a ledger fault holds the table."""
        return not LEDGER_FAULTS.isdisjoint(self.faults)

    @property
    def takes_bets(self) -> bool:
        """Whether a player may stake: betting is open, the ledger and the rail are there (7)."""
        able = not self.locked and Fault.RAIL_LOST not in self.faults
        return able and self.shown_phase is Phase.BETTING

    @property
    def places_left(self) -> int:
        """How many winners the round can still have, those of the pending award included."""
        return len(self.seats.eligible) - self.places_used
