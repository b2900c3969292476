"""What must hold of a poker table that is killed: hands, rake, clock, call of time.

docs/reference/poker-rules.md, sections 13, 18 and 20.
"""

from collections import Counter
from typing import Any

import msgspec

from console.rules.poker.poker_observation import see_poker
from console.rules.poker_clock import Steps, TournamentClock
from console.rules.poker_settings import PokerSettings
from console.rules.poker_state import PokerState
from console.rules.state import TableState
from jackpot.ledger.journal import Record
from jackpot.money.accounts import Account, Reason
from jackpot.money.amounts import to_units
from jackpot.money.rake import EURO, divide_rake

GIVEN_BACK_MS = 10_000
"""So much a clock may gain by a power cut."""

Decision = dict[str, Any]

MOVES = ("clock", "time")
"""What changes by itself between two records."""


class PokerBooks:
    """A poker table's hands and rakes, counted from its records. Checks raise AssertionError."""

    def __init__(self, table: str, settings: PokerSettings) -> None:
        self.counts: Counter[str] = Counter()
        self._table = table
        self._settings = settings
        self._hands = 0
        self._in_force: Counter[int] = Counter()  # the rake of each hand, in cents

    def count(self, record: Record, before: TableState, state: TableState) -> None:
        """One record more: each hand has the next number, each rake is posted once."""
        for decision in msgspec.convert(record.body.get("decisions", ()), list[Decision]):
            what = decision["decision"]
            self.counts[what] += 1
            if what == "hand-begun":
                self._hands += 1
            elif what == "rake-taken":
                self._is_posted(decision, record, before)
        assert state.round == self._hands, f"{self._hands} hands have begun, not {state.round}"
        for transaction in record.transactions:
            (rake,) = (each.amount for each in transaction.postings if each.account is Account.RAKE)
            sign = 1 if transaction.reason is Reason.RAKE else -1
            assert transaction.reason in (Reason.RAKE, Reason.RAKE_RETURNED)
            assert rake * sign > 0
            number = transaction.identity.split("/")[1].removeprefix("round-")
            self._in_force[int(number)] += rake

    def _is_posted(self, decision: Decision, record: Record, before: TableState) -> None:
        """The rake is that of the chips on record, and it is posted, unless it is 0."""
        poker = poker_in(before)
        assert poker is not None
        assert poker.hand is not None
        pots = [sum(pot) for pot in poker.pots if pot]
        terms = self._settings.rake_terms(half=poker.half_rake)
        parts = divide_rake(terms, pots, poker.hand.players)
        assert decision["parts"] == "+".join(map(str, parts))
        due = [(f"{self._table}/round-{before.round}/rake", to_units(sum(parts) * EURO))]
        posted = [
            (each.identity, sum(one.amount for one in each.postings if one.account is Account.RAKE))
            for each in record.transactions
        ]
        assert posted == (due if sum(parts) else [])

    def add_up(self, state: TableState) -> None:
        """The rake account is what was taken, and the pots' is its other side."""
        taken = self._in_force.total()
        assert state.balances.of(Account.RAKE) == taken == -state.balances.of(Account.POTS)
        assert min(self._in_force.values(), default=0) >= 0

    def look_of(self, state: TableState) -> dict[str, Any]:
        """What people must see of a table in this state, but what changes by itself."""
        poker = poker_in(state)
        facts = see_poker(state, poker, self._settings, 0).to_json() if poker is not None else {}
        return {
            "phase": state.shown_phase.value,
            **{name: fact for name, fact in facts.items() if name not in MOVES},
        }

    def came_back(self, dead: TableState, state: TableState, killed_at: int) -> None:
        """A table killed at `killed_at` (ms) as `dead` is so again, as section 20 has it."""
        before, after = poker_in(dead), poker_in(state)
        shown, due = self.look_of(state), self.look_of(dead)
        assert shown == due, f"it comes back as {shown}, not as {due}"
        if before is None or after is None:
            return
        assert after.time_call is None or not after.time_call.until, "a call of time has survived"
        expired = before.time_call is not None and not before.time_call.until
        self.counts["time calls cut"] += before.time_call is not None and not expired
        assert (after.time_call is not None) == expired
        if before.clock is not None:
            assert after.clock is not None
            self._stands(before.clock, after.clock, killed_at)

    def _stands(self, before: TournamentClock, after: TournamentClock, killed_at: int) -> None:
        """The clock stands, with what it had left: never less, at most 10 s more."""
        assert not after.running
        steps = self._settings.structure
        gained = reckon_all_left(after, steps, killed_at) - reckon_all_left(
            before, steps, killed_at
        )
        assert 0 <= gained <= GIVEN_BACK_MS, f"the clock gained {gained} ms"
        self.counts["running clocks cut"] += before.ticks(steps)
        self.counts["most gained ms"] = max(self.counts["most gained ms"], gained)


def reckon_all_left(clock: TournamentClock, steps: Steps, now: int) -> int:
    """What this step and the later ones have left, in ms; the last one does not end."""
    later = sum(step.ms for step in steps[clock.step + 1 :])
    passed = now - clock.at if clock.ticks(steps) else 0
    return clock.left_ms + later - min(passed, clock.left_ms + later)


def poker_in(state: TableState) -> PokerState | None:
    """What a poker table remembers; None before its settings are in force."""
    return state.poker if isinstance(state.poker, PokerState) else None
