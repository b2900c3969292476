"""Corrections by two cashiers: one is logged in, the second gives a name and PIN."""

from collections.abc import Callable

from msgspec import Struct

from console.line.access.login import NO_NAME, PinLogin
from console.line.act_reporter import ActReporter, NotDone
from console.line.answer_texts import answer_step
from console.line.logins import check_login, record_login
from console.line.requests import CorrectAccounts, Done, No, NoCode
from console.line.sessions import Leaving, LineSession
from console.rules.acts import Left
from console.rules.codes import Duty
from console.rules.correction import Corrected
from jackpot.accounts import Account
from jackpot.amounts import parse_cents


class FourEyes(Struct, frozen=True):
    """Corrects the accounts of one service."""

    reporter: ActReporter
    login: PinLogin | None
    """None if nobody can log in at this table."""

    def preview(self, session: LineSession, request: CorrectAccounts) -> Done | No:
        """Preview the correction under the next number, without a second PIN. Raises NotDone."""
        session.must_have(Duty.CASHIER)
        number = self.reporter.service.state.corrections + 1
        act = _parse_correction(
            request, session.who, _normalize_name(request.second) or NO_NAME, number
        )
        return answer_step(self.reporter.preview(act))

    async def correct(
        self, session: LineSession, request: CorrectAccounts, is_powered: Callable[[], bool]
    ) -> Done | No:
        """Correct the accounts if the second PIN is right and both are cashiers. Raises NotDone.

        `is_powered`: whether the service still runs the table after the PIN was checked.
        """
        session.must_have(Duty.CASHIER)
        who = session.who
        act = _parse_correction(request, who, _normalize_name(request.second), request.number)
        result = await check_login(self.login, request.second, request.pin)
        second = await record_login(result, self.reporter)
        try:
            if not is_powered():
                raise NotDone(NoCode.NO_POWER, "the power was cut; nothing was corrected")
            if Duty.CASHIER not in second.duties:
                why = f"{second.name} is not enrolled as {Duty.CASHIER.value}"
                raise NotDone(NoCode.NOT_YOUR_DUTY, why)
            if session.who != who:  # the login may have expired
                raise NotDone(NoCode.NOT_ENTERED, f"{who} is no longer logged in")
            return answer_step(await self.reporter.settle(act))
        finally:
            if is_powered():
                self.reporter.service.report(Left(second.name, Leaving.LEFT.value))


def _parse_correction(request: CorrectAccounts, who: str, second: str, number: int) -> Corrected:
    """Return the requested act. Raises NotDone if it is no valid correction."""
    try:
        source, target = _parse_account(request.source), _parse_account(request.target)
        cents = parse_cents(request.amount)
        return Corrected(number, source, target, cents, request.reason, who, second)
    except ValueError as error:
        raise NotDone(NoCode.WRONG_VALUE, str(error)) from error


def _parse_account(name: str) -> Account:
    try:
        return Account(name)
    except ValueError as error:
        raise ValueError(f"no account {name!r}") from error


def _normalize_name(typed: str) -> str:
    """Return a name as the login reads it."""
    return typed.strip().lower()
