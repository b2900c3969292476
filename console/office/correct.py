"""Two cashiers correct the accounts: `correct` on the line, or `banco ledger correct`."""

import msgspec

from console.line.client import Unreachable
from console.line.requests import CorrectAccounts, Done
from console.office.act_results import result_lines
from console.office.dialogue import PIN, Dialogue, LineEntry, NothingDone, run_dialogue
from console.rules.round import ActOutcome
from console.texts.layout.paragraphs import paragraph
from console.texts.office_texts import ALREADY, NOTHING, RECORDED, SECOND, SHOWN, SURE, UNKNOWN


def correct(request: CorrectAccounts, entry: LineEntry, second: str) -> int:
    """Correct the accounts over the table's line; the exit status.

    `second`: the second cashier's name; asked for if "".
    """
    return run_dialogue(entry, lambda dialogue: carry_out_correction(dialogue, request, second))


async def carry_out_correction(
    dialogue: Dialogue, request: CorrectAccounts, second: str = ""
) -> None:
    """Show what the correction would do, ask once, take the second cashier's PIN, do it.

    `second`: the second cashier's name; asked for if "". Raises NothingDone, and what the dialogue
    raises.
    """
    language = dialogue.language
    would = await dialogue.request(request)
    await dialogue.say(
        SHOWN.in_(language),
        *result_lines(would, language),
        *paragraph(request.reason, first="  "),
    )
    if not await dialogue.confirm(SURE.in_(language)):
        raise NothingDone(NOTHING.in_(language))
    second = second or await dialogue.ask(SECOND.in_(language))
    pin = await dialogue.ask(PIN, hidden=True)
    really = msgspec.structs.replace(
        request, second=second, pin=pin, number=_number_of(would), really=True
    )
    try:
        done = await dialogue.request(really)
    except Unreachable as error:
        raise Unreachable(f"{error}\n{UNKNOWN.in_(language)}") from error
    if done.outcome != ActOutcome.DONE.value:
        raise NothingDone(ALREADY.in_(language))
    await dialogue.say(RECORDED.in_(language), *result_lines(done, language))


def _number_of(would: Done) -> int:
    """The number the correction would have on record; 0 if the table gave none."""
    numbers = [one["number"] for one in would.decisions if one.get("decision") == "corrected"]
    return int(numbers[0]) if numbers else 0
