"""Which packet belongs at a shuffler's exit, and whether it can be taken: pure functions.

The interlock of docs/rules.md, section 8: the shuffler deals only while the host allows it, one
hand from one deck. The rules are in docs/shuffler-protocol.md, "The machine".
"""

from devices.card_reports import Back
from devices.sim.shuffler_memory import ShufflerMemory
from firmware_bridge.board_link.shuffler_messages import (
    BackCode,
    DeckCode,
    ShufflerState,
    ShufflerWant,
)

CODE_OF = {None: BackCode.NONE, Back.RED: BackCode.RED, Back.BLUE: BackCode.BLUE}


def packet_due(orders: ShufflerWant, memory: ShufflerMemory) -> int:
    """The cards of the packet that belongs at the exit now; 0: nothing may be dealt."""
    if not orders.may_deal or memory.jammed or memory.unloading:
        return 0
    is_new_hand = orders.hand != memory.hand
    if memory.playing_back is None:
        if not orders.may_begin or memory.counted is None or (memory.packets and not is_new_hand):
            return 0
        return _packet(orders, 0, memory.counted)
    if memory.packets and is_new_hand:
        return 0  # each hand has its own deck: the rest of this one must be unloaded
    return _packet(orders, memory.packets, memory.left)


def exit_is_open(orders: ShufflerWant, memory: ShufflerMemory) -> bool:
    """Whether the packet at the exit can be taken."""
    due = packet_due(orders, memory)
    return due > 0 and due == memory.waiting and orders.hand == memory.hand


def _packet(orders: ShufflerWant, number: int, cards: int) -> int:
    size = orders.packets[number] if number < len(orders.packets) else 0
    return size if size <= cards else 0


def deck_state(memory: ShufflerMemory) -> DeckCode:
    """The state of the deck being prepared."""
    if memory.jammed:
        return DeckCode.JAMMED
    if memory.prepared_back is None:
        return DeckCode.EMPTY
    return DeckCode.SHUFFLING if memory.counted is None else DeckCode.READY


def state_of(memory: ShufflerMemory) -> ShufflerState:
    """The machine's state as reported: counts and backs, no card."""
    return ShufflerState(
        preparing=deck_state(memory),
        prepared_back=CODE_OF[memory.prepared_back],
        counted=memory.counted,
        playing_back=CODE_OF[memory.playing_back],
        hand=memory.hand,
        dealt=memory.dealt,
        packets=memory.packets,
        unloaded=memory.unloaded,
        waiting=memory.waiting > 0,
    )
