"""Answers the local line's requests.

All rights are checked here, whichever client asks. Read requests are answered from memory.
"""

from asyncio import AbstractEventLoop
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from msgspec import UNSET, Struct

from console.configuration.limits import Limits
from console.configuration.overrides import needs_two_people
from console.configuration.table_plan import TablePlan
from console.line.access.login import PinLogin
from console.line.actions import HeadSigning, LineActions
from console.line.answer_texts import (
    answer_step,
    describe_award,
    describe_seats,
    format_accounts,
    name_inputs,
)
from console.line.fault_history import FaultHistory, StuckTokens
from console.line.four_eyes import FourEyes
from console.line.requests import (
    AnyAnswer,
    AnyRequest,
    AskDevices,
    AskInputs,
    AskLog,
    AskSettings,
    AskStatus,
    ChangeSetting,
    ClearFault,
    CorrectAccounts,
    Devices,
    Done,
    Enter,
    Inputs,
    Log,
    LogOut,
    No,
    NoCode,
    NotDone,
    Person,
    Restart,
    SettingsView,
    SignHead,
    Status,
    choose_newest_lines,
    view_boards,
)
from console.line.sessions import (
    Leaving,
    LineSession,
    LineSessions,
    check_login,
    end_logins_with_key,
    record_login,
)
from console.line.settings_changes import ByWhom, FixedSettings, SettingsOfTable
from console.line.table_log import TableLog
from console.rules.acts import Cleared
from console.rules.board_marks import BoardMarks
from console.rules.codes import CLEARED_BY_TWO, Duty
from console.rules.observation import is_at_limit
from console.rules.round.draft import ActOutcome
from console.rules.settings import NextJackpot
from console.rules.structs import replace
from console.service.health.log_ring import LogLine
from console.service.table_service import TableService
from console.texts.catalogue.findings import Finding, find
from devices.figures import InputFigures

RESTART_AFTER_S = 0.2
"""The service ends this long after the request, so that the answer is sent first."""

MOST_FRAMES = 32
"""Most frames of one line in an answer."""


class LastLines(Protocol):
    """The part of the log that is kept in memory."""

    def last(self, lines: int) -> Sequence[LogLine]:
        """Return the last lines, oldest first."""


class TableFacts(Struct, frozen=True):
    """What does not change while a process runs a table."""

    plan: TablePlan
    simulated: bool
    ledger: Path
    """The ledger's folder."""

    configuration: Path | None = None
    version: str = ""
    key_store: str = ""
    """Where the table's own key is: `tpm`, `file`, or "" without one."""
    configuration_sha256: str = ""

    @property
    def title(self) -> str:
        """Program and table, for the log."""
        return f"banco {self.version}, table {self.plan.table} ({self.plan.fitted.known_as})"


class HandlerParts(Struct, frozen=True):
    """What the handler works with beside the table. Requests for a missing part get CANNOT."""

    login: PinLogin | None = None
    log: LastLines | None = None
    health: Callable[[], Mapping[str, float]] = dict
    """Returns the figures of docs/reference/health.md by their key."""

    limits: Limits = Limits()
    settings: SettingsOfTable | None = None
    restart: Callable[[], None] | None = None
    """Ends the service; systemd starts it again."""


class _Running:
    """The service that runs the table now, and the parts that follow it.

    `began`: when the service started, in seconds of the loop's clock.
    """

    def __init__(self, service: TableService, began: float, title: str) -> None:
        self.service = service
        self.began = began
        self.actions = LineActions(service)
        self.fault_history = FaultHistory(service)
        self.stuck_tokens = StuckTokens(service)
        self.log = TableLog(service, title)
        self.head_signing = HeadSigning(service, self.actions.reporter)


class LineHandler:
    """Answers requests about one table. After a power cut another service runs the table."""

    def __init__(
        self, loop: AbstractEventLoop, facts: TableFacts, parts: HandlerParts | None = None
    ) -> None:
        self._loop = loop
        self._facts = facts
        self._parts = parts or HandlerParts()
        self._settings = self._parts.settings or FixedSettings(facts.plan)
        self._running: _Running | None = None
        self.sessions = LineSessions(loop, self._on_left)
        """Of its connections."""

        self._reads: Mapping[type[AnyRequest], Callable[[LineSession, Any], AnyAnswer]] = {
            AskStatus: self._status,
            AskInputs: self._inputs,
            AskDevices: self._devices,
            AskLog: self._log,
            AskSettings: self._settings_view,
        }
        self._acts: Mapping[
            type[AnyRequest], Callable[[LineSession, Any], Awaitable[AnyAnswer]]
        ] = {
            Enter: self._enter,
            LogOut: self._leave,
            ChangeSetting: self._change_setting,
            ClearFault: self._clear,
            CorrectAccounts: self._correct,
            Restart: self._restart,
            SignHead: self._sign_head,
        }

    def follow(self, service: TableService | None) -> None:
        """Follow the service that runs the table from now on; None: its power is off."""
        self.sessions.forget_all()
        if self._running is not None:
            self._running.actions.reporter.end()
        self._running = None
        if service is not None:
            self._running = _Running(service, self._loop.time(), self._facts.title)
            service.watchers.append(end_logins_with_key(service, self._end_all))

    def _end_all(self) -> None:
        """The technician has turned the key back: whoever is still entered has gone with it."""
        self._loop.call_soon(self.sessions.end_all, Leaving.KEY)

    async def ask(self, session: LineSession, request: AnyRequest) -> AnyAnswer:
        """Return the answer to a request.

        Each wait in it has its own deadline, and a request may have several: 10 s for a PIN and for
        each act, 15 s for a signed head (NO_ANSWER), 5 s for each access to the disk (CANNOT).
        """
        kind = type(request)
        try:
            if kind in self._reads:
                return self._reads[kind](session, request)
            if kind in self._acts:
                return await self._acts[kind](session, request)
            return await self._table.actions.do(session, request)
        except NotDone as not_done:
            return not_done.no

    @property
    def _table(self) -> _Running:
        if self._running is None:
            raise NotDone(NoCode.NO_POWER, "the simulated cabinet's plug is out")
        return self._running

    # Read requests

    def _status(self, session: LineSession, _request: AskStatus) -> Status:
        table, facts, health = self._table, self._facts, self._parts.health()
        service, plan = table.service, facts.plan
        state = service.state
        return Status(
            table=plan.table,
            game=plan.game,
            known_as=plan.fitted.known_as,
            rail=plan.rail.value if plan.rail else "",
            language=plan.language.value,
            simulated=facts.simulated,
            phase=state.shown_phase.value,
            underneath=state.phase.value,
            key=state.key.value if state.key else "",
            round=state.round,
            seats=describe_seats(state.seats),
            choice=state.choice if state.choice else "",
            award=describe_award(state),
            accounts=format_accounts(state.balances),
            faults=table.fault_history.list_present(),
            findings=self._find(health),
            devices_up={device.value: up for device, up in service.devices_up.items()},
            boards=view_boards(state),
            display=service.display.lines,
            driven=state.drive is not None,
            version=facts.version,
            boot=service.table_ledger.boot,
            up_s=round(self._loop.time() - table.began),
            settings_version=state.settings.version if state.settings else 0,
            waiting_acts=service.waiting_acts,
            ledger=str(facts.ledger),
            configuration=str(facts.configuration or ""),
            configuration_sha256=facts.configuration_sha256,
            health=health,
            key_store=facts.key_store,
            person=session.name,
            duties=session.duties,
            person_left_s=self.sessions.seconds_left(session),
            prizes=plan.prizes,
            at_limit=is_at_limit(state, plan.prizes) or UNSET,
            release=state.release,
        )

    def _find(self, health: Mapping[str, float]) -> tuple[Finding, ...]:
        drivers, boards = self._table.service.drivers, self._table.service.state.boards
        return find(
            self._read_inputs(),
            drivers.figures(),
            self._table.stuck_tokens.count_by_seat(),
            health,
            boards.asked if isinstance(boards, BoardMarks) else (),
            [device.value for device in drivers.without_keys],
        )

    def _inputs(self, _session: LineSession, _request: AskInputs) -> Inputs:
        return Inputs(self._read_inputs())

    def _read_inputs(self) -> tuple[InputFigures, ...]:
        service = self._table.service
        names = service.combinations or service.rules.game.first_legends
        return name_inputs(service.drivers.inputs(), names)

    def _devices(self, _session: LineSession, request: AskDevices) -> Devices:
        return Devices(
            self._table.service.drivers.figures(min(max(0, request.frames), MOST_FRAMES))
        )

    def _log(self, _session: LineSession, request: AskLog) -> Log:
        if self._parts.log is None:
            raise NotDone(NoCode.CANNOT, "no log is kept in memory here")
        return Log(choose_newest_lines(tuple(self._parts.log.last(request.lines))))

    def _settings_view(self, _session: LineSession, _request: AskSettings) -> SettingsView:
        state = self._table.service.state
        version = state.settings.version if state.settings else 0
        waiting = state.next_jackpot.written if isinstance(state.next_jackpot, NextJackpot) else ()
        return SettingsView(version, self._settings.list_settings(waiting))

    # Login

    async def _enter(self, session: LineSession, request: Enter) -> Person:
        table = self._table
        result = await check_login(self._parts.login, request.name, request.pin)
        person = await record_login(result, table.actions.reporter, session.uid)
        if self._running is not table:
            raise NotDone(NoCode.NO_POWER, "the power was cut; nobody has entered")
        self.sessions.admit(session, person)
        left_s = self.sessions.seconds_left(session)
        return Person(person.name, person.duties, left_s, person.pin_ends)

    async def _leave(self, session: LineSession, _request: LogOut) -> Done:
        phase = self._table.service.state.shown_phase
        self.sessions.end_login(session, Leaving.LEFT)
        return Done("done", phase=phase.value)

    def _on_left(self, session: LineSession, why: Leaving) -> None:
        if self._running is not None:
            self._running.actions.on_left(session, why)

    # Changes

    async def _clear(self, session: LineSession, request: ClearFault) -> Done | No:
        session.must_have(Duty.TECHNICIAN)
        table, fault = self._table, request.fault
        reporter = table.actions.reporter
        if fault not in CLEARED_BY_TWO:
            return answer_step(await reporter.settle(Cleared(fault, session.who)))
        table.actions.must_be_in_service()
        table.actions.must_not_be_locked()
        async with self._four_eyes.second_person(
            session, request, lambda: self._running is table
        ) as second:
            return answer_step(await reporter.settle(Cleared(fault, session.who, second=second)))

    async def _change_setting(self, session: LineSession, request: ChangeSetting) -> Done:
        session.must_have(Duty.TECHNICIAN)
        table = self._table
        table.actions.must_be_in_service()
        table.actions.must_not_be_locked()
        reporter = table.actions.reporter
        if not request.really or not needs_two_people(request.key):
            return await self._settings.change(ByWhom(session.who), request, reporter)
        checked = replace(request, really=False)
        preview = await self._settings.change(ByWhom(session.who), checked, reporter)
        if preview.outcome != ActOutcome.DONE.value:
            return preview
        async with self._four_eyes.second_person(
            session, request, lambda: self._running is table
        ) as second:
            table.actions.must_be_in_service()  # the key may have moved meanwhile
            return await self._settings.change(ByWhom(session.who, second), request, reporter)

    async def _correct(self, session: LineSession, request: CorrectAccounts) -> Done | No:
        table = self._table
        if not request.really:
            return self._four_eyes.preview(session, request)
        return await self._four_eyes.correct(session, request, lambda: self._running is table)

    @property
    def _four_eyes(self) -> FourEyes:
        return FourEyes(self._table.actions.reporter, self._parts.login, self._parts.limits)

    async def _sign_head(self, _session: LineSession, _request: SignHead) -> Done:
        table = self._table
        table.actions.must_not_be_locked()
        return await table.head_signing.sign()

    async def _restart(self, session: LineSession, _request: Restart) -> Done | No:
        session.must_have(Duty.TECHNICIAN)
        table = self._table
        table.actions.must_be_in_service()
        if self._parts.restart is None:
            raise NotDone(NoCode.CANNOT, "this service is not restarted from here")
        self.sessions.end_login(session, Leaving.RESTART)
        self._loop.call_later(RESTART_AFTER_S, self._parts.restart)
        return Done("done", phase=table.service.state.shown_phase.value)
