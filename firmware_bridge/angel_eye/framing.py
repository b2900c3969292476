"""Reads the frames of an Angel Eye II-EX shoe: reports, answers (docs/reference/angel-eye.md).

    report = 05 SEQ LETTER DATA.. 03 BCC BCC        answer = 06, or 15 CODE

The bytes of DATA have bit 7 set, so that 05 stands only where a report begins. What the reader
must survive, and does, at the cost of the damaged report only:

- a report in pieces, byte by byte, or several in one piece;
- a report cut short, the next one glued to its rest;
- noise before, between and after reports, with 05 in it: a report is sought from each 05;
- a wrong check, or a good one around what no report can be;
- megabytes of any of these: at most `LONGEST_REPORT` bytes are kept, and the time taken is in
  proportion to the number of bytes.
"""

import re
from collections.abc import Callable
from functools import reduce
from operator import xor

from msgspec import Struct

ENQ, ETX, ACK, NAK = b"\x05", b"\x03", b"\x06", b"\x15"
HIGH = 0x80

LONGEST_DATA = 6
"""Bytes after the letter; `M` has as many."""

LONGEST_REPORT = 3 + LONGEST_DATA + 3

ANSWER_NAMES = {
    1: "line error",
    2: "wrong check",
    3: "no end of text",
    11: "wrong format",
    12: "wrong format",
    13: "wrong format",
    14: "wrong format",
    21: "busy",
    22: "writing",
}

# An M of plain digits is accepted too: its bit 7 is the least certain part of the format.
_TOKEN = re.compile(
    rb"\x05(?P<body>[\x20-\x7e](?:[A-Za-z][\x80-\xff]{0,6}|M[\x20-\x7e]{6}))\x03(?P<bcc>[0-9A-F]{2})"
    rb"|\x06|\x15(?P<digits>0[1-3]|1[1-4]|2[12])|\x15(?P<code>[\x01-\x03\x11-\x14\x21\x22])"
)
_BEGUN = re.compile(
    rb"\x05(?:[\x20-\x7e](?:(?:[A-Za-z][\x80-\xff]{0,6}|M[\x20-\x7e]{0,6})(?:\x03[0-9A-F]?)?)?)?\Z"
    rb"|\x15[0-2]?\Z"
)


def block_check(data: bytes) -> bytes:
    """The checksum of these bytes: their exclusive-or, as two upper-case hexadecimal digits."""
    return b"%02X" % reduce(xor, data, 0)


class ShoeReport(Struct, frozen=True):
    """A report, which the shoe sends unasked. `seq` changes with each; `data` is without bit 7."""

    seq: str
    letter: str
    data: bytes = b""

    def to_bytes(self) -> bytes:
        """The report as the shoe sends it."""
        high = bytes(byte | HIGH for byte in self.data)
        checked = self.seq.encode("ascii") + self.letter.encode("ascii") + high + ETX
        return ENQ + checked + block_check(checked)


class AngelEyeAnswer(Struct, frozen=True):
    """The shoe's answer to a command: code 0 when it is accepted."""

    code: int = 0

    @property
    def accepted(self) -> bool:
        """Whether the command is accepted."""
        return self.code == 0

    @property
    def name(self) -> str:
        """The answer in words."""
        return "accepted" if self.accepted else ANSWER_NAMES[self.code]


class ReportCounts(Struct):
    """A reader's counts; `reports` are the good ones without repetitions."""

    reports: int = 0
    repeats: int = 0
    answers: int = 0
    bad_bcc: int = 0
    discarded: int = 0  # bytes outside reports and answers


class ReportReader:
    """Turns bytes as they arrive into reports, deduplicated, and answers.

    A report is a retransmission of the last one when all its bytes are the same; one with the same
    SEQ that says something else is another one.
    """

    __slots__ = ("_heard", "_last", "_rest", "counts")

    def __init__(self, heard: Callable[[bytes, bool], None] | None = None) -> None:
        """`heard` is called with each report, repetition and answer, and with bad bytes."""
        self.counts = ReportCounts()
        self._heard = heard
        self._rest = b""
        self._last = b""

    def feed(self, data: bytes) -> list[ShoeReport | AngelEyeAnswer]:
        """The reports and answers that these bytes complete, in order.

        Damaged ones are only counted.
        """
        data = self._rest + data
        found: list[ShoeReport | AngelEyeAnswer] = []
        at = 0
        while (token := _TOKEN.search(data, at)) is not None:
            self._discard(data[at : token.start()])
            at = token.end()
            good = token["body"] is None or token["bcc"] == block_check(token["body"] + ETX)
            if good and self._heard is not None:
                self._heard(token.group(), True)
            if token["body"] is None:
                found.append(self._answer(token))
            elif not good:
                self.counts.bad_bcc += 1
                self._discard(token.group())
            elif token["body"] == self._last:
                self.counts.repeats += 1
            else:
                found.append(self._report(token["body"]))
        self._keep(data, at)
        return found

    def reset(self) -> None:
        """Forget an unfinished report, because the line was closed. The counts stay."""
        self._discard(self._rest)
        self._rest = b""

    def forget_last(self) -> None:
        """Take the next report as a new one, even if it equals the last."""
        self._last = b""

    def _discard(self, data: bytes) -> None:
        self.counts.discarded += len(data)
        if data and self._heard is not None:
            self._heard(data, False)

    def _answer(self, token: re.Match[bytes]) -> AngelEyeAnswer:
        self.counts.answers += 1
        if token["digits"] is not None:
            return AngelEyeAnswer(int(token["digits"]))
        # The published codes may be two digits or one byte of two decimal digits.
        return AngelEyeAnswer(0 if token["code"] is None else int(token["code"].hex()))

    def _report(self, body: bytes) -> ShoeReport:
        self.counts.reports += 1
        self._last = body
        data = bytes(byte & ~HIGH for byte in body[2:])
        return ShoeReport(chr(body[0]), chr(body[1]), data)

    def _keep(self, data: bytes, at: int) -> None:
        begun = _BEGUN.search(data, max(at, len(data) - LONGEST_REPORT))
        keep_from = len(data) if begun is None else begun.start()
        self._discard(data[at:keep_from])
        self._rest = data[keep_from:]
