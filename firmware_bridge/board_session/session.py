"""The host's side of the boards' wire protocol, over any line (docs/reference/wire-protocol.md).

It sends HELLO until the right board answers, then WANT on each change and regularly. New STATEs go
to the owner. Lost messages are repeated, and repeated ones do no harm. One session serves every
kind of board; the bodies of WANT and STATE are in each kind's own module.
"""

import asyncio
from collections.abc import Callable
from enum import Enum
from typing import Any, Generic, Protocol, TypeVar

from firmware_bridge.board_session.changes import RESTLESS_HELLO_S, BoardChanges, Strangers
from firmware_bridge.board_session.framing import Deframer
from firmware_bridge.board_session.host_speech import (
    HELLO_REPEAT_S,
    HOST_SPACING_S,
    SILENCE_S,
    HostSpeech,
)
from firmware_bridge.board_session.protocol import (
    BOARD_REPEAT_MS,
    BoardKind,
    Body,
    Identity,
    Image,
    MessageType,
    State,
    is_newer,
)
from firmware_bridge.board_session.session_key import SessionKey
from firmware_bridge.earliest_timer import EarliestTimer
from firmware_bridge.frame_trace import FrameTrace
from firmware_bridge.line import Line
from firmware_bridge.line_statistics import LineStatistics
from firmware_bridge.protocol_error import ProtocolError
from firmware_bridge.repetition import Repetition, later

Seen_contra = TypeVar("Seen_contra", contravariant=True)

Content = TypeVar("Content")


REPEAT_US = BOARD_REPEAT_MS * 1000

REOPEN_S = 3.0
"""A port without an answer is opened again after so long, because the adapter may have hung. Longer
than the start of a board that boots when its port is opened."""

_SLACK_S = 0.0005  # a timer may fire this much early, so that it need not be set again


class BoardOwner(Protocol[Seen_contra]):
    """The owner of a `BoardSession`; called on the event loop's thread."""

    def board_up(self, identity: Identity) -> None:
        """The right board has answered; its states follow.

        Called again after every reconnection, even one so short (under 1 s) that `board_lost` was
        not called. WANT is sent next, so this is the place to change it for a board that has
        booted.
        """

    def board_state(self, boot: int, seen: Seen_contra) -> None:
        """A state of the board of this boot: the first since `board_up`, then each new one.

        Also an unchanged one, when the board has just applied the last WANT.
        """

    def board_settled(self) -> None:
        """The board has applied a WANT since `board_up`: its outputs are written again.

        Called after the first state.
        """

    def board_image(self, identity: Identity, digest: str) -> None:
        """The board says what its flash holds: the image's SHA-256, in hexadecimal.

        Once in each connection; many boards never say it.
        """

    def board_unproven(self, identity: Identity) -> None:
        """A board answers that does not prove its key, or has none yet (version 2).

        `board_lost` follows.
        """

    def board_lost(self, why: str) -> None:
        """There was no board, or a wrong one, for 1 s.

        Called again only if another wrong board answers.
        """


class LossReports:
    """What an owner hears of a board that is lost; `reported`: why it is, None while it is not."""

    __slots__ = ("_kind", "_owner", "_strangers", "reported")

    def __init__(self, owner: BoardOwner[Any], kind: BoardKind) -> None:
        self.reported: str | None = None
        self._kind = kind
        self._owner = owner
        self._strangers = Strangers()

    def end(self) -> None:
        """Note that the right board is there."""
        self.reported = None
        self._strangers = Strangers()

    def report(self, why: str) -> None:
        """Report the board lost, and who answers in its place."""
        self.reported = why
        stranger = self._strangers.last
        if stranger is not None and stranger.find_misfit(self._kind, stranger.version) is None:
            self._owner.board_unproven(stranger)
        self._owner.board_lost(why)

    def correct(self, why: str) -> None:
        """Report that there is another reason than was reported."""
        if self.reported not in (None, why):
            self.report(why)

    def meet_stranger(self, identity: Identity, why: str, now: float) -> None:
        """A board does not prove itself: it is reported when the right one is lost."""
        if self.reported is None:
            self._strangers.meet(identity, why)
        elif self._strangers.are_due(identity, why, now):
            self.report(why)

    def await_key(self, until: float) -> None:
        """Report no stranger until then: it may take its key."""
        self._strangers.due_at = until


class BodyReader(Generic[Content]):
    """Reads bodies with `read`; a repeated body is not read again."""

    __slots__ = ("_last", "_read")

    def __init__(self, read: Callable[[bytes], Content]) -> None:
        self._read = read
        self._last: tuple[bytes, Content] | None = None

    def read(self, body: bytes) -> Content:
        """The content of this body. Raises ProtocolError."""
        if self._last is None or self._last[0] != body:
            self._last = (body, self._read(body))
        return self._last[1]


Seen = TypeVar("Seen")
"""The content of STATE for a kind of board: `RailState` for a rail."""


class _Phase(Enum):
    DOWN = "no port"
    SEEKING = "a port, and HELLO without an answer yet"
    UP = "the right board has answered"


class BoardSession(Generic[Seen]):
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
        key: SessionKey | None = None,
    ) -> None:
        """`wanted` is sent until `want` is called; `read` reads a STATE's body.

        `key` says which version is spoken, without it 1: no answer changes that.
        """
        self.kind = kind
        self.statistics = LineStatistics()
        self.trace = FrameTrace(loop.time)
        self.identity: Identity | None = None  # the last board of ours that answered
        self.image = ""  # its digest, in hexadecimal, as that board says it
        self._line = line
        self._reader = BodyReader(read)
        self._owner = owner
        self._loop = loop
        self._deframer = Deframer(self.trace.note_received)
        self.statistics.received = self._deframer.counts
        self._phase = _Phase.DOWN
        self._why = "the port has not been opened"
        self._losses = LossReports(owner, kind)
        self._good_at = 0.0  # when the board was last heard
        self._tried_at = 0.0  # since when this port is searched
        self._timer = EarliestTimer(loop, self._do_due)
        key = key or SessionKey()
        key.changed = self._begin_anew
        self._speech = HostSpeech(
            line, self._timer, self.statistics, self.trace, wanted.to_bytes(), key
        )
        self._changes = BoardChanges()
        self.missed_states = False  # before the STATE that was taken last, and since `board_up`
        self.notices = 0  # of the STATE that the owner has last been told
        self._state_number: int | None = None
        self._reported_body: bytes | None = None  # the body known to the owner since `board_up`

    def start(self) -> None:
        """Search for the board until `close`."""
        self._good_at = self._loop.time()
        self._timer.wake_at(self._good_at + SILENCE_S)
        self._line.start(self)

    def close(self) -> None:
        """Release the line at once; the board goes dark by itself after 1 s."""
        self._phase = _Phase.DOWN
        self._timer.cancel()
        self._line.close()

    def want(self, wanted: Body) -> None:
        """Want this of the board from now on; an unchanged want costs nothing.

        Raises ProtocolError if it cannot be expressed.
        """
        body = wanted.to_bytes()
        if body == self._speech.want.body:
            return
        self._speech.want.body = body
        if self._phase is _Phase.UP:
            self._speech.send_next_want(self._loop.time())

    @property
    def obeyed(self) -> bool:
        """Whether the board has applied the last WANT, according to its STATE."""
        return self._phase is _Phase.UP and self._speech.want.unapplied_since is None

    # The line

    def line_up(self) -> None:
        """See `LineUser`."""
        self._tried_at = self._loop.time()
        self._why = "nobody answers"
        self._seek()

    def line_received(self, data: bytes) -> None:
        """See `LineUser`."""
        now = self._loop.time()
        for payload in self._deframer.feed(data, now):
            try:
                self._take(payload, now)
            except ProtocolError as error:
                self.statistics.malformed += 1
                if self._phase is _Phase.SEEKING:
                    self._why = f"wrong message: {error}"

    def line_down(self, why: str) -> None:
        """See `LineUser`."""
        self._phase = _Phase.DOWN
        self._why = why
        self.statistics.restless = False
        self._deframer.reset()
        if self._losses.reported is None:
            self._timer.wake_at(self._good_at + SILENCE_S)

    def repetition(self) -> Repetition | None:
        """See `Repeating`: the board reports that it obeys, and the same WANT goes out with it."""
        speech = self._speech
        heard = self._state_number is not None and speech.wanted_at == self._good_at
        rests = heard and speech.want.unapplied_since is None
        if self._phase is not _Phase.UP or self._losses.reported is not None or not rests:
            return None
        return Repetition(REPEAT_US, self._timer.handles, self._pass_over)

    def _pass_over(self, us: int) -> None:
        self._good_at = later(self._good_at, us)
        self._speech.due_at = later(self._speech.due_at, us)
        self._speech.wanted_at = later(self._speech.wanted_at, us)
        self._timer.pass_over(us)
        self.statistics.sent += us // REPEAT_US
        self.statistics.received.frames += us // REPEAT_US

    # Messages of the board

    def _take(self, payload: bytes, now: float) -> None:
        kind = payload[0]
        if kind == MessageType.STATE:
            if (message := self._speech.read_proved(payload, now)) is not None:
                self._take_state(State.from_bytes(message), now)
        elif kind == MessageType.IDENTITY:
            self._take_identity(Identity.from_bytes(payload), payload, now)
        elif kind == MessageType.IMAGE:
            if (message := self._speech.read_proved(payload, now)) is not None:
                self._take_image(Image.from_bytes(message))
        else:
            self.statistics.unknown += 1

    def _take_identity(self, identity: Identity, payload: bytes, now: float) -> None:
        speech = self._speech
        if self._phase is _Phase.DOWN or identity.session != speech.hello.session:
            return
        if not speech.believes(payload, identity):
            if self._phase is _Phase.SEEKING:
                self._why, self._tried_at = speech.doubt(identity, self.kind, now), now
                self._losses.meet_stranger(identity, self._why, now)
            return
        self._changes.take_identity(identity, now)
        if self._phase is _Phase.UP:
            if identity != self.identity and not self._is_greeted_again(identity):
                self._interrupt("another board has answered, too", now)
            return
        misfit = identity.find_misfit(self.kind, speech.version)
        if self._lose_if_restless(now):
            self._tried_at = now  # there is an answer: the port has not hung
        elif misfit is not None:
            self._why, self._tried_at = misfit, now
            self._losses.correct(misfit)
        else:
            self._connect(identity, now)

    def _is_greeted_again(self, identity: Identity) -> bool:
        """Whether it is the same boot, in whose session we are: a HELLO between was not ours."""
        found = self.identity
        return self._speech.has_begun and found is not None and identity.boot == found.boot

    def _connect(self, identity: Identity, now: float) -> None:
        self.statistics.connections += 1
        self.statistics.boots += self.identity is not None and self.identity.boot != identity.boot
        self.identity, self.image = identity, ""
        self._losses.end()
        self._good_at = now
        self._state_number = None
        self._reported_body = None
        self._owner.board_up(identity)
        if self._phase is _Phase.SEEKING:  # unless the owner has closed the session
            self._phase = _Phase.UP
            self._speech.send_next_want(now)
            self._speech.want.begin_connection()

    def _take_state(self, state: State, now: float) -> None:
        last = self._state_number
        if state.boot != self._changes.boot:
            self._changes.take_state(state.boot, now)
        found = self.identity if self._phase is _Phase.UP else None
        if found is not None and state.boot != found.boot:
            self._interrupt(f"the board has rebooted (boot {state.boot:#010x})", now)
            return
        seen = self._reader.read(state.body)
        if found is None:
            return
        self._good_at = now
        if last is None and not self._speech.want.is_of_this_connection(state.applied):
            return  # the wire may repeat an old one
        if last is not None and not is_newer(state.number, last):
            return
        if state.unattended:
            self._changes.take_interruption(now)
            self._interrupt("the board has not heard the host for 1 s", now)
            if self._losses.reported is None:
                self._losses.report(self._why)
        else:
            self.missed_states = last is None or state.number != (last + 1) & 0xFFFF
            self._state_number = state.number
            obeys = self._speech.take_applied(state.applied, now)
            if obeys or state.body != self._reported_body or state.notices != self.notices:
                self._reported_body, self.notices = state.body, state.notices
                self._owner.board_state(state.boot, seen)
            if self._phase is not _Phase.UP:  # the owner has closed the session
                return
            speech = self._speech
            if now >= speech.wanted_at + HOST_SPACING_S and speech.want.unapplied_since is None:
                speech.send_want(now)  # as nothing then wakes the host only for that
            if last is None:
                self._owner.board_settled()

    def _take_image(self, image: Image) -> None:
        board = self.identity if self._phase is _Phase.UP else None
        if board is not None and (digest := image.digest.hex()) != self.image:
            self.image = digest
            self._owner.board_image(board, digest)

    def _interrupt(self, why: str, now: float) -> None:
        """Search again, on a line where a board is heard."""
        self._why = why
        self._seek()
        self._lose_if_restless(now)

    def _lose_if_restless(self, now: float) -> bool:
        """Whether no board on this line can be used; reports that to the owner once."""
        if not self._changes.restless(now):
            return False
        self._why = self._changes.why
        self.statistics.restless = True
        if self._losses.reported != self._why:
            self._losses.report(self._why)
        return True

    # Messages of the host

    def _begin_anew(self) -> None:
        """The key is another one."""
        if self._phase is not _Phase.DOWN:
            self._losses.await_key(self._loop.time() + SILENCE_S)
            self._seek()

    def _seek(self) -> None:
        self._phase = _Phase.SEEKING
        self._speech.begin_session()
        self._send_hello(self._loop.time())

    def _send_hello(self, now: float) -> None:
        self.statistics.restless = self._changes.restless(now)
        self._speech.send_hello(
            now, RESTLESS_HELLO_S if self.statistics.restless else HELLO_REPEAT_S
        )

    # Deadlines

    def _do_due(self) -> None:
        now = self._loop.time() + _SLACK_S
        if self._losses.reported is None and now >= self._good_at + SILENCE_S:
            self._lose(f"silent for {SILENCE_S:.0f} s")
        elif self._phase is _Phase.UP and self._speech.is_unheeded(now):
            self._lose("the board does not apply what it is told")
        elif self._phase is _Phase.SEEKING and now >= self._tried_at + REOPEN_S:
            self._abandon(self._why)
        elif self._phase is not _Phase.DOWN and now >= self._speech.due_at:
            self._repeat(now - _SLACK_S)
        if self._phase is not _Phase.DOWN:
            self._timer.wake_at(self._speech.due_at)
        if self._losses.reported is None:
            self._timer.wake_at(self._good_at + SILENCE_S)

    def _repeat(self, now: float) -> None:
        if self._phase is not _Phase.UP:
            self.statistics.retries += 1
            self._send_hello(now)
        else:
            self.statistics.retries += self._speech.want.unapplied_since is not None
            self._speech.send_want(now)

    def _lose(self, why: str) -> None:
        if self._phase is _Phase.UP:
            self._abandon(why)
        self._losses.report(self._why)

    def _abandon(self, why: str) -> None:
        self._phase = _Phase.DOWN
        self._why = why
        self._line.drop(why)
