"""How long a name must wait after wrong PINs: a pure rule, and a bounded memory of who was wrong.

Names that nobody bears are treated as those that somebody does: who asks learns nothing of them.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

WITHOUT_DELAY = 2
"""Wrong PINs that cost nothing but the time to type them."""

LONGEST_S = 15 * 60
LONGEST_DOUBLING = 10

FORGOTTEN_MS = 4 * 60 * 60 * 1000
"""So long after its delay a name begins anew. Waiting for that gives fewer tries than going on."""

REMEMBERED = 32
"""Names that are remembered; all further ones share one account."""

SHARED = ""
"""The account of names that are not remembered, and of what cannot be a name."""


def delay_s(wrong: int) -> int:
    """Seconds to wait after so many wrong PINs: 0, 0, 2, 4, 8 and so on, to 15 minutes."""
    if wrong <= WITHOUT_DELAY:
        return 0
    return min(LONGEST_S, 1 << min(wrong - WITHOUT_DELAY, LONGEST_DOUBLING))


@dataclass(frozen=True, slots=True)
class Wrong:
    """So many wrong PINs since the last right one; no PIN is read before `until` (ms)."""

    count: int
    until: int


class Attempts:
    """Who gave wrong PINs. Times are milliseconds of the monotonic clock."""

    def __init__(self, counts: Mapping[str, int], now: int) -> None:
        """Begin with what a run before this one knew; every delay begins anew."""
        self._wrong = {name: Wrong(count, _until(count, now)) for name, count in counts.items()}

    def account(self, name: str, busy: Collection[str], now: int) -> str:
        """Under which name wrong PINs are counted for this one.

        `busy`: accounts of which an attempt is under way; room is kept for them.
        """
        self._forget(now)
        taken = {*self._wrong, *busy} - {SHARED}
        return name if name in taken or len(taken) < REMEMBERED else SHARED

    def wait_ms(self, account: str, now: int) -> int:
        """How long no PIN is read for it; 0: one is."""
        known = self._wrong.get(account)
        return max(0, known.until - now) if known else 0

    def wrong(self, account: str, now: int) -> Wrong:
        """One more wrong PIN."""
        count = self.count(account) + 1
        self._wrong[account] = Wrong(count, _until(count, now))
        return self._wrong[account]

    def right(self, account: str) -> None:
        """A right PIN; the shared account is not forgiven by one of those who share it."""
        if account != SHARED:
            self._wrong.pop(account, None)

    def count(self, account: str) -> int:
        """How many were wrong since the last right one."""
        known = self._wrong.get(account)
        return known.count if known else 0

    def counts(self) -> dict[str, int]:
        """What the next run must know."""
        return {name: wrong.count for name, wrong in self._wrong.items()}

    def _forget(self, now: int) -> None:
        kept = self._wrong.items()
        self._wrong = {name: wrong for name, wrong in kept if now - wrong.until < FORGOTTEN_MS}


def _until(count: int, now: int) -> int:
    return now + delay_s(count) * 1000
