"""The link as a device of the table: takes the state's orders, reports what the centre says.

One thing at a time is asked: hello, then each call until it is answered and booked, and the beats
(docs/reference/link-rules.md, sections 1, 3 and 4).
"""

import logging
from asyncio import AbstractEventLoop
from collections.abc import Callable
from enum import Enum

from msgspec import Struct

from console.configuration.sections import LinkSection
from console.configuration.table_plan import TablePlan
from console.database.addresses import ServerAddress, credentials_of, hosts_of
from console.link.awaited_terms import describe_awaited
from console.link.centre_dialogue import CentreDialogue, DialogueListener
from console.link.courier_messages import (
    Answered,
    AskedProof,
    AskedToRecall,
    BeatAnswered,
    CourierAnswer,
    CourierOpening,
    IsBarred,
    LetRejoin,
    MakeCall,
    Request,
    SayHello,
    SendBeat,
    SendHeld,
    Unanswered,
    Welcomed,
)
from console.link.link_figures import describe_centre, figures_of_link
from console.link.recall import Recall
from console.rules.acts import (
    Act,
)
from console.rules.centre_orders import LinkedJournal, LinkOrders, ReadCodes, terms_of
from console.rules.link import (
    BEAT_S,
    LOST_AFTER_BEATS,
    AnyCall,
    Awaited,
    Barred,
    MemberHello,
    RecallAsked,
    Terms,
    Welcome,
)
from console.rules.link_state import (
    LinkAnswered,
    LinkBarred,
    LinkRejoined,
    LinkShown,
    LinkWelcomed,
    RecallBegan,
    RecallEnded,
)
from console.rules.structs import replace
from devices.device import Device
from devices.figures import DeviceFigures
from devices.roles import DeviceLost, DeviceUp
from jackpot.ledger.journal import Head

log = logging.getLogger(__name__)

FIRST_AGAIN_S, LATEST_AGAIN_S = 0.05, 0.8
"""The backoff between two hellos: it doubles with each that leads to nothing."""

BARRED_AGAIN_S = 2.0

BOOKED_WITHIN_S = 6.0
"""A call whose answer is not booked by then, by a slow disk, is made again: it gets it again."""

BEGIN_ANEW = frozenset({Barred.GAP, Barred.FENCED})
"""After these a hello puts it right, or says what is wrong."""


class LinkPlan(Struct, frozen=True):
    """The centre's hosts, how to log in there, and what must be the same at all its tables."""

    opening: CourierOpening
    hosts: tuple[ServerAddress, ...]
    terms: Terms
    jackpot: str


def plan_link(plan: TablePlan, section: LinkSection) -> LinkPlan:
    """The link of a table; its role is the table's name. Raises ValueError."""
    return LinkPlan(
        CourierOpening(section.database, plan.table, credentials_of(section)),
        hosts_of(section),
        terms_of(plan.rules(None)),
        section.jackpot,
    )


class LinkCondition(Enum):
    """What was last reported of the link."""

    UNKNOWN = "unknown"
    UP = "up"
    LOST = "lost"
    BARRED = "barred"


class LinkDevice:
    """The driver of `Device.LINK`; all its methods run on the event loop."""

    def __init__(self, loop: AbstractEventLoop, plan: LinkPlan) -> None:
        self._loop = loop
        self._plan = plan
        self._listener: Callable[[Act], None] = lambda _: None
        self._recall: Recall | None = None
        self._began: RecallBegan | None = None  # the one reported last
        self._journal: LinkedJournal
        self._findings: ReadCodes = tuple
        self._orders: LinkOrders | None = None
        self._condition = LinkCondition.UNKNOWN
        self._barred: Barred | None = None
        self._proof: Head | None = None
        self._forked_epoch = 0  # more was answered in it than this card ever sent
        self._welcome: Welcome | None = None
        self._asked: AnyCall | None = None  # the call made last
        self._answered = 0  # the call whose answer is being booked
        self._answered_at = self._beat_at = self._again_at = 0.0
        self._again_s = FIRST_AGAIN_S
        self._dialogue = CentreDialogue(
            loop,
            "the centre",
            plan.opening,
            plan.hosts,
            DialogueListener(
                ask_next=self._ask_next,
                on_answer=self._on_answer,
                on_time_over=self._on_time_over,
                on_ended=lambda _: self._begin_anew(),
                on_silence=self._on_silence,
            ),
        )

    def resume(self, journal: LinkedJournal) -> None:
        """Speak for this journal; called before `start`."""
        self._journal = journal

    def start(self, listener: Callable[[Act], None]) -> None:
        """Search for the centre without end; report what it says, DeviceUp and DeviceLost."""
        self._listener = listener
        self._dialogue.start()
        self._expect_answer()

    def tell_findings(self, findings: ReadCodes) -> None:
        """Each beat tells what is noticed then, beside the faults."""
        self._findings = findings

    def show(self, orders: LinkOrders | None) -> None:
        """Carry out these orders from now on."""
        self._orders = orders
        first = orders.calls[0].n if orders is not None and orders.calls else 0
        if first != self._answered:  # booked; or not, by a table that is locked
            self._answered = 0
        self._ask_next()

    def close(self) -> None:
        """End the courier at once."""
        self._listener = lambda _: None
        self._dialogue.close()

    @property
    def pid(self) -> int | None:
        """The courier's process id; None while there is none."""
        return self._dialogue.pid

    def figures(self, _frames: int = 0) -> tuple[DeviceFigures, ...]:
        """The figures of the link at any time."""
        why = "" if self._condition is LinkCondition.UP else self._dialogue.why
        centre = describe_centre(self._dialogue.host, self._plan.opening.role, self._welcome)
        return (figures_of_link(why, centre, self._orders, self._dialogue.counts),)

    def _ask_next(self) -> None:
        orders, now = self._orders, self._loop.time()
        if orders is None or not self._dialogue.is_free:
            return
        if self._welcome is None:
            if now < self._again_at:
                self._dialogue.ask_at(self._again_at)
            else:
                self._ask(self._hello(orders))
            return
        session, call = self._welcome.session, self._call_due(orders)
        beat_due = now >= self._beat_at
        starved = now >= self._beat_at + self._beat_s
        if call is not None and not starved:
            self._asked = call
            self._ask(MakeCall(session, call, orders.act, self._journal.head()))
        elif beat_due:
            self._beat_at = now + self._beat_s
            faults = (*orders.beat.faults, *self._findings())
            self._ask(SendBeat(session, replace(orders.beat, faults=faults), orders.act))
        else:
            self._dialogue.ask_at(self._beat_at)

    def _call_due(self, orders: LinkOrders) -> AnyCall | None:
        """The first call, unless its answer is being booked."""
        if not orders.calls:
            return None
        is_booked = self._loop.time() < self._answered_at + BOOKED_WITHIN_S
        return None if is_booked and orders.calls[0].n == self._answered else orders.calls[0]

    def _hello(self, orders: LinkOrders) -> SayHello:
        proof, self._proof = self._proof, None
        return make_hello(self._plan, self._dialogue.host, orders, self._journal.head(), proof)

    def _ask(self, request: Request) -> None:
        try:
            self._dialogue.ask(request)
        except ValueError as error:  # a call of that size is a mistake of ours: it cannot be sent
            log.critical("the centre cannot be asked: %s", error)
            self._loop.call_soon(self._lose, str(error))
            self._dialogue.is_free = True
            self._dialogue.ask_at(self._loop.time() + BARRED_AGAIN_S)

    # What is answered

    def _on_answer(self, answer: CourierAnswer) -> None:
        match answer:
            case Welcomed(Welcome(n=n)) | AskedToRecall(RecallAsked(after=n)) if self._never_sent(
                n
            ):
                self._on_barred(Barred.FORKED)
            case Welcomed(welcome):
                self._take_welcome(welcome)
            case AskedProof(asked):
                self._dialogue.is_free = False
                self._journal.find_hash(asked.seq, lambda found: self._prove(asked.seq, found))
                return
            case LetRejoin(rejoined):
                self._again_at = self._loop.time() + BARRED_AGAIN_S  # it is booked by then
                self._listener(LinkRejoined(rejoined))
            case Answered(answered) if self._asked is not None:
                self._answered, self._answered_at = answered.n, self._loop.time()
                self._report(LinkAnswered(answered, self._asked))
            case BeatAnswered(shown):
                self._report(LinkShown(shown))
            case AskedToRecall(again):
                self._tell_again(again)
                return
            case IsBarred(barred, awaits):
                self._on_barred(barred, awaits)
            case Unanswered(why):
                self._dialogue.note_no_answer(why)
                self._begin_anew()
        self._ask_next()

    def _never_sent(self, n: int) -> bool:
        """Whether call n was answered to another card: this one had not made it.

        It stays so until the table rejoins, though it makes more calls meanwhile.
        """
        orders = self._orders
        if orders is not None and n > orders.n:
            self._forked_epoch = orders.epoch
        return orders is not None and orders.epoch == self._forked_epoch

    def _take_welcome(self, welcome: Welcome) -> None:
        self._welcome, self._beat_at = welcome, self._loop.time()
        self._began = None
        if self._orders is not None and self._orders.timeline != welcome.timeline:
            self._listener(LinkWelcomed(welcome.timeline))

    def _prove(self, seq: int, found: str | None) -> None:
        if found is not None:
            self._proof = Head(seq, found)
        else:
            self._begin_anew()
        self._dialogue.go_on()

    def _tell_again(self, asked: RecallAsked) -> None:
        """The centre was set back: tell it what it answered; then say hello again."""
        self._dialogue.is_free = False
        self._expect_answer()
        if self._recall is not None and self._recall.over:
            self._listener(RecallEnded())
            self._begin_anew()
            self._dialogue.go_on()
            return
        if self._recall is None:
            self._recall = Recall(asked, self._journal, self._send_held)
            self._report_recall(RecallBegan(asked.after, asked.act))
        self._recall.go_on()

    def _report_recall(self, began: RecallBegan) -> None:
        """Once: a piece that waits for settings is sent again and again."""
        if began != self._began:
            self._condition, self._barred = LinkCondition.BARRED, Barred.BEHIND
            self._began = began
            self._listener(began)

    def _send_held(self, recall: Recall, piece: SendHeld | None) -> None:
        if recall is self._recall and piece is not None:
            self._ask(piece)
        elif recall is self._recall:  # the journal cannot be read
            self._begin_anew(BARRED_AGAIN_S)
            self._dialogue.go_on()

    def _report(self, act: LinkAnswered | LinkShown) -> None:
        self._again_s = FIRST_AGAIN_S
        self._barred = None
        self._expect_answer()
        if self._condition is not LinkCondition.UP:
            self._condition = LinkCondition.UP
            self._dialogue.counts.connections += 1
            self._listener(DeviceUp(Device.LINK))
        self._listener(act)

    def _on_barred(self, barred: Barred, awaits: Awaited | None = None) -> None:
        self._welcome = self._recall = None
        if barred in BEGIN_ANEW:
            log.warning("the centre says %s: hello again", barred.value)
            self._begin_anew()
            return
        self._again_at = self._loop.time() + BARRED_AGAIN_S
        self._dialogue.why = f"the centre says {barred.value}"
        if awaits is not None:
            self._dialogue.why += f": {describe_awaited(awaits, self._plan.terms.currency)}"
        self._expect_answer()
        if (self._condition, self._barred) != (LinkCondition.BARRED, barred):
            self._condition, self._barred = LinkCondition.BARRED, barred
            log.error("the centre bars this table: %s", self._dialogue.why)
            self._listener(LinkBarred(barred))

    def _begin_anew(self, again_s: float = 0.0) -> None:
        """Say hello again, in a moment."""
        self._welcome = self._recall = None
        self._again_at = self._loop.time() + (again_s or self._again_s)
        self._again_s = min(2 * self._again_s, LATEST_AGAIN_S)

    def _on_time_over(self) -> None:
        self._lose(self._dialogue.why)

    # What is lost

    @property
    def _beat_s(self) -> float:
        return self._welcome.beat_s if self._welcome is not None else BEAT_S

    def _expect_answer(self) -> None:
        self._dialogue.expect_answer(LOST_AFTER_BEATS * self._beat_s)

    def _on_silence(self) -> None:
        self._lose(f"nothing answered for {LOST_AFTER_BEATS} beats: {self._dialogue.why}")

    def _lose(self, why: str) -> None:
        self._dialogue.why = why
        if self._condition is not LinkCondition.LOST:
            self._condition = LinkCondition.LOST
            self._listener(DeviceLost(Device.LINK, why))


def make_hello(
    plan: LinkPlan, host: ServerAddress, orders: LinkOrders, head: Head, proof: Head | None
) -> SayHello:
    """The first message of a session, at this host."""
    answered = (orders.answered, orders.answer_hash)
    hello = MemberHello(
        orders.epoch, plan.terms, *answered, head, proof, orders.timeline, plan.jackpot
    )
    return SayHello(host, hello)
