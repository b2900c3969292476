"""What the rail counted while a gate was opened by hand, and what that says of gate and sensors.

Pure. The counters are those of `CoinRail.inputs`: one a seat behind its gate, one at the tray's
mouth.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from console.technician.cabinet.input_names import TRAY, drop_of
from console.texts.language import Language, Words
from devices.figures import InputFigures
from devices.roles import SEATS


@dataclass(frozen=True, slots=True)
class Drops:
    """Tokens counted at each seat and by the tray; seats whose sensor sees something now.

    `opened`: the rail's board has said that it held the gate in question open.
    """

    at: Mapping[int, int] = field(default_factory=dict)
    tray: int = 0
    covered: frozenset[int] = frozenset()
    opened: bool = False

    def is_complete(self, seat: int) -> bool:
        """Whether a token of the seat has gone all its way."""
        return self.at.get(seat, 0) > 0 and self.tray > 0 and seat not in self.covered


def count_drops(before: Mapping[str, InputFigures], after: Mapping[str, InputFigures]) -> Drops:
    """What was counted between two looks; a counter that has begun anew counts from zero."""
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


def describe_drops(seat: int, lay_there: bool, seen: Drops, language: Language) -> list[str]:
    """The figures of one opening, and what they say; `lay_there`: the sensor saw a token before."""
    told = [
        Words("caduta", "drop sensor").in_(language) + f" {seen.at.get(seat, 0)}",
        Words("vaschetta", "tray").in_(language) + f" {seen.tray}",
        Words("sensore", "sensor").in_(language)
        + (
            Words(" coperto", " covered") if seat in seen.covered else Words(" libero", " free")
        ).in_(language),
    ]
    before = (THERE if lay_there else NOTHING_THERE).in_(language)
    others = [f"{other}" for other in seen.at if other != seat]
    says = _diagnose(seat, lay_there, seen).in_(language).format(seat=seat)
    lines = [f"  {before}", f"  {', '.join(told)}", *f"  {says}".splitlines()]
    if others:
        at = " ".join(others)
        lines.append(Words(f"  ! contato al posto {at}", f"  ! counted at seat {at}").in_(language))
    return lines


def _diagnose(seat: int, lay_there: bool, seen: Drops) -> Words:
    dropped = seen.at.get(seat, 0) > 0
    if not (dropped or seen.opened):
        return NOT_OPENED
    if not lay_there:
        return SENSOR_BLIND if dropped else NO_TOKEN
    if dropped:
        return DROPPED if seen.tray else TRAY_BLIND
    if seat in seen.covered:
        return STUCK
    return DROP_BLIND if seen.tray else NOWHERE
