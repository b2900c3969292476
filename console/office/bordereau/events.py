"""What happened beside money: faults, SERVICE, declarations, refusals, people, cards."""

from collections import Counter
from dataclasses import replace
from typing import get_args

from console.office.bordereau.figures import (
    CardsEntry,
    DeclarationEntry,
    FaultEntry,
    ServiceEntry,
    When,
)
from console.office.bordereau.step import Plain, RecordStep
from console.rules.acts import (
    KINDS,
    Cleared,
    DeckDeclaration,
    Entered,
    EntryRefused,
    HandVoid,
    LastHands,
    RoundVoid,
    Started,
    TrayCounted,
)
from devices.card_reports import ShufflerSeen

DECLARED = frozenset(
    KINDS[act] for act in (HandVoid, RoundVoid, LastHands, TrayCounted, *get_args(DeckDeclaration))
)

NOTED = (
    "token-late",
    "token-stuck",
    "token-unaccounted",
    "drop-unexplained",
    "drop-in-service",
    "tray-differs",
    "card-changed",
)
"""Decisions that are counted, by their names on record."""


class EventTally:
    """Follows the state's faults and SERVICE, whatever act changed them."""

    def __init__(self, opening: Plain) -> None:
        self.faults = [FaultEntry(code, None) for code in opening.get("faults", ())]
        self.services = [ServiceEntry(None)] if opening.get("service") else []
        self.declarations: list[DeclarationEntry] = []
        self.starts: list[When] = []
        self.entered: Counter[str] = Counter()
        self.wrong_pins: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.forgotten = 0
        self.seen: Counter[str] = Counter()

    def take(self, seen: RecordStep) -> None:
        """Add one record."""
        if seen.refusal:
            self.refused[seen.refusal] += 1
        forgotten = seen.record.body.get("forgotten")
        self.forgotten += forgotten if isinstance(forgotten, int) else 0
        self.seen.update(name for one in seen.decisions if (name := one.get("decision")) in NOTED)
        self._faults(seen)
        self._service(seen)
        self._people(seen)
        if seen.record.kind == KINDS[Started]:
            self.starts.append(seen.when)
        if seen.record.kind in DECLARED:
            facts = {name: value for name, value in seen.act.items() if name != "who"}
            who = str(seen.act.get("who", ""))
            told = DeclarationEntry(seen.when, seen.record.kind, who, facts, seen.refusal)
            self.declarations.append(told)

    def _faults(self, seen: RecordStep) -> None:
        before, after = seen.before.get("faults", ()), seen.after.get("faults", ())
        if before == after:
            return
        cleared = seen.record.kind == KINDS[Cleared]
        who = str(seen.act.get("who", "")) if cleared else ""
        for place, told in enumerate(self.faults):
            if told.cleared is None and told.code not in after:
                self.faults[place] = replace(told, cleared=seen.when, who=who)
        self.faults += [FaultEntry(code, seen.when) for code in after if code not in before]

    def _service(self, seen: RecordStep) -> None:
        was, now = bool(seen.before.get("service")), bool(seen.after.get("service"))
        if now and not was:
            self.services.append(ServiceEntry(seen.when))
        elif was and not now:
            self.services[-1] = replace(self.services[-1], ended=seen.when)

    def _people(self, seen: RecordStep) -> None:
        who = str(seen.act.get("who", ""))
        if not who:
            return
        if seen.record.kind == KINDS[EntryRefused]:
            self.wrong_pins[who] += 1
            return
        if seen.record.kind == KINDS[Entered]:
            self.entered[who] += 1
        if seen.after.get("service") and who not in self.services[-1].people:
            people = (*self.services[-1].people, who)
            self.services[-1] = replace(self.services[-1], people=people)


class CardTally:
    """Shuffler and shoe, as far as the table has them (docs/rules.md, sections 8 and 9)."""

    def __init__(self, opening: Plain) -> None:
        self._decks = self._dealt = self._shoes = self._drawn = 0
        self._coups: Counter[str] = Counter()
        self._hand, self._of_hand = _dealt_in(_within(opening, "deck", "seen"))

    def take(self, seen: RecordStep) -> None:
        """Add one record."""
        for decision in seen.decisions:
            name = decision.get("decision")
            self._decks += name == "deck-ready"
            self._shoes += name == "shoe-loaded"
            if name == "coup-ended":
                self._coups[str(decision.get("result"))] += 1
        if seen.record.kind == KINDS[ShufflerSeen]:
            self._packets(seen.act)
        self._drawn += _left_the_shoe(seen)

    @property
    def told(self) -> CardsEntry:
        """What was counted."""
        return CardsEntry(self._decks, self._dealt, self._shoes, self._drawn, dict(self._coups))

    def _packets(self, act: Plain) -> None:
        hand, dealt = _dealt_in(act)
        if hand != self._hand:
            self._hand, self._of_hand = hand, 0
        self._dealt += max(0, dealt - self._of_hand)
        self._of_hand = max(dealt, self._of_hand)


def _dealt_in(report: Plain) -> tuple[int, int]:
    """The number of the hand dealt last, and its cards."""
    return int(report.get("hand", 0)), int(report.get("dealt", 0))


def _left_the_shoe(seen: RecordStep) -> int:
    """Cards of a shoe that left it with this record; another shoe is counted from its first."""
    before, after = _within(seen.before, "shoe"), _within(seen.after, "shoe")
    if before is after or before == after:
        return 0
    drawn, known = int(after.get("drawn", 0)), int(before.get("drawn", 0))
    same = drawn >= known and after.get("loads", 0) == before.get("loads", 0)
    return drawn - known if same else drawn


def _within(state: Plain, *names: str) -> Plain:
    for name in names:
        state = state.get(name) or {}
    return state
