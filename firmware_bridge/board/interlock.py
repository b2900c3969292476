"""Which packet belongs at a shuffler's exit, and whether it can be taken.

The rules are in docs/reference/shuffler-protocol.md, "The machine": the shuffler deals only while
the host allows it, each hand from a deck of its own.
"""

EMPTY = 0
SHUFFLING = 1
READY = 2
JAMMED = 3
"""The states of the deck being prepared; a jam stops the machine, whatever is in it."""

NO_BACK = 0
NOT_YET = 0xFFFF
"""The number of cards while they are not counted."""


class Orders:
    """What the machine may do now; without a host, nothing."""

    __slots__ = ("hand", "may_begin", "may_deal", "packets", "ready_light")

    def __init__(
        self, may_deal: bool = False, may_begin: bool = False, hand: int = 0, packets: bytes = b""
    ) -> None:
        self.may_deal = may_deal
        self.may_begin = may_begin
        self.hand = hand
        self.packets = packets  # the cards of each, in the order in which they are offered
        self.ready_light = False  # a deck shuffler's green light


class Machine:
    """What is in the machine, as its sensors and its memory have it.

    `left` cards of the deck in play are in it, of which `waiting` are at the exit.
    """

    __slots__ = (
        "counted", "dealt", "hand", "left", "packets", "playing_back", "prepared_back",
        "preparing", "presses", "unloaded", "unloading", "waiting",
    )  # fmt: skip

    def __init__(self) -> None:
        self.preparing = EMPTY
        self.prepared_back = NO_BACK
        self.counted = NOT_YET
        self.playing_back = NO_BACK
        self.left = 0
        self.hand = 0
        self.dealt = 0
        self.packets = 0
        self.unloaded = NOT_YET
        self.waiting = 0
        self.unloading = False
        self.presses = 0  # of a deck shuffler's green button, modulo 65536


def packet_due(orders: Orders, machine: Machine) -> int:
    """The cards of the packet that belongs at the exit now; 0: nothing may be dealt."""
    if not orders.may_deal or machine.preparing == JAMMED or machine.unloading:
        return 0
    is_new_hand = orders.hand != machine.hand
    if machine.playing_back == NO_BACK:
        is_ready = machine.preparing == READY and machine.counted != NOT_YET
        if not orders.may_begin or not is_ready or (machine.packets and not is_new_hand):
            return 0
        return _packet(orders, 0, machine.counted)
    if machine.packets and is_new_hand:
        return 0  # each hand has its own deck: the rest of this one must be unloaded
    return _packet(orders, machine.packets, machine.left)


def exit_is_open(orders: Orders, machine: Machine) -> bool:
    """Whether the packet at the exit can be taken."""
    due = packet_due(orders, machine)
    return due > 0 and due == machine.waiting and orders.hand == machine.hand


def _packet(orders: Orders, number: int, cards: int) -> int:
    size = orders.packets[number] if number < len(orders.packets) else 0
    return size if size <= cards else 0
