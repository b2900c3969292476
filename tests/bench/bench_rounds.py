"""Whole rounds in virtual time through the whole controller: pins, frames, ledger, display."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from types import FrameType

import cobs

from console.configuration.table_plan import TablePlan
from console.rules.codes import Phase
from console.service.clock import wall_clock
from console.service.disk_thread import InlineDiskWriter
from console.simulation.cabinet import VirtualLoop, cabinet_for, drivers_in
from console.simulation.scenario.acts import AtSeats, Press, SeatVerb, Wait
from console.simulation.scenario.simulated_machine import SimulatedMachine, Time
from console.simulation.scenario.simulated_table import SimulatedTable
from devices.roles import Button
from tests.bench.contenders import ROOT
from tests.bench.figures import Figure, Goal

TIMES = 7
ROUNDS = {"without_syncs": 200, "with_syncs": 60}
MOST_CALLS = 5_000
"""Of a round, the cabinet and the event loop included; Python's functions and C's."""

ROUNDS_COUNTED = 5
COBS = str(Path(cobs.__file__).parent)

DEEDS = (
    Press(Button.GAME_OVER),
    AtSeats(SeatVerb.TOKEN, (1, 3)),
    Press(Button.COIN_IN),
)
"""A round: four acts of hands, each followed by 50 ms in which tokens drop and reach the tray."""

REST = Wait(20_000)
"""Virtual time between two rounds, which is not measured: a sensor that sees tokens more often than
people play is unsteady."""


@contextmanager
def machine_in(folder: Path, *, durable: bool) -> Iterator[SimulatedMachine]:
    """As `machine_in_virtual_time`, on a disk that is synced if wanted."""
    plan, loop = TablePlan(), VirtualLoop()
    time = Time(
        loop, lambda ms: loop.run_for(ms / 1000), wall_clock, InlineDiskWriter, durable=durable
    )
    cabinet = cabinet_for(loop, plan)
    machine = SimulatedMachine(
        plan, folder / "ledger", time, cabinet, lambda: drivers_in(loop, cabinet, plan)
    )
    try:
        yield machine
    finally:
        machine.close()
        cabinet.close()
        loop.run_for(0.001)
        loop.close()


def play(simulated_table: SimulatedTable, rounds: int) -> float:
    """Rounds per second of processor's and disk's time."""
    before, spent = simulated_table.service.state.round, 0.0
    for _ in range(rounds):
        simulated_table.do(REST)
        began = perf_counter()
        for act in DEEDS:
            simulated_table.do(act)
        spent += perf_counter() - began
    state = simulated_table.service.state
    if state.round != before + rounds or state.phase is not Phase.PLAYING:
        raise RuntimeError(f"{rounds} rounds were to be played from {before}, not {state}")
    return rounds / spent


def count_calls(simulated_table: SimulatedTable) -> float:
    """How many calls a round makes: the same on every machine.

    Not those within the library cobs, which may be here without its compiled part.
    """
    calls = 0

    def count_call(frame: FrameType, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"} and not frame.f_code.co_filename.startswith(COBS)

    for _ in range(ROUNDS_COUNTED):
        simulated_table.do(REST)
        sys.setprofile(count_call)
        for act in DEEDS:
            simulated_table.do(act)
        sys.setprofile(None)
    return calls / ROUNDS_COUNTED


def measure() -> Iterator[Figure]:
    """Without the disk's syncs, and with them; without them its calls as well."""
    for way, rounds in ROUNDS.items():
        synced = way == "with_syncs"
        with (
            TemporaryDirectory(dir=ROOT / ".venv") as folder,
            machine_in(Path(folder), durable=synced) as machine,
        ):
            simulated_table = SimulatedTable(machine)
            simulated_table.wait_for_devices()
            play(simulated_table, rounds // 4)
            rates = [play(simulated_table, rounds) for _ in range(TIMES)]
            calls = count_calls(simulated_table)
        if not synced:
            yield Figure("rounds.calls", calls, "calls a round", Goal(MOST_CALLS))
        yield Figure(
            f"rounds.{way}",
            median(rates),
            "rounds per second",
            more={"best": max(rates), "worst": min(rates)},
        )
