"""How the bordereau writes texts, amounts and times in its language."""

from collections.abc import Mapping
from datetime import datetime, tzinfo

from console.bordereau.figures import AwardStatus
from console.rules.codes import Fault, Refusal
from console.texts import bordereau_texts
from console.texts.display import TEXTS
from console.texts.language import Language, Words
from console.texts.record_texts import fill_words
from console.texts.table_texts import AWARD_CANCELLED, AWARD_PAID, AWARD_PENDING
from jackpot.money.amounts import UNITS_PER_CENT, format_percent

AWARD_STATUSES: Mapping[AwardStatus, Words] = {
    AwardStatus.PENDING: AWARD_PENDING,
    AwardStatus.FINAL: AWARD_PAID,
    AwardStatus.CANCELLED: AWARD_CANCELLED,
}

FAULT_CODES = frozenset(fault.value for fault in Fault)
REFUSAL_CODES = frozenset(refusal.value for refusal in Refusal)

PLACES, CENTS = 6, 2
"""Decimals of EUR that show one unit, and one cent."""


def parts_of(units: int) -> tuple[str, int, str]:
    """Sign, whole EUR and decimals of an amount; two, four or six decimals, so that it is exact."""
    whole, rest = divmod(abs(units), 100 * UNITS_PER_CENT)
    decimals = f"{rest:0{PLACES}}"
    while len(decimals) > CENTS and decimals.endswith("00"):
        decimals = decimals[:-2]
    return "-" if units < 0 else "", whole, decimals


def exact(units: int) -> str:
    """Units as exact EUR for programs: `12345.67`, `-0.3950`."""
    sign, whole, decimals = parts_of(units)
    return f"{sign}{whole}.{decimals}"


class Wording:
    """Writes texts, amounts and times in one language; times in `zone`, or this machine's own."""

    def __init__(self, language: Language, zone: tzinfo | None = None) -> None:
        self.language = language
        self._texts = TEXTS[language]
        self._zone = zone

    def __call__(self, words: Words) -> str:
        """The text in this language."""
        return words.in_(self.language)

    def fill(self, words: Words, facts: Mapping[str, object]) -> str:
        """The text in this language, with these facts; amounts as on this sheet."""
        return fill_words(words, facts, self.language, write_cents=self.cents)

    def amount(self, units: int) -> str:
        """Units as exact EUR in this language, without the currency: `12.345,67`.

        Fractions of a cent show four or six decimals, so that nobody takes them for thousands.
        """
        sign, whole, decimals = parts_of(units)
        grouped = f"{whole:,}".replace(",", self._texts.thousands)
        return f"{sign}{grouped}{self._texts.decimal}{decimals}"

    def cents(self, cents: int) -> str:
        """Cents as EUR in this language: `12.345,67`."""
        return self.amount(cents * UNITS_PER_CENT)

    def percent(self, points: int) -> str:
        """Basis points as per cent: `70 %`, `12,5 %`."""
        return f"{format_percent(points).replace('.', self._texts.decimal)} %"

    def fault(self, code: str) -> str:
        """A fault's name on the display; an unknown code, of another version, as it is."""
        return self._texts.faults[Fault(code)] if code in FAULT_CODES else code

    def refusal(self, code: str) -> str:
        """A refusal's name on the display; an unknown code, of another version, as it is."""
        return self._texts.refusals[Refusal(code)] if code in REFUSAL_CODES else code

    def clock(self, wall: str) -> str:
        """The time of day of a wall-clock label."""
        return self._format_time(wall, "%H:%M:%S")

    def day(self, wall: str) -> str:
        """The day of a wall-clock label."""
        return self._format_time(wall, self(bordereau_texts.DAY_FORMAT))

    def moment(self, wall: str) -> str:
        """Day and time of a wall-clock label."""
        return self._format_time(wall, self(bordereau_texts.DAY_AND_CLOCK_FORMAT))

    def _format_time(self, wall: str, shape: str) -> str:
        try:
            return datetime.fromisoformat(wall).astimezone(self._zone).strftime(shape)
        except ValueError:  # the label is no time: show it as it is
            return wall
