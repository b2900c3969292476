"""A simulated table played in the scenarios' language, and the rules alone (`PureTable`)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from console.configuration.table_plan import TablePlan
from console.rules.acts import Act, Adopted, Started
from console.rules.codes import Fault
from console.rules.game_modules import advance, next_deadline
from console.rules.observation import Observation
from console.rules.round import Transition
from console.rules.state import Rules, TableState
from console.rules.structs import replace
from console.simulation.scenario.acts import CabinetAct
from console.simulation.scenario.expectations import Expectation
from console.simulation.scenario.script import parse_line, parse_scenario, vocabulary_of
from console.simulation.scenario.simulated_machine import SimulatedMachine, machine_in_virtual_time
from console.simulation.scenario.simulated_table import SimulatedTable
from devices.board_rail import TRAITS
from devices.device import Device
from devices.roles import NO_COUNTS, SEATS, ButtonPressed, DeviceUp, KeyFound, KeyPosition, RailSeen
from firmware_bridge.board_session.protocol import BoardKind
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import read_records

OPEN = ("press GAME_OVER",)
STUCK = ("press GAME_OVER", "token 1 2", "jam 2", "press COIN_IN", "wait 2s")
TO_PHASE: dict[str, tuple[str, ...]] = {
    "PAUSED": (),
    "BETTING": OPEN,
    "COLLECTING": STUCK[:-1],
    "PLAYING": (*OPEN, "token 1 2", "press COIN_IN", "press FLUSH"),
    "AWARDING": (*OPEN, "token 1 2", "press COIN_IN", "press FLUSH", "key JPL", "press JPOT"),
}
"""What is done at a new Caribbean Stud table so that it stands in a phase."""


class Table:
    """A simulated table: lines of a scenario are played, and expectations among them must hold."""

    def __init__(self, plan: TablePlan, machine: SimulatedMachine) -> None:
        self.machine = machine
        self.simulated_table = SimulatedTable(machine)
        self.simulated_table.wait_for_devices()
        self._words = vocabulary_of(plan)

    def play(self, *lines: str) -> None:
        for line in lines:
            does = parse_line(line, self._words)
            if isinstance(does, Expectation):
                seen = self.seen
                assert does.holds(seen), f"{line}: got {does.got(seen)}"
            else:
                self.simulated_table.do(does)

    def parse_act(self, line: str) -> CabinetAct:
        """An act's line, not done yet."""
        does = parse_line(line, self._words)
        assert not isinstance(does, Expectation), line
        return does

    @property
    def state(self) -> TableState:
        return self.simulated_table.service.state

    @property
    def seen(self) -> Observation:
        return self.simulated_table.observe()

    @property
    def records(self) -> list[Record]:
        return list(read_records(self.machine.disk.folder))

    def decisions(self, what: str) -> list[dict[str, object]]:
        """The decisions of one name on record, oldest first."""
        noted: list[dict[str, object]] = []
        for record in self.records:
            found = record.body.get("decisions", [])
            assert isinstance(found, list)
            noted.extend(decision for decision in found if decision["decision"] == what)
        return noted


@contextmanager
def table_in(folder: Path, *settings: str) -> Iterator[Table]:
    """A table with these settings (`game tre-card-stud`), its links up, nothing done yet."""
    scenario = parse_scenario("\n".join(f"set {setting}" for setting in settings), "test")
    plan = scenario.plan
    rehearsed = scenario.tie if plan.link else None
    with machine_in_virtual_time(plan, folder, rehearsed=rehearsed) as machine:
        yield Table(plan, machine)


SLOT = TRAITS[BoardKind.SLOT_RAIL]
SENSOR = TRAITS[BoardKind.SENSOR_RAIL]


def rules_of(game: str = "caribbean-stud", *, inspector: bool = False) -> Rules:
    """The rules of a table of this game, on its own rail."""
    rail = {"caribbean-stud": SLOT, "tre-card-stud": SENSOR}.get(game)
    return TablePlan(game=game, inspector_fitted=inspector).rules(rail)


def without_refusal_traces(state: TableState) -> TableState:
    """Without the notice; a refused turn of the key is seen, and a key seen is not faulty."""
    faults = tuple(fault for fault in state.faults if fault is not Fault.KEY_FAULT)
    return replace(state, notice=None, key=None, faults=faults)


@dataclass
class PureTable:
    """The rules alone, without devices or a ledger: acts go in, a state comes out. Times in ms."""

    rules: Rules
    state: TableState
    now: int = 1_000

    @classmethod
    def start(cls, rules: Rules) -> "PureTable":
        """A table that has just been switched on for the first time, its parts seen."""
        pure_table = cls(rules, TableState())
        plan = TablePlan(game=rules.game.name, inspector_fitted=rules.inspector_fitted)
        pure_table.do(Started(), Adopted(plan.settings()), KeyFound(KeyPosition.R))
        if rules.rail is not None:
            pure_table.do(RailSeen(1, frozenset()), DeviceUp(Device.RAIL))
        return pure_table

    def do(self, *acts: Act) -> Transition:
        """Do these at once; the last one's step."""
        step = None
        for act in acts:
            step = advance(self.state, act, self.rules, self.now)
            self.state = step.state
        assert step is not None
        return step

    def press(self, *buttons: ButtonPressed) -> Transition:
        return self.do(*buttons)

    def rail(
        self, *occupied: int, drops: dict[int, int] | None = None, tray: int = 0, boot: int = 1
    ) -> Transition:
        """The rail reports."""
        counts = tuple((drops or {}).get(seat, 0) for seat in SEATS) if drops else NO_COUNTS
        return self.do(RailSeen(boot, frozenset(occupied), counts, tray))

    def with_fault(self, fault: Fault) -> TableState:
        """The state as the service makes it when the ledger fails."""
        return replace(self.state, faults=(*self.state.faults, fault))

    @property
    def due(self) -> int | None:
        return next_deadline(self.state, self.rules)
