"""The physical state of a cabinet, and a file that keeps it when its process is killed.

With the file, a killed simulation is like a killed service at a cabinet that keeps its power:
tokens stay where they are and the board continues to count.
"""

import json
import logging
import os
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from devices.device import Device
from devices.roles import NO_COUNTS, SEATS, KeyPosition
from devices.sim.acceptor_memory import AcceptorMemory
from devices.sim.shoe_memory import ShoeMemory
from devices.sim.shuffler_memory import ShufflerMemory

log = logging.getLogger(__name__)


class CabinetState(Struct):
    """Everything that remains when a controller's process ends. Seats are 1 to 7."""

    key: KeyPosition | None = KeyPosition.R
    inspector: bool = False
    powered: bool = True
    unplugged: set[Device] = field(default_factory=set)
    tokens: set[int] = field(default_factory=set)  # on a closed gate, or on a sensor
    cards: set[int] = field(default_factory=set)
    jams: set[int] = field(default_factory=set)
    chute: int = 0  # tokens between the drop sensor and the tray's mouth
    tray_tokens: int = 0
    boot: int = 1
    drops: tuple[int, ...] = NO_COUNTS
    tray: int = 0
    served: tuple[int, ...] = NO_COUNTS  # the board's memory of the turns it opened gates for
    acceptors: list[AcceptorMemory] = field(
        default_factory=lambda: [AcceptorMemory() for _ in SEATS]
    )
    shoe: ShoeMemory = field(default_factory=ShoeMemory)
    shuffler: ShufflerMemory = field(default_factory=ShufflerMemory)
    keys: dict[str, str] = field(default_factory=dict)  # of the boards, by device, in hexadecimal
    jumpers: set[Device] = field(default_factory=set)  # closed on these devices' boards


class MemoryUnreadable(ValueError):
    """The file is not a valid memory of a cabinet; the text names it and says why."""


class CabinetMemory:
    """A JSON file at `path`, always replaced as a whole, so that it is never half written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._saved = ""
        self._remembers = True

    def load(self) -> CabinetState:
        """The remembered state, or a new cabinet's if there is no file.

        Raises MemoryUnreadable for an invalid file.
        """
        if not self._path.exists():
            return CabinetState()
        try:
            return _from_json(json.loads(self._path.read_text("utf-8")))
        except (KeyError, TypeError, ValueError) as error:
            raise MemoryUnreadable(f"{self._path} is no cabinet's memory: {error!r}") from error

    def save(self, state: CabinetState) -> None:
        """Remember `state`; does nothing if it is unchanged.

        A disk error does not end the table: it is logged, and the next call tries again.
        """
        text = json.dumps(_to_json(state))
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

    def _write(self, text: str) -> None:
        fresh = self._path.with_suffix(".new")
        fresh.write_text(text, "utf-8")
        os.replace(fresh, self._path)


def _to_json(state: CabinetState) -> dict[str, Any]:
    return {
        "key": None if state.key is None else state.key.value,
        "inspector": state.inspector,
        "powered": state.powered,
        "unplugged": sorted(device.value for device in state.unplugged),
        "tokens": sorted(state.tokens),
        "cards": sorted(state.cards),
        "jams": sorted(state.jams),
        "chute": state.chute,
        "tray_tokens": state.tray_tokens,
        "boot": state.boot,
        "drops": state.drops,
        "tray": state.tray,
        "served": state.served,
        "acceptors": [acceptor.to_json() for acceptor in state.acceptors],
        "shoe": state.shoe.to_json(),
        "shuffler": state.shuffler.to_json(),
        "keys": state.keys,
        "jumpers": sorted(device.value for device in state.jumpers),
    }


def _from_json(data: dict[str, Any]) -> CabinetState:
    return CabinetState(
        key=None if data["key"] is None else KeyPosition(data["key"]),
        inspector=bool(data["inspector"]),
        powered=bool(data["powered"]),
        unplugged={Device(name) for name in data["unplugged"]},
        tokens=set(data["tokens"]),
        cards=set(data["cards"]),
        jams=set(data["jams"]),
        chute=int(data["chute"]),
        tray_tokens=int(data["tray_tokens"]),
        boot=int(data["boot"]),
        drops=tuple(data["drops"]),
        tray=int(data["tray"]),
        served=tuple(data["served"]),
        acceptors=[AcceptorMemory.from_json(item) for item in data["acceptors"]],
        shoe=ShoeMemory.from_json(data["shoe"]),
        shuffler=ShufflerMemory.from_json(data["shuffler"]),
        keys=dict(data.get("keys", {})),
        jumpers={Device(name) for name in data.get("jumpers", ())},
    )
