"""The physical state of a cabinet, and a file that keeps it when its process is killed.

With the file, a killed simulation is like a killed service at a cabinet that keeps its power:
tokens stay where they are and the board continues to count.
"""

import logging
import os
from pathlib import Path
from typing import Annotated

from msgspec import DecodeError, Meta, Struct, field, json

from devices.card_reports import Back
from devices.device import Device
from devices.door_reports import DoorContact
from devices.roles import NO_COUNTS, SEATS, KeyPosition
from firmware_bridge.angel_eye.reports import HIGHEST_PLACE, RANKS, SUITS
from firmware_bridge.board.proof import KEY_SIZE
from firmware_bridge.seat_words import plain_ascii

SHOE_MEMORY_NUMBER = 0x5AB07001
"""The number of the counting shoe's memory, which a simulation never loses."""

Drawn = Annotated[str, Meta(pattern=rf"^[{RANKS}][{''.join(SUITS.values())}]\Z")]
CoupCards = Annotated[list[Drawn], Meta(max_length=HIGHEST_PLACE)]
"""A coup's cards, such as 7H."""

EVENTS = 5

Byte = Annotated[int, Meta(ge=0, le=0xFF)]
Count = Annotated[int, Meta(ge=0, le=0xFFFF)]
Number = Annotated[int, Meta(ge=0, le=0x7FFFFFFF)]
"""With numbers left above it: each boot counts one more."""

log = logging.getLogger(__name__)

Seat = Annotated[int, Meta(ge=SEATS[0], le=SEATS[-1])]
OF_EACH_SEAT = Meta(min_length=len(SEATS), max_length=len(SEATS))
SeatCounts = Annotated[tuple[Count, ...], OF_EACH_SEAT]
BoardKey = Annotated[str, Meta(pattern=rf"^[0-9a-f]{{{2 * KEY_SIZE}}}\Z")]
"""In hexadecimal."""


LONGEST_REASON = 200
"""Characters: the reason quotes the file."""

NO_FILE = "it is a pipe or a device, not a file"


class ShufflerMemory(Struct, forbid_unknown_fields=True):
    """The decks being prepared, the deck in play, and the counts of the hand dealt last.

    Only backs and numbers of cards: the order of the cards must not be in a file. A simulation that
    is started again has as many cards as before, in a new order.
    """

    boot: Number = 1
    jammed: bool = False
    prepared_back: Back | None = None
    prepared_cards: Count = 0  # cards that are really in it
    counted: Count | None = None  # None: not shuffled yet
    behind_back: Back | None = None  # of the deck that waits behind the prepared one
    behind_cards: Count = 0
    behind_counted: Count | None = None
    playing_back: Back | None = None
    left: Count = 0  # cards of the deck in play in the machine, with the packet at the exit
    waiting: Byte = 0  # cards of the packet at the exit
    hand: Count = 0
    dealt: Count = 0
    packets: Byte = 0
    unloaded: Count | None = None
    unloading: bool = False
    presses: Count = 0  # of a deck shuffler's green button


class ShoeMemory(Struct, forbid_unknown_fields=True):
    """A shoe; `left` cards are in it (None: none was put in), and perhaps the cut card."""

    left: Count | None = None
    cut_out: bool = False
    boot: Number = 1
    # What a counting shoe keeps
    loads: Count = 0
    cards: Count = 0
    draws: Count = 0
    cut_after: Count | None = None
    # What a reading shoe keeps
    seq: Count = 0
    punto: CoupCards = field(default_factory=list)
    banco: CoupCards = field(default_factory=list)
    overdrawn: bool = False
    locked: bool = False


class AcceptorMemory(Struct, forbid_unknown_fields=True):
    """Its counter, its last events (coin and code, newest first), and what it may accept."""

    counter: Byte = 0
    events: Annotated[list[tuple[Byte, Byte]], Meta(min_length=EVENTS, max_length=EVENTS)] = field(
        default_factory=lambda: [(0, 0)] * EVENTS
    )
    mask: Count = 0
    master: bool = False


class CabinetState(Struct, forbid_unknown_fields=True):
    """Everything that remains when a controller's process ends. Seats are 1 to 7."""

    key: KeyPosition | None = KeyPosition.R
    inspector: bool = False
    doors: set[DoorContact] = field(default_factory=set)  # contacts that are open
    powered: bool = True
    unplugged: set[Device] = field(default_factory=set)
    tokens: set[Seat] = field(default_factory=set)  # on a closed gate, or on a sensor
    cards: set[Seat] = field(default_factory=set)
    jams: set[Seat] = field(default_factory=set)
    chute: Count = 0  # tokens between the drop sensor and the tray's mouth
    tray_tokens: Number = 0
    boot: Number = 1
    drops: SeatCounts = NO_COUNTS
    tray: Count = 0
    served: SeatCounts = NO_COUNTS  # the board's memory of the turns it opened gates for
    acceptors: Annotated[list[AcceptorMemory], OF_EACH_SEAT] = field(
        default_factory=lambda: [AcceptorMemory() for _ in SEATS]
    )
    shoe: ShoeMemory = field(default_factory=ShoeMemory)
    shuffler: ShufflerMemory = field(default_factory=ShufflerMemory)
    keys: dict[str, BoardKey] = field(default_factory=dict)  # of the boards, by device
    jumpers: set[Device] = field(default_factory=set)  # closed on these devices' boards


class CabinetMemory:
    """A JSON file at `path`, always replaced as a whole, so that it is never half written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._saved = b""
        self._saved_last = True

    def load(self) -> CabinetState:
        """The remembered state, or a new cabinet's if there is no file.

        Raises OSError, also for an invalid file; its text names it and says why.
        """
        if not self._path.exists():
            return CabinetState()
        try:
            if not self._path.is_file():  # a pipe may never answer
                raise OSError(f"{self._path}: {NO_FILE}")
            return json.decode(self._path.read_bytes(), type=CabinetState)
        except DecodeError as error:
            why = plain_ascii(str(error)[:LONGEST_REASON])
            raise OSError(
                f"{self._path} is no cabinet's memory: {why}; move {self._path.parent} away to "
                "begin with a new one"
            ) from error

    def save(self, state: CabinetState) -> None:
        """Remember `state`; does nothing if it is unchanged.

        A disk error does not end the table: it is logged, and the next call tries again.
        """
        text = json.encode(state, order="deterministic")
        if text == self._saved:
            return
        try:
            self._write(text)
        except OSError as error:
            if self._saved_last:
                log.error("%s: what lies in the cabinet is not remembered: %s", self._path, error)
            self._saved_last = False
            return
        self._saved = text
        self._saved_last = True

    def _write(self, text: bytes) -> None:
        fresh = self._path.with_suffix(".new")
        fresh.unlink(missing_ok=True)  # a pipe here might block
        fresh.write_bytes(text)
        os.replace(fresh, self._path)
