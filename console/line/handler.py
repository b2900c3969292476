"""The desk of the local line: it answers whoever asks, and does what those who entered may do.

Everything is checked here, whatever face asks. Looking is answered from memory.
"""

from asyncio import AbstractEventLoop
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from console.configuration.table_plan import TablePlan
from console.line.access.login import LoginDesk
from console.line.actions import LineActions
from console.line.answer_size import newest
from console.line.answer_texts import (
    accounts_told,
    award_told,
    inputs_told,
    seats_told,
)
from console.line.entering import entrance, recorded
from console.line.fault_history import FaultHistory
from console.line.four_eyes import FourEyes
from console.line.reported_acts import NotDone
from console.line.requests import (
    AnyAnswer,
    AnyRequest,
    AskDevices,
    AskInputs,
    AskLog,
    AskSettings,
    AskStatus,
    ChangeSetting,
    CorrectAccounts,
    Devices,
    Done,
    Enter,
    Inputs,
    Leave,
    Log,
    No,
    NoCode,
    Person,
    Restart,
    SettingsView,
    Status,
)
from console.line.sessions import Leaving, LineSession, LineSessions
from console.line.settings_changes import FixedSettings, SettingsOfTable
from console.line.stuck_tokens import StuckTokens
from console.line.table_log import TableLog
from console.rules.codes import Duty
from console.service.health.log_ring import LogLine
from console.service.table_service import TableService
from console.texts.catalogue.findings import find

RESTART_AFTER_S = 0.2
"""So long after it was asked for, the service ends: the answer goes out first."""


MOST_FRAMES = 32
"""Frames of a line that are told at once."""


class LastLines(Protocol):
    """The log, as far as it is kept in memory."""

    def last(self, lines: int) -> Sequence[LogLine]:
        """So many of the last lines, oldest first."""


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What does not change while a process runs a table; `ledger`: its folder."""

    plan: TablePlan
    simulated: bool
    ledger: Path
    configuration: Path | None = None
    version: str = ""

    @property
    def whose(self) -> str:
        """Program and table, as the log names them."""
        return f"banco {self.version}, table {self.plan.table} ({self.plan.game})"


@dataclass(frozen=True, slots=True)
class HandlerParts:
    """What the desk works with beside the table; what is not there is answered with CANNOT.

    `health`: figures by their key. `restart`: ends the service, to be started again.
    """

    door: LoginDesk | None = None
    log: LastLines | None = None
    health: Callable[[], Mapping[str, float]] = dict
    settings: SettingsOfTable | None = None
    restart: Callable[[], None] | None = None


@dataclass(slots=True)
class _Running:
    """The service that runs the table now, what is done there, and what is known of its faults."""

    service: TableService
    began: float
    whose: InitVar[str]
    doing: LineActions = field(init=False)
    diary: FaultHistory = field(init=False)
    sticking: StuckTokens = field(init=False)
    log: TableLog = field(init=False)

    def __post_init__(self, whose: str) -> None:
        self.doing = LineActions(self.service)
        self.diary = FaultHistory(self.service)
        self.sticking = StuckTokens(self.service)
        self.log = TableLog(self.service, whose)


class LineHandler:
    """Answers requests about one table, whose service is another one after each power cut."""

    def __init__(
        self, loop: AbstractEventLoop, facts: TableFacts, fittings: HandlerParts | None = None
    ) -> None:
        self._loop = loop
        self._facts = facts
        self._fittings = fittings or HandlerParts()
        self._settings = self._fittings.settings or FixedSettings(facts.plan)
        self._running: _Running | None = None
        self._visitors = LineSessions(loop, self._left)
        self._looking: Mapping[type[AnyRequest], Callable[[LineSession, Any], AnyAnswer]] = {
            AskStatus: self._status,
            AskInputs: self._inputs,
            AskDevices: self._devices,
            AskLog: self._log,
            AskSettings: self._settings_told,
        }
        self._doing: Mapping[
            type[AnyRequest], Callable[[LineSession, Any], Awaitable[AnyAnswer]]
        ] = {
            Enter: self._enter,
            Leave: self._leave,
            ChangeSetting: self._change_setting,
            CorrectAccounts: self._correct,
            Restart: self._restart,
        }

    def follow(self, service: TableService | None) -> None:
        """The service that runs the table from now on; None: its power is out."""
        self._visitors.forget_all()
        if self._running is not None:
            self._running.doing.acting.end()
        self._running = None
        if service is not None:
            self._running = _Running(service, self._loop.time(), self._facts.whose)

    def come(self) -> LineSession:
        """A connection has been made."""
        return self._visitors.come()

    def go(self, visitor: LineSession) -> None:
        """The connection has ended."""
        self._visitors.go(visitor)

    async def ask(self, visitor: LineSession, request: AnyRequest) -> AnyAnswer:
        """The answer; what takes longer than 10 s is answered with NO_ANSWER."""
        kind = type(request)
        try:
            if kind in self._looking:
                return self._looking[kind](visitor, request)
            if kind in self._doing:
                return await self._doing[kind](visitor, request)
            return await self._table.doing.do(visitor, request)
        except NotDone as not_done:
            return not_done.no

    def admit(self, visitor: LineSession, who: str, duties: tuple[Duty, ...], until: float) -> None:
        """Somebody has given name and PIN, for so long (seconds of the loop's clock)."""
        self._visitors.admit(visitor, who, duties, until)

    @property
    def _table(self) -> _Running:
        if self._running is None:
            raise NotDone(NoCode.NO_POWER, "the simulated cabinet's plug is out")
        return self._running

    # Looking

    def _status(self, visitor: LineSession, _request: AskStatus) -> Status:
        table, facts, health = self._table, self._facts, self._fittings.health()
        service, plan = table.service, facts.plan
        state = service.state
        inputs = inputs_told(service.drivers.inputs(), service.combinations)
        return Status(
            table=plan.table,
            game=plan.game,
            rail=plan.rail.value if plan.rail else "",
            language=plan.language.value,
            simulated=facts.simulated,
            phase=state.shown_phase.value,
            underneath=state.phase.value,
            key=state.key.value if state.key else "",
            round=state.round,
            seats=seats_told(state.seats),
            choice=state.choice.value if state.choice else "",
            award=award_told(state),
            accounts=accounts_told(state.balances),
            faults=table.diary.told(),
            findings=find(inputs, service.drivers.figures(), table.sticking.times(), health),
            links={device.value: up for device, up in service.links.items()},
            display=service.display.lines,
            driven=state.drive is not None,
            version=facts.version,
            boot=service.table_ledger.boot,
            up_s=round(self._loop.time() - table.began),
            settings_version=state.settings.version if state.settings else 0,
            waiting_acts=service.waiting_acts,
            ledger=str(facts.ledger),
            configuration=str(facts.configuration or ""),
            health=health,
            person=visitor.who,
            duties=visitor.duties,
            person_left_s=self._visitors.left_s(visitor),
        )

    def _inputs(self, _visitor: LineSession, _request: AskInputs) -> Inputs:
        service = self._table.service
        return Inputs(inputs_told(service.drivers.inputs(), service.combinations))

    def _devices(self, _visitor: LineSession, request: AskDevices) -> Devices:
        return Devices(
            self._table.service.drivers.figures(min(max(0, request.frames), MOST_FRAMES))
        )

    def _log(self, _visitor: LineSession, request: AskLog) -> Log:
        if self._fittings.log is None:
            raise NotDone(NoCode.CANNOT, "no log is kept in memory here")
        return Log(newest(tuple(self._fittings.log.last(request.lines))))

    def _settings_told(self, _visitor: LineSession, _request: AskSettings) -> SettingsView:
        settings = self._table.service.state.settings
        return SettingsView(settings.version if settings else 0, self._settings.told())

    # Entering and leaving

    async def _enter(self, visitor: LineSession, request: Enter) -> Person:
        table = self._table
        entered = await entrance(self._fittings.door, request.name, request.pin)
        person = await recorded(entered, table.doing.acting)
        if self._running is not table:
            raise NotDone(NoCode.NO_POWER, "the power went; nobody has entered")
        self.admit(visitor, person.name, person.duties, person.until_ms / 1000)
        return Person(person.name, person.duties, self._visitors.left_s(visitor))

    async def _leave(self, visitor: LineSession, _request: Leave) -> Done:
        phase = self._table.service.state.shown_phase
        self._visitors.out(visitor, Leaving.SAID)
        return Done("done", phase=phase.value)

    def _left(self, visitor: LineSession, why: Leaving) -> None:
        if self._running is not None:
            self._running.doing.left(visitor, why)

    # Doing

    async def _change_setting(self, visitor: LineSession, request: ChangeSetting) -> Done:
        visitor.must_have(Duty.TECHNICIAN)
        table = self._table
        table.doing.must_be_in_service()
        table.doing.must_not_be_locked()
        return await self._settings.change(visitor.who, request, table.service, table.doing.acting)

    async def _correct(self, visitor: LineSession, request: CorrectAccounts) -> Done | No:
        table = self._table
        eyes = FourEyes(table.doing.acting, self._fittings.door)
        if not request.really:
            return eyes.would(visitor, request)
        return await eyes.correct(visitor, request, lambda: self._running is table)

    async def _restart(self, visitor: LineSession, _request: Restart) -> Done | No:
        visitor.must_have(Duty.TECHNICIAN)
        table = self._table
        table.doing.must_be_in_service()
        if self._fittings.restart is None:
            raise NotDone(NoCode.CANNOT, "this service is not restarted from here")
        self._visitors.out(visitor, Leaving.RESTART)
        self._loop.call_later(RESTART_AFTER_S, self._fittings.restart)
        return Done("done", phase=table.service.state.shown_phase.value)
