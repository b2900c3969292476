"""Wrong PINs: how long a name waits after them, and a bounded memory of who gave them. Pure.

Two things are counted apart. What is *answered* follows from what was typed alone, never from who
is enrolled: who asks learns nothing of names. Whether a person's PIN is *read* follows from the
wrong PINs under that person's own name alone: nobody waits for what others type.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

WITHOUT_DELAY = 2
"""Wrong PINs that cost nothing but the time to type them."""

LONGEST_S = 15 * 60
LONGEST_DOUBLING = 10

FORGOTTEN_MS = 4 * 60 * 60 * 1000
"""So long after its delay a name begins anew. Waiting for that gives fewer tries than going on."""

REMEMBERED = 32
"""Names whose wrong PINs the answers count one by one; all further ones share one account."""

SHARED = ""
"""The account of names that are not remembered, and of what cannot be a name."""


def delay_s(wrong: int) -> int:
    """Seconds to wait after so many wrong PINs: 0, 0, 2, 4, 8 and so on, to 15 minutes."""
    if wrong <= WITHOUT_DELAY:
        return 0
    return min(LONGEST_S, 1 << min(wrong - WITHOUT_DELAY, LONGEST_DOUBLING))


@dataclass(frozen=True, slots=True)
class Wrong:
    """So many wrong PINs since the last right one; the delay ends at `until` (ms)."""

    count: int
    until: int


@dataclass(frozen=True, slots=True)
class WrongCounts:
    """How many wrong PINs the next run must know: as answered by account, and of people by name."""

    answered: Mapping[str, int] = field(default_factory=dict)
    people: Mapping[str, int] = field(default_factory=dict)


class Attempts:
    """Who gave wrong PINs. Times are milliseconds of the monotonic clock."""

    def __init__(self, counts: WrongCounts, now: int) -> None:
        """Begin with what a run before this one knew; every delay begins anew."""
        self._answered = _Counted(counts.answered, now)
        self._people = _Counted(counts.people, now)

    def account(self, name: str, busy: Collection[str], now: int) -> str:
        """Under which name the answers count wrong PINs for this one.

        `busy`: names of which an attempt is under way; room is kept for them.
        """
        self._answered.forget(now)
        self._people.forget(now)
        taken = {*self._answered.names(), *busy} - {SHARED}
        return name if name in taken or len(taken) < REMEMBERED else SHARED

    def wait_ms(self, account: str, now: int) -> int:
        """How long no PIN is tried for it; 0: one is. The shared account makes nobody wait."""
        return 0 if account == SHARED else self._answered.wait_ms(account, now)

    def is_read(self, name: str, now: int) -> bool:
        """Whether a PIN that fits lets this person in: the delay of the own name is over."""
        return self._people.wait_ms(name, now) == 0

    def enrolled(self, people: Collection[str]) -> None:
        """Forget the PINs of people who are no longer enrolled: so many at most are kept."""
        self._people.keep_only(people)

    def wrong(self, account: str, now: int, *, person: str | None) -> Wrong | None:
        """One more wrong PIN; `person`: whose PIN was read, None: nobody's.

        As it is answered; None: the shared account's delay lasts, and it is not counted there.
        """
        if person is not None:
            self._people.wrong(person, now)
        if account == SHARED and self._answered.wait_ms(SHARED, now):
            return None
        return self._answered.wrong(account, now)

    def right(self, account: str, person: str) -> None:
        """A right PIN; the shared account is not forgiven by one of those who share it."""
        self._people.right(person)
        if account != SHARED:
            self._answered.right(account)

    def answered(self, account: str) -> int:
        """How many were wrong under this account, as the answers have it."""
        return self._answered.count(account)

    def of_person(self, name: str) -> int:
        """How many were wrong since this person's last right one."""
        return self._people.count(name)

    def counts(self) -> WrongCounts:
        """What the next run must know."""
        return WrongCounts(self._answered.counts(), self._people.counts())


class _Counted:
    """Wrong PINs by name, each name forgotten in its time."""

    def __init__(self, counts: Mapping[str, int], now: int) -> None:
        self._wrong = {name: Wrong(count, _until(count, now)) for name, count in counts.items()}

    def names(self) -> Iterable[str]:
        return self._wrong.keys()

    def wait_ms(self, name: str, now: int) -> int:
        known = self._wrong.get(name)
        return max(0, known.until - now) if known else 0

    def count(self, name: str) -> int:
        known = self._wrong.get(name)
        return known.count if known else 0

    def wrong(self, name: str, now: int) -> Wrong:
        count = self.count(name) + 1
        self._wrong[name] = Wrong(count, _until(count, now))
        return self._wrong[name]

    def right(self, name: str) -> None:
        self._wrong.pop(name, None)

    def counts(self) -> dict[str, int]:
        return {name: wrong.count for name, wrong in self._wrong.items()}

    def forget(self, now: int) -> None:
        kept = self._wrong.items()
        self._wrong = {name: wrong for name, wrong in kept if now - wrong.until < FORGOTTEN_MS}

    def keep_only(self, names: Collection[str]) -> None:
        self._wrong = {name: wrong for name, wrong in self._wrong.items() if name in names}


def _until(count: int, now: int) -> int:
    return now + delay_s(count) * 1000
