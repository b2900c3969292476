"""`meters`: accounts, and what was counted since the tray was last counted by hand."""

from collections.abc import Sequence

from console.line.client import Unreachable
from console.technician.arguments import none_expected
from console.technician.asking import NotDone, present_status
from console.technician.command import Command, TechnicianSession
from console.technician.places import Unreadable
from console.technician.recorded import Tonight, read_ledger, tonight
from console.texts.display import Language, Words
from console.texts.layout.paragraphs import labelled
from console.texts.record_words import clock_of, day_of
from jackpot.amounts import format_cents


async def _meters(desk: TechnicianSession, words: Sequence[str]) -> None:
    none_expected(desk, words)
    try:
        status = await present_status(desk)
    except (Unreachable, NotDone) as error:
        accounts = desk.words("conti", "accounts")
        await desk.talk.say(*labelled(accounts, f"- ({error})"))
    else:
        await desk.talk.say(
            *(f"{name:9} {amount:>15} EUR" for name, amount in status.accounts.items()),
            *labelled(desk.words("mano", "round"), str(status.round)),
        )
    try:
        counted = await read_ledger(desk, tonight)
    except Unreadable as error:
        await desk.talk.say(*labelled(desk.words("registro", "ledger"), f"- ({error})"))
    else:
        if counted is not None:
            await desk.talk.say(*told(counted, desk.language))


def told(counted: Tonight, language: Language) -> list[str]:
    """What was counted, in lines."""

    def label(it: str, en: str, text: str) -> list[str]:
        return labelled(Words(it, en).in_(language), text)

    since = f"{day_of(counted.since)} {clock_of(counted.since)}".strip() or "-"
    why = Words(
        "dall'ultima conta della vaschetta" if counted.tray_counted else "dall'inizio",
        "since the tray was last counted" if counted.tray_counted else "since the beginning",
    ).in_(language)
    faults = "  ".join(f"{fault} x{times}" for fault, times in sorted(counted.faults.items()))
    return [
        f"{why}: {since}",
        *label("mani", "rounds", str(counted.rounds)),
        *label("gettoni", "tokens", str(counted.tokens)),
        *label("vincite", "awards", f"{counted.awards}, {format_cents(counted.paid)} EUR"),
        *label("guasti", "faults", faults or "-"),
    ]


COMMANDS = (
    Command(
        names=("meters", "contatori"),
        arguments=Words("", ""),
        summary=Words("conti, mani, gettoni, vincite", "accounts, rounds, tokens, awards"),
        help=Words(
            "I conti del tavolo adesso, e quante mani, gettoni, vincite e guasti\n"
            "dall'ultima conta della vaschetta (dichiara tray N), dal registro.",
            "The table's accounts now, and how many rounds, tokens, awards and\n"
            "faults since the tray was last counted (declare tray N), from the\n"
            "ledger.",
        ),
        example="meters",
        run=_meters,
    ),
)
