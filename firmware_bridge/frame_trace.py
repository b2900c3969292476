"""The last frames of a line, for people who look after it.

It handles every frame, so it copies and decodes nothing, and takes well under a microsecond. Frames
are decoded when they are shown (`board_session/words.py`, ...).
"""

from collections import deque
from collections.abc import Callable

from msgspec import Struct

FRAMES_KEPT = 32

BAD_KEPT = 8
"""Bad frames are kept separately, because on a busy line all others are gone within seconds."""

LONGEST_KEPT = 300
"""Bytes kept of a frame; every good frame is shorter."""


class TracedFrame(Struct, frozen=True):
    """A frame, or a run of bytes that is not a frame."""

    ago_s: float
    """Seconds ago."""
    sent: bool
    """By the host; otherwise received."""
    raw: bytes
    good: bool


class FrameTrace:
    """The last frames of one line in both directions; `bad` counts received bad frames."""

    __slots__ = ("_bad", "_clock", "_last", "bad")

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock`: seconds of a monotonic clock, such as the loop's; the frames' `now` are its."""
        self.bad = 0
        self._clock = clock
        self._last: deque[tuple[float, bool, bytes, bool]] = deque(maxlen=FRAMES_KEPT)
        self._bad: deque[tuple[float, bool, bytes, bool]] = deque(maxlen=BAD_KEPT)

    def note_sent(self, raw: bytes, now: float) -> None:
        """Note bytes that the line has taken."""
        self._last.append((now, True, raw[:LONGEST_KEPT], True))

    def note_received(self, raw: bytes, good: bool, now: float) -> None:
        """Note a received frame, or bytes that are not a frame."""
        seen = (now, False, raw[:LONGEST_KEPT], good)
        self._last.append(seen)
        if not good:
            self.bad += 1
            self._bad.append(seen)

    def last(self, count: int) -> tuple[TracedFrame, ...]:
        """The last `count` frames, at most 32, oldest first, after the bad ones still kept.

        Nothing for a `count` of 0.
        """
        if count <= 0:
            return ()
        now = self._clock()
        last = list(self._last)[-count:]
        older = [seen for seen in self._bad if all(seen is not other for other in last)]
        return tuple(TracedFrame(now - at, sent, raw, good) for at, sent, raw, good in older + last)
