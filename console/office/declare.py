"""Declarations by name and PIN: `declare` on the line, `banco declare` on the machine."""

import sys

from console.line.requests import Declare
from console.office.act_results import result_lines
from console.office.dialogue import UNUSABLE, Dialogue, LineEntry, NothingDone, run_dialogue
from console.rules.typed import LineError, words_of
from console.texts.declarations.lines import find_row, parse_declaration
from console.texts.layout.paragraphs import paragraph
from console.texts.office_texts import DECLARE_SURE as SURE
from console.texts.office_texts import NOTHING, RECORDED, SHOWN


def declare(declaration: str, entry: LineEntry, *, yes: bool) -> int:
    """Declare it over the table's line; the exit status. `yes`: without asking once more."""
    words = words_of(declaration)
    try:
        parse_declaration(list(words), "")  # before anybody types a PIN
    except LineError as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    return run_dialogue(
        entry, lambda dialogue: carry_out_declaration(dialogue, " ".join(words)), yes=yes
    )


async def carry_out_declaration(dialogue: Dialogue, declaration: str) -> None:
    """Show what the declaration would do, ask once, do it. `declaration` is valid: `last-hands 3`.

    Raises NothingDone, and what the dialogue raises.
    """
    language = dialogue.language
    would = await dialogue.request(Declare(declaration))
    meaning = find_row(words_of(declaration)).means.in_(language)
    await dialogue.say(
        SHOWN.in_(language),
        *paragraph(f"{declaration}: {meaning}", first="  "),
        *result_lines(would, language),
    )
    if not await dialogue.confirm(SURE.in_(language)):
        raise NothingDone(NOTHING.in_(language))
    done = await dialogue.request(Declare(declaration, really=True))
    await dialogue.say(RECORDED.in_(language), *result_lines(done, language))
