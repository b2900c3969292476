"""The bordereau's sections of a poker table: hands; in cash also pots, rake and drop."""

from collections.abc import Iterator

from console.bordereau.figures import Bordereau, DropEntry, PokerEntry
from console.bordereau.money_sections import corrections_section
from console.bordereau.sheet import Pair, SheetSection, pairs_of
from console.bordereau.words import Wording
from console.rules.poker_houses import Form
from console.rules.poker_settings import PokerSettings
from console.rules.settings import Settings
from console.texts import bordereau_texts
from console.texts.bordereau_texts import REASONS
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
    forms = {Form.CASH: say(bordereau_texts.CASH), Form.TOURNAMENT: say(bordereau_texts.TOURNAMENT)}
    return [
        (say(bordereau_texts.FORM), forms[poker.form]),
        (say(bordereau_texts.HOUSE), poker.house.value),
    ]


def _plays_cash(report: Bordereau) -> bool:
    """Whether it was played for cash at any time."""
    played = (settings.poker for _, settings in report.settings)
    return any(isinstance(one, PokerSettings) and one.form is Form.CASH for one in played)


def _hands(poker: PokerEntry, say: Wording) -> SheetSection:
    names = (
        (say(bordereau_texts.HANDS_TEXT), poker.hands),
        (say(bordereau_texts.MISDEALS), poker.misdeals),
        (say(bordereau_texts.VOID), poker.voids),
        (say(bordereau_texts.TIME_CALLS), poker.time_calls),
        (say(bordereau_texts.THEM_EXPIRED), poker.expired),
        (say(bordereau_texts.NEW_DEALERS), poker.dealers),
        (say(bordereau_texts.THEM_EARLY), poker.early),
        (say(bordereau_texts.DECK_CHANGES), poker.changes),
    )
    return SheetSection(
        say(bordereau_texts.HANDS), pairs_of((name, str(times)) for name, times in names)
    )


def _rake(report: Bordereau, poker: PokerEntry, say: Wording) -> SheetSection:
    moved = dict(report.money.rows())
    posted = [
        (say(REASONS[reason]), say.amount(moved[reason].of(Account.RAKE)))
        for reason in (Reason.RAKE, Reason.RAKE_RETURNED)
        if reason in moved
    ]
    return SheetSection(
        say(bordereau_texts.POTS_AND_RAKE_EUR),
        (
            Pair(say(bordereau_texts.HANDS_COUNTED), str(poker.counted)),
            Pair(say(bordereau_texts.POTS), say.cents(poker.pots)),
            *pairs_of(posted),
            Pair(say(bordereau_texts.RAKE_TAKEN), say.amount(report.rake), strong=True),
            Pair(say(bordereau_texts.FLOPS_WITHOUT_ENTRY), str(poker.flops_without_entry)),
        ),
    )


def _drop(report: Bordereau, poker: PokerEntry, say: Wording) -> SheetSection:
    """The last count of the rake box; earlier ones as notes."""
    title = say(bordereau_texts.DROP_RAKE_BOX_EUR)
    if not poker.drops:
        return SheetSection(title, notes=(say(bordereau_texts.NOT_COUNTED),))
    last = poker.drops[-1]
    difference = last.counted * UNITS_PER_CENT - report.rake
    sign = "+" if difference > 0 else ""
    earlier = tuple(
        say(
            bordereau_texts.BEFORE_COUNTED_AT.fill(say.cents(one.counted), one.who, _at(one, say)),
        )
        for one in poker.drops[:-1]
    )
    return SheetSection(
        title,
        (
            Pair(say(bordereau_texts.COUNTED), say.cents(last.counted)),
            Pair(say(bordereau_texts.RECORD), say.amount(report.rake)),
            Pair(say(bordereau_texts.DIFFERENCE), f"{sign}{say.amount(difference)}", strong=True),
            Pair(say(bordereau_texts.COUNTED_BY), last.who),
            Pair(say(bordereau_texts.AT), _at(last, say)),
        ),
        notes=earlier,
    )


def _at(one: DropEntry, say: Wording) -> str:
    return say.clock(one.when.wall)
