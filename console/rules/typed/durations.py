"""Durations as people type them: `300ms`, `2s`, `5m`, `1h`."""

import re

from console.rules.typed.lines import LineError
from jackpot.foreign_text import quote

UNITS_MS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
LONGEST_MS = 24 * UNITS_MS["h"]
_DURATION = re.compile("([0-9]{1,9})(ms|s|m|h)")


def parse_duration(text: str) -> int:
    """Read a duration in milliseconds, at most 24 h. Raises LineError."""
    found = _DURATION.fullmatch(text)
    if found is None:
        raise LineError(f"{quote(text)} is no duration such as 300ms, 2s, 5m or 1h")
    ms = int(found[1]) * UNITS_MS[found[2]]
    if ms > LONGEST_MS:
        raise LineError(f"{quote(text)}: at most 24h")
    return ms
