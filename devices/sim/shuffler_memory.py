"""What is in a shuffler, and what its electronics keep without power."""

from msgspec import Struct

from devices.card_reports import Back
from devices.sim.ranges import Byte, Count, Number


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
