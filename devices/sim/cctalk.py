"""Seven simulated coin acceptors on one ccTalk line, exact to the byte."""

import asyncio
from collections.abc import Callable, Sequence

from devices.roles import ACCEPTOR_ADDRESSES, SEATS
from devices.sim.memory import AcceptorMemory, CabinetState
from devices.sim.plug import SimulatedCable
from devices.sim.rail import SimulatedRail
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.cctalk.protocol import (
    BUFFERED,
    COUNTER_CYCLE,
    FIRST_INHIBITED,
    CcTalkHeader,
    CoinEvent,
    CreditBuffer,
    Frame,
    FrameParser,
)

TOKEN = 1
PATH = 1
BLOCKED = 14

PASS_S = 0.010
"""The time from the slot's sensor into the acceptor, or back."""

BOOT_MS = 100
"""After a reset it receives nothing for so long."""

UNASKED_MS = 1000
"""It stops accepting when it is not read for so long."""


class SimulatedAcceptor:
    """One acceptor with power; `silent`, `serial` and `jammed` may be changed."""

    def __init__(self, address: int, serial: int, memory: AcceptorMemory) -> None:
        self.address = address
        self.serial = serial
        self.silent = False
        self.jammed = False
        self._memory = memory
        self._read_ms: int | None = None  # when its credits were last read
        self._awake_ms = 0
        self._credits: bytes | None = None  # its answer, until something happens

    # Events

    def reset(self, now_ms: int) -> None:
        """Start anew, as with power: nothing counted, everything inhibited."""
        fresh = AcceptorMemory()
        self._memory.counter, self._memory.events = fresh.counter, fresh.events
        self._memory.mask, self._memory.master = fresh.mask, fresh.master
        self._read_ms = self._credits = None
        self._awake_ms = now_ms + BOOT_MS

    def insert(self, coin: int, now_ms: int) -> bool:
        """Insert a coin; returns whether it is swallowed, otherwise it goes back."""
        heeded = self._read_ms is not None and now_ms - self._read_ms < UNASKED_MS
        if self.jammed or not heeded or not self._memory.master:
            return False
        if not self._memory.mask >> (coin - 1) & 1:
            self.note(0, FIRST_INHIBITED + coin - 1)
            return False
        self.note(coin, PATH)
        return True

    def note(self, coin: int, code: int) -> None:
        """Count an event, and remember it while it is among the last five."""
        memory = self._memory
        memory.counter = memory.counter % COUNTER_CYCLE + 1
        memory.events = [(coin, code), *memory.events[: BUFFERED - 1]]
        self._credits = None

    # Answers

    def answer(self, frame: Frame, now_ms: int) -> Frame | None:
        """Its answer to a frame for its address; None if it does not receive or know the frame."""
        if self.silent or now_ms < self._awake_ms:
            return None
        data = self._obey(frame) if frame.data else self._answer_query(frame.header, now_ms)
        if data is None:
            return None
        return Frame(frame.source, self.address, CcTalkHeader.ACK, data)

    def _answer_query(self, header: int, now_ms: int) -> bytes | None:
        memory = self._memory
        if header == CcTalkHeader.READ_CREDIT:
            self._read_ms = now_ms
            if self._credits is None:
                events = tuple(CoinEvent(*event) for event in memory.events)
                self._credits = CreditBuffer(memory.counter, events).to_bytes()
            return self._credits
        if header == CcTalkHeader.RESET:
            self.reset(now_ms)
            return b""
        return {
            CcTalkHeader.SIMPLE_POLL: b"",
            CcTalkHeader.MANUFACTURER: b"SIM",
            CcTalkHeader.PRODUCT_CODE: b"TOKEN",
            CcTalkHeader.SERIAL_NUMBER: self.serial.to_bytes(3, "little"),
            CcTalkHeader.READ_OPTO: bytes((self.jammed,)),
            CcTalkHeader.SELF_CHECK: b"\x02" if self.jammed else b"\x00",
            CcTalkHeader.REQUEST_INHIBIT: memory.mask.to_bytes(2, "little"),
            CcTalkHeader.REQUEST_MASTER_INHIBIT: bytes((memory.master,)),
        }.get(CcTalkHeader(header))

    def _obey(self, frame: Frame) -> bytes | None:
        if frame.header == CcTalkHeader.MODIFY_INHIBIT:
            self._memory.mask = int.from_bytes(frame.data, "little")
        elif frame.header == CcTalkHeader.MODIFY_MASTER_INHIBIT:
            self._memory.master = bool(frame.data[0] & 1)
        else:
            return None
        return b""


class AcceptorLine:
    """The acceptors' line: the host receives an echo of each byte, and one acceptor answers."""

    def __init__(self, acceptors: Sequence[SimulatedAcceptor]) -> None:
        self._acceptors = {acceptor.address: acceptor for acceptor in acceptors}
        self._parser = FrameParser()

    def hear(self, data: bytes, now_ms: int) -> list[Frame]:
        """The answers to what the host has sent so far."""
        answers: list[Frame] = []
        for frame in self._parser.feed(data, now_ms):
            acceptor = self._acceptors.get(frame.destination)
            answer = None if acceptor is None else acceptor.answer(frame, now_ms)
            if answer is not None:
                answers.append(answer)
        return answers


class SimulatedCcTalkRail(SimulatedRail):
    """Seven slots over seven acceptors; `cable` leads to the slots' board, `bus` to them.

    A token passes the slot's sensor on its way into the acceptor, or back to the player.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        state: CabinetState,
        remember: Callable[[], None],
    ) -> None:
        self.acceptors = {
            seat: SimulatedAcceptor(address, 1000 + seat, memory)
            for seat, address, memory in zip(
                SEATS, ACCEPTOR_ADDRESSES, state.acceptors, strict=True
            )
        }
        for seat in state.jams:
            self.acceptors[seat].jammed = True
        self._line = AcceptorLine(tuple(self.acceptors.values()))
        self._powered = state.powered
        self.bus = SimulatedCable(loop, self._on_received)
        state.tokens.clear()  # none stays in a slot, even over a kill
        super().__init__(loop, BoardKind.CCTALK_SLOTS, state, remember)

    def put_token(self, seat: int) -> None:
        """Put a token into the slot; it is swallowed, or goes back."""
        super().put_token(seat)
        self._loop.call_later(PASS_S, self._pass, seat)

    def take_token(self, seat: int) -> None:
        """Do nothing: no token stays in a slot."""

    def jam(self, seat: int, jammed: bool) -> None:
        """Block the acceptor's sensor, so that it reports this and takes nothing, or free it."""
        acceptor = self.acceptors[seat]
        if jammed and not acceptor.jammed and self._powered:
            acceptor.note(0, BLOCKED)
        acceptor.jammed = jammed
        super().jam(seat, jammed)

    def power(self, on: bool) -> None:
        """Switch the power. With power the acceptors reset and the board boots."""
        if on and not self._powered:
            for acceptor in self.acceptors.values():
                acceptor.reset(self._acceptors_ms())
        self._powered = on
        super().power(on)

    def reset(self, seat: int) -> None:
        """Reset one acceptor."""
        self.acceptors[seat].reset(self._acceptors_ms())
        self._remember()

    def _acceptors_ms(self) -> int:
        """The acceptors' time: none of it is passed over."""
        return round(self._loop.time() * 1000)

    def _pass(self, seat: int) -> None:
        self._state.tokens.discard(seat)
        if self._powered and self.acceptors[seat].insert(TOKEN, self._acceptors_ms()):
            self._state.tray_tokens += 1
        self._on_change()

    def _on_received(self, data: bytes) -> None:
        answers = self._line.hear(data, self._acceptors_ms()) if self._powered else []
        self.bus.send(data + b"".join(answer.to_bytes() for answer in answers))
        if answers and len(answers[0].data) == 0:
            self._remember()  # a command may have changed its memory
