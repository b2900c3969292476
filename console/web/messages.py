"""The messages between the service and the process that serves the pages.

One JSON object a line: over a socket of the service at a real table, over pipes in a simulation.
The service writes an opening, then snapshots, heartbeats and answers. The pages write where they
are served, PINs to be checked and, in a simulation, acts (docs/dev/decisions/0009-pages.md).
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from console.child_process import encode_line
from console.configuration.addresses import Listening
from console.configuration.sign_section import SignSection
from console.rules.codes import Duty
from console.rules.guide import Guide
from console.rules.poker.poker_shown import PokerShown
from console.rules.settings import Settings
from console.texts.declarations.row import DrawerField
from console.texts.language import Words
from jackpot.money.prizes import PrizeTable

LONGEST_MESSAGE = 64 * 1024
"""Bytes of a line, including its end."""

LONGEST_REQUEST = 4 * 1024
"""Bytes of a line that the pages of a real table may write."""

LONGEST_TYPED = 64
"""Characters of a name or a PIN that the service reads: three times the longest valid one."""

LONGEST_ACT = 256
"""Characters of an act, as docs/reference/scenarios.md writes it."""

HEARTBEAT_S = 1.0
"""The service sends at least this often."""

LOST_AFTER_S = 3.0
"""A page that has received nothing for this long says that the table is lost."""


PORT_TAKEN, ADDRESS_UNUSABLE, CERTIFICATE_UNUSABLE = 3, 4, 5
"""The process's exit statuses when it cannot listen."""


class RakeShown(msgspec.Struct, frozen=True):
    """What a cash table takes of a pot: basis points, a fixed amount, and the cap on both."""

    share: int
    fixed: str
    most: str


class PokerOpening(msgspec.Struct, frozen=True):
    """What is set at a poker table. `steps`: the blinds of each level; of a break "".

    `chips`: the values of the five buttons, as amounts. `shares_clock`: with the other tables
    of its tournament.
    """

    form: str
    house: str
    hole: int
    chips: tuple[str, ...]
    blinds: str
    steps: tuple[str, ...] = ()
    lengths: tuple[int, ...] = ()
    """How long each step is, in ms."""
    seats: int = 0
    """Positions at the table."""
    rake: RakeShown | None = None
    """Of a cash table."""
    shares_clock: bool = False


class DrawerAct(msgspec.Struct, frozen=True):
    """A button of the cabinet's drawer: each `#` of the line stands for a field."""

    line: str
    word: Words
    use: str
    fields: tuple[DrawerField, ...] = ()


class PagesOpening(msgspec.Struct, frozen=True, tag_field="kind", tag="opening"):
    """Which table it is: what does not change while the service runs."""

    table: str
    game: str
    language: str
    simulated: bool
    version: str
    # Kinds (console/rules/games.py); None where the table has none.
    rail: str | None
    shuffler: str | None
    shoe: str | None
    combinations: tuple[str, ...]
    """Of the jackpot, from the left; none at a table without one."""
    devices: tuple[str, ...]
    inspector_fitted: bool
    token: str
    base: str
    ledger: str
    """Its folder, which the pages only read."""
    listening: Listening
    link: str = ""
    """The linked jackpot; "": the table has its own."""
    buttons: tuple[tuple[str, ...], ...] = ()
    """The names of each lit button, from the left; with them there is JPOT."""
    poker: PokerOpening | None = None
    """Of a poker table."""
    known_as: str = ""
    """What people call the game (`Game.known_as`)."""
    scenario: tuple[str, ...] = ()
    """The lines with which a scenario of this table begins."""
    declarations: tuple[DrawerAct, ...] = ()
    """What the floor manager may declare at a simulated cabinet."""
    settings: Settings | None = None
    """In force; None: not told, and nothing is forecast."""
    sign: SignSection = msgspec.field(default_factory=SignSection)
    """What the house has on its sign."""
    house: str = ""
    """Name and place of the house, for a bordereau's head; "": not configured."""
    enrol: str = ""
    """The command that enrols somebody at a simulated table; "" at a real one."""

    @property
    def prizes(self) -> PrizeTable | UnsetType:
        """Of a prize file; unset: the game's own."""
        return self.settings.prizes if self.settings is not None else UNSET


class TableSnapshot(msgspec.Struct, frozen=True, tag_field="kind", tag="snapshot"):
    """The table at one instant, as far as it is on record."""

    wall: str
    """A label, for people."""
    seq: int
    """The newest record."""
    round: int
    powered: bool
    key: str | None
    """The key's position; None: between two."""
    seen: Mapping[str, Any]
    """`Observation.whole()`."""
    # Punto Banco: the cards of this coup, and the results of this shoe.
    punto: tuple[str, ...] = ()
    banco: tuple[str, ...] = ()
    road: tuple[str, ...] = ()
    cabinet: Mapping[str, Any] | None = None
    """`CabinetFacts.to_json()` of a simulated table."""
    guide: Guide | None = None
    """What can be done next at the panel of a simulated table."""
    declares: tuple[bool, ...] = ()
    """Whether each of the opening's declarations would be done now, at a simulated table."""
    last_hands: int | None = None
    """Hands still to play after last hands were declared; None: they were not."""
    takes_bets: bool = False
    """Whether players may stake now. In BETTING the sign otherwise says "betting suspended"."""
    legends: tuple[str, ...] = ()
    """The names of the lit buttons that count at the moment."""
    poker: PokerShown | None = None
    """Of a poker table."""
    now: int = 0
    """The table's monotonic clock, in ms; a change of it alone sends nothing."""
    jackpot: str | None = None
    """The jackpot that players may be shown; None: a linked one that is not known now."""


class Heartbeat(msgspec.Struct, frozen=True, tag_field="kind", tag="heartbeat"):
    """The service is there, and nothing has changed."""

    people: str = ""
    """Differs after every change of the file of enrolled people."""


class ActAnswer(msgspec.Struct, frozen=True, tag_field="kind", tag="answered"):
    """An act has been done, or could not be."""

    to: int
    """The request's `id`."""
    line: str
    refused: str | None = None
    """The refusal's code."""
    why: str = ""
    """Why it was not done; empty when it was."""


class PinAnswer(msgspec.Struct, frozen=True, tag_field="kind", tag="checked"):
    """What came of a name and a PIN (`LoginResult`)."""

    to: int
    """The request's `id`."""
    name: str
    on_record: str = "?"
    """What a record calls the person."""
    duties: tuple[Duty, ...] = ()
    """Empty: refused."""
    pin_ends: str = ""
    """The last day on which the PIN opens, such as `2026-12-12`, if it is near."""
    refused: str | None = None
    why: str = ""
    wait_s: int = 0
    wrong: int = 0
    recorded: bool = False
    people: str = ""
    """See `Heartbeat.people`."""


ToPages = PagesOpening | TableSnapshot | Heartbeat | ActAnswer | PinAnswer


class Serving(msgspec.Struct, frozen=True, tag_field="kind", tag="serving"):
    """The pages are served at this address."""

    url: str


class ActRequest(msgspec.Struct, frozen=True, tag_field="kind", tag="act"):
    """Somebody does something to the simulated cabinet; the answer carries the same `id`."""

    id: int
    line: str


Typed = Annotated[str, msgspec.Meta(max_length=LONGEST_TYPED)]


class PinRequest(msgspec.Struct, frozen=True, tag_field="kind", tag="check"):
    """Somebody wants to enter the supervisor's page; the answer carries the same `id`."""

    id: int
    name: Typed
    pin: Typed


FromPages = Serving | ActRequest | PinRequest


def encode_message(message: ToPages | FromPages) -> bytes:
    """The message as a line. Raises ValueError for one that is too long."""
    return encode_line(message, LONGEST_MESSAGE)


decode_to_pages: Callable[[bytes], ToPages] = msgspec.json.Decoder(ToPages).decode
decode_from_pages: Callable[[bytes], FromPages] = msgspec.json.Decoder(FromPages).decode
"""The reverse of `encode_message`. Both raise ValueError (msgspec's own is one)."""
