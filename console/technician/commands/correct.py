"""`correct`: two cashiers move an amount from one account to another, each with a PIN."""

from collections.abc import Sequence

from console.line.requests import CorrectAccounts, Status
from console.office.dialogue import carry_out_correction
from console.rules.correction import CORRECTABLE
from console.technician.command import Command, Misused, TechnicianSession
from console.technician.table_requests import SessionDialogue, say_nothing_done
from console.texts.technician import command_texts, money_texts

ACCOUNTS = tuple(account.value for account in CORRECTABLE)


async def _read_request(session: TechnicianSession, words: Sequence[str]) -> CorrectAccounts:
    """Build the request, asking for the reason. Raises Misused, Interrupted, Hung."""
    match [word.lower() for word in words]:
        case [source, target, amount] if {source, target} <= {*ACCOUNTS}:
            reason = await session.talk.ask(session.words(money_texts.REASON))
            return CorrectAccounts(source, target, amount, reason)
    listed = ", ".join(ACCOUNTS)
    raise Misused(session.words(money_texts.FROM_AMOUNT_ACCOUNTS.fill(listed)))


async def _correct(session: TechnicianSession, words: Sequence[str]) -> None:
    request = await _read_request(session, words)
    await say_nothing_done(session, carry_out_correction(SessionDialogue(session), request))


def _complete(words: Sequence[str], _status: Status | None) -> Sequence[str]:
    return () if words[1:] else ACCOUNTS


COMMANDS = (
    Command(
        names=("correct", "correggi"),
        texts=command_texts.CORRECT,
        example="correct house reserve 12.50",
        run=_correct,
        complete=_complete,
    ),
)
