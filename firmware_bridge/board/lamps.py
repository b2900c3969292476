"""Which slot lamps are lit at an instant, for a board that only switches them on and off."""

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
