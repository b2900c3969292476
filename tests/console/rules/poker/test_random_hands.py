"""Nights of random hands, with power cuts: numbers, rakes, the clock.

docs/reference/poker-rules.md.

The seed is the run's own (`--hypothesis-seed`), named in the header of every run.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from console.rules import records
from console.rules.acts import Act, Adopted, Elapsed, RoundVoid, Started
from console.rules.codes import Phase
from console.rules.game_modules import advance, next_deadline
from console.rules.poker_acts import ClockSwitched, Go, HandForHand, PlayersSet, RakeCorrected
from console.rules.poker_clock import Blinds, Step
from console.rules.poker_settings import HOUSES, Form, PokerHouse, PokerSettings
from console.rules.poker_state import PokerState
from console.rules.round import ActOutcome
from console.rules.settings import Settings
from console.rules.state import Rules, TableState, rules_of
from devices.roles import Button, ButtonPressed, KeyMoved, KeyPosition
from jackpot.money.accounts import Account
from jackpot.money.settings import MoneySettings

ACTS, MOST_ACTS = 3_000, 60_000
HANDS = 30
MINUTE = 60_000
STEPS = (
    Step(10 * MINUTE, Blinds(100, 200)),
    Step(5 * MINUTE),
    Step(10 * MINUTE, Blinds(200, 400, 50)),
    Step(10 * MINUTE, Blinds(300, 600, 50)),
)
TABLES = [(house, form) for house, rules in HOUSES.items() for form in rules.time]
OFTEN = (Button.COMBINATION_1,) * 3 + (Button.GAME_OVER,) * 3 + (Button.JPOT,) * 2


def rules_at(house: PokerHouse, form: Form) -> Rules:
    steps = STEPS if form is Form.TOURNAMENT else ()
    poker = PokerSettings(house, form, steps=steps)
    return rules_of(Settings("poker-1", "texas-holdem", None, MoneySettings(), poker=poker), None)


class People:
    """Croupier and floor manager, who press and declare anything, and the power."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.now = 0

    def act(self, state: TableState, rules: Rules) -> Act:
        chance = self._random.random()
        due = next_deadline(state, rules)
        self.now += self._random.choice((0, 20, 500, 5_000, 40_000))
        if due is not None and due < self.now:
            self.now = due
            return Elapsed()
        if chance < 0.02:
            self.now = self._random.randrange(1_000_000)  # another boot's clock
            return Started()
        if chance < 0.06:
            return KeyMoved(self._random.choice((KeyPosition.R, KeyPosition.R, KeyPosition.JPL)))
        if chance < 0.12:
            return self._random.choice(list(self._declarations()))
        return ButtonPressed(self._random.choice((*Button, *OFTEN)))

    def _declarations(self) -> Iterator[Act]:
        on = self._random.random() < 0.5
        yield ClockSwitched(on, "rossi")
        yield HandForHand(on, "rossi")
        yield Go("rossi")
        yield RoundVoid("rossi")
        yield PlayersSet(self._random.randint(2, 11), "rossi")
        yield RakeCorrected((self._random.randint(0, 9),) * self._random.randint(0, 2), "rossi")


@pytest.mark.parametrize(("house", "form"), TABLES)
def test_random_hands(house: PokerHouse, form: Form, pytestconfig: pytest.Config) -> None:
    rules = rules_at(house, form)
    people = People(Random(f"{pytestconfig.getoption('hypothesis_seed')} {house} {form}"))
    adopted = Adopted(Settings("poker-1", "texas-holdem", None, MoneySettings(), poker=rules.poker))
    state = advance(TableState(), adopted, rules, 0).state
    identities: Counter[str] = Counter()
    begun = 0
    for number in range(MOST_ACTS):
        if number >= ACTS and state.round >= HANDS and (form is Form.TOURNAMENT or identities):
            break  # all that matters was met
        act = people.act(state, rules)
        before, state = state, check_act(state, act, rules, people.now, identities)
        begun += state.round - before.round
        check_clock(before, act, state, rules, people.now)
    assert begun == state.round >= HANDS
    assert max(identities.values(), default=1) == 1, "a rake was posted twice"
    assert (form is Form.CASH) == bool(identities)


def check_act(
    before: TableState, act: Act, rules: Rules, now: int, identities: Counter[str]
) -> TableState:
    """What holds for every act; its state."""
    step = advance(before, act, rules, now)
    after = step.state
    if step.outcome is ActOutcome.REFUSED:
        assert after.phase is before.phase
        assert not step.transactions
    assert after.round - before.round in (0, 1)
    assert isinstance(after.poker, PokerState)
    assert (after.poker.hand is None) == (after.phase in (Phase.PAUSED, Phase.BETTING))
    assert bool(after.poker.pots) == (after.phase is Phase.AWARDING)
    assert after.balances.of(Account.RAKE) == -after.balances.of(Account.POTS) >= 0
    identities.update(transaction.identity for transaction in step.transactions)
    body = records.entry_of(act, before, step, now, "", 1).body
    plain = msgspec.json.decode(msgspec.json.encode(body))
    assert records.state_after(before, plain) == after
    due = next_deadline(after, rules)
    assert due is None or due > now, f"{act} leaves what was due at {due}"
    return after


def check_clock(before: TableState, act: Act, after: TableState, rules: Rules, now: int) -> None:
    """After a power cut it stands, with what it had left, or at most 10 s more."""
    poker, settings = after.poker, rules.poker
    if not isinstance(poker, PokerState) or not isinstance(settings, PokerSettings):
        return
    if isinstance(act, Started) and poker.clock is not None:
        assert isinstance(before.poker, PokerState)
        assert before.poker.clock is not None
        assert not poker.clock.running
        assert poker.clock.left_ms == before.poker.clock.left_ms
        return
    clock = poker.clock
    if clock is not None and clock.ticks(settings.structure) and clock.left_ms:
        noted = clock.left_ms - clock.reckon_left(settings.structure, now)
        assert noted <= 10_000, "more than 10 s would be given back after a power cut"
