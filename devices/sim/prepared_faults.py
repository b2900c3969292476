"""Faults prepared in a simulated cabinet, for who learns to find them (docs/training.md).

The trainer's page: a number says nothing to who has not read this file.
"""

from collections.abc import Callable, Mapping

from devices.card_reports import Back
from devices.roles import Button, Device, KeyPosition
from devices.sim.cabinet import SimulatedCabinet
from devices.sim.disk import SimulatedDisk

Prepare = Callable[[SimulatedCabinet, SimulatedDisk], None]

RESETS_S = 7.0
A_CARD_SHORT = 51


def _deck_a_card_short(cabinet: SimulatedCabinet, _disk: SimulatedDisk) -> None:
    """Unless one is in it already: the machine may be prepared anew."""
    memory = cabinet.state.shuffler
    if A_CARD_SHORT in (memory.prepared_cards, memory.behind_cards):
        return
    last = memory.behind_back or memory.prepared_back or memory.playing_back
    cabinet.load_deck(Back.BLUE if last is Back.RED else Back.RED, A_CARD_SHORT)


def _fill(_cabinet: SimulatedCabinet, disk: SimulatedDisk) -> None:
    disk.full = True


def _nothing_physical(_cabinet: SimulatedCabinet, _disk: SimulatedDisk) -> None:
    """A setting is wrong; that is prepared in a file, before the cabinet has power."""


WRONG_SETTING = 5

FAULTS: Mapping[int, Prepare] = {
    1: lambda cabinet, _: cabinet.rail.reset_every(RESETS_S),
    2: lambda cabinet, _: cabinet.unplug(Device.DISPLAY),
    3: lambda cabinet, _: cabinet.panel.weld(KeyPosition.JPL),
    4: lambda cabinet, _: cabinet.rail.kill_sensor(4),
    WRONG_SETTING: _nothing_physical,
    6: lambda cabinet, _: cabinet.rail.stick_gate(6),
    7: lambda cabinet, _: cabinet.panel.stick(Button.GAME_OVER),
    8: _deck_a_card_short,
    9: _fill,
    10: lambda cabinet, _: cabinet.rail.kill_lamp(2),
}


def prepare(number: int, cabinet: SimulatedCabinet, disk: SimulatedDisk) -> None:
    """Prepare a fault of 1 to 10. Raises PhysicallyImpossible where the cabinet lacks the part."""
    FAULTS[number](cabinet, disk)
