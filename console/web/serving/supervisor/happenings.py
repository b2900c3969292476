"""What happened besides rounds and money: faults, refusals, awards, people, tokens by seat.

For the supervisor's strip of time. Times are the clock's labels, as they stand on record.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from console.bordereau.step import Plain, RecordStep
from console.rules.acts import KINDS, Started
from console.rules.structs import replace
from console.texts.language import Language
from console.texts.record_texts import act_words
from devices.roles import SEATS
from jackpot.ledger.journal import Record

NOTED = (
    '"outcome":"refused"',
    '"decision":"fault-',
    '"decision":"award-',
    '"decision":"token-accepted"',
    '"who":"',
    '"by":"',
    '"service":',
)
"""Texts in the bodies of the records that count here; a start has its kind alone."""

MOST_MARKS = 1_000
"""The most marks of one sort; the newest are kept."""

MOST_ACTS = 200
"""The most acts of people; the newest are kept."""

MOST_HOURS = 400
"""The most hours with tokens by seat; the newest are kept."""

HOUR_S = 3600

WHO = ("who", "by", "second")
"""Facts of an act that name people."""

AWARD_STATES = {
    "award-pending": "pending",
    "award-final": "paid",
    "award-cancelled": "cancelled",
}


class Mark(Struct, frozen=True):
    """Something that happened once: the code of a refusal, or the combination of an award."""

    code: str
    at: str
    round: int
    state: str = ""
    """Of an award: `pending`, `paid` or `cancelled`."""


class FaultSpan(Struct, frozen=True):
    """A fault, or the time in SERVICE, from label to label."""

    code: str
    at: str
    """Empty: it was there before the first record."""
    until: str = ""
    """Empty: it is still there."""
    rounds: tuple[int, int] = (0, 0)


class NamedAct(Struct, frozen=True):
    """What somebody did by name."""

    at: str
    who: str
    text: Mapping[str, str]
    """By language, without the name."""
    refusal: str


SERVICE = "SERVICE"
"""The code of the time in SERVICE among the faults."""


class Happenings:
    """Collects them; records are taken in their order, each once."""

    def __init__(self) -> None:
        self.faults: deque[FaultSpan] = deque(maxlen=MOST_MARKS)
        self.refusals: deque[Mark] = deque(maxlen=MOST_MARKS)
        self.awards: deque[Mark] = deque(maxlen=MOST_MARKS)
        self.starts: deque[str] = deque(maxlen=MOST_MARKS)
        self.people: deque[NamedAct] = deque(maxlen=MOST_ACTS)
        self.seats: dict[int, list[int]] = {}
        """Accepted tokens of seats 1 to 7, by the hour's first second since 1970."""

    def take(self, record: Record) -> None:
        """Add one record."""
        step = RecordStep(record, {}, {})
        if step.refusal:
            self.refusals.append(Mark(step.refusal, record.wall, record.round))
        for decision in step.decisions:
            self._note(record, decision)
        if record.kind == KINDS[Started]:
            self.starts.append(record.wall)
        self._follow_service(record)
        self._note_people(step)

    def _note(self, record: Record, decision: Plain) -> None:
        match decision.get("decision"):
            case "fault-raised":
                self._begin(str(decision.get("fault")), record)
            case "fault-cleared":
                self._end(str(decision.get("fault")), record)
            case "token-accepted":
                self._count_token(record, decision.get("seat"))
            case name if name in AWARD_STATES:
                state = AWARD_STATES[str(name)]
                code = str(decision.get("combination"))
                self.awards.append(Mark(code, record.wall, record.round, state))

    def _begin(self, code: str, record: Record) -> None:
        self.faults.append(FaultSpan(code, record.wall, rounds=(record.round, 0)))

    def _end(self, code: str, record: Record) -> None:
        for place, fault in enumerate(self.faults):
            if fault.code == code and not fault.until:
                rounds = (fault.rounds[0], record.round)
                self.faults[place] = replace(fault, until=record.wall, rounds=rounds)
                return
        self.faults.append(FaultSpan(code, "", record.wall, (0, record.round)))

    def _follow_service(self, record: Record) -> None:
        changes = record.body.get("changes")
        service = changes.get("service") if isinstance(changes, Mapping) else None
        if service is True:
            self._begin(SERVICE, record)
        elif service is False:
            self._end(SERVICE, record)

    def _count_token(self, record: Record, seat: object) -> None:
        try:
            hour = int(datetime.fromisoformat(record.wall).timestamp()) // HOUR_S * HOUR_S
        except (ValueError, OverflowError):
            return  # the label is not a time
        if not isinstance(seat, int) or seat not in SEATS:
            return
        self.seats.setdefault(hour, [0] * len(SEATS))[seat - 1] += 1
        if len(self.seats) > MOST_HOURS:
            del self.seats[min(self.seats)]

    def _note_people(self, step: RecordStep) -> None:
        names = [str(step.act[name]) for name in WHO if step.act.get(name)]
        if not names:
            return
        text = {
            language.value: _without_names(act_words(step.record, language), names)
            for language in Language
        }
        act = NamedAct(step.record.wall, ", ".join(names), text, step.refusal)
        self.people.append(act)


def _without_names(words: str, names: Sequence[str]) -> str:
    """`anna: hand void` and `anna entered` without who it was."""
    head, colon, rest = words.partition(": ")
    if colon and all(name in head for name in names):
        return rest
    return words.removeprefix(f"{names[0]} ")
