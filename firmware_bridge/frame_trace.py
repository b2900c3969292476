"""The last frames of a line, for whoever looks after it.

It stands in the way of every frame: it copies nothing, decodes nothing, and takes well under a
microsecond. What a frame says is found out when somebody asks (`board/words.py`, ...).
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

FRAMES_KEPT = 32

BAD_KEPT = 8
"""The last bad ones are kept beside them: on a busy line the others are gone within seconds."""

LONGEST_KEPT = 300
"""Bytes of a frame; every good frame is shorter."""


@dataclass(frozen=True, slots=True)
class TracedFrame:
    """A frame, or a run of bytes that is none: seconds ago, which way, and whether it was good."""

    ago_s: float
    sent: bool
    raw: bytes
    good: bool


class FrameTrace:
    """The last frames of one line, both ways; `bad`: how many of those received were none."""

    __slots__ = ("_bad", "_clock", "_last", "bad")

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock`: seconds of a monotonic clock, such as the loop's."""
        self.bad = 0
        self._clock = clock
        self._last: deque[tuple[float, bool, bytes, bool]] = deque(maxlen=FRAMES_KEPT)
        self._bad: deque[tuple[float, bool, bytes, bool]] = deque(maxlen=BAD_KEPT)

    def note_sent(self, raw: bytes) -> None:
        """The line has taken these bytes."""
        self._last.append((self._clock(), True, raw[:LONGEST_KEPT], True))

    def note_received(self, raw: bytes, good: bool) -> None:
        """A frame has arrived, or bytes that are none."""
        seen = (self._clock(), False, raw[:LONGEST_KEPT], good)
        self._last.append(seen)
        if not good:
            self.bad += 1
            self._bad.append(seen)

    def last(self, count: int) -> tuple[TracedFrame, ...]:
        """The last `count` frames, at most 32, oldest first; before them the bad ones still kept.

        Of none asked for none is given.
        """
        if count <= 0:
            return ()
        now = self._clock()
        last = list(self._last)[-count:]
        older = [seen for seen in self._bad if all(seen is not other for other in last)]
        return tuple(TracedFrame(now - at, sent, raw, good) for at, sent, raw, good in older + last)
