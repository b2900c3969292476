"""The sections about money: tokens, tray, accounts, movements, awards, corrections."""

from collections.abc import Iterator

from console.bordereau.figures import AwardEntry, Bordereau, CorrectionEntry, TrayEntry
from console.bordereau.sheet import (
    Column,
    Item,
    Pair,
    SheetSection,
    Table,
    pairs_of,
    table_section,
)
from console.bordereau.words import AWARD_STATUSES, REASONS, Wording
from console.rules.structs import replace
from console.texts.display import TEXTS
from console.texts.table_texts import ACCOUNTS, THIS_TABLES_PART
from jackpot.money.accounts import Account, accounts_of


def money_sections(report: Bordereau, say: Wording) -> Iterator[SheetSection]:
    """The sections of a table with a jackpot."""
    yield _tokens(report, say)
    yield tray_section(report, say)
    yield _accounts(report, say)
    yield _movements(report, say)
    yield _awards(report, say)
    if report.corrections:
        yield corrections_section(report, say)


def _tokens(report: Bordereau, say: Wording) -> SheetSection:
    parts = [
        (say(f"di cui {say.word(ACCOUNTS[account])}", f"to the {account.value}"), account)
        for account in (Account.JACKPOT, Account.RESERVE, Account.HOUSE)
    ]
    money = report.money
    value = -money.contribution(Account.TRAY)
    return SheetSection(
        say("Gettoni", "Tokens"),
        (
            Pair(say("presi", "taken"), str(report.money.tokens_taken)),
            Pair(say("resi", "returned"), str(report.money.tokens_returned)),
            Pair(say("restano", "left"), str(report.money.tokens_left), strong=True),
            Pair(say("valore EUR", "value EUR"), say.amount(value), strong=True),
            *pairs_of((name, say.amount(money.contribution(account))) for name, account in parts),
        ),
    )


def tray_section(report: Bordereau, say: Wording) -> SheetSection:
    """The last hand count of the tray; earlier ones as notes."""
    title = say("Conta della vaschetta", "Tray counted by hand")
    if not report.trays:
        return SheetSection(title, notes=(say("Non contata.", "Not counted."),))
    last = report.trays[-1]
    pairs = pairs_of(
        (
            (say("contati", "counted"), str(last.counted)),
            (say("sul registro", "on record"), str(report.money.tokens_left)),
        )
    )
    difference = Pair(
        say("differenza", "difference"),
        f"{report.difference:+d}" if report.difference else "0",
        strong=True,
    )
    counted = ((say("contati da", "counted by"), last.who), (say("alle", "at"), _at(last, say)))
    earlier = tuple(
        say(
            f"Prima contati {one.counted} da {one.who} alle {_at(one, say)}.",
            f"Before that {one.who} counted {one.counted} at {_at(one, say)}.",
        )
        for one in report.trays[:-1]
    )
    return SheetSection(title, (*pairs, difference, *pairs_of(counted)), notes=earlier)


def _at(one: TrayEntry, say: Wording) -> str:
    return say.clock(one.when.wall)


def _accounts(report: Bordereau, say: Wording) -> SheetSection:
    items = []
    for account in accounts_of(report.opening, report.closing):
        opening, closing = report.opening.of(account), report.closing.of(account)
        name = say.word(ACCOUNTS[account])
        moved = say.amount(closing - opening)
        cells = (name, say.amount(opening), moved, say.amount(closing))
        narrow = ((name, say.amount(opening)), (say("  dopo", "  after"), say.amount(closing)))
        items.append(Item(cells, narrow, strong=account is Account.JACKPOT))
    columns = (
        Column(say("conto", "account"), 3),
        Column(say("apertura", "opening"), 4, right=True),
        Column(say("movimento", "movement"), 4, right=True),
        Column(say("chiusura", "closing"), 4, right=True),
    )
    section = table_section(
        name_part(report, say("Conti, EUR", "Accounts, EUR"), say), columns, items
    )
    return replace(section, notes=tuple(_explain_part(say))) if report.link else section


def name_part(report: Bordereau, title: str, say: Wording) -> str:
    """The title of figures of this table alone: at a linked table they are its part."""
    return f"{title} - {say.word(THIS_TABLES_PART)}" if report.link else title


def _explain_part(say: Wording) -> Iterator[str]:
    yield say("Il jackpot collegato è alla centrale.", "The linked jackpot is at the centre.")
    yield say("Qui: i gettoni di questo tavolo meno", "Here: the tokens of this table, less")
    yield say("le sue vincite; anche sotto zero.", "its awards; it may be below zero.")


def _movements(report: Bordereau, say: Wording) -> SheetSection:
    items, accounts = [], accounts_of(report.opening, report.closing)
    for reason, moved in report.money.rows():
        amounts = [(account, moved.of(account)) for account in accounts]
        name = say.word(REASONS[reason])
        cells = (
            name,
            str(moved.count),
            *(say.amount(units) if units else "" for _, units in amounts),
        )
        lines = ((f"  {say.word(ACCOUNTS[a])}", say.amount(units)) for a, units in amounts if units)
        items.append(Item(cells, ((name, f"x{moved.count}"), *lines)))
    columns = (
        Column(say("motivo", "reason"), 8),
        Column(say("n.", "no."), 3, right=True),
        *(Column(say.word(ACCOUNTS[account]), 6, right=True) for account in accounts),
    )
    title = name_part(report, say("Movimenti, EUR", "Movements, EUR"), say)
    return table_section(title, columns, items)


def _awards(report: Bordereau, say: Wording) -> SheetSection:
    columns = (
        Column(say("ora", "time"), 5),
        Column(say("mano", "round"), 4, right=True),
        Column(say("combinazione", "combination"), 9),
        Column(say("vincitori", "winners"), 5, right=True),
        Column(say("ciascuno", "each"), 6, right=True),
        Column(say("totale", "total"), 6, right=True),
        Column(say("ispettore", "inspector"), 6),
        Column(say("esito", "outcome"), 6),
    )
    items = tuple(_award(one, say) for one in report.awards)
    sums = (Pair(say("pagate", "paid"), str(report.money.awards)),) if items else ()
    total = Pair("EUR", say.amount(report.money.paid), strong=True)
    none = () if items else (say("Nessuna.", "None."),)
    return SheetSection(
        say("Vincite, EUR", "Awards, EUR"),
        (*sums, total) if items else (),
        Table(columns, items),
        notes=none,
    )


def _award(one: AwardEntry, say: Wording) -> Item:
    name = TEXTS[say.language].combinations[one.combination]
    status = say.word(AWARD_STATUSES[one.status])
    clock, number = say.clock(one.begun.wall), str(one.begun.round)
    each, total = say.cents(one.each), say.cents(one.total)
    present = {
        None: "-",
        True: say("presente", "present"),
        False: say("assente", "absent"),
    }[one.inspector]
    narrow = [
        (f"{clock} {say('mano', 'round')} {number}", status),
        (f"  {name}", f"x{one.winners}"),
        (say("  ciascuno", "  each"), each),
        (say("  totale", "  total"), total),
    ]
    if one.inspector is not None:
        narrow.append((say("  ispettore", "  inspector"), present))
    cells = (clock, number, name, str(one.winners), each, total, present, status)
    return Item(cells, tuple(narrow))


def corrections_section(report: Bordereau, say: Wording) -> SheetSection:
    """Each correction of the accounts by two people."""
    columns = (
        Column(say("ora", "time"), 3),
        Column(say("chi", "who"), 3),
        Column(say("con", "with"), 3),
        Column(say("conti", "accounts"), 6),
        Column(say("motivo", "reason"), 8),
    )
    items = (_correction(one, say) for one in report.corrections)
    return table_section(say("Correzioni, EUR", "Corrections, EUR"), columns, items)


def _correction(one: CorrectionEntry, say: Wording) -> Item:
    clock = say.clock(one.when.wall)
    moved = [
        (say.word(ACCOUNTS[account]), say.amount(units)) for account, units in one.moved.items()
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
