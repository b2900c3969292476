"""Checks the PINs that the supervisor's page asks about, in the service.

The pages' process may lie or flood: few checks at a time. Wrong PINs count apart from the line's:
nobody on the network keeps a person out of the line.
"""

import logging
from collections.abc import Callable

from console.line.access.login import PINS_OF_PAGES, LoginResult, PinLogin
from console.line.requests import NoCode
from console.rules.acts import EntryRefused
from console.service.table_service import TableService
from console.web.messages import PinAnswer, PinRequest

log = logging.getLogger(__name__)

Reply = Callable[[PinAnswer], None]

BUSY = LoginResult("?", refused=NoCode.WAIT, why="too many PINs at a time", wait_s=1)


class PinDesk:
    """Answers the pages' questions about PINs."""

    def __init__(self, login: PinLogin) -> None:
        """`login`: of the pages, with a count of its own."""
        self._login = login
        self._under_way = 0
        self._service: TableService | None = None
        self._people = ""
        self._watch_people()

    def follow(self, service: TableService | None) -> None:
        """Refusals go on record at this service from now on; None: its power is out."""
        self._service = service

    def people(self) -> str:
        """What differs after every change of the file of people; as of the call before."""
        self._watch_people()
        return self._people

    def check(self, request: PinRequest, reply: Reply, uid: int | None) -> None:
        """Check a PIN; `reply` is called once. `uid`: of the pages' process, for the record."""
        if self._under_way >= PINS_OF_PAGES:
            reply(self._answer(request.id, BUSY))
            return
        self._under_way += 1

        def on_login(result: LoginResult) -> None:
            self._under_way -= 1
            if result.person is None and result.recorded and self._service is not None:
                refused = EntryRefused(result.name, result.wrong, result.wait_s, uid)
                self._service.report(refused)
            elif result.person is not None:
                self._people = result.people
                log.info("the supervisor's page, user id %s: %s has entered", uid, result.name)
            reply(self._answer(request.id, result))

        self._login.enter(request.name, request.pin, on_login)

    def _answer(self, to: int, result: LoginResult) -> PinAnswer:
        return PinAnswer(
            to,
            result.name,
            duties=result.person.duties if result.person is not None else (),
            refused=result.refused,
            why=result.why,
            wait_s=result.wait_s,
            wrong=result.wrong,
            recorded=result.recorded,
            people=self._people,
        )

    def _watch_people(self) -> None:
        def on_stamp(stamp: str) -> None:
            self._people = stamp

        self._login.watch_people(on_stamp)
