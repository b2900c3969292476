"""Since when each fault has been present, its details, and at which seats tokens have stuck.

Each fault raised or cleared is also logged, with its text from the catalogue. TOKEN_STUCK clears at
the next COIN IN (docs/reference/rules.md 7.3); the technician who repairs the gate comes later and
needs the count.
"""

import logging
from collections import Counter, deque
from collections.abc import Callable, Mapping

from msgspec import Struct

from console.line.requests import PresentFault
from console.rules.acts import Act, CounterpartChanged
from console.rules.board_marks import BoardMarks
from console.rules.codes import LEDGER_FAULTS, LOST, Fault
from console.rules.release_marks import ReleaseMarks
from console.rules.round import Transition
from console.rules.state import TableState
from console.service.table_service import TableService
from console.texts.catalogue.brief import FAULTS
from devices.card_reports import Back
from devices.device import Device
from devices.panel_reports import ContactSteady, ContactUnsteady
from devices.roles import DeviceLost

ROUNDS = 10
MINUTES_MS = 30 * 60_000
"""A stuck token is remembered for `ROUNDS` rounds or `MINUTES_MS`, whichever is longer."""

MOST = 200
"""Most stuck tokens remembered; older ones are forgotten."""

log = logging.getLogger(__name__)


class _Stuck(Struct, frozen=True):
    seat: int
    round: int
    at_ms: int


class StuckTokens:
    """Follows one service from its start on. A token dropped in SERVICE clears its seat."""

    def __init__(self, service: TableService) -> None:
        self._service = service
        self._stuck: deque[_Stuck] = deque(maxlen=MOST)
        service.watchers.append(self._on_act)

    def count_by_seat(self) -> Mapping[int, int]:
        """Return how often a token stuck at each seat; at least 1 where one is stuck now."""
        now, last = self._service.clock.now(), self._service.state.round
        counted = Counter(
            one.seat
            for one in self._stuck
            if one.round > last - ROUNDS or now - one.at_ms <= MINUTES_MS
        )
        stuck = self._service.state.seats.stuck
        return {**counted, **{seat: max(1, counted[seat]) for seat in stuck}}

    def _on_act(self, _act: Act, step: Transition) -> None:
        for decision in step.decisions:
            seat = decision.facts.get("seat")
            if decision.what == "token-stuck" and isinstance(seat, int):
                self._stuck.append(_Stuck(seat, step.state.round, self._service.clock.now()))
            elif decision.what == "drop-in-service":
                still = [one for one in self._stuck if one.seat != seat]
                self._stuck = deque(still, maxlen=MOST)


class FaultHistory:
    """Follows one service from its start on.

    The time of older faults is known if they were raised after the last snapshot.
    """

    def __init__(self, service: TableService) -> None:
        self._service = service
        self._since: dict[Fault, str] = {
            fault: service.table_ledger.raised.get(fault.value, "")
            for fault in service.state.faults
        }
        self._why: dict[Fault, str] = {}
        service.watchers.append(self._on_act)

    def list_present(self) -> tuple[PresentFault, ...]:
        """Return the faults present now, in the state's order."""
        return tuple(self._describe(fault) for fault in self._service.state.faults)

    def _describe(self, fault: Fault) -> PresentFault:
        state, lock = self._service.state, self._service.table_ledger.last_lock
        if fault in LEDGER_FAULTS and lock is not None:
            return PresentFault(fault, lock.since, lock.why)
        detail = DETAILS[fault](state) if fault in DETAILS else self._why.get(fault, "")
        return PresentFault(fault, self._since.get(fault, ""), detail)

    def _on_act(self, act: Act, step: Transition) -> None:
        if isinstance(act, DeviceLost):
            self._why[LOST[act.device]] = act.why
        if isinstance(act, ContactUnsteady | ContactSteady):
            self._why[Fault.CONTACT_UNSTEADY] = " ".join(act.unsteady)
        if isinstance(act, CounterpartChanged):
            self._why[Fault.COUNTERPART_CHANGED] = act.why
        present = step.state.faults
        if len(present) != len(self._since) or not self._since.keys() >= set(present):
            self._log(set(present))
            wall = self._service.clock.wall()
            self._since = {fault: self._since.get(fault, wall) for fault in present}

    def _log(self, present: set[Fault]) -> None:
        for fault in sorted(present - self._since.keys(), key=lambda fault: fault.value):
            detail = self._why.get(fault, "")
            text = FAULTS[fault].means.en + (f" ({detail})" if detail else "")
            log.warning("%s is raised: %s", fault.value, text)
        for fault in sorted(self._since.keys() - present, key=lambda fault: fault.value):
            log.info("%s is cleared", fault.value)


def _describe_stuck(state: TableState) -> str:
    return _seats(state.seats.stuck)


def _describe_changed(state: TableState) -> str:
    return _seats(state.rail.seen.changed) if state.rail.seen is not None else ""


def _describe_release(state: TableState) -> str:
    marks = state.release
    if not isinstance(marks, ReleaseMarks):
        return ""
    return marks.problem or f"as its list says now, by the key {marks.key}"


def _describe_boards(state: TableState) -> str:
    marks = state.boards
    if not isinstance(marks, BoardMarks):
        return ""
    foreign = [device for device in Device if marks.is_foreign(device)]
    return "; ".join(f"{device.value}: {marks.serials(device)}" for device in foreign)


def _describe_tray(state: TableState) -> str:
    seen = state.rail.seen
    return f"drops {sum(seen.drops)}, tray {seen.tray}" if seen is not None else ""


def _describe_cards(state: TableState) -> str:
    seen = state.deck.seen
    if seen is None:
        return ""
    if seen.counted is not None:
        return f"{_back(seen.prepared_back)} deck, {seen.counted} cards counted"
    return f"{seen.dealt} cards dealt, {seen.unloaded or 0} unloaded"


def _describe_deck(state: TableState) -> str:
    seen = state.deck.seen
    return f"{_back(seen.prepared_back)} deck again" if seen is not None else ""


def _back(back: Back | None) -> str:
    return back.value if back is not None else "no"


def _seats(seats: frozenset[int]) -> str:
    return f"seats {' '.join(map(str, sorted(seats)))}" if seats else ""


DETAILS: dict[Fault, Callable[[TableState], str]] = {
    Fault.TOKEN_STUCK: _describe_stuck,
    Fault.TRAY_COUNT: _describe_tray,
    Fault.ACCEPTOR_CHANGED: _describe_changed,
    Fault.BOARD_CHANGED: _describe_boards,
    Fault.PROGRAM_CHANGED: _describe_release,
    Fault.CARD_COUNT: _describe_cards,
    Fault.DECK_REPEATED: _describe_deck,
}
