"""Ages by this process's own clock: others' clocks are labels (docs/link-rules.md, 3.15)."""

from collections.abc import Hashable, Iterable


class Ages:
    """How long something has been as it is. Times are seconds of the monotonic clock."""

    def __init__(self) -> None:
        self._since: dict[Hashable, tuple[int, float]] = {}

    def note(self, what: Hashable, label: int, label_now: int, now: float) -> None:
        """It has this label, ms since 1970; `label_now`: by the same kind of clock, now.

        Only what is seen for the first time is as old as its label says.
        """
        known = self._since.get(what)
        if known is None:
            self._since[what] = label, now - max(0.0, (label_now - label) / 1000)
        elif known[0] != label:
            self._since[what] = label, now

    def find_age(self, what: Hashable, now: float) -> float:
        """In seconds. Raises KeyError."""
        return now - self._since[what][1]

    def keep_only(self, what: Iterable[Hashable]) -> None:
        """Forget all others."""
        kept = set(what)
        self._since = {key: since for key, since in self._since.items() if key in kept}
