"""The host's messages to a board: HELLO until the board is found, then WANT.

Each is repeated when it is due, and sent at once when it changes (docs/wire-protocol.md, "Timing").
"""

import secrets

from firmware_bridge.board_link.framing import DELIMITER, encode
from firmware_bridge.board_link.protocol import (
    HELLO_REPEAT_MS,
    HOST_REPEAT_MS,
    SILENCE_MS,
    WANT_RETRY_MS,
    Hello,
)
from firmware_bridge.board_link.standing_want import StandingWant
from firmware_bridge.earliest_timer import EarliestTimer
from firmware_bridge.frame_trace import FrameTrace
from firmware_bridge.line import Line
from firmware_bridge.link_statistics import LinkStatistics

SILENCE_S = SILENCE_MS / 1000
HELLO_REPEAT_S = HELLO_REPEAT_MS / 1000
HOST_REPEAT_S = HOST_REPEAT_MS / 1000
WANT_RETRY_S = WANT_RETRY_MS / 1000


class HostSpeech:
    """The host's frames on one line; times in seconds of the loop's clock.

    `session` is that of the last HELLO. `due_at`: when HELLO or WANT must be sent again; the timer
    is set for it.
    """

    def __init__(
        self,
        line: Line,
        timer: EarliestTimer,
        statistics: LinkStatistics,
        trace: FrameTrace,
        body: bytes,
    ) -> None:
        """`body`: the first WANT's."""
        self.session = 0
        self.due_at = 0.0
        self.want = StandingWant(body)
        self._line = line
        self._timer = timer
        self._statistics = statistics
        self._trace = trace

    def begin_session(self) -> None:
        """Begin a new session, which later answers must name."""
        self.session = secrets.randbits(32)

    def send_hello(self, now: float, again_s: float = HELLO_REPEAT_S) -> None:
        """Send HELLO; it is due again after `again_s`."""
        self.send(DELIMITER + encode(Hello(self.session).to_bytes()))
        self._repeat_at(now + again_s)

    def send_next_want(self, now: float) -> None:
        """Send WANT with a new number: the body differs, or a connection begins."""
        self.want.renew(now)
        self.send_want(now)

    def send_want(self, now: float) -> None:
        """Send WANT once more; it is due again sooner while it is not applied."""
        self.send(self.want.frame)
        applied = self.want.unapplied_since is None
        self._repeat_at(now + (HOST_REPEAT_S if applied else WANT_RETRY_S))

    def take_applied(self, applied: int, now: float) -> bool:
        """Note the number of the WANT that the board has applied.

        Returns whether it is the last one, and was not known to be applied.
        """
        want = self.want
        since = want.unapplied_since
        if applied != want.number:
            if (
                since is None
            ):  # no longer applied: the board has obeyed another WANT, or its watchdog
                want.unapplied_since = now
                self._repeat_at(now + WANT_RETRY_S)
            return False
        if since is None:
            return False
        want.unapplied_since = None
        self.due_at = now + HOST_REPEAT_S
        self._statistics.round_trips.took((now - since) * 1000)
        return True

    def is_unheeded(self, now: float) -> bool:
        """Whether the board has not applied the last WANT for 1 s."""
        since = self.want.unapplied_since
        return since is not None and now >= since + SILENCE_S

    def send(self, frame: bytes) -> None:
        """Send a frame, and count it."""
        if self._line.send(frame):
            self._statistics.sent += 1
            self._trace.note_sent(frame)
        else:
            self._statistics.refused += 1

    def _repeat_at(self, when: float) -> None:
        self.due_at = when
        self._timer.wake_at(when)
