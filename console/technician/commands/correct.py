"""`correct`: two cashiers move an amount from one account to another, each with a PIN."""

from collections.abc import Sequence

from console.line.requests import CorrectAccounts, Status
from console.office.correct import carry_out_correction
from console.rules.correction import CORRECTABLE
from console.technician.command import Command, Misused, TechnicianSession
from console.technician.session_dialogue import SessionDialogue, say_nothing_done
from console.texts.language import Words

ACCOUNTS = tuple(account.value for account in CORRECTABLE)


async def _read_request(session: TechnicianSession, words: Sequence[str]) -> CorrectAccounts:
    """Build the request, asking for the reason. Raises Misused, Interrupted, Hung."""
    match [word.lower() for word in words]:
        case [source, target, amount] if {source, target} <= {*ACCOUNTS}:
            reason = await session.talk.ask(session.words("Motivo: ", "Reason: "))
            return CorrectAccounts(source, target, amount, reason)
    listed = ", ".join(ACCOUNTS)
    raise Misused(
        session.words(f"DA A IMPORTO, conti: {listed}", f"FROM TO AMOUNT, accounts: {listed}")
    )


async def _correct(session: TechnicianSession, words: Sequence[str]) -> None:
    request = await _read_request(session, words)
    await say_nothing_done(session, carry_out_correction(SessionDialogue(session), request))


def _complete(words: Sequence[str], _status: Status | None) -> Sequence[str]:
    return () if words[1:] else ACCOUNTS


COMMANDS = (
    Command(
        names=("correct", "correggi"),
        arguments=Words("DA A IMPORTO", "FROM TO AMOUNT"),
        summary=Words("due cassieri correggono i conti", "two cashiers correct the accounts"),
        help=Words(
            "Solo in PAUSED. Entra un cassiere con il suo PIN, dice il motivo\n"
            "(da 10 a 200 caratteri), vede che cosa cambierebbe; poi un secondo\n"
            "cassiere dà nome e PIN. Conti: tray, jackpot, reserve, house.",
            "Only in PAUSED. A cashier enters by PIN, gives the reason (10 to 200\n"
            "characters) and sees what would change; then a second cashier gives\n"
            "name and PIN. Accounts: tray, jackpot, reserve, house.",
        ),
        example="correct house reserve 12.50",
        run=_correct,
        complete=_complete,
    ),
)
