"""The pages of a simulated table, and the process that serves them, whose failures stay its own.

What is done on them is done to the cabinet, as by a scenario.
"""

import asyncio
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product

import msgspec
from msgspec import Struct

from console.child_process import ChildListener, ChildProcess, ChildProgram
from console.configuration.addresses import Listening
from console.line.access.login import PinLogin
from console.line.local_line import LineSource
from console.rules.acts import Act
from console.rules.codes import Duty
from console.rules.game_modules import advance
from console.rules.guide import guide_panel
from console.rules.round import ActOutcome
from console.rules.state import Rules, TableState
from console.rules.typed import LineError, words_of
from console.simulation.cabinet import SimulatedCabinet, SimulatedDisk
from console.simulation.scenario.acts import CabinetAct, Vocabulary, Wait, parse_act
from console.simulation.scenario.cabinet_facts import facts_of
from console.simulation.scenario.play import perform
from console.simulation.scenario.script import vocabulary_of
from console.simulation.scenario.simulated_machine import SimulatedMachine
from console.simulation.scenario.simulated_table import SimulatedTable
from console.texts.declarations.lines import parse_declaration
from console.texts.declarations.row import DrawerField
from console.web.messages import (
    ADDRESS_UNUSABLE,
    CERTIFICATE_UNUSABLE,
    LONGEST_ACT,
    LONGEST_MESSAGE,
    PORT_TAKEN,
    ActAnswer,
    ActRequest,
    DrawerAct,
    FromPages,
    PagesOpening,
    PinRequest,
    Serving,
    TableSnapshot,
    ToPages,
    decode_from_pages,
    encode_message,
)
from console.web.opening import opening_of
from console.web.table_pages import Feed, PinChecks, check_library, run_outlet, snapshot_of

log = logging.getLogger(__name__)

DECLARE = "declare "
MOST_SEATS = 11
"""Of a field with no more numbers than that each is tried, of another its ends and its first."""

TYPED = {
    "clockTime": ("600s",),
    "amount": ("1.00",),
    "rakeParts": tuple("+".join("1" * parts) for parts in range(1, MOST_SEATS + 1)),
    "rakeCap": ("30", "1"),
    "reason": ("1",),
}
"""What could be typed into each form of field."""


class DrawerGuide:
    """Says of each act whether it would be done; asks the rules again when the table changes.

    A door can always be moved.
    """

    def __init__(self, acts: tuple[DrawerAct, ...]) -> None:
        self._tries = tuple(
            tuple(list_tries(act)) if act.line.startswith(DECLARE) else None for act in acts
        )
        self._state: TableState | None = None
        self._possible: tuple[bool, ...] = ()

    def ask(self, state: TableState, rules: Rules, now: int) -> tuple[bool, ...]:
        """In the order of the acts; `now`: ms of the monotonic clock."""
        if state.settings is None:
            return ()  # nothing is adopted yet: it is no table so far
        if state is not self._state:
            self._state = state
            self._possible = tuple(
                tries is None
                or any(advance(state, act, rules, now).outcome is ActOutcome.DONE for act in tries)
                for tries in self._tries
            )
        return self._possible


def list_tries(act: DrawerAct) -> Iterator[Act]:
    """The declaration with what could stand in its fields."""
    for values in product(*(_values_of(field) for field in act.fields)):
        line = act.line.removeprefix(DECLARE)
        for value in values:
            line = line.replace("#", value, 1)
        yield parse_declaration(words_of(line), Duty.FLOOR_MANAGER.value)


def _values_of(field: DrawerField) -> tuple[str, ...]:
    if field.form in TYPED:
        return TYPED[field.form]
    if field.form == "level":
        return (str(field.first),)
    few = field.most - field.least < MOST_SEATS
    numbers = range(field.least, field.most + 1) if few else (field.first, field.least, field.most)
    return tuple(map(str, numbers))


WAITING_ACTS = 64
"""Acts that may wait at once; further ones are refused."""


class PageActs:
    """Does the page's acts one at a time, and answers each."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        simulated_table: SimulatedTable,
        vocabulary: Vocabulary,
        answer: Callable[[ActAnswer], None],
    ) -> None:
        self._loop = loop
        self._simulated_table = simulated_table
        self._vocabulary = vocabulary
        self._answer = answer
        self._under_way: set[asyncio.Task[None]] = set()

    def handle(self, request: ActRequest) -> None:
        """Do the act, or answer why not."""
        request = ActRequest(
            request.id, request.line[: LONGEST_ACT + 1]
        )  # an answer is no longer than it may be
        if len(self._under_way) >= WAITING_ACTS:
            self._answer(
                ActAnswer(request.id, request.line, why=f"{WAITING_ACTS} acts wait already")
            )
            return
        try:
            act = self._parse(request.line)
        except ValueError as error:
            self._answer(ActAnswer(request.id, request.line, why=str(error)))
            return
        task = self._loop.create_task(self._do(request, act))
        self._under_way.add(task)
        task.add_done_callback(self._on_done)

    async def end(self) -> None:
        """Cancel the acts that wait."""
        for task in self._under_way:
            task.cancel()
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=1)

    def _parse(self, line: str) -> CabinetAct:
        if len(line) > LONGEST_ACT:
            raise LineError(f"an act is at most {LONGEST_ACT} characters long")
        words = words_of(line)
        if not words:
            raise LineError("there is nothing to do")
        return parse_act(words, self._vocabulary)

    async def _do(self, request: ActRequest, act: CabinetAct) -> None:
        await perform(self._simulated_table, act)
        refused = None if isinstance(act, Wait) else self._simulated_table.observe().refused
        self._answer(ActAnswer(request.id, request.line, refused.value if refused else None))

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:  # like a callback that raises: it stops the table at once
            context = {"message": "an act on the page failed", "exception": error}
            self._loop.call_exception_handler(context)


NO_AUTHORITIES = {"SSL_CERT_FILE": os.devnull, "SSL_CERT_DIR": os.devnull}
"""The process calls nobody. Without these, aiohttp reads every certificate authority at its import,
a quarter of its start."""

PAGES = ChildProgram(
    what="the pages' process",
    module="console.web.serving",
    longest_line=LONGEST_MESSAGE,
    most_waiting=4 * LONGEST_MESSAGE,
    first_again_s=1.0,
    latest_again_s=30.0,
    environment=NO_AUTHORITIES,
)

WHY = {
    PORT_TAKEN: "another program uses {address} port {port}",
    ADDRESS_UNUSABLE: "{address} port {port} cannot be listened on",
    CERTIFICATE_UNUSABLE: "certificate or key cannot be used",
}


class ProcessListener(Struct, frozen=True):
    """Callbacks for what the process of a simulation sends."""

    on_message: Callable[[FromPages], None]
    on_complaint: Callable[[str], None]
    """Takes each line of its standard error."""


class PageProcess:
    """Runs the process that serves the pages, and starts it again when it has ended."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        opening: PagesOpening,
        listener: ProcessListener,
    ) -> None:
        self.on_started: Callable[[], None] = lambda: None
        """A process has been started and has been sent the opening."""
        self.on_ready: Callable[[], None] = lambda: None
        """The process has taken every message."""
        self._opening = opening
        self._listener = listener
        hears = ChildListener(self._on_line, self._on_error_line)
        self._child = ChildProcess(loop, PAGES, hears, self._open, self._on_ended, self._on_ready)

    @property
    def ready(self) -> bool:
        """Whether the process runs and has taken every message."""
        return self._child.ready

    @property
    def pid(self) -> int | None:
        """The process id; None while there is no process."""
        return self._child.pid

    def send(self, message: ToPages) -> None:
        """Send a message, if the process runs."""
        if self._child.pid is not None:
            self._child.send(encode_message(message))

    def start(self) -> None:
        """Start the process. Raises OSError."""
        self._child.start()

    async def end(self) -> None:
        """Close its input, so that it ends; kill it if it does not."""
        await self._child.end()

    def _open(self) -> None:
        self.send(self._opening)
        self.on_started()

    def _on_ready(self) -> None:
        self.on_ready()

    def _on_line(self, line: bytes) -> None:
        try:
            message = decode_from_pages(line)
        except ValueError as error:
            log.error("the pages' process has sent an invalid message: %s", error)
            self._child.kill()
            return
        self._listener.on_message(message)

    def _on_error_line(self, line: bytes) -> None:
        self._listener.on_complaint(line.decode(errors="replace"))

    def _on_ended(self, status: int, again_s: float) -> None:
        why = WHY.get(status, "their process has ended with status {status}").format(
            address=self._opening.listening.address,
            port=self._opening.listening.port,
            status=status,
        )
        log.error("the pages are not served: %s; tried again in %.0f s", why, again_s)


def snapshot_of_cabinet(
    simulated_table: SimulatedTable,
    cabinet: SimulatedCabinet,
    disk: SimulatedDisk,
    drawer: DrawerGuide,
) -> TableSnapshot:
    """A snapshot that includes the state of the cabinet."""
    service = simulated_table.service
    facts = facts_of(cabinet, disk, service)
    snapshot = snapshot_of(service, simulated_table.observe(), facts.key)
    now = service.clock.now()
    return msgspec.structs.replace(
        snapshot,
        powered=facts.powered,
        cabinet=facts.to_json(),
        guide=guide_panel(service.state, service.rules, now),
        declares=drawer.ask(service.state, service.rules, now),
    )


@contextmanager
def serve_simulated_pages(
    machine: SimulatedMachine,
    simulated_table: SimulatedTable,
    whose: LineSource,
    listening: Listening,
    login: PinLogin,
    on_serving: Callable[[str], None],
) -> Iterator[None]:
    """Serve them while the machine's loop runs. `on_serving` gets their address, each time.

    `login`: checks the PINs of who enters.

    Raises Unavailable, OSError.
    """
    check_library()
    loop, pin_checks = machine.loop, PinChecks(login)

    def handle_message(message: FromPages) -> None:
        match message:
            case ActRequest():
                acts.handle(message)
            case PinRequest():
                pin_checks.check(message, process.send, os.getuid())
            case Serving(url):
                on_serving(url)

    def answer(done: ActAnswer) -> None:
        process.send(done)
        feed.look_soon()

    listener = ProcessListener(handle_message, lambda line: log.warning("pages: %s", line))
    opening = opening_of(whose, listening)
    process = PageProcess(loop, opening, listener)
    drawer = DrawerGuide(opening.declarations)
    acts = PageActs(loop, simulated_table, vocabulary_of(machine.plan), answer)
    feed = Feed(
        loop,
        lambda: snapshot_of_cabinet(simulated_table, machine.cabinet, machine.disk, drawer),
        process,
        people=pin_checks.people,
    )
    machine.followers += [pin_checks.follow, feed.follow]
    machine.cabinet.watchers.append(feed.look_soon)
    pin_checks.follow(simulated_table.service)
    feed.follow(simulated_table.service)
    with run_outlet(loop, feed, process):
        try:
            yield
        finally:
            loop.run_until_complete(acts.end())
