"""The centre of a rehearsal, the other table, and this table's link to them.

docs/reference/scenarios.md.
"""

from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from console.configuration.table_plan import TablePlan
from console.link.link_figures import describe_orders
from console.rules.acts import (
    Act,
)
from console.rules.centre_orders import LinkedJournal, LinkOrders, ReadCodes, terms_of
from console.rules.link import (
    BEAT_S,
    LOST_AFTER_BEATS,
    AnyCall,
    Barred,
    CentreBars,
    MemberHello,
    RecallAsked,
    Rejoined,
    Shown,
    Tie,
    Welcome,
)
from console.rules.link_state import (
    LinkAnswered,
    LinkBarred,
    LinkShown,
    LinkWelcomed,
)
from console.simulation.centre.centre import Centre, Elsewhere, MemberOfModel
from console.simulation.scenario.acts import (
    ClaimElsewhere,
    ElsewhereVerb,
    EndElsewhere,
    LinkedAct,
    MoveLink,
    OpenElsewhere,
)
from devices.device import Device
from devices.figures import DeviceFigures
from devices.roles import DeviceLost, DeviceUp
from firmware_bridge.repetition import US, Repetition, later
from jackpot.ledger.journal import Head


class Rehearsal:
    """A centre that answers as the real one, this table and *elsewhere*; it outlives power cuts."""

    def __init__(self, loop: AbstractEventLoop, plan: TablePlan, tie: Tie = Tie.SPLIT) -> None:
        self._loop = loop
        self.terms = terms_of(plan.rules(None))
        self.centre = Centre(self.terms, plan.money.opening, plan.money.base, tie)
        self.elsewhere = Elsewhere(self.centre)
        self.name = plan.table
        self.table = self.centre.member(plan.table)
        self._plugged = True
        self._link: RehearsedLink | None = None

    @property
    def plugged(self) -> bool:
        """Whether the table's cable to the centre is in."""
        return self._plugged

    def plug(self, plugged: bool) -> None:
        """Put the cable in, or pull it."""
        self._plugged = plugged
        if self._link is not None:
            self._link.wake()

    def perform(self, act: LinkedAct) -> None:
        """Do an act of a scenario; what no table could do at the centre is not done."""
        with suppress(ValueError, CentreBars):
            match act:
                case MoveLink():
                    self.plug(act.plugged)
                case OpenElsewhere():
                    self.elsewhere.open(act.stakes)
                case ClaimElsewhere():
                    self.elsewhere.claim(act.combination)
                case EndElsewhere(verb=ElsewhereVerb.AGREE):
                    self.elsewhere.agree()
                case EndElsewhere(verb=ElsewhereVerb.CANCEL):
                    self.elsewhere.cancel()
                case EndElsewhere():
                    self.elsewhere.close()

    def repetition(self) -> Repetition | None:
        """What the table's link repeats."""
        return None if self._link is None else self._link.repetition()

    def connect(self) -> "RehearsedLink":
        """A fresh driver, for a table that starts."""
        self._link = RehearsedLink(self._loop, self)
        return self._link


class RehearsedLink:
    """The link of a simulated table: each call is answered at once, as long as the cable is in."""

    def __init__(self, loop: AbstractEventLoop, rehearsal: Rehearsal) -> None:
        self._loop = loop
        self._rehearsal = rehearsal
        self._orders: LinkOrders | None = None
        self._session: int | None = None
        self._asked = 0
        """The number of the call answered last, until its record takes it out of the outbox."""
        self._returning = True
        self._proof: Head | None = None
        self._barred: Barred | None = None
        self._shown: Shown | None = None
        self._heard = loop.time()
        self._timer: TimerHandle | None = None
        self._waking = False
        self._closed = False

    def resume(self, journal: LinkedJournal) -> None:
        """See `CentreLink.resume`."""
        self._journal = journal

    def start(self, listener: Callable[[Act], None]) -> None:
        """See `CentreLink.start`."""
        self._listener = listener
        self._timer = self._loop.call_later(BEAT_S, self._tick)

    def tell_findings(self, findings: ReadCodes) -> None:
        """See `CentreLink.tell_findings`: no room listens."""

    def show(self, orders: LinkOrders | None) -> None:
        """See `CentreLink.show`."""
        self._orders = orders
        self.wake()

    def close(self) -> None:
        """See `CentreLink.close`."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()

    def figures(self, frames: int = 0, /) -> tuple[DeviceFigures, ...]:
        """See `CentreLink.figures`."""
        del frames
        return (
            DeviceFigures(
                device=Device.LINK,
                line=Device.LINK.value,
                driver="rehearsed",
                up=self._session is not None,
                identity={"host": "rehearsed", "role": self._rehearsal.name},
                state=describe_orders(self._orders),
            ),
        )

    def repetition(self) -> Repetition | None:
        """See `Repeating`: the table only beats, and the centre answers as before."""
        orders, session, shown = self._orders, self._session, self._shown
        if orders is None or session is None or shown is None or self._timer is None:
            return None
        if self._returning or self._waking or orders.calls or not self._rehearsal.plugged:
            return None
        with suppress(CentreBars):
            if self._calls.beat(session, orders.beat, orders.act) == shown and not shown.changes:
                return Repetition(round(BEAT_S * US), (self._timer,), self._pass_over)
        return None

    def _pass_over(self, us: int) -> None:
        if self._timer is not None:
            when = later(self._timer.when(), us)
            self._timer.cancel()
            self._timer = self._loop.call_at(when, self._tick)
            self._heard = later(self._heard, us)

    def wake(self) -> None:
        """Look soon for what is to be said."""
        if not self._waking and not self._closed:
            self._waking = True
            self._loop.call_soon(self._work)

    def _tick(self) -> None:
        self._timer = self._loop.call_later(BEAT_S, self._tick)
        if (
            self._session is not None
            and self._loop.time() - self._heard >= LOST_AFTER_BEATS * BEAT_S
        ):
            self._session = None
            self._listener(DeviceLost(Device.LINK, "silent"))
        if self._orders is not None and self._rehearsal.plugged:
            self._speak(self._beat if not self._returning else self._say)

    def _work(self) -> None:
        self._waking = False
        if self._orders is not None and self._rehearsal.plugged and not self._closed:
            self._speak(self._say)

    def _speak(self, what: Callable[[LinkOrders, int], None]) -> None:
        orders = self._orders
        if orders is None:
            return
        try:
            if self._session is None:
                self._session = self._greet(orders)
                self._asked, self._returning = 0, True
                if self._session is None:
                    return
            self._heard = self._loop.time()
            self._barred = None
            what(orders, self._session)
        except CentreBars as bars:
            self._session = None
            if bars.barred is not self._barred:
                self._barred = bars.barred
                self._listener(LinkBarred(bars.barred))

    def _greet(self, orders: LinkOrders) -> int | None:
        """Say hello; None: the proof that is asked must be found first. Raises CentreBars."""
        proof, self._proof = self._proof, None
        welcome = self._calls.hello(
            MemberHello(
                orders.epoch,
                self._rehearsal.terms,
                orders.answered,
                orders.answer_hash,
                self._journal.head(),
                proof,
                orders.timeline,
            )
        )
        if isinstance(welcome, Welcome):
            if welcome.n > orders.n:
                raise CentreBars(Barred.FORKED)
            if welcome.timeline != orders.timeline:
                self._listener(LinkWelcomed(welcome.timeline))
            return welcome.session
        if isinstance(welcome, RecallAsked):
            raise CentreBars(Barred.BEHIND)
        if proof is not None or isinstance(welcome, Rejoined):
            raise CentreBars(Barred.FORKED)
        self._journal.find_hash(welcome.seq, partial(self._prove, welcome.seq))
        return None

    def _prove(self, seq: int, hash: str | None) -> None:
        if hash is not None:  # else the disk has failed, and the next beat asks again
            self._proof = Head(seq, hash)
            self.wake()

    def _say(self, orders: LinkOrders, session: int) -> None:
        """The first call that waits, or the beat that ends a time without the link."""
        if orders.calls:
            self._call(orders.calls[0], orders, session)
        elif self._returning:
            self._beat(orders, session)

    def _call(self, call: AnyCall, orders: LinkOrders, session: int) -> None:
        if call.n != self._asked:
            answer = self._calls.call(session, call, orders.act, self._journal.head())
            self._asked = call.n
            self._listener(LinkAnswered(answer, call))

    def _beat(self, orders: LinkOrders, session: int) -> None:
        shown = self._shown = self._calls.beat(session, orders.beat, orders.act)
        self._listener(LinkShown(shown))
        if self._returning and not orders.calls:
            self._returning = False
            self._listener(DeviceUp(Device.LINK))

    @property
    def _calls(self) -> MemberOfModel:
        return self._rehearsal.table
