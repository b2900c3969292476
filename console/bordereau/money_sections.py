"""The sections about money: tokens, tray, accounts, movements, awards, corrections."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from console.bordereau.figures import (
    AwardEntry,
    Bordereau,
    CorrectionEntry,
    PrizePaid,
    When,
    add_up_prizes,
)
from console.bordereau.money_totals import MoneyTotals, ReasonTotal
from console.bordereau.sheet import (
    Column,
    Item,
    Pair,
    SheetSection,
    Table,
    pairs_of,
    table_section,
)
from console.bordereau.words import AWARD_STATUSES, Wording
from console.rules.structs import replace
from console.texts import bordereau_texts
from console.texts.bordereau_texts import ACCOUNTS_ON_PAPER as NAMES
from console.texts.bordereau_texts import REASONS, TURNED
from console.texts.display import TEXTS
from console.texts.table_texts import THIS_TABLES_PART
from jackpot.money.accounts import Account, Balances, accounts_of
from jackpot.money.amounts import Cents
from jackpot.money.prizes import Prize


def money_sections(report: Bordereau, say: Wording) -> Iterator[SheetSection]:
    """The sections of a table with a jackpot."""
    yield _tokens(report, say)
    yield tray_section(report, say)
    yield _accounts(report, say)
    yield _awards(report, say)
    if report.has_prize_file:
        yield from _prizes_paid(report, say)
    if report.corrections:
        yield corrections_section(report, say)
    for currency, money in _by_currency(report):
        yield _movements(report, currency, money, say)


def _by_currency(report: Bordereau) -> Iterator[tuple[str, MoneyTotals]]:
    """Each currency of the night, and what moved in it."""
    for currency in dict.fromkeys(currency for _, currency in report.currencies):
        yield currency, report.by_currency.get(currency, MoneyTotals())


def _tokens(report: Bordereau, say: Wording) -> SheetSection:
    parts = [
        (
            say(bordereau_texts.TO_ACCOUNT.fill(say(NAMES[account]), account.value)),
            account,
        )
        for account in (Account.JACKPOT, Account.RESERVE, Account.HOUSE)
    ]
    pairs = [
        Pair(say(bordereau_texts.TAKEN), str(report.money.tokens_taken)),
        Pair(say(bordereau_texts.RETURNED), str(report.money.tokens_returned)),
        Pair(say(bordereau_texts.LEFT), str(report.money.tokens_left), strong=True),
    ]
    for currency, money in _by_currency(report):
        value = say.amount(-money.contribution(Account.TRAY))
        pairs.append(Pair(say(bordereau_texts.VALUE_IN.fill(currency)), value, strong=True))
        pairs += pairs_of((name, say.amount(money.contribution(one))) for name, one in parts)
    return SheetSection(say(bordereau_texts.TOKENS), tuple(pairs))


def tray_section(report: Bordereau, say: Wording) -> SheetSection:
    """The last hand count of the tray; earlier ones as notes."""
    title = say(bordereau_texts.TRAY_COUNTED_BY_HAND)
    if not report.trays:
        return SheetSection(title, notes=(say(bordereau_texts.NOT_COUNTED),))
    last = report.trays[-1]
    pairs = pairs_of(
        (
            (say(bordereau_texts.COUNTED), str(last.counted)),
            (say(bordereau_texts.RECORD), str(report.money.tokens_left)),
        )
    )
    difference = Pair(
        say(bordereau_texts.DIFFERENCE),
        f"{report.difference:+d}" if report.difference else "0",
        strong=True,
    )
    counted = (
        (say(bordereau_texts.COUNTED_BY), last.who),
        (say(bordereau_texts.AT), say.clock(last.when.wall)),
    )
    earlier = tuple(
        say(
            bordereau_texts.BEFORE_COUNTED_AT.fill(one.counted, one.who, say.clock(one.when.wall)),
        )
        for one in report.trays[:-1]
    )
    return SheetSection(title, (*pairs, difference, *pairs_of(counted)), notes=earlier)


def _accounts(report: Bordereau, say: Wording) -> SheetSection:
    title = name_part(report, say(bordereau_texts.ACCOUNTS_IN.fill(report.currency)), say)
    section = accounts_section(title, report.opening, report.closing, say)
    notes = _explain_part(say) if report.link else (say(bordereau_texts.ACCOUNTS_ADD_UP),)
    return replace(section, notes=(*notes, *_say_changes(report, say)))


def accounts_section(title: str, before: Balances, after: Balances, say: Wording) -> SheetSection:
    """Each account at the beginning and at the end."""
    items = []
    for account in accounts_of(before, after):
        opening = _as_read(account, before.of(account))
        closing = _as_read(account, after.of(account))
        name = say(NAMES[account])
        moved = say.amount(closing - opening)
        cells = (name, say.amount(opening), moved, say.amount(closing))
        narrow = ((name, say.amount(opening)), (say(bordereau_texts.AFTER), say.amount(closing)))
        items.append(Item(cells, narrow, strong=account is Account.JACKPOT))
    columns = (
        Column(say(bordereau_texts.ACCOUNT), 3),
        Column(say(bordereau_texts.OPENING), 4, right=True),
        Column(say(bordereau_texts.MOVEMENT), 4, right=True),
        Column(say(bordereau_texts.CLOSING), 4, right=True),
    )
    return table_section(title, columns, items)


def _say_changes(report: Bordereau, say: Wording) -> Iterator[str]:
    """When the currency changed: the accounts went on as they were."""
    for (_, before), (when, after) in pairwise(report.currencies):
        clock = say.clock(when.wall) if when is not None else "-"
        yield say(bordereau_texts.CURRENCY_CHANGED.fill(clock, before, after))


def _as_read(account: Account, units: int) -> int:
    """What people read of an account: tokens that came in are above zero."""
    return -units if account in TURNED else units


def name_part(report: Bordereau, title: str, say: Wording) -> str:
    """The title of figures of this table alone: at a linked table they are its part."""
    return f"{title} - {say(THIS_TABLES_PART)}" if report.link else title


def _explain_part(say: Wording) -> Iterator[str]:
    yield say(bordereau_texts.LINKED_JACKPOT_AT_CENTRE)
    yield say(bordereau_texts.HERE_TOKENS_TABLE_LESS)
    yield say(bordereau_texts.ITS_AWARDS_MAY_BE)


def _movements(report: Bordereau, currency: str, money: MoneyTotals, say: Wording) -> SheetSection:
    title = name_part(report, say(bordereau_texts.MOVEMENTS_IN.fill(currency)), say)
    rows = [(say(REASONS[reason]), moved) for reason, moved in money.rows()]
    return movements_section(title, rows, accounts_of(report.opening, report.closing), say)


def movements_section(
    title: str, rows: Iterable[tuple[str, ReasonTotal]], accounts: Sequence[Account], say: Wording
) -> SheetSection:
    """A row for each name: how often, and what each account gained."""
    items = []
    for name, moved in rows:
        amounts = [(account, _as_read(account, moved.of(account))) for account in accounts]
        cells = (
            name,
            str(moved.count),
            *(say.amount(units) if units else "" for _, units in amounts),
        )
        lines = ((f"  {say(NAMES[a])}", say.amount(units)) for a, units in amounts if units)
        items.append(Item(cells, ((name, f"x{moved.count}"), *lines)))
    columns = (
        Column(say(bordereau_texts.REASON), 8),
        Column(say(bordereau_texts.NO), 3, right=True),
        *(Column(say(NAMES[account]), 6, right=True) for account in accounts),
    )
    return table_section(title, columns, items)


def _awards(report: Bordereau, say: Wording) -> SheetSection:
    columns = (
        Column(say(bordereau_texts.TIME), 5),
        Column(say(bordereau_texts.ROUND), 4, right=True),
        Column(say(bordereau_texts.COMBINATION), 9),
        Column(say(bordereau_texts.WINNERS), 5, right=True),
        Column(say(bordereau_texts.EACH), 6, right=True),
        Column(say(bordereau_texts.TOTAL), 6, right=True),
        Column(say(bordereau_texts.INSPECTOR), 6),
        Column(say(bordereau_texts.OUTCOME), 6),
    )
    items = tuple(_award(one, _write_cents(report, one.begun, say), say) for one in report.awards)
    paid = Pair(say(bordereau_texts.PAID), str(report.money.awards))
    totals = [
        Pair(currency, say.amount(money.paid), strong=True)
        for currency, money in _by_currency(report)
    ]
    none = () if items else (say(bordereau_texts.NONE),)
    return SheetSection(
        say(bordereau_texts.AWARDS_IN.fill(report.currency)),
        (paid, *totals) if items else (),
        Table(columns, items),
        notes=none,
    )


def _write_cents(report: Bordereau, when: When, say: Wording) -> Callable[[int], str]:
    """Writes an amount of then; with its currency where the night has more than one."""
    if len(report.currencies) == 1:
        return say.cents
    currency = report.currency_at(when)
    return lambda cents: f"{say.cents(cents)} {currency}"


def _award(one: AwardEntry, write_cents: Callable[[int], str], say: Wording) -> Item:
    name = _name(one.combination, one.prize, say)
    status = say(AWARD_STATUSES[one.status])
    clock, number = say.clock(one.begun.wall), str(one.begun.round)
    each, total = write_cents(one.each), write_cents(one.total)
    present = {
        None: "-",
        True: say(bordereau_texts.PRESENT),
        False: say(bordereau_texts.ABSENT),
    }[one.inspector]
    narrow = [
        (f"{clock} {say(bordereau_texts.ROUND)} {number}", status),
        (f"  {name}", f"x{one.winners}"),
        (say(bordereau_texts.EACH_INDENTED), each),
        (say(bordereau_texts.TOTAL_INDENTED), total),
    ]
    wide = name
    if one.envy is not None:
        envy, others = f"{say(bordereau_texts.ENVY)} x{one.envy.seats}", write_cents(one.envy.each)
        narrow.append((f"  {envy}", others))
        wide = f"{name}, {envy} {others}"
    if one.inspector is not None:
        narrow.append((say(bordereau_texts.INSPECTOR_INDENTED), present))
    cells = (clock, number, wide, str(one.winners), each, total, present, status)
    return Item(cells, tuple(narrow))


def _name(combination: str, prize: Prize | None, say: Wording) -> str:
    texts = TEXTS[say.language]
    return texts.combination(prize) if prize is not None else texts.combinations[combination]


def _prizes_paid(report: Bordereau, say: Wording) -> Iterator[SheetSection]:
    """What the final awards paid: each prize and its envy, from jackpot and from house."""
    rows = add_up_prizes(report)
    for currency, _ in _by_currency(report):
        yield _list_prizes(currency, [row for row in rows if row.currency == currency], say)


def _list_prizes(currency: str, rows: list[PrizePaid], say: Wording) -> SheetSection:
    columns = (
        Column(say(bordereau_texts.COMBINATION), 9),
        Column(say(bordereau_texts.PAID_TO), 4, right=True),
        Column(say(bordereau_texts.FROM_JACKPOT), 6, right=True),
        Column(say(bordereau_texts.FROM_HOUSE), 6, right=True),
    )
    items = [_prize_paid(row, say) for row in rows]
    jackpot = Cents(sum(row.by_jackpot for row in rows))
    house = Cents(sum(row.by_house for row in rows))
    sums = (
        Pair(say(bordereau_texts.FROM_JACKPOT), say.cents(jackpot), strong=True),
        Pair(say(bordereau_texts.FROM_HOUSE), say.cents(house), strong=True),
    )
    title = say(bordereau_texts.PRIZES_PAID_IN.fill(currency))
    none = () if items else (say(bordereau_texts.NONE_AT_ALL),)
    return SheetSection(title, sums if items else (), Table(columns, tuple(items)), notes=none)


def _prize_paid(row: PrizePaid, say: Wording) -> Item:
    name = _name(row.combination, row.prize, say)
    name = f"{name}, {say(bordereau_texts.ENVY)}" if row.is_envy else name
    jackpot, house = say.cents(row.by_jackpot), say.cents(row.by_house)
    narrow = (
        (name, f"x{row.paid_to}"),
        (f"  {say(bordereau_texts.FROM_JACKPOT)}", jackpot),
        (f"  {say(bordereau_texts.FROM_HOUSE)}", house),
    )
    return Item((name, str(row.paid_to), jackpot, house), narrow)


def corrections_section(report: Bordereau, say: Wording) -> SheetSection:
    """Each correction of the accounts by two people."""
    title = say(bordereau_texts.CORRECTIONS_IN.fill(report.currency))
    one_currency = len(report.currencies) == 1
    behind = (
        "" if one_currency else f" {report.currency_at(one.when)}" for one in report.corrections
    )
    items = (
        item_of_correction(one, say, currency)
        for one, currency in zip(report.corrections, behind, strict=True)
    )
    return corrections_table(title, items, say)


def corrections_table(title: str, items: Iterable[Item], say: Wording) -> SheetSection:
    """These corrections (`item_of_correction`) under their columns."""
    columns = (
        Column(say(bordereau_texts.TIME), 3),
        Column(say(bordereau_texts.WHO), 3),
        Column(say(bordereau_texts.WITH), 3),
        Column(say(bordereau_texts.ACCOUNTS), 6),
        Column(say(bordereau_texts.REASON), 8),
    )
    return table_section(title, columns, items, none=say(bordereau_texts.NONE))


def item_of_correction(one: CorrectionEntry, say: Wording, behind: str = "") -> Item:
    """A correction as a row; `behind`: what stands after each amount."""
    clock = say.clock(one.when.wall)
    moved = [
        (say(NAMES[account]), say.amount(_as_read(account, units)) + behind)
        for account, units in one.moved.items()
    ]
    cells = (
        clock,
        one.who,
        one.second,
        "; ".join(f"{name} {amount}" for name, amount in moved),
        one.reason,
    )
    narrow = (
        (f"{clock} {one.who}", f"+ {one.second}"),
        *((f"  {name}", amount) for name, amount in moved),
        (f"  {one.reason}", ""),
    )
    return Item(cells, narrow)
