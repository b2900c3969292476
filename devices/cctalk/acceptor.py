"""One coin acceptor from the host's side: the next command to it, and the meaning of its answers.

No clock and no line: the rail passes in the time and carries the commands.
"""

import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum

from firmware_bridge.cctalk.bus import CcTalkCommand
from firmware_bridge.cctalk.protocol import (
    CcTalkHeader,
    CoinEvent,
    CreditBuffer,
    CreditChange,
    Events,
    Overrun,
    Restarted,
    compare_credits,
)
from firmware_bridge.counter import CYCLE

log = logging.getLogger(__name__)

POLL_S = 0.18
"""The time between two commands to a healthy acceptor, which must be 100 to 200 ms."""

SILENT_POLL_S = 1.0
"""The time between two commands to a silent acceptor; more would slow down the healthy ones."""

AFTER_RESET_S = 0.1

MISSES = 2
"""An acceptor counts as silent after this number of unanswered commands in a row."""

AT_ONCE = 0.0

LONGEST_NAME = 252
LONGEST_SERIAL = 8

SLACK_S = 0.0005  # a timer may fire slightly early


@dataclass(slots=True)
class AcceptorIdentity:
    """What an acceptor answers about itself."""

    manufacturer: str = ""
    product: str = ""
    serial: int | None = None


class AcceptorStage(Enum):
    """The host's progress with an acceptor."""

    SILENT = "it does not answer"
    SETUP = "it is closed, asked who it is, and read for the first time"
    READY = "it is read regularly"
    FOREIGN = "it is not the one enrolled: closed, and asked who it is"


KNOWN = (AcceptorStage.READY, AcceptorStage.FOREIGN)


class Acceptor:
    """One acceptor; `drops` counts its credited tokens, `mark` is its counter at that time.

    A reading with news counts only when the next one is equal: the checksum lets one garbled answer
    in 256 through, but hardly two equal ones.
    """

    def __init__(
        self, seat: int, address: int, enrolled: int | None, tokens: Collection[int]
    ) -> None:
        """`tokens`: the numbers of the coins that are the house's tokens."""
        self.seat = seat
        self.address = address
        self.enrolled = enrolled
        self.identity = AcceptorIdentity()
        self.stage = AcceptorStage.SILENT
        self.why = "silent"
        self.drops = 0
        self.credits_lost = 0  # how often credits were lost
        self.mark: int | None = None
        self.resumed: int | None = None  # the mark from which it continued
        self.first: CreditChange | None = None  # the first reading's change
        self.want_accepting = False
        self.is_accepting: bool | None = None  # None: unknown
        self.due_at = AT_ONCE
        self.asked_at = AT_ONCE
        self.good_at = AT_ONCE
        self.found = 0  # how often it was found; one is normal
        self.resets = 0  # how often it was reset while it was being read
        self._is_found = False
        self._tokens = tokens
        self._known: tuple[CoinEvent, ...] = ()
        self._taken = b""  # the last accepted reading
        self._candidate = b""  # a reading with news, to be confirmed
        self._exposed = False  # it may have taken tokens that were not read
        self._misses = 0
        self._step = 0
        self._masked = False
        self._make_commands(address)

    def _make_commands(self, address: int) -> None:
        mask = sum(1 << (coin - 1) for coin in self._tokens).to_bytes(2, "little")
        size = CreditBuffer.SIZE
        self._mask = CcTalkCommand(address, CcTalkHeader.MODIFY_INHIBIT, mask)
        self._open = CcTalkCommand(address, CcTalkHeader.MODIFY_MASTER_INHIBIT, b"\x01")
        self._close = CcTalkCommand(address, CcTalkHeader.MODIFY_MASTER_INHIBIT, b"\x00")
        self._who = CcTalkCommand(address, CcTalkHeader.SERIAL_NUMBER, least=1, most=LONGEST_SERIAL)
        self._read = CcTalkCommand(address, CcTalkHeader.READ_CREDIT, least=size, most=size)
        self._setup = (
            self._close,
            CcTalkCommand(address, CcTalkHeader.MANUFACTURER, most=LONGEST_NAME),
            CcTalkCommand(address, CcTalkHeader.PRODUCT_CODE, most=LONGEST_NAME),
            self._who,
            self._read,
        )

    @property
    def settled(self) -> bool:
        """Whether it is known, and open or closed as wanted."""
        return self.stage in KNOWN and self.is_accepting == self.want_accepting

    @property
    def foreign(self) -> bool:
        """Whether another acceptor than the enrolled one answers."""
        return self.enrolled is not None and self.identity.serial not in (None, self.enrolled)

    def resume(self, drops: int, mark: int | None) -> None:
        """Continue to count from this mark; without a mark, from its first reading."""
        self.drops = drops
        self.mark = self.resumed = mark

    def begin(self, now: float) -> None:
        """The line is up: it may be another acceptor than before."""
        self.stage, self._step, self._misses = AcceptorStage.SETUP, 0, 0
        self._is_found = False
        self.due_at = now

    def lose(self, why: str) -> None:
        """The line is down."""
        self.stage, self.why = AcceptorStage.SILENT, why

    def set_accepting(self, want_accepting: bool) -> None:
        """Whether it shall take tokens from now on; only a ready acceptor ever does."""
        self.want_accepting = want_accepting and self.stage is AcceptorStage.READY
        if self.stage in KNOWN and self.is_accepting != self.want_accepting:
            self.due_at = AT_ONCE

    # Commands

    def next_command(self, now: float) -> CcTalkCommand:
        """The next command to it."""
        self.asked_at = now
        if self.stage not in KNOWN:
            return self._setup[self._step]
        if self.want_accepting and not self.is_accepting:
            if not self._masked:
                return self._mask
            self.is_accepting = None  # from the command on, it may take tokens
            self._exposed = True
            return self._open
        if not self.want_accepting and self.is_accepting is not False:
            return self._close
        return self._who if self.stage is AcceptorStage.FOREIGN else self._read

    # Answers

    def on_answer(self, command: CcTalkCommand, data: bytes, now: float) -> bool:
        """Take an answer; returns whether there is something to report."""
        self._misses = 0
        ready = self.stage is AcceptorStage.READY and command is self._read
        if ready and data == self._taken and not self._candidate:
            self.good_at = now
            self.due_at = self.asked_at + POLL_S
            self._exposed = self.is_accepting is not False
            return False
        if not self._is_found:
            self._is_found = True
            self.found += 1
        before = (self.stage, self.is_accepting, self.mark, self.credits_lost)
        if self.stage is AcceptorStage.SILENT:
            self.stage = AcceptorStage.SETUP
        if command is not self._read:
            self.good_at = now
            self._take_plain(command, data)
        elif self._is_confirmed(data, now):
            self.good_at = now
            self._take_reading(CreditBuffer.from_bytes(data), now)
        return before != (self.stage, self.is_accepting, self.mark, self.credits_lost)

    def on_no_answer(self, why: str, now: float) -> bool:
        """Note that no answer came; returns whether there is something to report."""
        self.why = why
        self._misses += 1
        if self._misses < MISSES and self.stage is not AcceptorStage.SILENT:
            self.due_at = now  # after those that wait already
            return False
        was_there = self.stage is not AcceptorStage.SILENT
        self.stage, self._step, self._is_found = AcceptorStage.SILENT, 0, False
        self.due_at = self.asked_at + SILENT_POLL_S
        return was_there

    def _take_plain(self, command: CcTalkCommand, data: bytes) -> None:
        self.due_at = AT_ONCE
        if command is self._mask:
            self._masked = True
        elif command is self._open:
            self.is_accepting = True
        elif command is self._close:
            self.is_accepting = self._masked = False
        elif command is self._who:
            self._take_serial(int.from_bytes(data, "little"))
        elif command.header is CcTalkHeader.MANUFACTURER:
            self.identity.manufacturer = data.decode("ascii", "replace")
        else:
            self.identity.product = data.decode("ascii", "replace")
        if self.stage is AcceptorStage.SETUP:
            self._step += 1
        elif self.settled and self.stage is AcceptorStage.READY:
            self.due_at = self.asked_at  # read it next, but after those with a command to come

    def _take_serial(self, serial: int) -> None:
        was, self.identity.serial = self.identity.serial, serial
        if self.foreign:
            if self.stage is not AcceptorStage.FOREIGN:
                log.error(
                    "seat %d: acceptor %d where %d is enrolled", self.seat, serial, self.enrolled
                )
            self.stage, self.want_accepting = AcceptorStage.FOREIGN, False
            self.due_at = self.asked_at + POLL_S
        elif self.stage is AcceptorStage.FOREIGN:
            self.stage, self._step = (
                AcceptorStage.SETUP,
                -1,
            )  # the enrolled one is back: start from the beginning
        elif was not in (None, serial, self.enrolled):
            log.warning("seat %d: acceptor %d in place of %s", self.seat, serial, was)
            self.credits_lost += self._exposed
            self.mark, self._known = None, ()

    # Counting

    def _is_confirmed(self, data: bytes, now: float) -> bool:
        if data in (self._taken, self._candidate):
            self._candidate = b""
            return True
        # It is asked again before all others, but only once, or it would starve them.
        self.due_at = now if self._candidate else AT_ONCE
        self._candidate = data
        return False

    def _take_reading(self, read: CreditBuffer, now: float) -> None:
        mark = self.mark
        news = Events() if mark is None else compare_credits(mark, read, self._known)
        if isinstance(news, Events):
            self._count(news.events)
        elif isinstance(news, Overrun) or self._exposed:
            log.error("seat %d: credits may be lost, from %s on: %s", self.seat, mark, news)
            self.credits_lost += 1
        else:
            log.info("seat %d: the acceptor has begun anew, and was closed", self.seat)
        if self.first is None:
            self.first = news
        self.mark, self._known = read.counter, read.events
        self._taken = read.to_bytes()
        self._exposed = self.is_accepting is not False
        if isinstance(news, Restarted) and self.stage is AcceptorStage.READY:
            self.resets += 1
            self.stage, self._step, self.is_accepting = AcceptorStage.SETUP, 0, None
            self.due_at = now + AFTER_RESET_S
        else:
            self.stage = AcceptorStage.READY
            self.due_at = self.asked_at + POLL_S

    def _count(self, events: tuple[CoinEvent, ...]) -> None:
        """Count tokens; a foreign coin that was accepted is a lost credit."""
        for event in events:
            if event.coin in self._tokens:
                self.drops = (self.drops + 1) % CYCLE
            elif event.coin:
                log.error("seat %d has taken %s, which is no token", self.seat, event)
                self.credits_lost += 1
            else:
                log.warning("seat %d: %s", self.seat, event)


def next_to_ask(acceptors: Iterable[Acceptor], now: float) -> CcTalkCommand | float:
    """The next command of the most overdue acceptor, or when to ask again.

    A silent acceptor is asked only when no other one waits.
    """
    soonest = now + SILENT_POLL_S
    healthy: Acceptor | None = None
    silent: Acceptor | None = None
    for acceptor in acceptors:
        due = acceptor.due_at
        if due > now + SLACK_S:
            soonest = min(soonest, due)
        elif acceptor.stage is AcceptorStage.SILENT:
            if silent is None or due < silent.due_at:
                silent = acceptor
        elif healthy is None or due < healthy.due_at:
            healthy = acceptor
    # After its time-out the healthy ones are due again, so two silent ones never follow each other.
    chosen = healthy or silent
    return soonest if chosen is None else chosen.next_command(now)


def note_lone_resets(acceptors: Iterable[Acceptor]) -> None:
    """Find acceptors reset while the service was down: all by a power cut, or some alone.

    After a power cut no earlier token is credited, and none is missing. An acceptor that was
    reset alone may have had credits.
    """
    counting = [one for one in acceptors if one.resumed and one.first is not None]
    restarted = [one for one in counting if isinstance(one.first, Restarted)]
    if len(restarted) < len(counting):
        for acceptor in restarted:
            acceptor.credits_lost += 1
