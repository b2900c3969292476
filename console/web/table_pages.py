"""The pages of a running table: the way to their process, the snapshots and PINs that go there.

A snapshot is sent after the table's lamps have been written. An act costs the table a flag and a
timer. A slow reader costs nothing: the next snapshot is built only when the last message has been
taken, and shows the newest state.

The pages' process may lie or flood: few checks at a time. Wrong PINs count apart from the line's:
nobody on the network keeps a person out of the line.
"""

import logging
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import msgspec

from console.configuration.addresses import Listening
from console.configuration.places import PAGES_SOCKET
from console.line.access.login import PINS_OF_PAGES, LoginResult, PinLogin, make_refusal
from console.line.local_line import LineSource
from console.line.requests import NoCode
from console.rules.acts import Act
from console.rules.game_modules import display_changes_at, legends
from console.rules.observation import Observation, observe_table, outputs_as_ordered
from console.rules.poker.poker_shown import PokerShown, show_poker
from console.rules.poker_settings import PokerSettings
from console.rules.poker_state import PokerState
from console.rules.round import Transition
from console.rules.state import TableState
from console.service.table_service import Follower, TableService
from console.web.messages import (
    HEARTBEAT_S,
    Heartbeat,
    PinAnswer,
    PinRequest,
    TableSnapshot,
    ToPages,
)
from console.web.opening import opening_of
from console.web.page_socket import PageSocket
from devices.roles import KeyPosition
from jackpot.failures import Unavailable
from jackpot.money.amounts import format_cents

AFTER_ACT_S = 0.01
"""The delay after an act: lamps and display have been written by then."""

BETWEEN_SNAPSHOTS_S = 0.04
"""At most 25 snapshots are sent a second."""


class Outlet(Protocol):
    """Where the messages go."""

    @property
    def ready(self) -> bool:
        """Whether a reader is there and has taken every message."""

    def send(self, message: ToPages) -> None:
        """Send it; never waits."""


class Feed:
    """Sends a snapshot when the table has changed, and a heartbeat each second."""

    def __init__(
        self,
        loop: AbstractEventLoop,
        look: Callable[[], TableSnapshot | None],
        outlet: Outlet,
        people: Callable[[], str] = str,
        may_differ: Callable[[], bool] = lambda: True,
    ) -> None:
        """`look` returns the table as it is now, or None while there is no table.

        `people`: as in `Heartbeat`. `may_differ`: whether something that no act tells may have
        changed since the last look.
        """
        self._loop = loop
        self._look = look
        self._outlet = outlet
        self._people = people
        self._may_differ = may_differ
        self._sent: TableSnapshot | None = None
        self._sent_at = 0.0
        self._looking: TimerHandle | None = None
        self._beat: TimerHandle | None = None
        self._owed = False

    def start(self) -> None:
        """Send from now on, by the loop's timers."""
        self._beat = self._loop.call_later(HEARTBEAT_S, self._do_beat)

    def stop(self) -> None:
        """Send nothing more."""
        for timer in (self._beat, self._looking):
            if timer is not None:
                timer.cancel()
        self._beat = self._looking = None

    def follow(self, service: TableService | None) -> None:
        """Show this service from now on; None: its power is out."""
        if service is not None:
            service.watchers.append(self._on_step)
        self.look_soon()

    def look_soon(self) -> None:
        """Look at the table soon."""
        if self._looking is None:
            due = max(self._loop.time() + AFTER_ACT_S, self._sent_at + BETWEEN_SNAPSHOTS_S)
            self._looking = self._loop.call_at(due, self._send_difference)

    def start_afresh(self) -> None:
        """Begin with a new reader, which has been sent nothing yet."""
        self._sent = None
        self.look_soon()

    def on_outlet_ready(self) -> None:
        """The outlet has taken every message."""
        if self._owed:
            self.look_soon()

    def _on_step(self, _act: Act, _step: Transition) -> None:
        self.look_soon()

    def _send_difference(self) -> None:
        self._looking = None
        self._owed = not self._outlet.ready
        if self._owed:
            return
        snapshot = self._look()
        if snapshot is None or self._is_known(snapshot):
            return
        self._sent, self._sent_at = snapshot, self._loop.time()
        self._outlet.send(snapshot)

    def _is_known(self, snapshot: TableSnapshot) -> bool:
        """Whether nothing but the time differs."""
        sent = self._sent
        if sent is None:
            return False
        return msgspec.structs.replace(snapshot, wall=sent.wall, now=sent.now) == sent

    def _do_beat(self) -> None:
        """Send a heartbeat, and look if what no act tells may have changed."""
        self._beat = self._loop.call_later(HEARTBEAT_S, self._do_beat)
        if self._outlet.ready:
            self._outlet.send(Heartbeat(self._people()))
        rests = self._looking is None and self._loop.time() >= self._sent_at + BETWEEN_SNAPSHOTS_S
        if rests and self._may_differ():
            self._send_difference()


log = logging.getLogger(__name__)

Reply = Callable[[PinAnswer], None]

BUSY = LoginResult("?", refused=NoCode.WAIT, why="too many PINs at a time", wait_s=1)

LIBRARY = "aiohttp"


class PinChecks:
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
                self._service.report(make_refusal(result, uid))
            elif result.person is not None:
                self._people = result.people
                log.info("the supervisor's page, user id %s: %s has entered", uid, result.on_record)
            reply(self._answer(request.id, result))

        self._login.enter(request.name, request.pin, on_login)

    def _answer(self, to: int, result: LoginResult) -> PinAnswer:
        person = result.person
        return PinAnswer(
            to,
            result.name,
            on_record=result.on_record,
            duties=person.duties if person is not None else (),
            pin_ends=person.pin_ends if person is not None else "",
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


class TableLook:
    """Looks at a real table, and knows until when only an act changes what was seen."""

    def __init__(self) -> None:
        self._service: TableService | None = None
        self._seen: TableState | None = None
        self._until: int | None = None

    def follow(self, service: TableService | None) -> None:
        """Look at this service from now on; None: there is no table."""
        self._service, self._seen = service, None

    def look(self) -> TableSnapshot | None:
        """The table as it is now; None: there is none."""
        service = self._service
        if service is None:
            return None
        self._seen = service.state
        self._until = display_changes_at(service.state, service.rules, service.clock.now())
        return snapshot_of_table(service)

    def may_differ(self) -> bool:
        """Whether the table may look otherwise than at the last look. Only clocks move by
        themselves, and those that are seen are on the display."""
        service = self._service
        if service is None or service.state is not self._seen:
            return True
        return self._until is not None and service.clock.now() >= self._until


def snapshot_of_table(service: TableService) -> TableSnapshot:
    """A snapshot of a real table: its lamps as the service has ordered them."""
    state, now = service.state, service.clock.now()
    notice = state.notice if state.notice is not None and now < state.notice.until else None
    shown = outputs_as_ordered(state, service.rules, service.display)
    seen = observe_table(state, service.rules, shown, notice.code if notice else None, now)
    return snapshot_of(service, seen, state.key)


def snapshot_of(service: TableService, seen: Observation, key: KeyPosition | None) -> TableSnapshot:
    """A snapshot from what has been observed and what the service knows."""
    state = service.state
    reading = state.jackpot_reading
    coup = state.shoe.coup
    return TableSnapshot(
        wall=service.clock.wall(),
        seq=service.table_ledger.newest,
        round=state.round,
        powered=True,
        key=key.value if key else None,
        seen=seen.whole(),
        punto=coup.punto,
        banco=coup.banco,
        road=tuple(outcome.value for outcome in state.shoe.road),
        last_hands=state.last_hands.left if state.last_hands else None,
        takes_bets=state.takes_bets and (service.rules.rail is None or state.rail.known),
        legends=legends(state, service.rules),
        poker=_poker_of(service),
        now=service.clock.now(),
        jackpot=format_cents(reading) if reading is not None else None,
    )


def _poker_of(service: TableService) -> PokerShown | None:
    poker, settings = service.state.poker, service.rules.poker
    if not isinstance(poker, PokerState) or not isinstance(settings, PokerSettings):
        return None
    return show_poker(poker, settings)


class PagesOutlet(Outlet, Protocol):
    """The way to the pages' process: its pipes (PageProcess), or a socket (PageSocket)."""

    on_started: Callable[[], None]
    on_ready: Callable[[], None]

    def start(self) -> None:
        """Begin. Raises OSError."""

    async def end(self) -> None:
        """End."""


@contextmanager
def table_pages(
    loop: AbstractEventLoop,
    whose: LineSource,
    listening: Listening,
    login: PinLogin,
    path: Path = PAGES_SOCKET,
) -> Iterator[Follower]:
    """A socket for the pages of a real table; yields what to call with the service that runs it.

    `login`: checks the PINs of who enters. The loop does not run when this begins and ends.
    """
    pin_checks = PinChecks(login)
    outlet = PageSocket(loop, path, opening_of(whose, listening), pin_checks.check)
    table = TableLook()
    feed = Feed(loop, table.look, outlet, pin_checks.people, table.may_differ)

    def follow(service: TableService | None) -> None:
        table.follow(service)
        pin_checks.follow(service)
        feed.follow(service)

    with run_outlet(loop, feed, outlet):
        yield follow


def check_library() -> None:
    """Raises Unavailable where the process that serves the pages could not run."""
    if find_spec(LIBRARY) is None:
        raise Unavailable(
            f"the pages need the library {LIBRARY}: install banco[web], or leave out the section "
            "[web], or --web"
        )


@contextmanager
def run_outlet(loop: AbstractEventLoop, feed: Feed, outlet: PagesOutlet) -> Iterator[None]:
    """Run the way to the pages and its feed meanwhile. Raises OSError."""
    outlet.on_started, outlet.on_ready = feed.start_afresh, feed.on_outlet_ready
    outlet.start()
    feed.start()
    try:
        yield
    finally:
        feed.stop()
        loop.run_until_complete(outlet.end())
