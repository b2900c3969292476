"""The host's side of the boards' wire protocol, over any line (docs/wire-protocol.md).

HELLO until the right board answers, then WANT whenever it changes and regularly besides; what is
new in STATE goes to the owner. What goes missing is repeated, what is repeated is harmless.
The same link serves every kind of board: what its WANT and STATE say is in the kind's own module.
"""

import asyncio
import secrets
from collections.abc import Callable
from enum import Enum
from typing import Generic, TypeVar

from firmware_bridge.board_owner import BoardOwner
from firmware_bridge.board_protocol import (
    HELLO_REPEAT_MS,
    HOST_REPEAT_MS,
    SILENCE_MS,
    VERSION,
    WANT_RETRY_MS,
    BoardKind,
    Body,
    Hello,
    Identity,
    MessageType,
    ProtocolError,
    State,
    is_newer,
)
from firmware_bridge.body_reader import BodyReader
from firmware_bridge.frame_trace import FrameTrace
from firmware_bridge.framing import DELIMITER, Deframer, encode
from firmware_bridge.line import Line
from firmware_bridge.link_statistics import LinkStatistics
from firmware_bridge.standing_want import StandingWant

SILENCE_S = SILENCE_MS / 1000
HELLO_REPEAT_S = HELLO_REPEAT_MS / 1000
HOST_REPEAT_S = HOST_REPEAT_MS / 1000
WANT_RETRY_S = WANT_RETRY_MS / 1000

REOPEN_S = 3.0
"""A port on which nobody answers is opened anew after so long: the adapter may have hung. Longer
than a board needs that boots when its port is opened."""

_SLACK_S = 0.0005  # a timer may fire this much early, so that it need not be set again

Seen = TypeVar("Seen")
"""What this kind of board tells in STATE: `RailState` for a rail."""


class _Phase(Enum):
    DOWN = "no port"
    SEEKING = "a port, and HELLO without an answer yet"
    UP = "the right board has answered"


class BoardLink(Generic[Seen]):
    """One board on one line; a `LineUser`. `want` may be called at any time."""

    def __init__(
        self,
        line: Line,
        kind: BoardKind,
        wanted: Body,
        read: Callable[[bytes], Seen],
        owner: BoardOwner[Seen],
        *,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        """`wanted` is told the board until `want` says otherwise; `read` reads a STATE's body."""
        self.kind = kind
        self.statistics = LinkStatistics()
        self.trace = FrameTrace(loop.time)
        self.identity: Identity | None = None  # the last board of ours that answered
        self._line = line
        self._reader = BodyReader(read)
        self._owner = owner
        self._loop = loop
        self._deframer = Deframer(self.trace.received)
        self.statistics.received = self._deframer.counts
        self._phase = _Phase.DOWN
        self._why = "the port has not been opened"
        self._told: str | None = None  # the reason given to the owner while lost
        self._good_at = 0.0  # when the board last gave a sign of life
        self._tried_at = 0.0  # since when this port has been sought on
        self._due_at = 0.0  # when HELLO or WANT is to be sent again
        self._session = 0
        self._check: asyncio.TimerHandle | None = None
        self._state_number: int | None = None
        self._told_body: bytes | None = None  # what the owner knows since `board_up`
        self._want = StandingWant(wanted.to_bytes())

    def start(self) -> None:
        """Seek the board until `close`."""
        self._good_at = self._loop.time()
        self._wake_at(self._good_at + SILENCE_S)
        self._line.start(self)

    def close(self) -> None:
        """Let go of the line at once; the board darkens by itself after 1 s."""
        self._phase = _Phase.DOWN
        if self._check is not None:
            self._check.cancel()
            self._check = None
        self._line.close()

    def want(self, wanted: Body) -> None:
        """Tell the board so, now and until the next time.

        The same again costs nothing. ProtocolError if it cannot be expressed.
        """
        body = wanted.to_bytes()
        if body == self._want.body:
            return
        self._want.body = body
        if self._phase is _Phase.UP:
            self._send_next_want(self._loop.time())

    @property
    def obeyed(self) -> bool:
        """Whether the board has applied what it was told last, as far as its STATE says."""
        return self._phase is _Phase.UP and self._want.unapplied_since is None

    # The line

    def line_up(self) -> None:
        """See `LineUser`."""
        self._tried_at = self._loop.time()
        self._why = "nobody answers"
        self._seek()

    def line_received(self, data: bytes) -> None:
        """See `LineUser`."""
        for payload in self._deframer.feed(data):
            try:
                self._take(payload)
            except ProtocolError as error:
                self.statistics.malformed += 1
                if self._phase is _Phase.SEEKING:
                    self._why = f"wrong message: {error}"

    def line_down(self, why: str) -> None:
        """See `LineUser`."""
        self._phase = _Phase.DOWN
        self._why = why
        self._deframer.reset()
        if self._told is None:
            self._wake_at(self._good_at + SILENCE_S)

    # What the board says

    def _take(self, payload: bytes) -> None:
        kind = payload[0]
        if kind == MessageType.STATE:
            self._take_state(State.from_bytes(payload))
        elif kind == MessageType.IDENTITY:
            self._take_identity(Identity.from_bytes(payload))
        else:
            self.statistics.unknown += 1

    def _take_identity(self, identity: Identity) -> None:
        if self._phase is not _Phase.SEEKING or identity.session != self._session:
            self.statistics.unasked += 1
            return
        misfit = _misfit(identity, self.kind)
        now = self._loop.time()
        if misfit is not None:
            self._why = misfit
            self._tried_at = now  # it answers: the port has not hung
            if self._told not in (None, misfit):
                self._tell_lost(misfit)
            return
        self.statistics.connections += 1
        self.statistics.boots += self.identity is not None and self.identity.boot != identity.boot
        self.identity = identity
        self._told = None
        self._good_at = now
        self._state_number = None
        self._told_body = None
        self._owner.board_up(identity)
        if self._phase is _Phase.SEEKING:  # the owner has not closed the link
            self._phase = _Phase.UP
            self._send_next_want(now)
            self._want.begin_connection()

    def _take_state(self, state: State) -> None:
        seen = self._reader.read(state.body)
        if self._phase is not _Phase.UP or self.identity is None:
            self.statistics.unasked += 1
            return
        if state.boot != self.identity.boot:
            self._why = f"the board has rebooted (boot {state.boot:#010x})"
            self._seek()
            return
        last, now = self._state_number, self._loop.time()
        self._good_at = now
        if last is None and not self._want.is_of_this_connection(state.applied):
            self.statistics.unasked += 1  # it may be one that the wire repeats from long ago
        elif last is not None and not is_newer(state.number, last):
            self.statistics.stale += 1
        elif state.unattended:
            self._seek()
            self._tell_lost("the board has not heard the host for 1 s")
        else:
            self._state_number = state.number
            obeys = self._note_applied(state.applied, now)
            if obeys or state.body != self._told_body:
                self._told_body = state.body
                self._owner.board_state(state.boot, seen)
            if last is None and self._phase is _Phase.UP:
                self._owner.board_settled()

    def _note_applied(self, applied: int, now: float) -> bool:
        """Whether the board has just applied what is wanted."""
        want = self._want
        since = want.unapplied_since
        if applied != want.number:
            if since is None:  # no longer: the board has obeyed another, or nobody any more
                want.unapplied_since = now
                self._due_at = now + WANT_RETRY_S
                self._wake_at(self._due_at)
        elif since is not None:
            want.unapplied_since = None
            self._due_at = now + HOST_REPEAT_S
            self.statistics.round_trips.took((now - since) * 1000)
            return True
        return False

    # What the host says

    def _seek(self) -> None:
        self._phase = _Phase.SEEKING
        self._session = secrets.randbits(32)
        self._send_hello(self._loop.time())

    def _send_hello(self, now: float) -> None:
        self._send(DELIMITER + encode(Hello(self._session).to_bytes()))
        self._due_at = now + HELLO_REPEAT_S
        self._wake_at(self._due_at)

    def _send_next_want(self, now: float) -> None:
        self._want.renew(now)
        self._send_want(now)

    def _send_want(self, now: float) -> None:
        want = self._want
        self._send(want.frame)
        self._due_at = now + (HOST_REPEAT_S if want.unapplied_since is None else WANT_RETRY_S)
        self._wake_at(self._due_at)

    def _send(self, frame: bytes) -> None:
        if self._line.send(frame):
            self.statistics.sent += 1
            self.trace.sent(frame)
        else:
            self.statistics.refused += 1

    # Deadlines: one timer, set again when it fires and not with every frame

    def _wake_at(self, when: float) -> None:
        if self._check is not None:
            if self._check.when() <= when:
                return
            self._check.cancel()
        self._check = self._loop.call_at(when, self._do_due)

    def _do_due(self) -> None:
        self._check = None
        now = self._loop.time() + _SLACK_S
        if self._told is None and now >= self._good_at + SILENCE_S:
            self._lose(f"silent for {SILENCE_S:.0f} s")
        elif self._unheeded(now):
            self._lose("the board does not apply what it is told")
        elif self._phase is _Phase.SEEKING and now >= self._tried_at + REOPEN_S:
            self._abandon(self._why)
        elif self._phase is not _Phase.DOWN and now >= self._due_at:
            self._repeat(now - _SLACK_S)
        if self._phase is not _Phase.DOWN:
            self._wake_at(self._due_at)
        if self._told is None:
            self._wake_at(self._good_at + SILENCE_S)

    def _repeat(self, now: float) -> None:
        if self._phase is not _Phase.UP:
            self.statistics.retries += 1
            self._send_hello(now)
        else:
            self.statistics.retries += self._want.unapplied_since is not None
            self._send_want(now)

    def _unheeded(self, now: float) -> bool:
        since = self._want.unapplied_since
        return self._phase is _Phase.UP and since is not None and now >= since + SILENCE_S

    def _lose(self, why: str) -> None:
        if self._phase is _Phase.UP:
            self._abandon(why)
        self._tell_lost(self._why)

    def _abandon(self, why: str) -> None:
        self._phase = _Phase.DOWN
        self._why = why
        self._line.drop(why)

    def _tell_lost(self, why: str) -> None:
        self._told = why
        self._owner.board_lost(why)


def _misfit(identity: Identity, kind: BoardKind) -> str | None:
    """Why this is not the board sought, or None."""
    if identity.version != VERSION:
        return f"the board speaks version {identity.version}, this host version {VERSION}"
    if identity.kind != kind:
        return f"the board is of kind {identity.kind}, kind {int(kind)} ({kind.name}) is expected"
    if identity.seats != kind.seats:
        return f"the board has {identity.seats} seats, {kind.seats} are expected"
    return None
