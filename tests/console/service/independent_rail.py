"""A coin rail by somebody who has read docs/reference/wire-protocol.md and nothing else of the
house.

Its board has a plug, a power switch and a bad wire (`Wire`); around it are slots, gates and a tray.
It lives on the test's event loop and speaks on a pseudo-terminal, by the clock.
"""

import asyncio
import os
import struct
import tty
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

SEATS = range(1, 8)
POLL_S = 0.002
FALL_MS, CHUTE_MS = 10, 5

HELLO, WANT, IDENTITY, STATE = 0x01, 0x02, 0x81, 0x82
DARK, INVITE, ON, ALERT = range(4)

Wire = Callable[[bytes], Iterable[bytes]]
"""What becomes of a frame on its way: the pieces that arrive, one after another."""


def good_wire(frame: bytes) -> Iterable[bytes]:
    """Every frame arrives as it was sent."""
    return (frame,)


def encode_cobs(data: bytes) -> bytes:
    """COBS, for less than 255 bytes."""
    return b"".join(bytes([len(run) + 1]) + run for run in data.split(b"\0"))


def decode_cobs(data: bytes) -> bytes | None:
    """The reverse; None for what cannot be."""
    out, at = b"", 0
    while at < len(data):
        if at + data[at] > len(data):
            return None
        out += data[at + 1 : at + data[at]] + b"\0"
        at += data[at]
    return out[:-1]


def frame(payload: bytes) -> bytes:
    """A payload with its CRC, ended by 00."""
    return encode_cobs(payload + struct.pack("<I", zlib.crc32(payload))) + b"\0"


def payload_of(body: bytes) -> bytes | None:
    """What stood in a frame; None if it is none."""
    data = decode_cobs(body)
    if data is None or len(data) < 5:
        return None
    payload, crc = data[:-4], int.from_bytes(data[-4:], "little")
    return payload if zlib.crc32(payload) == crc else None


class BoardMemory:
    """What a board forgets when it boots."""

    def __init__(self, boot: int) -> None:
        self.boot = boot
        self.number = 0
        self.applied = 0
        self.session: int | None = None
        self.heard_at: int | None = None  # None: unattended
        self.lamps = 0
        self.gates: dict[int, int] = {}  # those open, and until when
        self.served: dict[int, int] = {}
        self.drops = dict.fromkeys(SEATS, 0)
        self.tray = 0
        self.reported = b""
        self.reported_at = 0


class IndependentRail:
    """Seven slots with gates over a tray, and the board, found under `link`."""

    def __init__(self, link: Path, wire: Wire = good_wire, *, version: int = 1) -> None:
        self.link = link
        self.wire = wire
        self.version = version
        self.dumb = False  # says nothing, and does not listen
        self.blind_tray = False  # its counter misses what goes past it
        self.slots: set[int] = set()
        self.jams: set[int] = set()
        self.tray: list[int] = []  # the tokens in it, by the seat they came from
        self.memory = BoardMemory(boot=0xB0070001)
        self._falling: dict[int, int] = {}  # seat, and when its token passes the drop sensor
        self._chute: list[tuple[int, int]] = []
        self._gathered = b""
        self._terminal: tuple[int, int] | None = None
        self._pieces: list[bytes] = []
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(0, self._poll)
        self.plug()

    # What people do

    def put(self, *seats: int) -> None:
        """Put tokens in."""
        self.slots |= set(seats)

    def take(self, *seats: int) -> None:
        """Take tokens out."""
        self.slots -= set(seats)

    def plug(self) -> None:
        """Plug it in: another terminal under the same name, as an adapter makes one."""
        device, host = os.openpty()
        tty.setraw(host)
        os.set_blocking(device, False)
        self._terminal = device, host  # with the host's end open it does not hang up by itself
        fresh = self.link.with_suffix(".new")
        fresh.symlink_to(os.ttyname(host))
        fresh.replace(self.link)
        self._loop.add_reader(device, self._hear, device)

    def unplug(self) -> None:
        """Pull the plug of the line: it hangs up. The board goes on counting."""
        if self._terminal is not None:
            self._loop.remove_reader(self._terminal[0])
            for descriptor in self._terminal:
                os.close(descriptor)
            self._terminal = None
            self.link.unlink()
            self._pieces.clear()

    def reboot(self) -> None:
        """Its power goes and comes back: gates closed, counters at zero, another boot number."""
        self.memory = BoardMemory(self.memory.boot + 1)
        self._gathered = b""

    def break_off(self) -> None:
        """The line is gone in the middle of a frame, and comes back."""
        if self._terminal is not None:
            os.write(self._terminal[0], frame(bytes([STATE]) + bytes(28))[:17])
        self.unplug()
        self.plug()

    def close(self) -> None:
        """Take it out of the cabinet."""
        self._timer.cancel()
        self.unplug()

    # What people see

    def lamps(self, *what: int) -> set[int]:
        """The seats whose lamp does one of these."""
        return {seat for seat in SEATS if self.memory.lamps >> 2 * (seat - 1) & 3 in what}

    @property
    def gates(self) -> set[int]:
        """The seats whose gate is open."""
        return set(self.memory.gates)

    # The board

    def _now(self) -> int:
        return int(self._loop.time() * 1000)

    def _hear(self, device: int) -> None:
        data = os.read(device, 4096)
        if self.dumb:
            return
        *frames, self._gathered = (self._gathered + data).split(b"\0")
        for sent in frames:
            for body in b"".join(self.wire(sent + b"\0")).split(b"\0"):
                payload = payload_of(body)
                if payload is not None:
                    self._obey(payload)

    def _obey(self, payload: bytes) -> None:
        if payload[0] == HELLO and len(payload) >= 6:
            self._greet(*struct.unpack_from("<BI", payload, 1))
        elif payload[0] == WANT and len(payload) >= 8 and self.memory.heard_at is not None:
            self.memory.heard_at = self._now()
            self._serve(*struct.unpack_from("<HHBH", payload, 1))

    def _greet(self, version: int, session: int) -> None:
        memory = self.memory
        identity = struct.pack(
            "<BBBBII8s3B", IDENTITY, self.version, 1, 7, memory.boot, session, b"STRANGE ", 0, 9, 1
        )
        self._say(b"\0" + frame(identity))
        if version == self.version:
            memory.heard_at = self._now()
            memory.reported = b""
            if memory.session != session:
                memory.session, memory.applied = session, 0
                memory.gates.clear()

    def _serve(self, number: int, lamps: int, gates: int, turn: int) -> None:
        memory = self.memory
        if memory.applied and not 1 <= (number - memory.applied) % 65536 <= 32767:
            return
        memory.applied, memory.lamps = number, lamps
        for seat in SEATS:
            if not gates >> (seat - 1) & 1:
                memory.gates.pop(seat, None)
            elif memory.served.get(seat) != turn:
                memory.served[seat] = turn
                memory.gates[seat] = self._now() + 2000

    def _poll(self) -> None:
        due = 1 + int((self._loop.time() - self._timer.when()) / POLL_S)  # more where it comes late
        self._timer = self._loop.call_later(POLL_S, self._poll)
        now, memory = self._now(), self.memory
        if memory.heard_at is not None and now - memory.heard_at >= 1000:
            memory.heard_at, memory.lamps, memory.applied = None, 0, 0
            memory.gates.clear()
        memory.gates = {seat: until for seat, until in memory.gates.items() if now < until}
        self._fall(now)
        self._report(now)
        self._transmit(due)

    def _fall(self, now: int) -> None:
        for seat in (self.slots - self.jams) & self.gates - self._falling.keys():
            self._falling[seat] = now + FALL_MS
        for seat in [seat for seat, when in self._falling.items() if now >= when]:
            del self._falling[seat]
            if seat in (self.slots - self.jams) & self.gates:
                self.slots.remove(seat)
                self.memory.gates.pop(seat)
                self.memory.drops[seat] += 1
                self._chute.append((now + CHUTE_MS, seat))
        while self._chute and now >= self._chute[0][0]:
            self.tray.append(self._chute.pop(0)[1])
            self.memory.tray += not self.blind_tray

    def _report(self, now: int) -> None:
        memory = self.memory
        body = struct.pack(
            "<IHBBB7HHB",
            memory.boot,
            memory.applied,
            memory.heard_at is None,
            sum(1 << (seat - 1) for seat in self.slots),
            sum(1 << (seat - 1) for seat in memory.gates),
            *memory.drops.values(),
            memory.tray,
            0,
        )
        if now - memory.reported_at >= (300 if body == memory.reported else 5):
            memory.reported, memory.reported_at = body, now
            memory.number = (memory.number + 1) % 65536
            self._say(frame(struct.pack("<BH", STATE, memory.number) + body))

    def _say(self, data: bytes) -> None:
        if not self.dumb and self._terminal is not None:
            self._pieces += self.wire(data)

    def _transmit(self, pieces: int) -> None:
        """One piece a poll; what the line does not take is lost, as nobody reads it."""
        if self._terminal is None:
            return
        for piece in self._pieces[:pieces]:
            with suppress(BlockingIOError):
                os.write(self._terminal[0], piece)
        del self._pieces[:pieces]
