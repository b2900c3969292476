"""The physical state of a cabinet, and a file that keeps it when its process is killed.

With the file, a killed simulation is like a killed service at a cabinet that keeps its power:
tokens stay where they are and the board continues to count.
"""

import logging
import os
from pathlib import Path
from typing import Annotated

from msgspec import DecodeError, Meta, Struct, field, json

from devices.device import Device
from devices.roles import NO_COUNTS, SEATS, KeyPosition
from devices.sim.acceptor_memory import AcceptorMemory
from devices.sim.ranges import Count, Number
from devices.sim.shoe_memory import ShoeMemory
from devices.sim.shuffler_memory import ShufflerMemory
from firmware_bridge.board.proof import KEY_SIZE
from firmware_bridge.seat_words import plain_ascii

log = logging.getLogger(__name__)

Seat = Annotated[int, Meta(ge=SEATS[0], le=SEATS[-1])]
OF_EACH_SEAT = Meta(min_length=len(SEATS), max_length=len(SEATS))
SeatCounts = Annotated[tuple[Count, ...], OF_EACH_SEAT]
BoardKey = Annotated[str, Meta(pattern=rf"^[0-9a-f]{{{2 * KEY_SIZE}}}\Z")]
"""In hexadecimal."""


LONGEST_REASON = 200
"""Characters: the file's own words are in the reason."""

NO_FILE = "it is a pipe or a device, not a file"


class CabinetState(Struct, forbid_unknown_fields=True):
    """Everything that remains when a controller's process ends. Seats are 1 to 7."""

    key: KeyPosition | None = KeyPosition.R
    inspector: bool = False
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


class MemoryUnreadable(ValueError):
    """The file is not a valid memory of a cabinet; the text names it and says why."""


class CabinetMemory:
    """A JSON file at `path`, always replaced as a whole, so that it is never half written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._saved = b""
        self._remembers = True

    def load(self) -> CabinetState:
        """The remembered state, or a new cabinet's if there is no file.

        Raises MemoryUnreadable for an invalid file.
        """
        if not self._path.exists():
            return CabinetState()
        try:
            if not self._path.is_file():  # a pipe may never answer
                raise MemoryUnreadable(f"{self._path}: {NO_FILE}")
            return json.decode(self._path.read_bytes(), type=CabinetState)
        except DecodeError as error:
            why = plain_ascii(str(error)[:LONGEST_REASON])
            raise MemoryUnreadable(f"{self._path} is no cabinet's memory: {why}") from error

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
            if self._remembers:
                log.error("%s: what lies in the cabinet is not remembered: %s", self._path, error)
            self._remembers = False
            return
        self._saved = text
        self._remembers = True

    def _write(self, text: bytes) -> None:
        fresh = self._path.with_suffix(".new")
        fresh.unlink(missing_ok=True)  # what is no file might never take a byte
        fresh.write_bytes(text)
        os.replace(fresh, self._path)
