"""What people read, in Italian and English, each at most 20 characters for one display line."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from console.card_state import Outcome
from console.catalogue.brief import brief
from console.codes import Fault, Refusal
from jackpot.prizes import Combination

COLUMNS = 20


class Language(Enum):
    """The language of a table; amounts are written as it writes them."""

    IT = "it"
    EN = "en"


@dataclass(frozen=True, slots=True)
class Words:
    """A text in both languages."""

    it: str
    en: str

    def in_(self, language: Language) -> str:
        """The text in a language."""
        return self.it if language is Language.IT else self.en


@dataclass(frozen=True, slots=True)
class Texts:
    """One language: its words, and the separators of its amounts."""

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
    outcomes: Mapping[Outcome, str]
    last_coup: str

    def amount(self, cents: int) -> str:
        """12345.67 as a display line writes it: `12.345,67 EUR`, right-aligned."""
        whole, part = divmod(abs(cents), 100)
        grouped = f"{whole:,}".replace(",", self.thousands)
        sign = "-" if cents < 0 else ""
        return f"{sign}{grouped}{self.decimal}{part:02d} EUR".rjust(COLUMNS)

    def hands_left(self, hands: int) -> str:
        """How the last hands are counted."""
        if hands < len(self.last_hands):
            return self.last_hands[hands]
        return self.many_hands.format(hands=hands)


_BRIEF = brief()

ITALIAN = Texts(
    thousands=".",
    decimal=",",
    jackpot="JACKPOT",
    combinations={
        Combination.ROYAL_FLUSH: "SCALA REALE",
        Combination.STRAIGHT_FLUSH: "SCALA COLORE",
        Combination.FOUR_OF_A_KIND: "POKER",
        Combination.FULL_HOUSE: "FULL",
        Combination.FLUSH: "COLORE",
        Combination.DOUBLE_THREE_PLAYER: "DOUBLE TRE GIOC.",
        Combination.DOUBLE_THREE_DEALER: "DOUBLE TRE BANCO",
        Combination.THREE_OF_A_KIND: "TRIS",
    },
    refusals={code: told.short.it for code, told in _BRIEF.refusals.items()},
    faults={code: told.short.it for code, told in _BRIEF.faults.items()},
    last_hands=("FINE DEL GIOCO", "ULTIMA MANO", "ULTIME DUE MANI", "ULTIME TRE MANI"),
    many_hands="ULTIME {hands} MANI",
    punto="PUNTO",
    banco="BANCO",
    outcomes={
        Outcome.PUNTO: "VINCE PUNTO",
        Outcome.BANCO: "VINCE BANCO",
        Outcome.EGALITE: "EGALITE",
        Outcome.VOID: "COLPO NULLO",
    },
    last_coup="ULTIMO COLPO",
)

ENGLISH = Texts(
    thousands=",",
    decimal=".",
    jackpot="JACKPOT",
    combinations={
        Combination.ROYAL_FLUSH: "ROYAL FLUSH",
        Combination.STRAIGHT_FLUSH: "STRAIGHT FLUSH",
        Combination.FOUR_OF_A_KIND: "FOUR OF A KIND",
        Combination.FULL_HOUSE: "FULL HOUSE",
        Combination.FLUSH: "FLUSH",
        Combination.DOUBLE_THREE_PLAYER: "DOUBLE 3 PLAYER",
        Combination.DOUBLE_THREE_DEALER: "DOUBLE 3 DEALER",
        Combination.THREE_OF_A_KIND: "THREE OF A KIND",
    },
    refusals={code: told.short.en for code, told in _BRIEF.refusals.items()},
    faults={code: told.short.en for code, told in _BRIEF.faults.items()},
    last_hands=("END OF THE GAME", "LAST HAND", "LAST TWO HANDS", "LAST THREE HANDS"),
    many_hands="LAST {hands} HANDS",
    punto="PUNTO",
    banco="BANCO",
    outcomes={
        Outcome.PUNTO: "PUNTO WINS",
        Outcome.BANCO: "BANCO WINS",
        Outcome.EGALITE: "EGALITE",
        Outcome.VOID: "COUP VOID",
    },
    last_coup="LAST COUP",
)

TEXTS = {Language.IT: ITALIAN, Language.EN: ENGLISH}
