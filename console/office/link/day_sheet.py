"""`banco link bordereau`: a gaming day's sheet of a linked jackpot."""

import sys
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from functools import partial, reduce
from pathlib import Path

import msgspec
from msgspec import Struct

from console.bordereau.figures import CorrectionEntry, When
from console.bordereau.money_sections import (
    accounts_section,
    corrections_table,
    item_of_correction,
    movements_section,
)
from console.bordereau.money_totals import NO_TRANSACTIONS, ReasonTotal
from console.bordereau.sections import SIGNATURES
from console.bordereau.sheet import (
    Column,
    Item,
    Sheet,
    SheetSection,
    group_hash,
    pairs_of,
    table_section,
)
from console.bordereau.words import Wording
from console.database.connect import connect_to
from console.link.centre.gaming_day import (
    ACCOUNTS,
    DayAct,
    DayAward,
    GamingDay,
    read_gaming_day,
)
from console.office.ledger.exit_status import FAILED, IN_ORDER
from console.office.questions import ask_password
from console.office.report import render_paper, write_paper
from console.rules.structs import replace
from console.texts import bordereau_texts
from console.texts.language import Language
from console.texts.table_texts import GAME_NAMES, name_combination
from jackpot.money.accounts import Reason
from jackpot.money.amounts import Units

BEGINS = time(8)
"""A gaming day is 24 hours from here on, of this machine's time: all tables are closed then."""

TOKENS = (Reason.STAKE.value, Reason.TOKEN_RETURNED.value)


class DayRequest(Struct, frozen=True):
    """Which day of which jackpot, how and where. `day`: None: the last that is over."""

    centre: str
    jackpot: str
    day: date | None
    format: str
    """One of `report.FORMATS`."""
    out: Path | None
    language: Language


def print_day(request: DayRequest, now: datetime) -> int:
    """Write the sheet; the exit status. `now`: of this machine, with its zone.

    Raises Unavailable, Refused, OSError.
    """
    begins = _find_begin(request.day, now)
    ends = begins + timedelta(days=1)
    with connect_to(request.centre, ask_password) as connection:
        day = read_gaming_day(connection, request.jackpot, begins, ends)
    say = Wording(request.language, now.tzinfo)
    sheet = partial(sheet_of_day, day, say, over=ends <= now)
    written = render_paper(request.format, sheet, partial(json_of_day, day), say)
    write_paper(written, request.format, request.out)
    if day.differs:
        print(f"{', '.join(day.differs)}: banco link audit", file=sys.stderr)
        return FAILED
    return IN_ORDER


def _find_begin(day: date | None, now: datetime) -> datetime:
    """When the day began; of None, that of the last one that is over."""
    if day is None:
        since_begin = now - timedelta(hours=BEGINS.hour)
        day = since_begin.date() - timedelta(days=1)
    return datetime.combine(day, BEGINS).astimezone(now.tzinfo)


def json_of_day(day: GamingDay) -> str:
    """The day as JSON; amounts in 1/10,000 of a cent, `each` in cents."""
    return msgspec.json.format(msgspec.json.encode(day, enc_hook=str)).decode() + "\n"


def sheet_of_day(day: GamingDay, say: Wording, *, over: bool) -> Sheet:
    """The sheet in the words of one language; `over`: whether the day is."""
    warnings = [] if over else [say(bordereau_texts.DAY_NOT_OVER)]
    if day.differs:
        warnings.append(say(bordereau_texts.DOES_NOT_ADD_UP.fill(", ".join(day.differs))))
    return Sheet(
        title=f"{say(bordereau_texts.GAMING_DAY)} {say.day(day.begins.isoformat())}",
        house="",
        table=f"jackpot {day.jackpot}",
        game=say(GAME_NAMES[day.game]),
        warnings=tuple(warnings),
        sections=tuple(_sections(day, say)),
        proof=_proof(day.last, say),
        number=say(bordereau_texts.NUMBER) + f" {day.jackpot}/{day.last.number}",
        across="",
        remarks=say(bordereau_texts.REMARKS),
        signatures=tuple(say(who) for who in SIGNATURES[1:]),
    )


def _sections(day: GamingDay, say: Wording) -> Iterator[SheetSection]:
    moments = (
        (say(bordereau_texts.FROM_TIME), say.moment(day.begins.isoformat())),
        (say(bordereau_texts.TO), say.moment(day.ends.isoformat())),
    )
    yield SheetSection(say(bordereau_texts.GAMING_DAY), pairs_of(moments))
    yield movements_section(
        say(bordereau_texts.STAKES_BY_TABLE_IN.fill(day.currency)),
        _add_up_tokens(day),
        ACCOUNTS[:4],
        say,
    )
    accounts = say(bordereau_texts.ACCOUNTS_IN.fill(day.currency))
    notes = (say(bordereau_texts.ACCOUNTS_ADD_UP),)
    yield replace(accounts_section(accounts, day.opening, day.closing, say), notes=notes)
    yield movements_section(
        say(bordereau_texts.MOVEMENTS_IN.fill(day.currency)),
        _add_up_reasons(day, say),
        ACCOUNTS,
        say,
    )
    yield _awards(day, say)
    corrections = (
        item_of_correction(_correction(act), say) for act in day.acts if act.kind in CORRECTIONS
    )
    title = say(bordereau_texts.CORRECTIONS_IN.fill(day.currency))
    yield corrections_table(title, corrections, say)


def _add_up_tokens(day: GamingDay) -> list[tuple[str, ReasonTotal]]:
    """What each table's tokens brought, less those that went back."""
    totals: dict[str, ReasonTotal] = {}
    for one in day.movements:
        if one.table and one.reason in TOKENS:
            count = one.count if one.reason == Reason.STAKE.value else -one.count
            total = ReasonTotal(count, one.units)
            totals[one.table] = totals.get(one.table, NO_TRANSACTIONS).plus(total)
    return list(totals.items())


def _add_up_reasons(day: GamingDay, say: Wording) -> Iterator[tuple[str, ReasonTotal]]:
    for reason, words in bordereau_texts.LINK_REASONS.items():
        moved = [ReasonTotal(one.count, one.units) for one in day.movements if one.reason == reason]
        if moved:
            yield say(words), reduce(ReasonTotal.plus, moved)


def _awards(day: GamingDay, say: Wording) -> SheetSection:
    columns = (
        Column(say(bordereau_texts.TIME), 4),
        Column(say(bordereau_texts.NO), 2, right=True),
        Column(say(bordereau_texts.COMBINATION), 8),
        Column(say(bordereau_texts.WINNERS), 4, right=True),
        Column(say(bordereau_texts.EACH), 6, right=True),
        Column(say(bordereau_texts.TOTAL), 6, right=True),
        Column(say(bordereau_texts.TABLES), 8),
    )
    title = say(bordereau_texts.AWARDS_IN.fill(day.currency))
    items = (_award(one, say) for one in day.awards)
    return table_section(title, columns, items, none=say(bordereau_texts.NONE))


def _award(one: DayAward, say: Wording) -> Item:
    clock, number = say.clock(one.at.isoformat()), str(one.number)
    name = say(name_combination(one.combination, one.prize_file))
    each, paid, tables = say.cents(one.each), say.amount(one.paid), ", ".join(one.tables)
    narrow = (
        (f"{clock} {say(bordereau_texts.AWARD_NUMBER.fill(number))}", tables),
        (f"  {name}", f"x{one.winners}"),
        (say(bordereau_texts.EACH_INDENTED), each),
        (say(bordereau_texts.TOTAL_INDENTED), paid),
    )
    return Item((clock, number, name, str(one.winners), each, paid, tables), narrow)


CORRECTIONS = frozenset({"correction", "transfer"})
"""The kinds of acts by which two operators move money."""


def _correction(act: DayAct) -> CorrectionEntry:
    who, second, reason = (str(act.details[key]) for key in ("proposer", "approver", "reason"))
    moved = {one: Units(act.moved.of(one)) for one in ACCOUNTS if act.moved.of(one)}
    return CorrectionEntry(When(act.number, act.at.isoformat(), 0), who, second, reason, moved)


def _proof(last: DayAct, say: Wording) -> SheetSection:
    title = say(bordereau_texts.LAST_ACT.fill(last.number))
    return SheetSection(title, notes=(*group_hash(last.hash), say(bordereau_texts.ACT_COVERS)))
