"""The bordereau's sections of a poker table: hands; in cash also pots, rake and drop."""

from collections.abc import Iterator

from console.bordereau.figures import Bordereau, DropEntry, PokerEntry
from console.bordereau.money_sections import corrections_section
from console.bordereau.sheet import Pair, SheetSection, pairs_of
from console.bordereau.words import REASONS, Wording
from console.rules.poker_houses import Form
from console.rules.poker_settings import PokerSettings
from console.rules.settings import Settings
from jackpot.money.accounts import Account, Reason
from jackpot.money.amounts import UNITS_PER_CENT


def poker_sections(report: Bordereau, poker: PokerEntry, say: Wording) -> Iterator[SheetSection]:
    """The sections of a poker table; a tournament takes no rake."""
    yield _hands(poker, say)
    if _plays_cash(report):
        yield _rake(report, poker, say)
        yield _drop(report, poker, say)
    if report.corrections:
        yield corrections_section(report, say)


def poker_settings(settings: Settings, say: Wording) -> list[tuple[str, str]]:
    """What the settings say of poker."""
    poker = settings.poker
    if not isinstance(poker, PokerSettings):
        return []
    forms = {Form.CASH: say("cash", "cash"), Form.TOURNAMENT: say("torneo", "tournament")}
    return [
        (say("forma", "form"), forms[poker.form]),
        (say("casa", "house"), poker.house.value),
    ]


def _plays_cash(report: Bordereau) -> bool:
    """Whether it was played for cash at any time."""
    played = (settings.poker for _, settings in report.settings)
    return any(isinstance(one, PokerSettings) and one.form is Form.CASH for one in played)


def _hands(poker: PokerEntry, say: Wording) -> SheetSection:
    names = (
        (say("mani", "hands"), poker.hands),
        (say("misdeal", "misdeals"), poker.misdeals),
        (say("mani nulle", "void"), poker.voids),
        (say("tempo chiamato", "time calls"), poker.time_calls),
        (say("  di cui scaduto", "  of them expired"), poker.expired),
        (say("cambi mazziere", "new dealers"), poker.dealers),
        (say("  di cui in anticipo", "  of them early"), poker.early),
        (say("cambi mazzo", "deck changes"), poker.changes),
    )
    return SheetSection(say("Mani", "Hands"), pairs_of((name, str(times)) for name, times in names))


def _rake(report: Bordereau, poker: PokerEntry, say: Wording) -> SheetSection:
    moved = dict(report.money.rows())
    posted = [
        (say.word(REASONS[reason]), say.amount(moved[reason].of(Account.RAKE)))
        for reason in (Reason.RAKE, Reason.RAKE_RETURNED)
        if reason in moved
    ]
    return SheetSection(
        say("Piatti e rake, EUR", "Pots and rake, EUR"),
        (
            Pair(say("mani contate", "hands counted"), str(poker.counted)),
            Pair(say("piatti", "pots"), say.cents(poker.pots)),
            *pairs_of(posted),
            Pair(say("rake presa", "rake taken"), say.amount(report.rake), strong=True),
            Pair(say("flop senza piatto", "flops without entry"), str(poker.flops_without_entry)),
        ),
    )


def _drop(report: Bordereau, poker: PokerEntry, say: Wording) -> SheetSection:
    """The last count of the rake box; earlier ones as notes."""
    title = say("Cassetta della rake, EUR", "Drop: rake box, EUR")
    if not poker.drops:
        return SheetSection(title, notes=(say("Non contata.", "Not counted."),))
    last = poker.drops[-1]
    difference = last.counted * UNITS_PER_CENT - report.rake
    sign = "+" if difference > 0 else ""
    earlier = tuple(
        say(
            f"Prima contati {say.cents(one.counted)} da {one.who} alle {_at(one, say)}.",
            f"Before that {one.who} counted {say.cents(one.counted)} at {_at(one, say)}.",
        )
        for one in poker.drops[:-1]
    )
    return SheetSection(
        title,
        (
            Pair(say("contati", "counted"), say.cents(last.counted)),
            Pair(say("sul registro", "on record"), say.amount(report.rake)),
            Pair(say("differenza", "difference"), f"{sign}{say.amount(difference)}", strong=True),
            Pair(say("contati da", "counted by"), last.who),
            Pair(say("alle", "at"), _at(last, say)),
        ),
        notes=earlier,
    )


def _at(one: DropEntry, say: Wording) -> str:
    return say.clock(one.when.wall)
