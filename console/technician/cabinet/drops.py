"""Judges a gate and its sensors by what the rail counted while the gate was opened by hand.

Pure. The counters are those of `CoinRail.inputs`: one behind the gate of each seat, one at the
tray.
"""

from collections.abc import Mapping

from msgspec import Struct, field

from console.technician.cabinet.input_names import TRAY, drop_of
from console.texts.language import Language, Words
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


NOTHING_THERE = Words("prima il sensore non vedeva niente", "the sensor saw nothing before")
THERE = Words("prima il sensore vedeva un gettone", "the sensor saw a token before")
DROPPED = Words("il gettone e' caduto ed e' contato", "the token dropped and is counted")
STUCK = Words(
    "la scheda ha aperto lo sportello {seat}; il gettone NON e' caduto:\n"
    "  bobina, spina, pilotaggio o linguetta, oppure il gettone",
    "the board opened gate {seat}; the token did NOT drop:\n"
    "  coil, plug, driver or flap, or the token",
)
NOT_OPENED = Words(
    "la scheda NON ha aperto lo sportello {seat}", "the board did NOT open gate {seat}"
)
DROP_BLIND = Words(
    "il sensore di CADUTA non l'ha visto, la vaschetta si'",
    "the DROP sensor has not seen it, the tray has",
)
TRAY_BLIND = Words("la VASCHETTA non l'ha contato", "the TRAY has not counted it")
SENSOR_BLIND = Words(
    "e' caduto un gettone che il sensore del posto non vedeva",
    "a token dropped that the seat's sensor had not seen",
)
NOWHERE = Words(
    "il gettone non e' piu' li', e niente l'ha contato",
    "the token is gone, and nothing has counted it",
)
NO_TOKEN = Words("niente e' caduto: mettere prima un gettone", "nothing dropped: put a token in")


def describe_drops(seat: int, token_seen: bool, drops: Drops, language: Language) -> list[str]:
    """Render the counts of one opening and the diagnosis.

    `token_seen`: whether the seat's sensor saw a token before.
    """
    counts = [
        Words("caduta", "drop sensor").in_(language) + f" {drops.at.get(seat, 0)}",
        Words("vaschetta", "tray").in_(language) + f" {drops.tray}",
        Words("sensore", "sensor").in_(language)
        + (
            Words(" coperto", " covered") if seat in drops.covered else Words(" libero", " free")
        ).in_(language),
    ]
    before = (THERE if token_seen else NOTHING_THERE).in_(language)
    others = [f"{other}" for other in drops.at if other != seat]
    diagnosis = _diagnose(seat, token_seen, drops).in_(language).format(seat=seat)
    lines = [f"  {before}", f"  {', '.join(counts)}", *f"  {diagnosis}".splitlines()]
    if others:
        at = " ".join(others)
        lines.append(Words(f"  ! contato al posto {at}", f"  ! counted at seat {at}").in_(language))
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
