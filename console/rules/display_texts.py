"""The display's texts in one language (docs/reference/rules.md, section 5); the words are in
`texts`.
"""

from collections.abc import Mapping

from msgspec import Struct

from console.rules.card_state import CoupOutcome
from console.rules.codes import Fault, Refusal
from devices.roles import DISPLAY_COLUMNS
from jackpot.money.prizes import CombinationName, Prize


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

    language: str
    """Its code, `it` or `en`."""
    thousands: str
    decimal: str
    jackpot: str
    combinations: Mapping[CombinationName, str]
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
    envy: str
    poker: PokerTexts

    def number(self, cents: int) -> str:
        """12345.67 as the language writes it: `12.345,67`."""
        whole, part = divmod(abs(cents), 100)
        grouped = f"{whole:,}".replace(",", self.thousands)
        return f"{'-' if cents < 0 else ''}{grouped}{self.decimal}{part:02d}"

    def amount(self, cents: int, currency: str) -> str:
        """12345.67 as a display line writes it: `12.345,67 EUR`, right-aligned."""
        return f"{self.number(cents)} {currency}".rjust(DISPLAY_COLUMNS)

    def no_amount(self, currency: str) -> str:
        """What stands in place of an amount that no answer has brought."""
        return f"--------- {currency}".rjust(DISPLAY_COLUMNS)

    def combination(self, prize: Prize) -> str:
        """The prize's combination: the words of its file, or this language's own."""
        own: str = getattr(prize, self.language)
        return own or self.combinations[prize.combination]

    def hands_left(self, hands: int) -> str:
        """The text for this number of last hands left."""
        if hands < len(self.last_hands):
            return self.last_hands[hands]
        return self.many_hands.format(hands=hands)
