"""What takes two people at a table.

One is logged in, the second gives a name and PIN for this act alone.
Two cashiers correct the accounts. A technician proposes a setting of money, or clears a fault of
CLEARED_BY_TWO; a cashier confirms it.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from msgspec import Struct

from console.configuration.limits import Limits
from console.line.access.login import NO_NAME, PinLogin
from console.line.act_reporter import ActReporter
from console.line.answer_texts import answer_step
from console.line.requests import (
    ChangeSetting,
    ClearFault,
    CorrectAccounts,
    Done,
    No,
    NoCode,
    NotDone,
)
from console.line.sessions import Leaving, LineSession, check_login, record_login
from console.rules.acts import Left
from console.rules.codes import Duty
from console.rules.correction import Corrected
from console.rules.structs import replace
from jackpot.foreign_text import quote
from jackpot.money.accounts import Account
from jackpot.money.amounts import format_cents, parse_cents

SECOND_DUTY = Duty.CASHIER
"""What the second person must be enrolled as."""


class FourEyes(Struct, frozen=True):
    """Lets a second person in for one act of one service; corrects its accounts."""

    reporter: ActReporter
    login: PinLogin | None
    """None if nobody can log in at this table."""

    limits: Limits = Limits()

    @asynccontextmanager
    async def second_person(
        self,
        session: LineSession,
        request: CorrectAccounts | ChangeSetting | ClearFault,
        is_powered: Callable[[], bool],
    ) -> AsyncIterator[str]:
        """Let the request's second person in for the duration of the block; gives what a
        record calls them.

        `is_powered`: whether the service still runs the table after the PIN was checked. Raises
        NotDone if they are not another person, not let in, no cashier, or if the first one's login
        has ended meanwhile.
        """
        name = session.name
        if _normalize_name(request.second) in ("", name):
            raise NotDone(NoCode.WRONG_VALUE, "two different people do this, each with a PIN")
        result = await check_login(self.login, request.second, request.pin)
        second = await record_login(result, self.reporter, session.uid)
        try:
            if not is_powered():
                raise NotDone(NoCode.NO_POWER, "the power was cut; nothing was done")
            if SECOND_DUTY not in second.duties:
                why = f"{second.name} is not enrolled as {SECOND_DUTY.value}"
                raise NotDone(NoCode.NOT_YOUR_DUTY, why)
            if session.name != name:  # the login may have expired
                raise NotDone(NoCode.NOT_ENTERED, f"{name} is no longer logged in")
            yield second.on_record
        finally:
            if is_powered():
                self.reporter.service.report(Left(second.on_record, Leaving.LEFT.value))

    def preview(self, session: LineSession, request: CorrectAccounts) -> Done | No:
        """Preview the correction under the next number, without a second PIN. Raises NotDone."""
        session.must_have(Duty.CASHIER)
        number = self.reporter.service.state.corrections + 1
        second = _normalize_name(request.second) or NO_NAME
        return answer_step(self.reporter.preview(self._parse(request, session.who, second, number)))

    async def correct(
        self, session: LineSession, request: CorrectAccounts, is_powered: Callable[[], bool]
    ) -> Done | No:
        """Correct the accounts if the second PIN is right and both are cashiers. Raises NotDone.

        `is_powered`: see `second_person`.
        """
        session.must_have(Duty.CASHIER)
        act = self._parse(request, session.who, _normalize_name(request.second), request.number)
        async with self.second_person(session, request, is_powered) as second:
            return answer_step(await self.reporter.settle(replace(act, second=second)))

    def _parse(self, request: CorrectAccounts, who: str, second: str, number: int) -> Corrected:
        """Return the requested act. Raises NotDone if it is no valid correction."""
        most = self.limits.correction_cents
        try:
            source, target = _parse_account(request.source), _parse_account(request.target)
            cents = parse_cents(request.amount)
            if cents > most:
                raise ValueError(f"a correction moves at most {format_cents(most)} (limits.toml)")
            return Corrected(number, source, target, cents, request.reason, who, second)
        except ValueError as error:
            raise NotDone(NoCode.WRONG_VALUE, str(error)) from error


def _parse_account(name: str) -> Account:
    try:
        return Account(name)
    except ValueError as error:
        raise ValueError(f"no account {quote(name)}") from error


def _normalize_name(typed: str) -> str:
    """Return a name as the login reads it."""
    return typed.strip().lower()
