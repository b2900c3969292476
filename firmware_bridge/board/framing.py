"""Frames at the board's end of its line: COBS and CRC-32.

docs/reference/wire-protocol.md, "Frames".
"""

import struct
from binascii import crc32

LONGEST_FRAME = 255
"""Bytes before the closing 00."""

CHECKSUM_SIZE = 4
RESIDUE = 0x2144DF1C
"""The CRC-32 of anything that is followed by its own CRC-32."""


def encode(payload: bytes) -> bytes:
    """The frame of a payload of 1 to 250 bytes, with its closing 00."""
    checked = payload + struct.pack("<I", crc32(payload))
    runs = [bytes([len(run) + 1]) + run if run else b"\1" for run in checked.split(b"\0")]
    return b"".join(runs) + b"\0"


def decode(coded: bytes) -> bytes | None:
    """The payload of what stood before a 00; None if it is no good frame."""
    checked = bytearray()
    at, end = 0, len(coded)
    while at < end:
        length = coded[at]
        if at + length > end:
            return None
        checked += coded[at + 1 : at + length]
        at += length
        if at < end and length < LONGEST_FRAME:
            checked += b"\0"
    if len(checked) <= CHECKSUM_SIZE or crc32(checked) != RESIDUE:
        return None
    return bytes(checked[:-CHECKSUM_SIZE])


class FrameReader:
    """Makes payloads of bytes as they arrive.

    It keeps at most 255 bytes; a longer frame is thrown away up to the next 00.
    """

    __slots__ = ("_is_too_long", "_rest")

    def __init__(self) -> None:
        self._rest = b""
        self._is_too_long = False

    def feed(self, data: bytes) -> list[bytes]:
        """The payloads that these bytes complete, in order."""
        payloads: list[bytes] = []
        runs = data.split(b"\0")
        last = len(runs) - 1
        for index in range(last):
            self._keep(runs[index])
            self._end_frame(payloads)
        self._keep(runs[last])
        return payloads

    def _keep(self, run: bytes) -> None:
        if self._is_too_long or not run:
            return
        if len(self._rest) + len(run) > LONGEST_FRAME:
            self._rest = b""
            self._is_too_long = True
        else:
            self._rest += run

    def _end_frame(self, payloads: list[bytes]) -> None:
        coded, self._rest = self._rest, b""
        payload = decode(coded) if coded else None
        if payload is not None:
            payloads.append(payload)
        self._is_too_long = False
