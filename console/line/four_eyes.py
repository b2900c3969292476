"""Corrections with four eyes: who has entered asks, and a second cashier gives his own PIN."""

from collections.abc import Callable
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class FourEyes:
    """Corrects the accounts of one service; `login`: None where nobody can enter."""

    acting: ActReporter
    login: PinLogin | None

    def would(self, session: LineSession, request: CorrectAccounts) -> Done | No:
        """What it would do now, under the next number; no second PIN yet. Raises NotDone."""
        session.must_have(Duty.CASHIER)
        number = self.acting.service.state.corrections + 1
        act = _asked(request, session.who, _name(request.second) or NO_NAME, number)
        return answer_step(self.acting.would(act))

    async def correct(
        self, session: LineSession, request: CorrectAccounts, powered: Callable[[], bool]
    ) -> Done | No:
        """Do it, once the second person's PIN is right and both are cashiers. Raises NotDone.

        `powered`: whether the service still runs the table when the PIN has been tried.
        """
        session.must_have(Duty.CASHIER)
        who = session.who
        act = _asked(request, who, _name(request.second), request.number)
        tried = await check_login(self.login, request.second, request.pin)
        second = await record_login(tried, self.acting)
        try:
            if not powered():
                raise NotDone(NoCode.NO_POWER, "the power went; nothing was corrected")
            if Duty.CASHIER not in second.duties:
                why = f"{second.name} is not enrolled as {Duty.CASHIER.value}"
                raise NotDone(NoCode.NOT_YOUR_DUTY, why)
            if session.who != who:  # his time may have run out
                raise NotDone(NoCode.NOT_ENTERED, f"{who} has left meanwhile")
            return answer_step(await self.acting.settled(act))
        finally:
            if powered():
                self.acting.service.report(Left(second.name, Leaving.SAID.value))


def _asked(request: CorrectAccounts, who: str, second: str, number: int) -> Corrected:
    """The act that is asked for. Raises NotDone for what no correction may be."""
    try:
        source, target = _account(request.source), _account(request.target)
        cents = parse_cents(request.amount)
        return Corrected(number, source, target, cents, request.reason, who, second)
    except ValueError as error:
        raise NotDone(NoCode.WRONG_VALUE, str(error)) from error


def _account(name: str) -> Account:
    try:
        return Account(name)
    except ValueError as error:
        raise ValueError(f"no account {name!r}") from error


def _name(given: str) -> str:
    """As the login reads it."""
    return given.strip().lower()
