"""Levels of contacts, each accepted once it has been stable for the settling time."""


class MaskDebouncer:
    """Contacts as one mask; `level` is the accepted one, at first the first reading.

    A reading may come late: if the one before it was stable for long enough by then, it is accepted
    first, so a slow loop loses no pulse that it has read.
    """

    __slots__ = ("_raw", "_settle_ms", "_since", "level")

    def __init__(self, level: int, width: int, settle_ms: int) -> None:
        self.level = level
        self._raw = level
        self._settle_ms = settle_ms
        self._since = [0] * width

    def read(self, raw: int, now_ms: int) -> int:
        """Take the levels now; returns the mask of those that have just been accepted as 1."""
        if raw == self._raw == self.level:
            return 0
        risen = self._settle(now_ms)
        changed = raw ^ self._raw
        self._raw = raw
        for contact in range(len(self._since)):
            if changed >> contact & 1:
                self._since[contact] = now_ms
        return risen

    def next_wake(self, now_ms: int) -> int | None:
        """When a level will have settled, if it stays; None if all have."""
        waiting = self._raw ^ self.level
        if not waiting:
            return None
        first = min([since for contact, since in enumerate(self._since) if waiting >> contact & 1])
        return max(now_ms, first + self._settle_ms)

    def _settle(self, now_ms: int) -> int:
        waiting = self._raw ^ self.level
        settled = 0
        for contact in range(len(self._since)):
            if waiting >> contact & 1 and now_ms - self._since[contact] >= self._settle_ms:
                settled |= 1 << contact
        self.level ^= settled
        return settled & self.level
