"""What the supervisor's page asks of the record, answered in the reading thread as plain values.

Everything here may raise LedgerUnavailable, LedgerCorrupt, UnreadableRecord; Refused where what
was asked for is not on record; NotAnswered where it is more than a page should read.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from console.bordereau.figures import RecordRange
from console.bordereau.life import read_life
from console.bordereau.names_in_force import name_currencies
from console.bordereau.nights import Night, bordereau_of, rounds_of
from console.bordereau.pdf_libraries import draw_pdf
from console.bordereau.sections import sheet_of
from console.bordereau.sheet import Sheet
from console.bordereau.words import Wording
from console.office.forecast.command import terms_of
from console.office.forecast.outlook import MONTH_H, Outlook, SimulatedRuns, make_outlook
from console.office.forecast.plot import Point, draw_plot
from console.office.forecast.wording import ForecastWording
from console.office.ledger.rounds import replay_round
from console.rules.records import SNAPSHOT
from console.rules.replay import ReplayedRecord
from console.rules.settings import Settings
from console.texts.language import Language, Words
from console.texts.page_texts import TOO_MUCH
from console.texts.record_texts import describe_state
from console.texts.table_texts import names_of
from console.web.serving.record import view_record
from console.web.serving.supervisor.figures import (
    LONGEST_HAND_MS,
    RoundFigures,
    Tallies,
    Tally,
    format_account,
    head_of,
    jackpot_columns,
    plot_columns,
    seconds_of,
    thin_out,
)
from console.web.serving.supervisor.figures import rounds_of as rounds_in
from console.web.serving.supervisor.happenings import FaultSpan, Mark, NamedAct
from console.web.serving.supervisor.reading_thread import Limit
from jackpot.failures import Refused
from jackpot.ledger.selection import Selection, select_records
from jackpot.money.accounts import Account, Reason
from jackpot.money.amounts import to_cents
from jackpot.money.expected import Pace

ROUNDS_A_PAGE = 100
MOST_REPORT_RECORDS = 100_000
"""The most records of a bordereau on the page; `banco report` has no limit."""

FORECAST = SimulatedRuns(runs=100, hours=MONTH_H, seed=1)
"""What the page's forecast plays; its seed never changes, so that its figures do not."""

MOST_PLAYED = 400
"""The most points of what was really played, beside a forecast."""

NIGHTS_PLAYED = 7
"""The newest nights beside a forecast: fewer than `Tallies` remembers, so each is read once."""

HOUR_S = 3600

MOST_ACTS = 2_000
"""The most acts shown of one round."""


class NotAnswered(Refused):
    """A question that the page cannot ask: `code` and `words` for the page, `status` of HTTP."""

    def __init__(self, code: str, status: int, words: Words) -> None:
        super().__init__(words.en)
        self.code, self.status, self.words = code, status, words


class Span(Struct, frozen=True):
    """What to plot: a number of nights, a range of rounds, or the time between two labels."""

    nights: int = 1
    rounds: tuple[int, int] | None = None
    since: str = ""
    until: str = ""


class Answers:
    """Answers the questions; remembers what it has read for earlier ones.

    `house`: its name and place, for the bordereau's head.
    """

    def __init__(self, house: str) -> None:
        self._house = house
        self._tallies = Tallies()
        self._outlook: Outlook | None = None

    def nights(self, folder: Path, limit: Limit) -> dict[str, Any]:
        """The nights on record, the newest first."""
        return {"nights": [_night(night) for night in self._tallies.nights(folder, limit)]}

    def meters(self, folder: Path, limit: Limit) -> dict[str, Any]:
        """The counts since the last night was closed; without a night, none."""
        night = next(iter(self._tallies.nights(folder, limit)), None)
        if night is None:
            return {"night": None}
        tally, whole = self._tallies.tally(folder, night.stretch, limit)
        return {
            "night": _night(night),
            "currency": _currency_of(folder, night.stretch),
            "more": not whole,
            **describe_figures(tally),
        }

    def course(self, folder: Path, limit: Limit) -> dict[str, Any]:
        """What happened since the last night was closed, in time; without a night, nothing."""
        night = next(iter(self._tallies.nights(folder, limit)), None)
        if night is None:
            return {"night": None}
        tally, whole = self._tallies.tally(folder, night.stretch, limit)
        return {"night": _night(night), "more": not whole, **describe_course(tally)}

    def compare(
        self, folder: Path, limit: Limit, first: int | None, other: int | None
    ) -> dict[str, Any]:
        """Two nights beside each other: by default the newest, and the one before it."""
        listed = [night.rounds[0] for night in self._tallies.nights(folder, limit)]
        if other is None:
            place = listed.index(first) if first in listed else 0
            other = next(iter(listed[place + 1 :]), None)
        if not listed or other is None:
            return {"nights": []}
        found = [self._tallies.night(folder, one, limit) for one in (first, other)]
        read = [self._tallies.tally(folder, night.stretch, limit) for night in found]
        return {
            "nights": [
                {
                    "night": _night(night),
                    "figures": describe_figures(tally),
                    "drop": course_of_drop(tally.rounds),
                }
                for night, (tally, _) in zip(found, read, strict=True)
            ],
            "more": not all(whole for _, whole in read),
        }

    def life(self, folder: Path, limit: Limit) -> dict[str, Any]:
        """The meters of the table's life; empty before its first record."""
        life = read_life(folder, limit.step)
        return {} if life is None else life.plain()

    def rounds(
        self, folder: Path, limit: Limit, first: int | None, before: int | None
    ) -> dict[str, Any]:
        """A night's rounds, the newest first, those before a number."""
        night = self._tallies.night(folder, first, limit)
        tally, whole = self._tallies.tally(folder, night.stretch, limit)
        rounds = [one for one in tally.rounds if before is None or one.number < before]
        page = rounds[-ROUNDS_A_PAGE:]
        return {
            "night": _night(night),
            "currency": _currency_of(folder, night.stretch),
            "rounds": [one.plain() for one in reversed(page)],
            "earlier": len(page) < len(rounds),
            "dropped": tally.dropped,
            "more": not whole,
        }

    def round(self, folder: Path, limit: Limit, number: int) -> dict[str, Any]:
        """One round act by act, replayed from the record."""
        steps = [
            step
            for step in replay_round(folder, number, limit.step)
            if step.record.kind != SNAPSHOT or step.problem
        ]
        if not steps:
            raise Refused(f"round {number} is not on record")
        return {
            "round": number,
            "currency": names_of(steps[-1].state.settings).currency,
            "acts": [_act(step) for step in steps[:MOST_ACTS]],
            "cut": max(0, len(steps) - MOST_ACTS),
            "problems": sum(1 for step in steps if step.problem),
        }

    def sheet(self, folder: Path, limit: Limit, first: int | None, say: Wording) -> Sheet:
        """A night's bordereau."""
        stretch = self._tallies.night(folder, first, limit).stretch
        if stretch.last - stretch.after > MOST_REPORT_RECORDS:
            raise NotAnswered("TOO_MUCH", 413, TOO_MUCH)
        return sheet_of(bordereau_of(folder, stretch, limit.step), say, self._house)

    def report(self, folder: Path, limit: Limit, first: int | None, say: Wording) -> dict[str, Any]:
        """The same for a page: its sections, without the lines of the narrow paper."""
        night = self._tallies.night(folder, first, limit)
        sheet = self.sheet(folder, limit, first, say)
        return {"night": _night(night), "sheet": _sheet(sheet)}

    def pdf(self, folder: Path, limit: Limit, first: int | None, say: Wording) -> bytes | Words:
        """The same as a file, or why there is none."""
        return draw_pdf(self.sheet(folder, limit, first, say), say)

    def plots(self, folder: Path, limit: Limit, span: Span) -> dict[str, Any]:
        """The three plots; `more`: the reading continues at the next question."""
        tallies, whole = self._read(folder, limit, span)
        tallies.reverse()
        stretches = self._stretches(folder, limit, span) or (RecordRange(0, 0),)
        rounds = rounds_in(tallies)
        jackpot = [point for tally in tallies for point in tally.jackpot]
        faults = [one for tally in tallies for one in tally.happenings.faults]
        return {
            "rounds": [rounds[0].number, rounds[-1].number] if rounds else None,
            "counted": len(rounds),
            "dropped": sum(tally.dropped for tally in tallies),
            "currency": name_currencies(folder, stretches[-1].after, stretches[0].last),
            "more": not whole,
            "faults": describe_spans(faults),
            **plot_columns(rounds, jackpot),
        }

    def forecast(
        self, folder: Path, limit: Limit, settings: Settings, say: Wording
    ) -> dict[str, Any]:
        """What the table's prizes will cost: three lines, and the plot beside what was played.

        `more`: the reading continues at the next question. Without a chance of each prize the one
        line says which is missing, and there is no plot.
        """
        try:
            terms = terms_of(settings, Pace(), say)
            self._outlook = self._outlook or make_outlook(terms, FORECAST, lambda _: limit.step())
        except Refused as error:
            return {"lines": [str(error)], "plot": "", "more": False}
        tallies, whole = self._read(folder, limit, Span(nights=NIGHTS_PLAYED))
        played = list(_hours_of_play(tallies[::-1]))
        plot = draw_plot(self._outlook, say, played, style="")
        return {
            "lines": ForecastWording(self._outlook, say).answer_office(),
            "plot": plot,
            "more": not whole,
        }

    def _read(self, folder: Path, limit: Limit, span: Span) -> tuple[list[Tally], bool]:
        """The newest records first, as many as may be read for one answer."""
        tallies: list[Tally] = []
        for stretch in self._stretches(folder, limit, span):
            tally, whole = self._tallies.tally(folder, stretch, limit)
            tallies.append(tally)
            if not whole:
                return tallies, False
        return tallies, True

    def _stretches(self, folder: Path, limit: Limit, span: Span) -> Sequence[RecordRange]:
        if span.rounds is not None:
            return (rounds_of(folder, *span.rounds),)
        if span.since or span.until:
            return (_between(folder, span.since, span.until),)
        return [night.stretch for night in self._tallies.nights(folder, limit)[: span.nights]]


def _currency_of(folder: Path, stretch: RecordRange) -> str:
    return name_currencies(folder, stretch.after, stretch.last)


def _hours_of_play(tallies: Sequence[Tally]) -> Iterator[Point]:
    """The jackpot over the hours of these nights, one after the other, in cents."""
    before = Fraction(0)
    for tally in tallies:
        known = [
            (at, to_cents(one.units))
            for one in tally.jackpot
            if (at := seconds_of(one.wall)) is not None
        ]
        last = Fraction(0)
        for at, cents in thin_out(known, max(2, MOST_PLAYED // len(tallies))):
            last = max(last, Fraction(at - known[0][0]) / HOUR_S)
            yield before + last, Fraction(cents)
        before += last


def _between(folder: Path, since: str, until: str) -> RecordRange:
    """The records whose labels lie between two, compared as text."""
    begin = _first_since(folder, since, 0) if since else 1
    if begin is None:
        raise Refused("nothing is on record since then")
    after = begin - 1
    end = _first_since(folder, until, after) if until else None
    last = end - 1 if end is not None else head_of(folder)
    return RecordRange(after, last, night=False, closed=False)


def _first_since(folder: Path, label: str, after: int) -> int | None:
    with closing(select_records(folder, Selection(since=label, after=after))) as records:
        record = next(records, None)
    return record.seq if record is not None else None


def _night(night: Night) -> dict[str, Any]:
    return {
        "first": night.rounds[0],
        "last": night.rounds[1],
        "opened": night.opened,
        "closed": night.stretch.closed,
    }


def _act(step: ReplayedRecord) -> dict[str, Any]:
    act = view_record(step.record, names_of(step.state.settings))
    return {
        **msgspec.to_builtins(act),
        "after": {one.value: describe_state(step.state, one) for one in Language},
        "problem": step.problem or "",
    }


def _sheet(sheet: Sheet) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(sheet)
    for section in (*plain["sections"], plain["proof"]):
        for item in section["table"]["items"] if section["table"] else ():
            del item["narrow"]
    return plain


LEAST_PLAY_S = 600
"""Of less play nothing is told by the hour: the next hand would change it too much."""

MOST_COURSE_POINTS = 500
MOST_SHOWN_MARKS = 200
MOST_SHOWN_ACTS = 60


def describe_figures(tally: Tally) -> dict[str, Any]:
    """Counts and amounts of a night. What is told by the hour is None before 10 min of play."""
    money = tally.money
    played_s = play_time(tally.rounds)
    dealt = sum(1 for one in tally.rounds if one.closed)
    to_jackpot = money.contribution(Account.JACKPOT)
    return {
        "rounds": len(tally.rounds) + tally.dropped,
        "staked": sum(1 for one in tally.rounds if one.tokens),
        "taken": money.tokens_taken,
        "returned": money.tokens_returned,
        "drop": format_account(money.drop),
        "contributions": {
            account.value: format_account(money.contribution(account))
            for account in (Account.JACKPOT, Account.RESERVE, Account.HOUSE)
        },
        "awards": money.awards,
        "paid": format_account(money.paid),
        "paid_share": share_of(money.paid, money.drop),
        "hold": format_account(money.drop - money.paid),
        "hold_share": share_of(money.drop - money.paid, money.drop),
        "rake": format_account(money.rake),
        "cancelled": money.of(Reason.AWARD_CANCELLED).count,
        "corrections": money.of(Reason.CORRECTION).count,
        "play_s": round(played_s),
        "hands_an_hour": by_the_hour(dealt, played_s),
        "growth_an_hour": None
        if (grown := by_the_hour(to_jackpot, played_s)) is None
        else format_account(int(grown)),
        "faults": len(tally.happenings.faults),
        "refusals": len(tally.happenings.refusals),
    }


def play_time(rounds: Sequence[RoundFigures]) -> float:
    """Seconds from each round's opening to the next one's, without pauses of over half an hour.

    The last round counts to its COIN IN.
    """
    opened = [at for one in rounds if (at := seconds_of(one.opened)) is not None]
    last = seconds_of(rounds[-1].closed) if rounds else None
    times = [*opened, *([last] if last is not None else [])]
    gaps = (after - before for before, after in pairwise(times))
    return sum(gap for gap in gaps if 0 <= gap <= LONGEST_HAND_MS / 1000)


def by_the_hour(count: int, played_s: float) -> float | None:
    """So many in an hour of play; None before there is enough of it."""
    return None if played_s < LEAST_PLAY_S else round(count * HOUR_S / played_s, 1)


def share_of(part: int, whole: int) -> float | None:
    """In per cent; None of nothing."""
    return round(100 * part / whole, 1) if whole else None


def describe_course(tally: Tally) -> dict[str, Any]:
    """The night in time: the jackpot, and what happened. Times are seconds since 1970."""
    happened = tally.happenings
    return {
        "jackpot": jackpot_columns(tally.jackpot, MOST_COURSE_POINTS),
        "faults": describe_spans(happened.faults),
        "refusals": _marks(happened.refusals),
        "awards": _marks(happened.awards),
        "starts": [at for wall in happened.starts if (at := seconds_of(wall)) is not None],
        "people": _acts(happened.people),
        "seats": [
            {"hour": hour, "tokens": tokens} for hour, tokens in sorted(happened.seats.items())
        ],
    }


def describe_spans(faults: Iterable[FaultSpan]) -> list[dict[str, Any]]:
    """Faults, and times in SERVICE; `at` None: since before, `until` None: still there."""
    return [
        {
            "code": one.code,
            "at": seconds_of(one.at),
            "until": seconds_of(one.until),
            "rounds": one.rounds,
        }
        for one in list(faults)[-MOST_SHOWN_MARKS:]
    ]


def _marks(marks: Iterable[Mark]) -> list[dict[str, Any]]:
    newest = list(marks)[-MOST_SHOWN_MARKS:]
    return [msgspec.to_builtins(one) | {"at": seconds_of(one.at)} for one in newest]


def _acts(people: Iterable[NamedAct]) -> list[dict[str, Any]]:
    """The newest first."""
    return [msgspec.to_builtins(one) for one in list(people)[: -MOST_SHOWN_ACTS - 1 : -1]]


def course_of_drop(rounds: Sequence[RoundFigures]) -> dict[str, list[Any]]:
    """The drop since the first round was opened: `hours`, and `cents` so far."""
    opened = [(at, one) for one in rounds if (at := seconds_of(one.opened)) is not None]
    points: list[tuple[float, int]] = []
    so_far = 0
    for at, one in opened:
        so_far += one.drop
        points.append((round((at - opened[0][0]) / HOUR_S, 4), to_cents(so_far)))
    shown = list(thin_out(points, MOST_COURSE_POINTS))
    return {"hours": [at for at, _ in shown], "cents": [cents for _, cents in shown]}
