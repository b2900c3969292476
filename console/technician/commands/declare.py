"""`declare`, `clear` and `correct`: each with a PIN.

The floor manager declares, the technician clears faults, two cashiers move an amount from one
account to another.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from console.line.requests import ClearFault, CorrectAccounts, Done, Status
from console.office.dialogue import carry_out_correction, carry_out_declaration, result_lines
from console.rules.codes import CLEARED_BY_TECHNICIAN, CLEARED_BY_TWO, Fault
from console.rules.correction import CORRECTABLE
from console.rules.games import GAMES
from console.rules.typed import LineError
from console.technician.command import Command, TechnicianSession
from console.technician.table_requests import (
    SessionDialogue,
    ask_second_person,
    ask_with_login,
    confirm,
    say_nothing_done,
)
from console.texts.declarations.card_tables import ABOUT_CARDS, ABOUT_DOORS, ABOUT_ROUNDS
from console.texts.declarations.lines import (
    VERBS,
    list_declarations,
    list_following,
    parse_declaration,
)
from console.texts.declarations.poker_tables import AT_POKER
from console.texts.language import Language
from console.texts.office_texts import NOTHING
from console.texts.technician import command_texts, money_texts
from jackpot.failures import Refused

ACCOUNTS = tuple(account.value for account in CORRECTABLE)


async def _declare(session: TechnicianSession, words: Sequence[str]) -> None:
    if not words:
        raise Refused(session.words(money_texts.WHAT) + ", ".join(VERBS))
    lowered = [word.lower() for word in words]
    try:
        parse_declaration(lowered, "")
    except LineError as error:
        raise Refused(str(error)) from error
    await say_nothing_done(
        session, carry_out_declaration(SessionDialogue(session), " ".join(lowered))
    )


async def _clear(session: TechnicianSession, words: Sequence[str]) -> None:
    codes = {fault.value: fault for fault in Fault}
    if len(words) != 1 or words[0].upper() not in codes:
        latched = ", ".join(sorted(fault.value for fault in CLEARED_BY_TECHNICIAN))
        raise Refused(session.words(money_texts.TECHNICIAN_CLEARS) + latched)
    fault = codes[words[0].upper()]
    question = session.words(
        money_texts.CAUSE_BEEN_REMOVED_CLEAR.fill(fault.value),
    )
    if not await confirm(session, question):
        await session.talk.say(NOTHING.in_(session.language))
        return
    second, pin = await ask_second_person(session) if fault in CLEARED_BY_TWO else ("", "")
    done = await ask_with_login(session, ClearFault(fault, second, pin), Done)
    await session.talk.say(
        session.words(money_texts.CLEARED_RECORD),
        *result_lines(done, session.language),
    )


def _complete_declaration(words: Sequence[str], status: Status | None) -> Sequence[str]:
    if words:
        return list_following(list(words))
    if status is None:
        return VERBS
    opened = any(present.fault is Fault.DOOR_OPEN for present in status.faults)
    return list_declarations(GAMES[status.game], doors=opened)


def _complete_fault(words: Sequence[str], status: Status | None) -> Sequence[str]:
    present = {present.fault for present in status.faults} if status is not None else set()
    latched = present & CLEARED_BY_TECHNICIAN or CLEARED_BY_TECHNICIAN
    return () if words else sorted(fault.value for fault in latched)


def _list_declarations(language: Language) -> str:
    """List the declarations with their meaning, for `help`."""
    lines: list[str] = []
    for title, about in (
        (money_texts.HANDS_AND_TOKENS, ABOUT_ROUNDS),
        (money_texts.CARDS, ABOUT_CARDS),
        (money_texts.DOORS, ABOUT_DOORS),
        (money_texts.POKER, AT_POKER),
    ):
        lines.append(title.in_(language))
        for row in about:
            lines += [f"  {row.usage}", f"      {row.means.in_(language)}"]
    return "\n".join(lines)


async def _read_request(session: TechnicianSession, words: Sequence[str]) -> CorrectAccounts:
    """Build the request, asking for the reason. Raises Refused, Interrupted, Hung."""
    match [word.lower() for word in words]:
        case [source, target, amount] if {source, target} <= {*ACCOUNTS}:
            reason = await session.talk.ask(session.words(money_texts.REASON))
            return CorrectAccounts(source, target, amount, reason)
    listed = ", ".join(ACCOUNTS)
    raise Refused(session.words(money_texts.FROM_AMOUNT_ACCOUNTS.fill(listed)))


async def _correct(session: TechnicianSession, words: Sequence[str]) -> None:
    request = await _read_request(session, words)
    await say_nothing_done(session, carry_out_correction(SessionDialogue(session), request))


def _complete(words: Sequence[str], _status: Status | None) -> Sequence[str]:
    return () if words[1:] else ACCOUNTS


COMMANDS = (
    Command(
        names=("declare", "dichiara"),
        texts=replace(
            command_texts.DECLARE,
            help=command_texts.DECLARE.help.fill(*map(_list_declarations, Language)),
        ),
        example="declare last-hands 3",
        run=_declare,
        complete=_complete_declaration,
    ),
    Command(
        names=("clear", "azzera"),
        texts=command_texts.CLEAR,
        example="clear TRAY_COUNT",
        run=_clear,
        complete=_complete_fault,
    ),
)

CORRECT_COMMANDS = (
    Command(
        names=("correct", "correggi"),
        texts=command_texts.CORRECT,
        example="correct house reserve 12.50",
        run=_correct,
        complete=_complete,
    ),
)
