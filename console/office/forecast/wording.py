"""A forecast in words: the three lines that answer an office, and the tables below them."""

from collections.abc import Iterator
from fractions import Fraction

from console.bordereau.words import Wording
from console.office.forecast.outlook import DAY_H, MONTH_H, Band, Outlook
from console.texts import forecast_texts as texts
from console.texts.display import TEXTS
from console.texts.language import Words
from console.texts.layout import columns, plain
from jackpot.money.amounts import UNITS_PER_CENT
from jackpot.money.expected import ForecastTerms
from jackpot.money.prizes import Prize

SOME_TOKENS = 100
HOUR_MIN = 60
SHORT, LONG_H = 2 * HOUR_MIN, 100
"""Minutes below which hours are too coarse, and hours from which tenths are too fine."""


class ForecastWording:
    """Writes one forecast in one language."""

    def __init__(self, outlook: Outlook, say: Wording) -> None:
        self._outlook = outlook
        self._averages = outlook.averages
        self._say = say
        self._currency = outlook.averages.terms.prizes.currency

    @property
    def terms(self) -> ForecastTerms:
        """What it is a forecast of."""
        return self._averages.terms

    def answer_office(self) -> tuple[str, str, str]:
        """What the jackpot costs, how often it is won, and where its meter will be."""
        return self._cost_line(), self._frequency_line(), self._meter_line()

    def text(self) -> str:
        """All of it."""
        parts = [
            list(self.answer_office()),
            self._cost_table(),
            self._prize_table(),
            self._meter_table(),
            self._simulation_table(),
        ]
        return "\n\n".join("\n".join(plain(line) for line in part) for part in parts) + "\n"

    def round_cents(self, cents: Fraction) -> str:
        """An amount to the nearest cent: `12.345,67`."""
        return self._say.cents(round(cents))

    def prize_name(self, prize: Prize) -> str:
        """The display's words."""
        return TEXTS[self._say.language].combination(prize)

    def _fill(self, words: Words, *values: object) -> str:
        return self._say(words.fill(*values))

    def _money(self, cents: Fraction) -> str:
        return f"{self.round_cents(cents)} {self._currency}"

    def _number(self, value: Fraction) -> str:
        return self.round_cents(Fraction(round(value) * 100))[: -len(",00")]

    def _tenths(self, value: Fraction) -> str:
        return self.round_cents(Fraction(round(value * 10) * 10))[: -len("0")]

    def _cost_line(self) -> str:
        token = self._averages.token * SOME_TOKENS
        cost = sum((amount for _, amount in self._costs()), Fraction(0))
        return self._fill(texts.COSTS, self._money(token), self._money(cost))

    def _frequency_line(self) -> str:
        some, whole = self._between(self._averages.any_chance), self._averages.whole_chance
        if not whole:
            return self._fill(texts.NEVER_WHOLE, *some)
        return self._fill(texts.WON_WHOLE, *self._between(whole), *some)

    def _meter_line(self) -> str:
        bands = [self._outlook.meter_after(hours) for hours in (DAY_H, MONTH_H)]
        amounts = [(band.median, band.low, band.high) for band in bands]
        return self._fill(
            texts.METER_AFTER, *(self._say.cents(one) for band in amounts for one in band)
        )

    def _between(self, chance: Fraction) -> tuple[str, str]:
        """Tokens and play between two, on average."""
        tokens = 1 / chance
        minutes = tokens / self.terms.pace.tokens_per_hour * HOUR_MIN
        if minutes < SHORT:
            return self._number(tokens), self._fill(texts.MINUTES, self._number(minutes))
        hours = minutes / HOUR_MIN
        shown = self._number(hours) if hours >= LONG_H else self._tenths(hours)
        return self._number(tokens), self._fill(texts.HOURS, shown)

    def _costs(self) -> Iterator[tuple[Words, Fraction]]:
        """What 100 tokens bring to the jackpot and its reserve, and cost the house in prizes."""
        yield texts.TO_JACKPOT, self._averages.to_jackpot * SOME_TOKENS
        yield texts.TO_RESERVE, self._averages.to_reserve * SOME_TOKENS
        yield texts.PRIZES_BY_HOUSE, self._averages.pay_by_house() * SOME_TOKENS

    def _cost_table(self) -> list[str]:
        head = (self._fill(texts.PER_100, self._currency), "")
        rows = [(self._say(words), self.round_cents(cents)) for words, cents in self._costs()]
        return columns([head, *rows], right=(1,))

    def _prize_table(self) -> list[str]:
        heads = (texts.PRIZE, texts.PAYS, texts.ENVY, texts.TOKENS_BETWEEN, texts.TIME_BETWEEN)
        rows = [
            (
                self.prize_name(prize),
                self._pays(prize),
                self._write_envy(prize),
                *self._between(chance),
            )
            for prize, chance in zip(self.terms.prizes.prizes, self._averages.chances, strict=True)
        ]
        return columns([tuple(map(self._say, heads)), *rows], right=(1, 2, 3, 4))

    def _pays(self, prize: Prize) -> str:
        if prize.share:
            return self._say.percent(prize.share)
        return self._write_payer(self._say.cents(prize.amount), prize)

    def _write_envy(self, prize: Prize) -> str:
        return self._write_payer(self._say.cents(prize.envy), prize) if prize.envy else "-"

    def _write_payer(self, paid: str, prize: Prize) -> str:
        return self._fill(texts.BY_HOUSE, paid) if prize.by_house else paid

    def _meter_table(self) -> list[str]:
        meters = self._meters()
        heads = (
            self._fill(texts.METER, self._currency),
            "",
            self._say(texts.PAID_BACK),
            self._say(texts.HOUSE_KEEPS),
        )
        rows = [
            (self.round_cents(meter), name, *self._shares_of_token(meter))
            for meter, name in sorted(meters)
        ]
        lines = columns([heads, *rows], right=(0, 2, 3))
        if self._averages.find_equilibrium() is None:
            lines.append(self._say(texts.NO_EQUILIBRIUM))
        if self._averages.find_break_even() is None:
            lines.append(self._say(texts.NO_BREAK_EVEN))
        return lines

    def _meters(self) -> list[tuple[Fraction, str]]:
        """The meters that matter, with what each is called."""
        money, limit = self.terms.money, self.terms.prizes.limit
        known = [
            (texts.BASE, Fraction(money.base)),
            (texts.OPENING, Fraction(money.opening)),
            (texts.LIMIT, None if limit is None else Fraction(limit)),
            (texts.EQUILIBRIUM, self._averages.find_equilibrium()),
            (texts.BREAK_EVEN, self._averages.find_break_even()),
        ]
        return [
            (meter, self._beyond(self._say(words), meter))
            for words, meter in known
            if meter is not None
        ]

    def _beyond(self, name: str, meter: Fraction) -> str:
        limit = self.terms.prizes.limit
        return name if limit is None or meter <= limit else self._fill(texts.ABOVE_LIMIT, name)

    def _shares_of_token(self, meter: Fraction) -> tuple[str, str]:
        paid = self._averages.pay_back(meter).paid / self._averages.token * 100
        return self.round_cents(paid * 100), self.round_cents((100 - paid) * 100)

    def _simulation_table(self) -> list[str]:
        outlook, pace = self._outlook, self.terms.pace
        simulated = outlook.simulated
        title = self._fill(
            texts.SIMULATED,
            self._number(Fraction(simulated.runs)),
            self._number(Fraction(simulated.hours)),
            pace.tokens_per_hour,
            pace.hands_per_hour,
            simulated.seed,
        )
        heads = (self._currency, "5 %", self._say(texts.MEDIAN), "95 %")
        cents: list[tuple[Words, Band]] = [
            (texts.AFTER_A_DAY, outlook.meter_after(DAY_H)),
            (texts.AFTER_A_MONTH, outlook.meter_after(MONTH_H)),
            (texts.AT_THE_END, outlook.meter_after(simulated.hours)),
            (texts.LARGEST, outlook.largest),
            (texts.PAID, outlook.paid),
            (texts.BY_RESERVE, _to_cents(outlook.by_reserve)),
            (texts.BY_HOUSE_FOR_BASE, _to_cents(outlook.by_house)),
            (texts.BY_HOUSE_FOR_PRIZES, outlook.prizes_by_house),
        ]
        rows = [
            (self._say(words), *map(self._say.cents, (band.low, band.median, band.high)))
            for words, band in cents
        ]
        return [title, *columns([heads, *rows], right=(1, 2, 3))]


def _to_cents(units: Band) -> Band:
    """Rounded to the nearest cent, which no account is."""
    return Band(
        *(round(Fraction(one, UNITS_PER_CENT)) for one in (units.low, units.median, units.high))
    )
