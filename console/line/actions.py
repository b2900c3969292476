"""The actions that logged-in people may carry out on one table, and the newest record's signature.

The table's key signs that record for an export (decision 0013).
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from console.line.act_reporter import ActReporter
from console.line.answer_texts import answer_step
from console.line.requests import (
    AnyRequest,
    Declare,
    Done,
    DriveOutputs,
    EnrolBoard,
    KeepSelfTest,
    No,
    NoCode,
    NotDone,
)
from console.line.sessions import Leaving, LineSession
from console.rules.acts import Act, HeadAsked, HeadSigned, Left, OutputsDriven, SelfTested
from console.rules.board_marks import BoardEnrolled
from console.rules.codes import Duty, Refusal
from console.rules.drive import Drive
from console.rules.round import Transition
from console.rules.round.draft import ActOutcome
from console.rules.typed import LineError, words_of
from console.service.table_service import TableService
from console.texts.declarations.lines import check_declared_at, find_row, parse_declaration
from devices.roles import ALL_DARK, KeyPosition, RailTraits

SIGNED_WITHIN_S: Final = 15.0
"""How long a request waits: the seal is written once a second, and a TPM takes its time."""

ASKED_EVERY_S: Final = 60.0
"""Each request raises the key's counter, and a TPM's counter wears out."""

LONGEST_TEST = 64
"""Most parts in one report of a self-test."""

LONGEST_TEXT = 200
"""Most characters of a part's name, and of its result."""


class HeadSigning:
    """Asks the seal's thread for signed heads of one service's ledger."""

    def __init__(self, service: TableService, reporter: ActReporter) -> None:
        self._service = service
        self._reporter = reporter
        self._asked_at: float | None = None
        self._newest: HeadSigned | None = None
        self._changed = asyncio.Event()
        service.watchers.append(self._on_settled)

    async def sign(self) -> Done:
        """Sign a record that is newer than all now; answers once that is on record.

        Raises NotDone.
        """
        if not self._service.table_ledger.signs:
            raise NotDone(
                NoCode.CANNOT, "this table has no key, or no seal: see docs/how-to/audit.md"
            )
        now = asyncio.get_running_loop().time()
        if self._asked_at is not None and now - self._asked_at < ASKED_EVERY_S:
            left = self._asked_at + ASKED_EVERY_S - now
            raise NotDone(NoCode.WAIT, f"the table has just signed; ask again in {left:.0f} s")
        self._asked_at = now
        before = self._service.table_ledger.newest
        await self._reporter.settle(HeadAsked())
        try:
            async with asyncio.timeout(SIGNED_WITHIN_S):
                head = await self._wait_for_head(before)
        except TimeoutError as error:
            why = f"the key or the seal has not answered for {SIGNED_WITHIN_S:.0f} s"
            raise NotDone(NoCode.NO_ANSWER, why) from error
        facts = {"decision": "head-signed", "seq": head.seq, "counter": head.counter}
        return Done("done", decisions=(facts,), phase=self._service.state.shown_phase.value)

    async def _wait_for_head(self, after: int) -> HeadSigned:
        while self._newest is None or self._newest.seq <= after:
            self._changed.clear()
            await self._changed.wait()
        return self._newest

    def _on_settled(self, act: Act, _: Transition) -> None:
        if isinstance(act, HeadSigned):
            self._newest = act
            self._changed.set()


class _DriveRequest(Struct, eq=False):
    """A request to drive or to release outputs."""

    act: OutputsDriven
    session: LineSession | None
    """None: who asked has left."""


class LineActions:
    """Carries out requests on one service; every method checks the person's duty first."""

    def __init__(self, service: TableService) -> None:
        self.reporter = ActReporter(service)
        self._service = service
        self._driving: _DriveRequest | None = None
        self._requested: list[_DriveRequest] = []  # reported and not settled yet, oldest first
        service.watchers.append(self._on_driven)
        self._actions: Mapping[
            type[AnyRequest], Callable[[LineSession, Any], Awaitable[Done | No]]
        ] = {
            Declare: self._declare,
            EnrolBoard: self._enrol_board,
            DriveOutputs: self._drive,
            KeepSelfTest: self._keep_self_test,
        }

    async def do(self, session: LineSession, request: AnyRequest) -> Done | No:
        """Carry out a request and return the answer once it is on record. Raises NotDone."""
        return await self._actions[type(request)](session, request)

    async def _declare(self, session: LineSession, request: Declare) -> Done | No:
        """Declare, or only preview the declaration."""
        try:
            words = words_of(request.words)
            session.must_have(find_row(words).duty)
            act = parse_declaration(words, session.who)
            check_declared_at(act, self._service.rules.poker)
        except LineError as error:
            raise NotDone(NoCode.NOT_UNDERSTOOD, str(error)) from error
        return await self._act(act) if request.really else answer_step(self.reporter.preview(act))

    async def _enrol_board(self, session: LineSession, request: EnrolBoard) -> Done | No:
        """Enrol the boards that answer for a device."""
        session.must_have(Duty.TECHNICIAN)
        return await self._act(BoardEnrolled(request.device, request.boards, session.who))

    async def _drive(self, session: LineSession, request: DriveOutputs) -> Done | No:
        """Drive outputs until the session releases them or ends, or the key leaves S."""
        session.must_have(Duty.TECHNICIAN)
        if request.drive is not None:
            _must_exist(request.drive, self._service.rules.rail)
        self.reporter.must_have_room()
        act = OutputsDriven(session.who, request.drive)
        self._requested.append(_DriveRequest(act, session))
        return await self._act(act)

    def _on_driven(self, act: Act, step: Transition) -> None:
        """Note whose request drives the outputs now. A refused request changes nothing."""
        if not isinstance(act, OutputsDriven):
            return
        settled = next((one for one in self._requested if one.act is act), None)
        self._requested = [one for one in self._requested if one is not settled]
        if step.outcome is not ActOutcome.REFUSED:
            self._driving = settled if act.drive is not None else None
        self._release_for_who_has_left()

    def _release_for_who_has_left(self) -> None:
        """Release what somebody drives who has left, once no other request can come before it."""
        driving = self._driving
        if self._requested or driving is None or driving.session is not None:
            return
        self._driving = None
        if self._service.state.drive is not None:
            self._service.report(OutputsDriven(driving.act.who, None))

    async def _keep_self_test(self, session: LineSession, request: KeepSelfTest) -> Done | No:
        """Put a self-test on record."""
        session.must_have(Duty.TECHNICIAN)
        texts = [text for part in request.parts for text in (part.part, part.found)]
        if len(request.parts) > LONGEST_TEST or any(len(text) > LONGEST_TEXT for text in texts):
            why = f"at most {LONGEST_TEST} parts, {LONGEST_TEXT} characters of each"
            raise NotDone(NoCode.NOT_UNDERSTOOD, why)
        return await self._act(SelfTested(session.who, request.parts))

    def on_left(self, session: LineSession, why: Leaving) -> None:
        """Record that the person has left; release the outputs that the session drives.

        A release ends whatever is driven. So where somebody else drives, or has asked to, it waits
        until every request is settled.
        """
        service = self._service
        requests = [one for one in (self._driving, *self._requested) if one is not None]
        own = [one for one in requests if one.session is session]
        if len(own) < len(requests):
            for one in own:
                one.session = None
        elif own:
            self._driving, self._requested = None, []
            if service.state.drive is not None or not service.at_rest:
                service.report(OutputsDriven(session.who, None))
        service.report(Left(session.who, why.value))

    def must_be_in_service(self) -> None:
        """Raise NotDone unless the key stands at S and the table is in SERVICE."""
        state = self._service.state
        if not state.service or state.key is not KeyPosition.S:
            raise NotDone(Refusal.NOT_IN_SERVICE.value, "refused: turn the key to S first")

    def must_not_be_locked(self) -> None:
        """Raise NotDone while a ledger fault locks the table: nothing can be recorded."""
        if self._service.state.locked:
            raise NotDone(Refusal.LOCKED.value, "refused: the ledger cannot be written")

    async def _act(self, act: Act) -> Done | No:
        return answer_step(await self.reporter.settle(act))


def _must_exist(drive: Drive, rail: RailTraits | None) -> None:
    """Raise NotDone if this table does not have the outputs."""
    if rail is None and drive.slots != ALL_DARK:
        raise NotDone(NoCode.CANNOT, "this table has no slot lamps")
    if drive.gates and not (rail is not None and rail.gates):
        raise NotDone(NoCode.CANNOT, "this table has no gates")
