"""Which slot lamps are lit at an instant, for a board that only switches them on and off; and which
of them are dead."""

from firmware_bridge.board.rail import Rail

DARK = 0
INVITE = 1
ON = 2
ALERT = 3

INVITE_PERIOD_MS = 2048
"""A slow pulse: lit for the first half."""

ALERT_PERIOD_MS = 256
"""A fast blink: lit for the first half."""


def lit_lamps(lamps: int, now_ms: int) -> int:
    """The mask of the seats whose lamp is lit now; `lamps` is `Rail.lamps`."""
    invites = now_ms % INVITE_PERIOD_MS < INVITE_PERIOD_MS // 2
    alerts = now_ms % ALERT_PERIOD_MS < ALERT_PERIOD_MS // 2
    lit = 0
    for seat in range(7):
        order = lamps >> 2 * seat & 3
        if order == ON or (order == INVITE and invites) or (order == ALERT and alerts):
            lit |= 1 << seat
    return lit


DEAD_SETTLE_MS = 20
"""So long after a lamp was switched, or its wire changed, what the wire shows is believed."""

ALL_LAMPS = 0x7F


class LampCheck:
    """Finds dead lamps: through a lamp that is dark, the supply shows on the switch's side of it.

    A lamp that is lit is not looked at: what was found while it was dark holds.
    """

    __slots__ = ("_lit", "_rail", "_since", "_whole")

    def __init__(self, rail: Rail) -> None:
        self._rail = rail
        self._lit = self._whole = ALL_LAMPS
        self._since = 0

    def read(self, lit: int, whole: int, now_ms: int) -> None:
        """Take the masks of the lamps that are lit, and of those behind which the supply shows."""
        if lit != self._lit or whole != self._whole:
            self._lit, self._whole, self._since = lit, whole, now_ms
        elif now_ms - self._since >= DEAD_SETTLE_MS:
            found = ALL_LAMPS & ~lit & ~whole
            self._rail.set_dead_lamps(self._rail.dead_lamps & lit | found)
