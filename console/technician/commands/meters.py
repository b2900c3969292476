"""`meters`: accounts, and what happened since the tray, or the rake box, was last counted."""

from collections.abc import Sequence

from console.line.requests import Status
from console.technician.arguments import check_no_arguments
from console.technician.command import Command, TechnicianSession
from console.technician.ledger_reading import NightCount, count_night, read_ledger
from console.technician.places import Unreadable
from console.technician.table_requests import ask_status
from console.texts.language import Language, Words
from console.texts.layout.paragraphs import label_text
from console.texts.record_texts import clock_of, day_of
from devices.device import Device
from jackpot.failures import Failure
from jackpot.money.accounts import Account, Reason
from jackpot.money.amounts import format_cents, to_cents


async def _meters(session: TechnicianSession, words: Sequence[str]) -> None:
    check_no_arguments(session, words)
    try:
        status = await ask_status(session)
    except Failure as error:
        accounts = session.words("conti", "accounts")
        await session.talk.say(*label_text(accounts, f"- ({error})"))
    else:
        await session.talk.say(
            *(describe_part(session.language) if is_linked(status) else ()),
            *(f"{name:9} {amount:>15} EUR" for name, amount in status.accounts.items()),
            *label_text(session.words("mano", "round"), str(status.round)),
        )
    try:
        night = await read_ledger(session, count_night)
    except Unreadable as error:
        await session.talk.say(*label_text(session.words("registro", "ledger"), f"- ({error})"))
    else:
        if night is not None:
            await session.talk.say(*describe_night(night, session.language))


def is_linked(status: Status) -> bool:
    """Whether the table plays for a linked jackpot: its accounts are then its part of it."""
    return Device.LINK.value in status.devices_up


def describe_part(language: Language) -> list[str]:
    """What the accounts of a linked table are."""
    text = Words(
        "parte di questo tavolo; il jackpot collegato: centrale",
        "this table's part; the linked jackpot: centre",
    )
    return label_text(Words("conti", "accounts").in_(language), text.in_(language))


def describe_night(night: NightCount, language: Language) -> list[str]:
    """Render the night's figures."""

    def label(it: str, en: str, text: str) -> list[str]:
        return label_text(Words(it, en).in_(language), text)

    since = f"{day_of(night.since)} {clock_of(night.since)}".strip() or "-"
    why = (_what_was_counted(night) if night.counted else SINCE_THE_BEGINNING).in_(language)
    money = night.money
    faults = "  ".join(f"{fault} x{times}" for fault, times in sorted(night.faults.items()))
    if night.poker:
        rake = sum(
            money.of(reason).of(Account.RAKE) for reason in (Reason.RAKE, Reason.RAKE_RETURNED)
        )
        return [
            f"{why}: {since}",
            *label("mani", "hands", str(night.rounds)),
            *label("rake", "rake", f"{format_cents(to_cents(rake))} EUR"),
            *label("guasti", "faults", faults or "-"),
        ]
    return [
        f"{why}: {since}",
        *label("mani", "rounds", str(night.rounds)),
        *label("gettoni", "tokens", str(money.tokens_left)),
        *label("vincite", "awards", f"{money.awards}, {format_cents(to_cents(money.paid))} EUR"),
        *label("guasti", "faults", faults or "-"),
    ]


RAKES = (Reason.RAKE, Reason.RAKE_RETURNED)
SINCE_THE_BEGINNING = Words("dall'inizio", "since the beginning")


def _what_was_counted(night: NightCount) -> Words:
    if night.poker:
        return Words(
            "dall'ultima conta della cassetta del rake", "since the rake box was last counted"
        )
    return Words("dall'ultima conta della vaschetta", "since the tray was last counted")


COMMANDS = (
    Command(
        names=("meters", "contatori"),
        arguments=Words("", ""),
        summary=Words("conti, mani, gettoni, vincite", "accounts, rounds, tokens, awards"),
        help=Words(
            "I conti del tavolo adesso, e quante mani, gettoni, vincite e guasti\n"
            "dall'ultima conta della vaschetta (dichiara tray N), dal registro. A\n"
            "un tavolo da poker mani, rake e guasti dall'ultima conta della\n"
            "cassetta (dichiara drop IMPORTO).",
            "The table's accounts now, and how many rounds, tokens, awards and\n"
            "faults since the tray was last counted (declare tray N), from the\n"
            "ledger. At a poker table hands, rake and faults since the rake box\n"
            "was last counted (declare drop AMOUNT).",
        ),
        example="meters",
        run=_meters,
    ),
)
