"""How often the board on a line changes or restarts. Pure.

A board that restarts once or twice is found again at once. Two boards on one line are found and
lost in turn all the time, and so is a board that restarts again and again: no table can be played
with them. Such a line is *restless* until only one board was heard for a while.
"""

from collections import deque

from firmware_bridge.board_session.protocol import Identity
from firmware_bridge.seat_words import plain_ascii

MOST_CHANGES = 3
CHANGES_WITHIN_S = 3.0
"""More than `MOST_CHANGES` within this time make a line restless."""

CALM_S = 2.0
"""A line without a change for so long is no longer restless."""

RESTLESS_HELLO_S = 1.5
"""The pause between HELLOs on a restless line: longer than a board's SILENCE_MS, so that they are
dark; shorter than `CALM_S`, so that two boards that differ only in their names are noticed."""

STRANGERS_EVERY_S = 10.0
"""Boards that do not prove themselves are reported no more often: whoever invents them on the wire
must not fill the record."""

_Board = tuple[str, int]
"""A board's name and kind."""


class BoardChanges:
    """Follows every STATE, and every IDENTITY of our session; times in seconds."""

    __slots__ = ("_answered", "_boards", "_changed_at", "_restless", "boot", "why")

    def __init__(self) -> None:
        self.why = ""  # why the line is restless
        self.boot: int | None = None  # of the last board heard
        self._answered: int | None = None  # the boot number of the last identity
        self._boards: deque[_Board] = deque(maxlen=2)  # the last two different ones, newest last
        self._changed_at: deque[float] = deque(maxlen=MOST_CHANGES + 1)
        self._restless = False

    def take_state(self, boot: int, now: float) -> None:
        """Take a STATE with this boot number."""
        if boot != self.boot:
            if self.boot is not None:
                self.take_interruption(now)
            self.boot = boot

    def take_identity(self, identity: Identity, now: float) -> None:
        """Take an IDENTITY."""
        board = identity.serial, identity.kind
        if identity.boot == self.boot == self._answered and self._boards[-1] != board:
            self.take_interruption(now)
        self.take_state(identity.boot, now)
        self._answered = identity.boot
        if board not in self._boards:
            self._boards.append(board)
        elif board != self._boards[-1]:
            self._boards.reverse()

    def take_interruption(self, now: float) -> None:
        """Note that the connection cannot continue although a board is heard."""
        changed = self._changed_at
        if changed and now - changed[-1] >= CALM_S and len(self._boards) > 1:
            self._boards.popleft()  # replaced some time ago
        changed.append(now)

    def restless(self, now: float) -> bool:
        """Whether no board on this line can be used now."""
        changed = self._changed_at
        if not changed or now - changed[-1] >= CALM_S:
            self._restless = False
        elif not self._restless and len(changed) > MOST_CHANGES:
            self._restless = now - changed[0] < CHANGES_WITHIN_S
            self.why = self._reason() if self._restless else ""
        return self._restless

    def _reason(self) -> str:
        if len(self._boards) > 1:
            names = " and ".join(sorted(_describe_board(*board) for board in self._boards))
            return f"two boards answer on this line: {names}"
        return (
            f"found anew more than {MOST_CHANGES} times within {CHANGES_WITHIN_S:.0f} s: "
            "two boards on this line, or one that restarts without end"
        )


class Strangers:
    """Boards that answer and do not prove themselves; `due_at`: when another one is reported."""

    __slots__ = ("_why", "due_at", "last")

    def __init__(self) -> None:
        self.last: Identity | None = None
        self.due_at = 0.0
        self._why = ""

    def meet(self, identity: Identity, why: str) -> None:
        """Note the one that is reported next."""
        self.last, self._why = identity, why

    def are_due(self, identity: Identity, why: str, now: float) -> bool:
        """Note this one if it is to be reported now."""
        last = self.last
        if now < self.due_at or (last and (last.serial, self._why) == (identity.serial, why)):
            return False
        self.due_at = now + STRANGERS_EVERY_S
        self.meet(identity, why)
        return True


def _describe_board(name: str, kind: int) -> str:
    return f"{plain_ascii(name) or 'no name'} (kind {kind})"
