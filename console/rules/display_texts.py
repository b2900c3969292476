"""The display's texts in one language (docs/reference/rules.md, section 5); the words are in
`texts`.
"""

from collections.abc import Mapping

from msgspec import Struct

from console.rules.card_state import CoupOutcome
from console.rules.codes import Fault, Refusal
from jackpot.money.prizes import Combination

COLUMNS = 20


class PokerTexts(Struct, frozen=True):
    """The words of a poker table (docs/reference/poker-rules.md, section 13)."""

    level: str
    stopped: str
    pause: str
    hand_for_hand: str
    holdem: str
    omaha: str
    time: str
    count: str
    time_over: str
    pot: str
    rake: str
    hand: str
    deal: str
    stub: str
    blinds: str
    change: str
    players: str
    counting: str


class Texts(Struct, frozen=True):
    """The words of one language, and the separators of its amounts."""

    thousands: str
    decimal: str
    jackpot: str
    combinations: Mapping[Combination, str]
    refusals: Mapping[Refusal, str]
    faults: Mapping[Fault, str]
    last_hands: tuple[str, ...]  # with none left, one, two, three
    many_hands: str
    punto: str
    banco: str
    outcomes: Mapping[CoupOutcome, str]
    last_coup: str
    wait: str
    """The centre has not decided yet (docs/reference/link-rules.md, sections 3.1 and 3.6)."""
    pay: str
    """An award of a linked jackpot is final."""
    late_token: str
    """A token came at a seat whose stakes are closed."""
    no_amount: str
    """In place of an amount that no answer has brought."""
    poker: PokerTexts

    def number(self, cents: int) -> str:
        """12345.67 as the language writes it: `12.345,67`."""
        whole, part = divmod(abs(cents), 100)
        grouped = f"{whole:,}".replace(",", self.thousands)
        return f"{'-' if cents < 0 else ''}{grouped}{self.decimal}{part:02d}"

    def amount(self, cents: int) -> str:
        """12345.67 as a display line writes it: `12.345,67 EUR`, right-aligned."""
        return f"{self.number(cents)} EUR".rjust(COLUMNS)

    def hands_left(self, hands: int) -> str:
        """The text for this number of last hands left."""
        if hands < len(self.last_hands):
            return self.last_hands[hands]
        return self.many_hands.format(hands=hands)
