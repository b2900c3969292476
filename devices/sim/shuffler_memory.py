"""What is in a shuffler, and what its electronics keep without power."""

from typing import Any, Self

from msgspec import Struct
from msgspec.structs import asdict

from devices.card_reports import Back


class ShufflerMemory(Struct):
    """The decks being prepared, the deck in play, and the counts of the hand dealt last.

    Only backs and numbers of cards: the order of the cards must not be in a file. A simulation that
    is started again has as many cards as before, in a new order.
    """

    boot: int = 1
    jammed: bool = False
    prepared_back: Back | None = None
    prepared_cards: int = 0  # cards that are really in it
    counted: int | None = None  # None: not shuffled yet
    behind_back: Back | None = None  # of the deck that waits behind the prepared one
    behind_cards: int = 0
    behind_counted: int | None = None
    playing_back: Back | None = None
    left: int = 0  # cards of the deck in play that are in the machine, with the packet at the exit
    waiting: int = 0  # cards of the packet at the exit
    hand: int = 0
    dealt: int = 0
    packets: int = 0
    unloaded: int | None = None
    unloading: bool = False
    presses: int = 0  # of a deck shuffler's green button

    def to_json(self) -> dict[str, Any]:
        """The values for the cabinet's file."""
        return asdict(self) | {
            "prepared_back": _name(self.prepared_back),
            "behind_back": _name(self.behind_back),
            "playing_back": _name(self.playing_back),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """From the cabinet's file. Raises TypeError or ValueError for invalid values."""
        backs = {key: _back(data[key]) for key in ("prepared_back", "behind_back", "playing_back")}
        return cls(**(data | backs))


def _name(back: Back | None) -> str | None:
    return None if back is None else back.value


def _back(name: str | None) -> Back | None:
    return None if name is None else Back(name)
