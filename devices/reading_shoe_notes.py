"""What a reading shoe has reported since the service started.

The shoe cannot be asked: its earlier reports are unknown.
"""

from dataclasses import dataclass

from devices.card_reports import (
    CardBurnt,
    CardDrawn,
    CutCardOut,
    ReportsMissed,
    ResultReported,
    ShoeLoaded,
    ShoeTrouble,
)
from devices.roles import Event

UNKNOWN = "not known"


@dataclass(slots=True)
class ShoeNotes:
    """A reading shoe's last reports; `put_in` and `locked` are None if it has not reported them."""

    loads: int = 0
    put_in: int | None = None
    drawn: int = 0
    cut_card_out: bool = False
    last_card: str = "none"
    last_result: str = "none"
    error: str = "none"
    interruptions: int = 0
    locked: bool | None = None

    def note(self, event: Event) -> None:
        """Note a report of the driver."""
        match event:
            case ShoeLoaded():
                self.loads += 1
                self.put_in, self.drawn, self.cut_card_out = event.cards, 0, False
            case CardDrawn():
                self.drawn += 1
                self.last_card = f"{event.card.name} to {event.place.value} {event.number}"
            case CardBurnt():
                self.drawn += 1
                self.last_card = "burnt"
            case CutCardOut():
                self.cut_card_out = True
            case ResultReported():
                self.last_result = event.result.value
            case ShoeTrouble():
                self.error = "none" if event.over else f"{event.code} {event.what}"
            case ReportsMissed():
                self.interruptions += 1
            case _:
                pass  # link events have nothing to do with cards

    def state(self) -> dict[str, str]:
        """All of it, in words."""
        locked = {None: UNKNOWN, True: "yes", False: "no"}
        return {
            "loads": str(self.loads),
            "cards": UNKNOWN if self.put_in is None else str(self.put_in),
            "drawn": str(self.drawn),
            "cards left": UNKNOWN if self.put_in is None else str(self.put_in - self.drawn),
            "cut card": "out" if self.cut_card_out else "in the shoe" if self.loads else UNKNOWN,
            "last card": self.last_card,
            "last result": self.last_result,
            "error": self.error,
            "locked": locked[self.locked],
            "times not heard": str(self.interruptions),
        }
