"""Which packet belongs at a shuffler's exit: the reference, on the host's messages.

The rules are in docs/reference/shuffler-protocol.md, "The machine".
"""

from devices.sim.memory import ShufflerMemory
from firmware_bridge.board_session.shuffler_messages import ShufflerWant


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
