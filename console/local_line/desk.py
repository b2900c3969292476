"""The desk of the local line: it answers whoever asks, and does what those who entered may do.

Everything is checked here, whatever face asks. Looking is answered from memory.
"""

from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from console.acts import Act, Cleared, Left, OutputsDriven, SelfTested
from console.codes import Duty
from console.declaring import parse_declaration
from console.line_words import LineError, words_of
from console.local_line.acting import Acting, NotDone
from console.local_line.requests import (
    AnyAnswer,
    AnyRequest,
    AskDevices,
    AskInputs,
    AskLog,
    AskSettings,
    AskStatus,
    ChangeSetting,
    ClearFault,
    Declare,
    Devices,
    Done,
    DriveOutputs,
    Enter,
    FaultTold,
    Inputs,
    KeepSelfTest,
    Leave,
    Log,
    LogLine,
    No,
    NoCode,
    Person,
    Restart,
    SettingsTold,
    Status,
)
from console.local_line.telling import (
    accounts_told,
    award_told,
    inputs_told,
    seats_told,
    step_told,
)
from console.plan import TablePlan
from console.round import advance
from console.service import TableService

ENTERED_S = 600
"""Ten minutes after the PIN it must be given again."""


class LastLines(Protocol):
    """The log, as far as it is kept in memory."""

    def last(self, lines: int) -> Sequence[LogLine]:
        """So many of the last lines, oldest first."""


class NoLines:
    """Where no log is kept."""

    def last(self, lines: int) -> Sequence[LogLine]:
        """None."""
        del lines
        return ()


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What does not change while a process runs a table."""

    plan: TablePlan
    simulated: bool
    ledger: Path
    configuration: Path | None = None
    version: str = ""


@dataclass(frozen=True, slots=True)
class Sources:
    """What else the desk tells: the log, and the service's figures about itself."""

    log: LastLines = field(default_factory=NoLines)
    health: Callable[[], Mapping[str, float]] = dict


@dataclass(slots=True, eq=False)
class Visitor:
    """One connection: who has entered on it, and until when (ms of the loop's clock)."""

    who: str = ""
    duties: tuple[Duty, ...] = ()
    until: float = 0.0
    timer: TimerHandle | None = None


class TableDesk:
    """Answers requests about one table after another: each power cut brings another service."""

    def __init__(
        self, loop: AbstractEventLoop, facts: TableFacts, sources: Sources | None = None
    ) -> None:
        self._loop = loop
        self._facts = facts
        self._sources = sources or Sources()
        self._service: TableService | None = None
        self._acting: Acting | None = None
        self._began = loop.time()
        self._visitors: list[Visitor] = []
        self._driving: Visitor | None = None
        self._looking: Mapping[type[AnyRequest], Callable[[Visitor, Any], AnyAnswer]] = {
            AskStatus: self._status,
            AskInputs: self._inputs,
            AskDevices: self._devices,
            AskLog: self._log,
            AskSettings: self._settings,
        }
        self._doing: Mapping[type[AnyRequest], Callable[[Visitor, Any], Awaitable[AnyAnswer]]] = {
            Enter: self._enter,
            Leave: self._leave,
            Declare: self._declare,
            ClearFault: self._clear,
            DriveOutputs: self._drive,
            ChangeSetting: self._change_setting,
            Restart: self._restart,
            KeepSelfTest: self._keep_self_test,
        }

    def follow(self, service: TableService | None) -> None:
        """The service that runs the table from now on; None: its power is out."""
        for visitor in self._visitors:
            _forget(visitor)
        self._driving = None
        if self._acting is not None:
            self._acting.end()
        self._service = service
        self._acting = Acting(service) if service is not None else None
        self._began = self._loop.time()

    def visitor(self) -> Visitor:
        """Somebody has come, and has not entered yet."""
        visitor = Visitor()
        self._visitors.append(visitor)
        return visitor

    def gone(self, visitor: Visitor) -> None:
        """The connection has ended."""
        self._out(visitor, "the connection ended")
        self._visitors.remove(visitor)

    async def ask(self, visitor: Visitor, request: AnyRequest) -> AnyAnswer:
        """The answer, within 10 s."""
        kind = type(request)
        try:
            if self._service is None:
                raise NotDone(NoCode.NO_POWER, "the simulated cabinet's plug is out")
            if kind in self._looking:
                return self._looking[kind](visitor, request)
            return await self._doing[kind](visitor, request)
        except NotDone as refused:
            return refused.no

    def admit(self, visitor: Visitor, who: str, duties: tuple[Duty, ...]) -> None:
        """Somebody has given the right PIN."""
        visitor.who, visitor.duties = who, duties
        visitor.until = self._loop.time() + ENTERED_S
        visitor.timer = self._loop.call_later(ENTERED_S, self._out, visitor, "time was up")

    # Looking

    @property
    def _table(self) -> TableService:
        if self._service is None:
            raise NotDone(NoCode.NO_POWER, "the simulated cabinet's plug is out")
        return self._service

    def _status(self, visitor: Visitor, _request: AskStatus) -> Status:
        service, facts = self._table, self._facts
        state, plan = service.state, facts.plan
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
            faults=tuple(FaultTold(fault) for fault in state.faults),
            findings=(),
            links={device.value: up for device, up in service.links.items()},
            display=service.display.lines,
            driven=state.drive is not None,
            version=facts.version,
            boot=service.books.boot,
            up_s=round(self._loop.time() - self._began),
            settings_version=state.settings.version if state.settings else 0,
            waiting_acts=service.waiting_acts,
            ledger=str(facts.ledger),
            configuration=str(facts.configuration or ""),
            health=self._sources.health(),
            person=visitor.who,
            duties=visitor.duties,
            person_left_s=self._left_s(visitor),
        )

    def _inputs(self, _visitor: Visitor, _request: AskInputs) -> Inputs:
        service = self._table
        return Inputs(inputs_told(service.parts.inputs(), service.combinations))

    def _devices(self, _visitor: Visitor, _request: AskDevices) -> Devices:
        return Devices(self._table.parts.figures())

    def _log(self, _visitor: Visitor, request: AskLog) -> Log:
        return Log(tuple(self._sources.log.last(request.lines)))

    def _settings(self, _visitor: Visitor, _request: AskSettings) -> SettingsTold:
        settings = self._table.state.settings
        return SettingsTold(settings.version if settings else 0, ())

    # Entering and leaving

    async def _enter(self, _visitor: Visitor, _request: Enter) -> Person | No:
        return No(NoCode.CANNOT, "nobody can enter yet")

    async def _leave(self, visitor: Visitor, _request: Leave) -> Done:
        self._out(visitor, "left")
        return Done("done", phase=self._table.state.shown_phase.value)

    def _left_s(self, visitor: Visitor) -> int:
        return max(0, round(visitor.until - self._loop.time())) if visitor.who else 0

    def _out(self, visitor: Visitor, why: str) -> None:
        """Who has entered leaves; what he drives is let go."""
        if not visitor.who:
            return
        service = self._table
        if self._driving is visitor:
            self._driving = None
            service.report(OutputsDriven(visitor.who, None))
        service.report(Left(visitor.who, why))
        _forget(visitor)

    # Doing

    async def _declare(self, visitor: Visitor, request: Declare) -> Done | No:
        _has(visitor, Duty.FLOOR_MANAGER)
        try:
            act = parse_declaration(words_of(request.words), visitor.who)
        except LineError as error:
            raise NotDone(NoCode.NOT_UNDERSTOOD, str(error)) from error
        if request.really:
            return await self._act(act)
        service = self._table
        return step_told(advance(service.state, act, service.rules, service.clock.now()))

    async def _clear(self, visitor: Visitor, request: ClearFault) -> Done | No:
        _has(visitor, Duty.TECHNICIAN)
        return await self._act(Cleared(request.fault, visitor.who))

    async def _drive(self, visitor: Visitor, request: DriveOutputs) -> Done | No:
        _has(visitor, Duty.TECHNICIAN)
        if request.drive is not None:
            self._driving = visitor
        return await self._act(OutputsDriven(visitor.who, request.drive))

    async def _change_setting(self, visitor: Visitor, _request: ChangeSetting) -> Done | No:
        _has(visitor, Duty.TECHNICIAN)
        return No(NoCode.CANNOT, "this table has no settings to change")

    async def _restart(self, visitor: Visitor, _request: Restart) -> Done | No:
        _has(visitor, Duty.TECHNICIAN)
        return No(NoCode.CANNOT, "this table is not restarted from here")

    async def _keep_self_test(self, visitor: Visitor, request: KeepSelfTest) -> Done | No:
        _has(visitor, Duty.TECHNICIAN)
        return await self._act(SelfTested(visitor.who, request.parts))

    async def _act(self, act: Act) -> Done | No:
        if self._acting is None:
            raise NotDone(NoCode.NO_POWER, "the simulated cabinet's plug is out")
        return step_told(await self._acting.settled(act))


def _forget(visitor: Visitor) -> None:
    if visitor.timer is not None:
        visitor.timer.cancel()
    visitor.who, visitor.duties, visitor.until, visitor.timer = "", (), 0.0, None


def _has(visitor: Visitor, duty: Duty) -> None:
    """Raises NotDone unless somebody with this duty has entered."""
    if not visitor.who:
        raise NotDone(NoCode.NOT_ENTERED, "give your name and PIN first")
    if duty not in visitor.duties:
        raise NotDone(NoCode.NOT_YOUR_DUTY, f"{visitor.who} is not enrolled as {duty.value}")
