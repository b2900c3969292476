"""What a shuffler's board knows of the machine: backs and counts, no card."""

from devices.card_reports import Back
from devices.sim.shuffler_memory import ShufflerMemory
from firmware_bridge.board.interlock import (
    EMPTY,
    JAMMED,
    NO_BACK,
    NOT_YET,
    READY,
    SHUFFLING,
    Machine,
)
from firmware_bridge.board_link.shuffler_messages import BackCode

CODE_OF = {None: NO_BACK, Back.RED: int(BackCode.RED), Back.BLUE: int(BackCode.BLUE)}


def deck_state(memory: ShufflerMemory) -> int:
    """The state of the deck being prepared."""
    if memory.jammed:
        return JAMMED
    if memory.prepared_back is None:
        return EMPTY
    return SHUFFLING if memory.counted is None else READY


def machine_of(memory: ShufflerMemory) -> Machine:
    """The machine as its board has it."""
    machine = Machine()
    machine.preparing = deck_state(memory)
    machine.prepared_back = CODE_OF[memory.prepared_back]
    machine.counted = NOT_YET if memory.counted is None else memory.counted
    machine.playing_back = CODE_OF[memory.playing_back]
    machine.left = memory.left
    machine.hand = memory.hand
    machine.dealt = memory.dealt
    machine.packets = memory.packets
    machine.unloaded = NOT_YET if memory.unloaded is None else memory.unloaded
    machine.waiting = memory.waiting
    machine.unloading = memory.unloading
    machine.presses = memory.presses
    return machine
