"""What happened besides money: faults, SERVICE, declarations, refusals, logins, cards."""

from collections import Counter

import msgspec

from console.bordereau.figures import (
    CardsEntry,
    DeclarationEntry,
    FaultEntry,
    ServiceEntry,
    When,
)
from console.bordereau.step import Plain, RecordStep
from console.rules.acts import KINDS, Cleared, DoorOpened, Entered, EntryRefused, Started
from console.rules.codes import Phase
from console.rules.release_marks import ReleaseChange
from console.rules.structs import replace
from console.texts.declarations.lines import BY_KIND
from devices.card_reports import ShufflerSeen

STUCK = "token-stuck"

NOTED = (
    "token-late",
    STUCK,
    "token-unaccounted",
    "drop-unexplained",
    "drop-in-service",
    "tray-differs",
    "card-changed",
)
"""Decisions that the bordereau counts, by their names on record."""


class EventTally:
    """Collects everything except money and cards, record by record."""

    def __init__(self, opening: Plain, configuration: str | None) -> None:
        self.faults = [FaultEntry(code, None) for code in opening.get("faults", ())]
        self.services = [ServiceEntry(None)] if opening.get("service") else []
        self.declarations: list[DeclarationEntry] = []
        self.starts: list[When] = []
        self.configurations: list[tuple[When | None, str]] = []
        if configuration is not None:
            self.configurations.append((None, configuration))
        self.releases: list[tuple[When | None, ReleaseChange]] = []
        if (earlier := _newest_release(opening)) is not None:
            self.releases.append((None, earlier))
        self.entered: Counter[str] = Counter()
        self.wrong_pins: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.forgotten = 0
        self.noticed: Counter[str] = Counter()
        self._stuck: set[object] = set()  # seats whose token was counted in this collection

    def add(self, step: RecordStep) -> None:
        """Add one record."""
        if step.refusal:
            self.refused[step.refusal] += 1
        forgotten = step.record.body.get("forgotten")
        self.forgotten += forgotten if isinstance(forgotten, int) else 0
        self._count_noticed(step)
        self._follow_faults(step)
        self._follow_service(step)
        self._count_people(step)
        if step.record.kind == KINDS[Started]:
            self._follow_start(step)
        if step.record.kind in BY_KIND:
            facts = {name: value for name, value in step.act.items() if name != "who"}
            who = str(step.act.get("who", ""))
            declaration = DeclarationEntry(step.when, step.record.kind, who, facts, step.refusal)
            self.declarations.append(declaration)

    def _count_noticed(self, step: RecordStep) -> None:
        """Count what is NOTED; a token that is tried again in the same collection once."""
        for one in step.decisions:
            name, seat = one.get("decision"), one.get("seat")
            if name in NOTED and not (name == STUCK and seat in self._stuck):
                self.noticed[str(name)] += 1
            if name == STUCK:
                self._stuck.add(seat)
        if step.after.get("phase") != Phase.COLLECTING.value:
            self._stuck.clear()

    def _follow_start(self, step: RecordStep) -> None:
        self.starts.append(step.when)
        configuration = str(step.act.get("configuration", ""))
        if not self.configurations or self.configurations[-1][1] != configuration:
            self.configurations.append((step.when, configuration))
        release = _newest_release(step.after)
        if release is not None and (not self.releases or self.releases[-1][1] != release):
            self.releases.append((step.when, release))

    def _follow_faults(self, step: RecordStep) -> None:
        before, after = step.before.get("faults", ()), step.after.get("faults", ())
        if before == after:
            return
        cleared = step.record.kind in (KINDS[Cleared], DoorOpened.kind)
        who = str(step.act.get("who", "")) if cleared else ""
        for place, fault in enumerate(self.faults):
            if fault.cleared is None and fault.code not in after:
                self.faults[place] = replace(fault, cleared=step.when, who=who)
        self.faults += [FaultEntry(code, step.when) for code in after if code not in before]

    def _follow_service(self, step: RecordStep) -> None:
        was, now = bool(step.before.get("service")), bool(step.after.get("service"))
        if now and not was:
            self.services.append(ServiceEntry(step.when))
        elif was and not now:
            self.services[-1] = replace(self.services[-1], ended=step.when)

    def _count_people(self, step: RecordStep) -> None:
        who = str(step.act.get("who", ""))
        if not who:
            return
        if step.record.kind == KINDS[EntryRefused]:
            self.wrong_pins[who] += 1
            return
        if step.record.kind == KINDS[Entered]:
            self.entered[who] += 1
        if step.after.get("service") and who not in self.services[-1].people:
            people = (*self.services[-1].people, who)
            self.services[-1] = replace(self.services[-1], people=people)


def _newest_release(state: Plain) -> ReleaseChange | None:
    """The release that a table in this state was started with last; None: it never ran one."""
    changes = _within(state, "release").get("changes")
    return msgspec.convert(changes[-1], ReleaseChange) if changes else None


class CardTally:
    """Counts decks, cards, shoes and coups (docs/reference/rules.md, sections 8 and 9)."""

    def __init__(self, opening: Plain) -> None:
        self._decks = self._dealt = self._shoes = self._drawn = 0
        self._coups: Counter[str] = Counter()
        self._hand, self._of_hand = _packets_of(_within(opening, "deck", "seen"))

    def add(self, step: RecordStep) -> None:
        """Add one record."""
        for decision in step.decisions:
            name = decision.get("decision")
            self._decks += name == "deck-ready"
            self._shoes += name == "shoe-loaded"
            if name == "coup-ended":
                self._coups[str(decision.get("result"))] += 1
        if step.record.kind == KINDS[ShufflerSeen]:
            self._count_packets(step.act)
        self._drawn += _count_drawn(step)

    @property
    def entry(self) -> CardsEntry:
        """The counts so far."""
        return CardsEntry(self._decks, self._dealt, self._shoes, self._drawn, dict(self._coups))

    def _count_packets(self, act: Plain) -> None:
        hand, dealt = _packets_of(act)
        if hand != self._hand:
            self._hand, self._of_hand = hand, 0
        self._dealt += max(0, dealt - self._of_hand)
        self._of_hand = max(dealt, self._of_hand)


def _packets_of(report: Plain) -> tuple[int, int]:
    """The number of the hand dealt last, and how many cards it has."""
    return int(report.get("hand", 0)), int(report.get("dealt", 0))


def _count_drawn(step: RecordStep) -> int:
    """Cards that left the shoe with this record; after a new load, all that left that shoe."""
    before, after = _within(step.before, "shoe"), _within(step.after, "shoe")
    if before is after or before == after:
        return 0
    drawn, known = int(after.get("drawn", 0)), int(before.get("drawn", 0))
    same = drawn >= known and after.get("loads", 0) == before.get("loads", 0)
    return drawn - known if same else drawn


def _within(state: Plain, *names: str) -> Plain:
    for name in names:
        state = state.get(name) or {}
    return state
