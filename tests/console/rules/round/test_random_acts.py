"""A hundred thousand random acts: money is never made, lost or counted twice.

`make thorough`: a million.

The seed is the run's own (`--hypothesis-seed`), named in the header of every run.
"""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from console.configuration.table_plan import TablePlan
from console.rules import records
from console.rules.acts import (
    Act,
    Adopted,
    Cleared,
    Elapsed,
    Entered,
    EntryRefused,
    HandVoid,
    LastHands,
    Left,
    OutputsDriven,
    PartTested,
    RoundVoid,
    SelfTested,
    Started,
    TrayCounted,
)
from console.rules.codes import Duty, Fault, Phase
from console.rules.drive import Drive
from console.rules.game_modules import advance, next_deadline
from console.rules.round import ActOutcome, Transition
from console.rules.round.card_outputs import rail_orders
from console.rules.settings import SettingChanged
from console.rules.state import Rules, TableState
from devices.device import Device
from devices.roles import (
    NO_COUNTS,
    SEATS,
    Button,
    ButtonPressed,
    DeviceLost,
    DeviceUp,
    InspectorSeen,
    KeyFound,
    KeyMoved,
    KeyPosition,
    KeyUnreadable,
    Lamp,
    RailSeen,
)
from jackpot.ledger.journal import Entry, Record
from jackpot.ledger.ledger import Ledger, read_records, rebuild, verify
from jackpot.money.accounts import Account, Reason
from jackpot.money.amounts import to_units
from tests.console.table import rules_of, without_refusal_traces

ACTS_ON_DISK = 3_000
COMBINATIONS = (Button.COMBINATION_1, Button.COMBINATION_2, Button.COMBINATION_5)


class RandomActs:
    """Chooses what croupier, players, floor manager and the rail do next."""

    def __init__(self, random: Random, rules: Rules) -> None:
        self.random = random
        self.rules = rules
        self.now = 1_000
        self.lying: set[int] = set()
        self.drops = list(NO_COUNTS)
        self.tray = 0
        self.boot = 1
        self.served = 0
        self.fallen = 0  # since the first boot

    def next_acts(self, state: TableState) -> Iterable[Act]:
        """What happens next: mostly the game, sometimes trouble."""
        self.now += self.random.choice((0, 1, 20, 50, 300, 600, 2_000))
        what = self.random.choices(
            (self.press, self.turn, self.hands, self.gates, self.time, self.declare, self.trouble),
            (40, 18, 25, 25, 10, 3, 3),
        )[0]
        return what(state)

    def press(self, state: TableState) -> Iterable[Act]:
        likely = {
            Phase.PAUSED: Button.GAME_OVER,
            Phase.BETTING: Button.COIN_IN,
            Phase.COLLECTING: Button.COIN_IN,
            Phase.PLAYING: self.random.choice((Button.JPOT, Button.GAME_OVER, *COMBINATIONS)),
            Phase.AWARDING: Button.JPOT,
        }[state.phase]
        yield ButtonPressed(likely if self.random.random() < 0.7 else self.random.choice([*Button]))

    def turn(self, state: TableState) -> Iterable[Act]:
        wanted = KeyPosition.R
        if state.phase is Phase.PLAYING and state.choice is not None and self.rules.prizes:
            high = self.rules.prizes.of(state.choice).high
            wanted = KeyPosition.JPH if high else KeyPosition.JPL
        if self.random.random() < 0.15:
            yield self.random.choice((KeyMoved(None), KeyMoved(KeyPosition.S), KeyUnreadable()))
        else:
            yield KeyMoved(wanted)

    def hands(self, _state: TableState) -> Iterable[Act]:
        self.lying ^= {self.random.choice(SEATS)}
        yield self.report()

    def gates(self, state: TableState) -> Iterable[Act]:
        """Tokens fall where a gate is open, once a turn and seat."""
        for seat in sorted(rail_orders(state).gates & self.lying):
            if self.random.random() < 0.8:
                self.lying.discard(seat)
                self.drops[seat - 1] = (self.drops[seat - 1] + 1) & 0xFFFF
                self.fallen += 1
                if self.random.random() < 0.5:
                    yield self.report()
                self.tray = (self.tray + 1) & 0xFFFF
        yield self.report()

    def time(self, state: TableState) -> Iterable[Act]:
        due = next_deadline(state, self.rules)
        self.now = max(self.now, due or 0)
        yield Elapsed()

    def declare(self, _state: TableState) -> Iterable[Act]:
        seat = self.random.choice(SEATS)
        yield self.random.choice(
            (
                HandVoid(seat, True, "Anna"),
                HandVoid(seat, False, "Anna"),
                RoundVoid("Anna"),
                LastHands(3, "Anna"),
                TrayCounted(self.tray, "Anna"),
            )
        )

    def trouble(self, _state: TableState) -> Iterable[Act]:
        kind = self.random.randrange(6)
        if kind == 0:
            yield DeviceLost(Device.RAIL, "silent")
        elif kind == 1:
            yield self.report()
            yield DeviceUp(Device.RAIL)
        elif kind == 2:
            self.power_cut()
            yield Started()
            yield KeyFound(self.random.choice((KeyPosition.R, KeyPosition.JPL)))
            yield self.report()
        elif kind == 3:
            yield KeyMoved(KeyPosition.S)
            yield Cleared(Fault.TRAY_COUNT, "Anna")
            yield KeyMoved(KeyPosition.R)
        elif kind == 4:
            yield from self.technician()
        else:
            yield InspectorSeen(self.random.random() < 0.5)

    def technician(self) -> Iterable[Act]:
        """Somebody at the line drives outputs, most often in SERVICE, and tokens may fall."""
        yield EntryRefused("anna", 1, 0)
        yield Entered("anna", (Duty.TECHNICIAN,))
        if self.random.random() < 0.8:
            yield KeyMoved(KeyPosition.S)
        gates = frozenset(self.random.sample(SEATS, 3))
        yield OutputsDriven("anna", Drive(slots=(Lamp.ON,) * 7, gates=gates))
        if self.random.random() < 0.5:
            yield SettingChanged("anna", "language", "en", "it")
            yield SelfTested("anna", (PartTested("slot lamps", True, ""),))
            yield OutputsDriven("anna", None)
        yield Left("anna", "said so")

    def power_cut(self) -> None:
        self.boot += 1
        self.drops = list(NO_COUNTS)
        self.tray = 0

    def report(self) -> RailSeen:
        return RailSeen(self.boot, frozenset(self.lying), tuple(self.drops), self.tray)


class Auditor:
    """Looks at every step's money."""

    def __init__(self) -> None:
        self.accepted = 0
        self.returned = 0
        self.identities: set[str] = set()
        self.outcomes: dict[ActOutcome, int] = dict.fromkeys(ActOutcome, 0)
        self.reasons: dict[Reason, int] = dict.fromkeys(Reason, 0)

    def look(self, before: TableState, act: Act, step: Transition, rules: Rules, now: int) -> None:
        self.outcomes[step.outcome] += 1
        balances = before.balances
        for transaction in step.transactions:
            assert sum(posting.amount for posting in transaction.postings) == 0
            assert transaction.identity not in self.identities
            self.identities.add(transaction.identity)
            self.reasons[transaction.reason] += 1
            balances = balances.after(transaction)
            assert balances.jackpot >= 0, f"{transaction.reason} took what was not there"
            assert balances.reserve >= 0, f"{transaction.reason} took what was not there"
        assert balances == step.state.balances
        self.accepted += sum(d.what == "token-accepted" for d in step.decisions)
        self.returned += sum(
            d.what == "hand-void" and d.facts["returned"] == 1 for d in step.decisions
        )
        self.add_up(step.state, rules)
        if step.outcome is ActOutcome.REFUSED:
            waited = advance(before, Elapsed(), rules, now).state
            assert without_refusal_traces(step.state) == without_refusal_traces(waited), act

    def add_up(self, state: TableState, rules: Rules) -> None:
        balances = state.balances
        assert sum(balances.of(account) for account in Account) == 0
        assert balances.pending == (to_units(state.award.total) if state.award else 0)
        assert (state.award is not None) == (state.phase is Phase.AWARDING)
        assert -balances.tray == (self.accepted - self.returned) * to_units(rules.money.token)
        promised = state.places_used + (state.award.winners if state.award else 0)
        assert promised <= len(state.seats.accepted)


def opening_acts(rules: Rules) -> list[Act]:
    plan = TablePlan(game=rules.game.name)
    return [Started(), Adopted(plan.settings()), KeyFound(KeyPosition.R), DeviceUp(Device.RAIL)]


@pytest.mark.parametrize(("game", "acts"), [("caribbean-stud", 40_000), ("tre-card-stud", 20_000)])
def test_whatever_happens_the_books_add_up(
    game: str, acts: int, thorough: bool, pytestconfig: pytest.Config
) -> None:
    """TABLE 4.2, 4.3, 4.14, 6.1, 7.11: after each of many random acts"""
    rules = rules_of(game)
    people = RandomActs(Random(pytestconfig.getoption("hypothesis_seed")), rules)
    auditor, state = Auditor(), TableState()
    acts *= 10 if thorough else 1
    todo: list[Act] = opening_acts(rules)
    for _ in range(acts):
        while not todo:
            todo.extend(people.next_acts(state))
        act = todo.pop(0)
        step = advance(state, act, rules, people.now)
        auditor.look(state, act, step, rules, people.now)
        state = step.state
    if rules.rail is not None and rules.rail.gates:
        assert auditor.accepted <= people.fallen
    assert min(auditor.outcomes.values()) > acts // 1_000, auditor.outcomes
    played = {reason for reason, count in auditor.reasons.items() if count}
    assert played == set(Reason) - {
        *(Reason.CORRECTION, Reason.LEFT, Reason.RAKE, Reason.RAKE_RETURNED)
    }
    assert state.round > acts // 100


def test_on_the_disk_it_is_the_same(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """TABLE 4.2, 7.10: balances agree, the state is given back, every record replays"""
    rules = rules_of()
    people = RandomActs(Random(pytestconfig.getoption("hypothesis_seed")), rules)
    state, entries = TableState(), list[Entry]()
    todo: list[Act] = opening_acts(rules)
    with closing(Ledger.open(tmp_path, durable=False)) as ledger:
        ledger.begin(1)
        for number in range(ACTS_ON_DISK):
            while not todo:
                todo.extend(people.next_acts(state))
            act = todo.pop(0)
            step = advance(state, act, rules, people.now)
            if records.is_worth_recording(act, state, step):
                entries.append(records.entry_of(act, state, step, people.now, "", 1))
            state = step.state
            if number % 20 == 0:
                ledger.commit(entries)
                entries = []
                assert ledger.balances == state.balances
            if ledger.wants_snapshot:
                entries.append(records.snapshot_of(state, people.now, "", 1))
        ledger.commit(entries)
    with closing(Ledger.open(tmp_path, durable=False)) as ledger:
        assert records.restore_recovered(ledger.recovered) == state
    assert verify(tmp_path).sound
    assert rebuild(tmp_path).balances == state.balances
    written = list(read_records(tmp_path, limit=2 * ACTS_ON_DISK))
    assert len(written) > ACTS_ON_DISK // 2
    assert all_replayed(written, rules) == state


def all_replayed(written: list[Record], rules: Rules) -> TableState:
    """From the very first record on, each comes to what it says."""
    state = TableState()
    for record in written:
        if record.kind == records.SNAPSHOT:
            assert records.restore_state(record.body, ()) == state
            continue
        state, agrees = records.replay_record(state, record.kind, record.body, rules, record.at_ms)
        assert agrees, record
    return state
