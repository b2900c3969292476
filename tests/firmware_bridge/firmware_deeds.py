"""Random deeds for a board, as lines for `steps_server`, and what the reference does at each.

Bytes of a host (most of them frames, some damaged, late or of another version), sensors, time that
passes, power that goes. All is repeated by the seed.
"""

import struct
from collections.abc import Iterator
from random import Random

from firmware_bridge.board_session.framing import encode
from firmware_bridge.board_session.protocol import BoardKind

LONGEST_LIFE = 600
"""Steps until a board boots anew, as another kind perhaps."""

PAUSES_MS = (0, 0, 1, 1, 2, 4, 5, 6, 20, 100, 299, 300)
LONG_PAUSES_MS = (400, 999, 1000, 1100, 2000, 2100)
KINDS = (1, 1, 1, 2, 6, 3, 3, 4, 5, 7)
SHUFFLERS = (BoardKind.SHUFFLER, BoardKind.MIXER, BoardKind.DECK_SHUFFLER)
COUNTS = (0, 0, 7, 32760, 65530, 65534, 65535)


class Deeds:
    """What happens to boards, without end: each a line `WHAT MILLISECONDS VALUE`."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self._now = 0
        self._kinds: list[int] = []
        self._kind = BoardKind.SLOT_RAIL
        self._session = 0
        self._sessions = [0]
        self._number = 0
        self._hand = 0

    def make_lines(self, count: int) -> Iterator[str]:
        """So many steps."""
        left = 0
        for _ in range(count):
            if not left:
                left = self._chance.randrange(20, LONGEST_LIFE)
                yield self._boot()
            else:
                long = self._chance.random() < 0.05
                self._now += self._chance.choice(LONG_PAUSES_MS if long else PAUSES_MS)
                yield self._step()
            left -= 1

    def _boot(self) -> str:
        chance = self._chance
        if not self._kinds:  # dealt like cards, so that no kind is left out for long
            self._kinds = chance.sample(KINDS, len(KINDS))
        self._kind = BoardKind(self._kinds.pop())
        self._sessions = [chance.getrandbits(32)]
        self._now = chance.choice((0, 0, 1 << 30, (1 << 31) - 2000, 1 << 40))
        boot, count = chance.getrandbits(32), chance.choice(COUNTS)
        return f"boot {self._now} {int(self._kind)},{boot},{count}"

    def _step(self) -> str:
        chance = self._chance
        kind = chance.random()
        if kind < 0.65:
            data = self._damage(self._host_frame())
            return f"line {self._now} {data.hex()}" if data else f"wait {self._now} 0"
        if kind < 0.70:
            noise = bytes(chance.choice((0, chance.randrange(256))) for _ in range(9))
            return f"line {self._now} {(noise * chance.choice((1, 1, 40))).hex()}"
        if kind < 0.75:
            return f"wait {self._now} 0"
        if kind < 0.77:
            return f"notices {self._now} {chance.getrandbits(7) << 1}"
        if kind < 0.775:
            return f"image {self._now} {chance.randbytes(32).hex()}"
        what, value = self._move()
        return f"{what} {self._now} {value}"

    # The host

    def _host_frame(self) -> bytes:
        chance = self._chance
        if chance.random() < 0.12:
            return b"\0" + encode(self._hello())
        if chance.random() < 0.02:
            return encode(chance.randbytes(chance.randrange(1, 251)))
        self._number = (
            self._number + chance.choice((0, 1, 1, 1, 1, 2, -1, -5, 32767, 32768))
        ) % 65536
        more = b"more" if chance.random() < 0.02 else b""
        return encode(struct.pack("<BH", 2, self._number) + self._body() + more)

    def _hello(self) -> bytes:
        chance = self._chance
        if chance.random() < 0.5:
            self._sessions = [*self._sessions[-70:], chance.getrandbits(32)]
        session = self._sessions[-1] if chance.random() < 0.8 else chance.choice(self._sessions)
        return struct.pack("<BBI", 1, chance.choice((1, 1, 1, 1, 1, 2)), session)

    def _body(self) -> bytes:
        chance = self._chance
        if self._kind is BoardKind.COUNTING_SHOE:
            return b""
        if self._kind in SHUFFLERS:
            self._hand = (self._hand + chance.choice((0, 0, 0, 0, 1))) % 4
            sizes = bytes((chance.choice((5, 5, 5, 3)),)) * chance.choice((0, 1, 8, 8, 9))
            flags, count = chance.choice((1, 3, 3, 3, 2, 0, 255)), len(sizes)
            if chance.random() < 0.03:
                count, sizes = chance.randrange(12), sizes + bytes(chance.randrange(3))
            return struct.pack("<BHB", flags, self._hand, count) + sizes
        lamps = chance.getrandbits(16 if chance.random() < 0.03 else 14)
        gates = chance.getrandbits(8 if chance.random() < 0.03 else 7)
        turn = chance.choice((1, 2, 2, 3, 65535, 0))
        return struct.pack("<HBH", lamps, gates, turn)

    def _damage(self, frame: bytes) -> bytes:
        chance = self._chance
        harm = chance.random()
        at = chance.randrange(len(frame))
        if harm < 0.05:
            return frame[:at] + bytes([chance.randrange(256)]) + frame[at + 1 :]
        if harm < 0.08:
            return frame[:at]
        if harm < 0.11:
            return frame + frame
        if harm < 0.14:
            return chance.randbytes(chance.randrange(1, 300)) + frame
        return frame

    # The board's sensors

    def _move(self) -> tuple[str, object]:
        chance = self._chance
        if self._kind is BoardKind.COUNTING_SHOE:
            return chance.choice(
                (("load", chance.randrange(65535)), ("draw", 1), ("draw", 1), ("cut", 0))
            )
        if self._kind in SHUFFLERS:
            return "machine", ",".join(str(number) for number in self._machine())
        return chance.choice(
            (
                ("sense", chance.getrandbits(7)),
                ("drop", chance.randrange(1, 8)),
                ("drop", chance.randrange(1, 8)),
                ("tray", 0),
                ("dead", chance.getrandbits(7)),
            )
        )

    def _machine(self) -> tuple[int, ...]:
        """Its twelve numbers: see `steps_server.read_machine`."""
        chance = self._chance
        preparing = chance.choice((0, 1, 2, 2, 2, 3))
        counted = chance.choice((52, 51, 312)) if preparing == 2 else 0xFFFF
        prepared_back = chance.randrange(1, 3) if preparing else 0
        playing_back = chance.choice((0, 1, 2, 2))
        left, waiting = chance.choice((52, 47, 4)), chance.choice((0, 5, 5, 5, 3))
        hand = self._hand if chance.random() < 0.8 else chance.randrange(4)
        packets = chance.choice((0, 0, 1, 8))
        unloaded = chance.choice((0xFFFF, 0, 12))
        unloading = int(chance.random() < 0.1)
        return (
            preparing, prepared_back, counted, playing_back, left, hand,
            5 * packets, packets, unloaded, waiting, unloading, chance.choice(COUNTS),
        )  # fmt: skip
