"""Frames on the board's line: COBS with a CRC, ended by 00.

docs/reference/wire-protocol.md, "Frames".

    frame = COBS(payload + CRC-32 of the payload, 4 bytes, little-endian) + 00

What the deframer must survive, and does, at the cost of the damaged frame only:

- a frame in pieces, byte by byte, or several frames in one piece;
- a frame cut short, the next one glued to its rest: one bad frame, found by the CRC or the COBS;
- bytes of noise before, between and after frames; a port opened in the middle of a frame;
- bits turned, bytes lost, bytes doubled: CRC-32 finds every burst of up to 32 bits;
- 00 after 00: an idle line, not an error;
- a talker that never sends 00: at most `LONGEST_FRAME` bytes are kept, the rest is counted once
  and thrown away up to the next 00;
- megabytes of any of these: the time taken is in proportion to the number of bytes.
"""

from collections.abc import Callable
from types import BuiltinFunctionType
from zlib import crc32

from cobs import cobs

from firmware_bridge.line_statistics import FrameCounts

DELIMITER = b"\x00"
LONGEST_PAYLOAD = 250
"""Bytes. With its CRC such a payload is one COBS block: never more than one byte is added."""

LONGEST_FRAME = LONGEST_PAYLOAD + 4 + 1
"""Bytes before the delimiter."""

# CRC-32 over a payload followed by its own CRC gives this number and no other.
_RESIDUE = 0x2144DF1C
_SHORTEST_CHECKED = 1 + 4


def describe_slow_codec(codec: Callable[[bytes], bytes] = cobs.encode) -> str:
    """That the library cobs was built without a compiler; "" if it was built with one.

    Its own fall-back in Python is silent.
    """
    if isinstance(codec, BuiltinFunctionType):
        return ""
    return (
        "the library cobs is here without its compiled part, and takes 20 times longer for each "
        "frame of a board: install it again from a wheel, or with a C compiler "
        "(docs/how-to/install.md)"
    )


def encode(payload: bytes) -> bytes:
    """The frame of a payload of 1 to 250 bytes, with its closing 00.

    The first frame after connecting should follow a single `DELIMITER`, which ends any noise that
    the receiver has collected; two in a row mean nothing.
    """
    if not 1 <= len(payload) <= LONGEST_PAYLOAD:
        raise ValueError(f"a payload has 1 to {LONGEST_PAYLOAD} bytes, not {len(payload)}")
    coded: bytes = cobs.encode(payload + crc32(payload).to_bytes(4, "little"))
    return coded + DELIMITER


class Deframer:
    """Turns bytes as they arrive from a board into the payloads of good frames.

    A frame whose checksum is wrong is dropped and counted.
    """

    __slots__ = ("_heard", "_overrun", "_rest", "counts")

    def __init__(self, heard: Callable[[bytes, bool, float], None] | None = None) -> None:
        """`heard` is called with every frame without its closing 00, whether it is good, and when
        its last bytes were fed.
        """
        self.counts = FrameCounts()
        self._heard = heard
        self._rest = bytearray()
        self._overrun = False

    def feed(self, data: bytes, now: float = 0.0) -> list[bytes]:
        """The payloads completed by these bytes, in order; damaged frames are only counted.

        `now`: seconds of a monotonic clock; only whoever has `heard` them needs it.
        """
        *ended, rest = data.split(DELIMITER)
        payloads: list[bytes] = []
        for end in ended:
            if self._overrun:
                self._overrun = False
                self.counts.too_long += 1
                continue
            coded = bytes(self._rest) + end if self._rest else end
            self._rest.clear()
            if coded:
                self._open(coded, payloads, now)
        if rest:
            self._keep(rest, now)
        return payloads

    def reset(self) -> None:
        """Forget an unfinished frame, because the line was closed. The counts stay."""
        self._rest.clear()
        self._overrun = False

    def _keep(self, rest: bytes, now: float) -> None:
        if self._overrun:
            return
        if len(self._rest) + len(rest) > LONGEST_FRAME:
            if self._heard is not None:
                self._heard(bytes(self._rest) + rest, False, now)
            self._rest.clear()
            self._overrun = True
        else:
            self._rest += rest

    def _open(self, coded: bytes, payloads: list[bytes], now: float) -> None:
        whole = False
        try:
            checked: bytes = cobs.decode(coded) if len(coded) <= LONGEST_FRAME else b""
        except cobs.DecodeError:
            self.counts.bad_cobs += 1
        else:
            if len(coded) > LONGEST_FRAME:
                self.counts.too_long += 1
            elif len(checked) < _SHORTEST_CHECKED or crc32(checked) != _RESIDUE:
                self.counts.bad_crc += 1
            else:
                self.counts.frames += 1
                payloads.append(checked[:-4])
                whole = True
        if self._heard is not None:
            self._heard(coded, whole, now)
