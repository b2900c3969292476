"""Faults prepared in a simulated cabinet, for training (docs/how-to/training.md).

Only the trainer knows them: the number does not reveal the fault.
"""

from asyncio import AbstractEventLoop
from collections.abc import Callable, Mapping

from devices.card_reports import Back
from devices.device import Device
from devices.roles import Button, KeyPosition
from devices.sim.cabinet import SimulatedCabinet
from devices.sim.disk import SimulatedDisk

Prepare = Callable[[SimulatedCabinet], None]

RESETS_S = 7.0
A_CARD_SHORT = 51
FILLS_AFTER_S = 1.0


def _deck_a_card_short(cabinet: SimulatedCabinet) -> None:
    """Put in a deck that lacks a card, unless there is a deck already: this may be repeated."""
    memory = cabinet.state.shuffler
    if A_CARD_SHORT in (memory.prepared_cards, memory.behind_cards):
        return
    last = memory.behind_back or memory.prepared_back or memory.playing_back
    cabinet.load_deck(Back.BLUE if last is Back.RED else Back.RED, A_CARD_SHORT)


def _nothing_of_the_cabinet(_cabinet: SimulatedCabinet) -> None:
    """Do nothing: the fault is in a file, or on the disk."""


WRONG_SETTING = 5
FULL_DISK = 9

FAULTS: Mapping[int, Prepare] = {
    1: lambda cabinet: cabinet.rail.reset_every(RESETS_S),
    2: lambda cabinet: cabinet.unplug(Device.DISPLAY),
    3: lambda cabinet: cabinet.panel.weld(KeyPosition.JPL),
    4: lambda cabinet: cabinet.rail.kill_sensor(4),
    WRONG_SETTING: _nothing_of_the_cabinet,
    6: lambda cabinet: cabinet.rail.stick_gate(6),
    7: lambda cabinet: cabinet.panel.stick(Button.GAME_OVER),
    8: _deck_a_card_short,
    FULL_DISK: _nothing_of_the_cabinet,
    10: lambda cabinet: cabinet.rail.kill_lamp(2),
}


def prepare(
    number: int, loop: AbstractEventLoop, cabinet: SimulatedCabinet, disk: SimulatedDisk
) -> None:
    """Prepare fault 1 to 10 before the table starts; a full disk becomes full a second later.

    A wrong setting is prepared by the caller. Raises PhysicallyImpossible if the cabinet lacks the
    part.
    """
    FAULTS[number](cabinet)
    if number == FULL_DISK:
        loop.call_later(FILLS_AFTER_S, setattr, disk, "full", True)
