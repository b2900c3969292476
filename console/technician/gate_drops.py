"""Judges a gate and its sensors by what the rail counted while the gate was opened by hand.

Pure. The counters are those of `CoinRail.inputs`: one behind the gate of each seat, one at the
tray.
"""

from collections.abc import Mapping

from msgspec import Struct, field

from console.technician.equipment import TRAY, drop_of
from console.texts.language import Language, Words
from console.texts.technician import device_texts
from console.texts.technician.device_texts import (
    DROP_BLIND,
    DROPPED,
    NO_TOKEN,
    NOT_OPENED,
    NOTHING_THERE,
    NOWHERE,
    SENSOR_BLIND,
    STUCK,
    THERE,
    TRAY_BLIND,
)
from devices.figures import InputFigures
from devices.roles import SEATS


class Drops(Struct, frozen=True):
    """What was counted between two readings."""

    at: Mapping[int, int] = field(default_factory=dict)
    """Tokens by seat."""

    tray: int = 0
    """Tokens counted by the tray."""

    covered: frozenset[int] = frozenset()
    """Seats whose sensor is covered now."""

    opened: bool = False
    """Whether the rail's board reported the gate open."""

    def is_complete(self, seat: int) -> bool:
        """Return whether a token of the seat has reached the tray."""
        return self.at.get(seat, 0) > 0 and self.tray > 0 and seat not in self.covered


def count_drops(before: Mapping[str, InputFigures], after: Mapping[str, InputFigures]) -> Drops:
    """Return the difference of two readings. A restarted counter counts from zero."""
    counted = {seat: _count_between(before, after, drop_of(f"seat {seat}")) for seat in SEATS}
    return Drops(
        {seat: tokens for seat, tokens in counted.items() if tokens},
        _count_between(before, after, TRAY),
        frozenset(seat for seat in SEATS if _is_covered(after, seat)),
    )


def _count_between(
    before: Mapping[str, InputFigures], after: Mapping[str, InputFigures], name: str
) -> int:
    if name not in before or name not in after:
        return 0
    first, last = before[name].edges, after[name].edges
    return last - first if last >= first else last


def _is_covered(inputs: Mapping[str, InputFigures], seat: int) -> bool:
    sensor = inputs.get(f"seat {seat}")
    return sensor is not None and sensor.closed


def describe_drops(seat: int, token_seen: bool, drops: Drops, language: Language) -> list[str]:
    """Render the counts of one opening and the diagnosis.

    `token_seen`: whether the seat's sensor saw a token before.
    """
    counts = [
        device_texts.DROP_SENSOR.in_(language) + f" {drops.at.get(seat, 0)}",
        device_texts.TRAY.in_(language) + f" {drops.tray}",
        device_texts.SENSOR.in_(language)
        + (device_texts.COVERED if seat in drops.covered else device_texts.FREE).in_(language),
    ]
    before = (THERE if token_seen else NOTHING_THERE).in_(language)
    others = [f"{other}" for other in drops.at if other != seat]
    diagnosis = _diagnose(seat, token_seen, drops).in_(language).format(seat=seat)
    lines = [f"  {before}", f"  {', '.join(counts)}", *f"  {diagnosis}".splitlines()]
    if others:
        at = " ".join(others)
        lines.append(device_texts.COUNTED_AT_SEAT.in_(language).format(at))
    return lines


def _diagnose(seat: int, token_seen: bool, drops: Drops) -> Words:
    dropped = drops.at.get(seat, 0) > 0
    if not (dropped or drops.opened):
        return NOT_OPENED
    if not token_seen:
        return SENSOR_BLIND if dropped else NO_TOKEN
    if dropped:
        return DROPPED if drops.tray else TRAY_BLIND
    if seat in drops.covered:
        return STUCK
    return DROP_BLIND if drops.tray else NOWHERE
