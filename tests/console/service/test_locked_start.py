"""A start that cannot be put on record: the journal's state takes it when the fault is cleared.

docs/reference/rules.md, sections 7 and 15; docs/reference/poker-rules.md, section 20.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from console.configuration.table_plan import FoundSettings, TablePlan
from console.rules.codes import LEDGER_FAULTS
from console.rules.poker_state import PokerState
from console.rules.records import replay_record, restore_state
from console.rules.state import ConfigurationMarks
from console.rules.structs import replace
from console.service.table_ledger import LOCK_FILE
from console.simulation.scenario.script import parse_scenario
from console.simulation.scenario.simulated_machine import (
    SimulatedMachine,
    machine_in_virtual_time,
)
from tests.console.table import Table, table_in

PLAN = TablePlan()
ACKNOWLEDGE = ("key S", "clear CONFIGURATION_CHANGED", "key R")
TOURNAMENT = parse_scenario(
    "set game texas-holdem\nset form tournament\nset level 10m 100/200\nset level 10m 200/400",
    "test",
).plan

Mend = Callable[[], object]


def lose_ledger(machine: SimulatedMachine) -> Mend:
    """It cannot be read: the start knows nothing of the table."""
    ledger = machine.disk.folder / "ledger.db"
    kept = ledger.rename(ledger.with_name("kept"))
    return lambda: kept.rename(ledger)


def lose_lock_file(machine: SimulatedMachine) -> Mend:
    """The ledger can be read, and the table is locked."""
    (machine.disk.folder / LOCK_FILE).unlink()
    return lambda: None


def fill_disk(machine: SimulatedMachine) -> Mend:
    """The ledger can be read; the record of the start is what cannot be written."""
    machine.disk.full = True

    def make_room() -> None:
        machine.disk.full = False

    return make_room


TROUBLES = (lose_ledger, lose_lock_file, fill_disk)
in_trouble = pytest.mark.parametrize("trouble", TROUBLES)


@contextmanager
def start_table(plan: TablePlan, folder: Path) -> Iterator[Table]:
    """A start of this plan. Its monotonic clock begins anew, as after a boot."""
    with machine_in_virtual_time(plan, folder) as machine:
        yield Table(plan, machine)


def clear(table: Table) -> None:
    """A technician clears the ledger's fault; the key is at R afterwards."""
    (fault,) = LEDGER_FAULTS.intersection(table.state.faults)
    table.play("key S", f"clear {fault.value}", "key R")


@contextmanager
def start_in_trouble(
    plan: TablePlan, folder: Path, trouble: Callable[[SimulatedMachine], Mend]
) -> Iterator[Table]:
    """The same with its ledger in trouble, which is mended and cleared."""
    with machine_in_virtual_time(plan, folder) as machine:
        mend = trouble(machine)
        table = Table(plan, machine)
        mend()
        clear(table)
        yield table


def plan_with(sha256: str, *, asks: bool = True) -> TablePlan:
    """A table of this configuration, which may ask that two people acknowledge another one."""
    return replace(PLAN, found=FoundSettings((), frozenset(), sha256, acknowledge=asks))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a table whose configuration `a` is acknowledged."""
    with start_table(plan_with("a"), tmp_path) as table:
        table.play("expect fault CONFIGURATION_CHANGED", *ACKNOWLEDGE, "expect fault none")
        table.play("press GAME_OVER", "press COIN_IN")
    return tmp_path


@in_trouble
@pytest.mark.parametrize("asks", [True, False])
def test_a_changed_configuration_is_judged(
    asks: bool, trouble: Callable[[SimulatedMachine], Mend], folder: Path
) -> None:
    """One technician who clears the ledger's fault acknowledges nothing."""
    with start_in_trouble(plan_with("b", asks=asks), folder, trouble) as table:
        table.play("press GAME_OVER", "expect refused CONFIGURATION_CHANGED")
        assert table.state.configuration == ConfigurationMarks("b", "a")
        table.play(*ACKNOWLEDGE, "expect fault none", "press GAME_OVER", "expect phase BETTING")
        assert table.state.configuration == ConfigurationMarks("b", "b")
        assert [one["sha256"] for one in table.decisions("configuration-acknowledged")][-1] == "b"


@in_trouble
def test_an_acknowledged_configuration_is_no_fault(
    trouble: Callable[[SimulatedMachine], Mend], folder: Path
) -> None:
    with start_in_trouble(plan_with("a"), folder, trouble) as table:
        table.play("expect fault none", "press GAME_OVER", "expect phase BETTING")


@in_trouble
def test_the_clock_of_a_tournament_stands_with_what_it_had_left(
    trouble: Callable[[SimulatedMachine], Mend], tmp_path: Path
) -> None:
    """The monotonic clock is far behind that of the run before. A running call is over."""
    with start_table(TOURNAMENT, tmp_path) as table:
        table.play("press GAME_OVER", "wait 1h", "declare clock start", "press HAND", "wait 2m")
        table.play("press FLOP", "press TIME", "expect clock 8:00")
    with start_in_trouble(TOURNAMENT, tmp_path, trouble) as table:
        table.play("expect fault none", "expect clock 8:00", "expect time none", "expect hand 1")
        poker = table.state.poker
        assert isinstance(poker, PokerState)
        assert poker.clock is not None
        assert not poker.clock.running
        table.play("wait 1m", "expect clock 8:00", "declare clock start", "wait 1m")
        table.play("expect clock 7:00")


@in_trouble
def test_a_refusal_from_before_is_not_shown(
    trouble: Callable[[SimulatedMachine], Mend], folder: Path
) -> None:
    with start_table(plan_with("a"), folder) as table:
        table.play("wait 1h", "press JPOT", "expect refused NOT_OPEN")
    with start_in_trouble(plan_with("a"), folder, trouble) as table:
        table.play("expect display JACKPOT")
        assert table.state.notice is None


@in_trouble
def test_the_start_is_on_record_once_and_first_and_replays(
    trouble: Callable[[SimulatedMachine], Mend], folder: Path
) -> None:
    """What was refused meanwhile follows it, and a second fault of the run repeats nothing."""
    with start_table(plan_with("a"), folder) as table:
        before = table.records[-1].seq
    with machine_in_virtual_time(plan_with("b"), folder) as machine:
        mend = trouble(machine)
        table = Table(PLAN, machine)
        table.play("press GAME_OVER", "expect refused LOCKED")
        mend()
        table.play("wait 1m")
        clear(table)
        table.play("disk full", "press FLUSH", "expect fault LEDGER_FAULT", "disk ok")
        clear(table)
        table.play(*ACKNOWLEDGE, "press GAME_OVER")
        records = table.records
    of_run = [record for record in records if record.seq > before]
    assert [record.kind for record in of_run].count("started") == 1
    first = of_run[0]
    assert (first.kind, first.body.get("while_locked")) == ("started", None)
    assert first.at_ms + 60_000 < of_run[-1].at_ms
    assert any(record.body.get("refusal") == "LOCKED" for record in of_run[1:])
    state = restore_state(None, [record.body for record in records if record.seq <= before])
    rules = table.simulated_table.service.rules
    for record in of_run:
        state, same = replay_record(state, record.kind, record.body, rules, record.at_ms)
        assert same, record


def count_losses(table: Table) -> list[int]:
    """How often the link's loss was raised, and cleared, on record."""
    both = (table.decisions("fault-raised"), table.decisions("fault-cleared"))
    return [sum(one["fault"] == "LINK_LOST" for one in decisions) for decisions in both]


@in_trouble
def test_a_link_is_lost_once_and_found_again(
    trouble: Callable[[SimulatedMachine], Mend], tmp_path: Path
) -> None:
    """On record, too, by which the supervisor's page shows how long each fault stood."""
    with table_in(tmp_path, "link house") as table:
        table.play("wait 5s", "expect link up", "press GAME_OVER", "token 1", "press COIN_IN")
        table.play("wait 2s", "expect phase PLAYING", "power off")
        before = count_losses(table)
        mend = trouble(table.machine)
        table.play("power on", "wait 2s")
        mend()
        clear(table)
        table.play("wait 5s", "expect link up", "expect fault none", "expect phase PLAYING")
        assert [one + 1 for one in before] == count_losses(table)
