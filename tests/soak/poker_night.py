"""A simulated poker table, its whole cabinet in virtual time, whose power fails at any instant."""

from collections import Counter
from pathlib import Path
from random import Random

from console.configuration.table_plan import TablePlan
from console.rules.poker_clock import Blinds, Step
from console.rules.poker_settings import HOUSES, Form, PokerSettings
from console.rules.typed import words_of
from console.simulation.scenario.acts import CabinetAct, Power, parse_act
from console.simulation.scenario.script import vocabulary_of
from console.simulation.scenario.simulated_machine import (
    SimulatedMachine,
    machine_in_virtual_time,
)
from console.simulation.scenario.simulated_table import SimulatedTable
from tests.soak.journal import Journal
from tests.soak.poker_books import PokerBooks
from tests.soak.poker_decks import DeckBooks
from tests.soak.poker_people import PokerPeople

TABLE = "poker-1"
MINUTE = 60_000
STEPS = (
    Step(10 * MINUTE, Blinds(100, 200)),
    Step(5 * MINUTE),
    Step(10 * MINUTE, Blinds(200, 400, 50)),
    Step(10 * MINUTE, Blinds(300, 600, 50)),
)
TABLES = tuple(
    PokerSettings(
        house, form, steps=STEPS if form is Form.TOURNAMENT else (), deck_shuffler=deck_shuffler
    )
    for deck_shuffler in (False, True)
    for house, rules in HOUSES.items()
    for form in rules.time
)
"""Every house, in each form that is played there, without a deck shuffler and with one."""

CUT = 0.06
"""How often the power fails in an act."""

MOST_ACTS_A_HAND = 200


class PokerNight:
    """One table through many hands and power cuts. Every check raises AssertionError."""

    def __init__(self, machine: SimulatedMachine, settings: PokerSettings, random: Random) -> None:
        self.people = PokerPeople(settings.form.value, green=settings.deck_shuffler)
        self.books = PokerBooks(TABLE, settings)
        self._decks = DeckBooks(self.books.counts)
        self.cuts = 0
        self._machine = machine
        self._vocabulary = vocabulary_of(machine.plan)
        self._random = random
        self._table = SimulatedTable(machine)
        self._journal = Journal(machine.disk.folder, machine.plan.rules(None))

    @property
    def hands(self) -> int:
        """The number of the last hand that began."""
        return self._table.service.state.round

    def play(self, hands: int) -> None:
        """Play so many, with power cuts; then the whole ledger is verified."""
        self._table.wait_for_devices()
        for _ in range(hands * MOST_ACTS_A_HAND):
            if self.hands >= hands:
                break
            self._act()
        assert self.hands >= hands, "nobody has played"
        self._machine.kill_controller()
        self._read()
        self._journal.verify()

    def _act(self) -> None:
        seen = self._table.observe().to_json()
        line = self.people.act(self._random, seen)
        act = parse_act(words_of(line), self._vocabulary)
        if self._random.random() < CUT:
            self._lose_power(act)
        else:
            self._table.do(act)

    def _lose_power(self, act: CabinetAct) -> None:
        """The power fails at some instant of this act; then it comes back."""
        off = self._random.choice((1_000, 90_000, 20 * MINUTE))
        steps = self._table.perform(act)
        self._machine.pass_time(self._random.randrange(next(steps) + 1))
        cut_at = round(self._machine.loop.time() * 1000)
        self._table.do(Power(on=False))
        for ms in steps:  # a button that is held comes up
            self._machine.pass_time(ms)
        self._read()
        dead = self._journal.state
        self._machine.pass_time(off)
        self._table.do(Power(on=True))
        self._table.wait_for_devices()
        self.people.log.append("power off, power on")
        self.cuts += 1
        state = self._table.service.state
        presses = self._machine.cabinet.state.shuffler.presses
        if self._decks.has_heard(dead, presses):  # else the press that is heard now counts
            self.books.came_back(dead, state, cut_at)
        self._decks.is_heard(state, presses)

    def _read(self) -> None:
        for record, before, state in self._journal.read():
            self.books.count(record, before, state)
            self._decks.count(record, before, state)
        self.books.add_up(self._journal.state)
        self._decks.add_up(self._journal.state)
        self._journal.add_up()


def name_table(settings: PokerSettings) -> str:
    """House and form, and whether a deck shuffler is there."""
    deck = " deck" if settings.deck_shuffler else ""
    return f"{settings.house.value} {settings.form.value}{deck}"


def play_night(settings: PokerSettings, hands: int, seed: int, folder: Path) -> Counter[str]:
    """One table's night; its figures. Raises AssertionError, which names the last acts."""
    plan = TablePlan(TABLE, "texas-holdem", rail=None, poker=settings)
    with machine_in_virtual_time(plan, folder) as machine:
        random = Random(f"{seed} {name_table(settings)}")
        night = PokerNight(machine, settings, random)
        try:
            night.play(hands)
        except AssertionError as error:
            raise AssertionError(f"{error}\nits last acts: {night.people.log[-20:]}") from error
        return Counter(hands=night.hands, cuts=night.cuts) + night.books.counts
