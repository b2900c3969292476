"""Slows brute force: counts wrong PINs; a name waits after them. Pure, and bounded in memory.

There are two separate counts. One decides what is answered: it depends only on what was typed, so
an answer does not reveal who is enrolled. The other decides whether a person's PIN is read at all:
it has only the wrong PINs under that person's name, so nobody can delay another. See
docs/how-to/access.md.
"""

from collections.abc import Collection, Mapping

from msgspec import Struct, field

from console.rules.acts import ENTRY_FORGOTTEN_S

WITHOUT_DELAY = 2
"""Wrong PINs without a delay."""

LONGEST_S = 15 * 60
"""The longest delay."""

LONGEST_DOUBLING = 10

FORGOTTEN_MS = ENTRY_FORGOTTEN_S * 1000

REMEMBERED = 32
"""Names that have an account of their own in the answers; all others share one."""

SHARED = ""
"""The account of names that are not remembered, and of invalid names."""


def delay_s(wrong: int) -> int:
    """Return the seconds to wait after this many wrong PINs: 0, 0, 2, 4, 8, up to 15 minutes."""
    if wrong <= WITHOUT_DELAY:
        return 0
    return min(LONGEST_S, 1 << min(wrong - WITHOUT_DELAY, LONGEST_DOUBLING))


class NameDelay(Struct, frozen=True):
    """How many wrong PINs in a row one name has, and when its delay ends."""

    count: int
    """Wrong PINs since the last right one."""

    until: int
    """When the delay ends, in ms of the monotonic clock."""


class WrongCounts(Struct, frozen=True):
    """The counts that outlive a restart."""

    answered: Mapping[str, int] = field(default_factory=dict)
    """By account, as the answers count."""

    people: Mapping[str, int] = field(default_factory=dict)
    """By the name of an enrolled person."""


class Attempts:
    """All wrong PINs. Times are milliseconds of the monotonic clock."""

    def __init__(self, counts: WrongCounts, now: int) -> None:
        """Start with the counts of the last run; every delay begins again."""
        self.answered = _WrongPins(counts.answered, now)
        """By account, as the answers count."""

        self.people = _WrongPins(counts.people, now)
        """By enrolled person, since the person's last right one."""

    def account(self, name: str, busy: Collection[str], now: int) -> str:
        """Return the account for a name's wrong PINs in the answers: its own, or the shared one.

        `busy`: names with an attempt under way; they keep their place.
        """
        self.answered.forget(now)
        self.people.forget(now)
        taken = {*self.answered.counts(), *busy} - {SHARED}
        return name if name in taken or len(taken) < REMEMBERED else SHARED

    def wait_ms(self, account: str, now: int) -> int:
        """Return for how long no PIN is checked. The shared account never waits."""
        return 0 if account == SHARED else self.answered.wait_ms(account, now)

    def is_delay_over(self, name: str, now: int) -> bool:
        """Return whether the person's own delay is over, so that the right PIN is accepted."""
        return self.people.wait_ms(name, now) == 0

    def add_wrong(self, account: str, now: int, *, person: str | None) -> NameDelay | None:
        """Count a wrong PIN; `person`: the enrolled person whose PIN was read, if any.

        Returns the account's count; None if the shared account has a delay and does not count.
        """
        if person is not None:
            self.people.add_wrong(person, now)
        if account == SHARED and self.answered.wait_ms(SHARED, now):
            return None
        return self.answered.add_wrong(account, now)

    def add_right(self, account: str, person: str) -> None:
        """Reset the counts after a right PIN, except the shared account's."""
        self.people.add_right(person)
        if account != SHARED:
            self.answered.add_right(account)

    def counts(self) -> WrongCounts:
        """Return the counts to be stored."""
        return WrongCounts(self.answered.counts(), self.people.counts())


class _WrongPins:
    """Wrong PINs by name; names are forgotten after a time."""

    def __init__(self, counts: Mapping[str, int], now: int) -> None:
        self._wrong = {name: NameDelay(count, _until(count, now)) for name, count in counts.items()}

    def wait_ms(self, name: str, now: int) -> int:
        wrong = self._wrong.get(name)
        return max(0, wrong.until - now) if wrong else 0

    def count(self, name: str) -> int:
        wrong = self._wrong.get(name)
        return wrong.count if wrong else 0

    def add_wrong(self, name: str, now: int) -> NameDelay:
        count = self.count(name) + 1
        self._wrong[name] = NameDelay(count, _until(count, now))
        return self._wrong[name]

    def add_right(self, name: str) -> None:
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
