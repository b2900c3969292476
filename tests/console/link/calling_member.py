"""A table's outbox and its link, as a test needs them: calls in, each answer booked once."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from console.database.addresses import Credentials, ServerAddress
from console.link.courier_messages import (
    CourierOpening,
)
from console.link.link_device import LinkDevice, LinkPlan
from console.rules.acts import (
    Act,
)
from console.rules.centre_orders import HeldPage, LinkOrders
from console.rules.link import Answer, AnyCall, Beat, Deliver, Held, Join, Open
from console.rules.link_state import (
    LinkAnswered,
    LinkBarred,
    LinkShown,
    LinkWelcomed,
)
from console.rules.structs import replace
from devices.device import Device
from devices.roles import DeviceLost, DeviceUp
from jackpot.ledger.journal import Head
from jackpot.money import movements
from jackpot.money.accounts import Balances
from tests.console.link.linked_table import MONEY, TERMS
from tests.deadlines import DEADLINE_S

LOOK_AGAIN_S = 0.2
"""Not everything that is waited for is reported."""

TABLE = "table-3"
SEATS = 7


def count_calls(tokens: int) -> int:
    """The calls of a member that joined and staked so many tokens."""
    return 1 + tokens + -(-tokens // SEATS)


class CallingMember:
    """What a table's state is to its link: an outbox, of which the answered calls are taken."""

    def __init__(self, device: LinkDevice, name: str) -> None:
        self.device = device
        self.name = name
        self.tokens = 0
        self.calls: list[AnyCall] = []
        self.answers: list[Answer] = []
        self.held: list[Held] = []
        self.reports: list[Act] = []
        self.n = 0
        self.timeline = 0
        self.records = [Head(0, "")]
        self._changed = asyncio.Event()
        self.write_record()
        device.resume(self)
        device.show(self.orders())
        device.start(self.hear)

    def write_record(self) -> None:
        """A record of the journal."""
        last = self.records[-1]
        digest = hashlib.sha256(last.hash.encode()).hexdigest()
        self.records.append(Head(last.seq + 1, digest))

    def go_on_from(self, answers: list[Answer], records: list[Head]) -> None:
        """Be a member that has these answers and this journal, before it has said hello."""
        self.answers, self.records, self.n = list(answers), list(records), answers[-1].n
        self.device.show(self.orders())

    def orders(self) -> LinkOrders:
        last = self.answers[-1] if self.answers else None
        return LinkOrders(
            epoch=1,
            answered=last.n if last else 0,
            answer_hash=last.hash if last else "",
            act=max((change.act for one in self.answers for change in one.changes), default=0),
            n=self.n,
            calls=tuple(self.calls),
            beat=Beat("BETTING", (), None),
            timeline=self.timeline,
        )

    def hear(self, act: Act) -> None:
        """Book what the link reports."""
        self.reports.append(act)
        if isinstance(act, LinkWelcomed):
            self.timeline = act.timeline
            self.device.show(self.orders())
        if isinstance(act, LinkAnswered):
            assert act.answer.n == self.calls[0].n, "answered out of order, or twice"
            self.answers.append(act.answer)
            self.held.append(Held(act.call, replace(act.answer, changes=()), act.answer.changes))
            del self.calls[0]
            self.write_record()
            self.device.show(self.orders())
        self._changed.set()

    def make(self, *calls: Callable[[int], AnyCall]) -> None:
        """Put calls into the outbox."""
        for call in calls:
            self.n += 1
            self.calls.append(call(self.n))
        self.device.show(self.orders())

    def join_and_open(self) -> None:
        """Join, and open round 1."""
        self.make(lambda n: Join(n, Balances()), lambda n: Open(n, 1))

    def stake(self) -> None:
        """A token; when all seats have one, in a new round."""
        before, seat = divmod(self.tokens, SEATS)
        self.tokens += 1
        round = before + 1
        if seat == 0 and before:
            self.make(lambda n: Open(n, round))
        stake = movements.stake(MONEY, f"{self.name}/round-{round}/seat-{seat + 1}/stake")
        self.make(lambda n: Deliver(n, round, (stake,)))

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until it holds."""
        async with asyncio.timeout(DEADLINE_S):
            while not holds():
                await self.until_changed()

    async def until_changed(self) -> None:
        """Wait until the link reports something, or a moment."""
        self._changed.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_AGAIN_S):
                await self._changed.wait()

    async def until_answered(self) -> None:
        """Wait until no call is left."""
        await self.until(lambda: not self.calls)

    async def until_shown(self) -> None:
        """Wait for the next beat's answer."""
        heard = len(self.reports)
        await self.until(lambda: any(isinstance(one, LinkShown) for one in self.reports[heard:]))

    async def until_asked(self, times: int) -> None:
        """Wait until the centre was asked so many times more."""
        (now,) = self.device.figures()
        await self.until(lambda: self.device.figures()[0].counts.sent >= now.counts.sent + times)

    @property
    def conditions(self) -> list[str]:
        """The changes of the link's condition, in order."""
        names = {DeviceUp: "up", DeviceLost: "lost", LinkBarred: "barred"}
        return [names[type(one)] for one in self.reports if type(one) in names]

    @property
    def lost(self) -> str:
        """Why the link was lost last."""
        return [one.why for one in self.reports if isinstance(one, DeviceLost)][-1]

    def head(self) -> Head:
        """Its last record."""
        return self.records[-1]

    def find_hash(self, seq: int, then: Callable[[str | None], None]) -> None:
        """A record's hash."""
        then(self.records[seq].hash if seq < len(self.records) else "")

    def find_held(self, after: int, seq: int, then: Callable[[HeldPage | None], None]) -> None:
        """What it was answered, one on a page; `seq` counts what was held."""
        there = self.held[max(seq, after - 1) :][:1]
        then(HeldPage(tuple(there), max(seq, after - 1) + 1 if there else None))


@asynccontextmanager
async def tell_member(
    *ports: int,
    database: str,
    host: str = "127.0.0.1",
    role: str = TABLE,
    credentials: Credentials | None = None,
) -> AsyncIterator[CallingMember]:
    """A member whose centre is at these ports."""
    addresses = tuple(ServerAddress(host, port) for port in ports)
    async with tell_member_at(addresses, database, role, credentials) as member:
        yield member


@asynccontextmanager
async def tell_member_at(
    addresses: tuple[ServerAddress, ...], database: str, role: str, credentials: Credentials | None
) -> AsyncIterator[CallingMember]:
    """A member whose centre is at these addresses."""
    plan = LinkPlan(CourierOpening(database, role, credentials), addresses, TERMS, "stud")
    device = LinkDevice(asyncio.get_running_loop(), plan)
    try:
        yield CallingMember(device, role)
    finally:
        device.close()
        assert device.figures()[0].device is Device.LINK
