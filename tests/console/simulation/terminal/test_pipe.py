"""Acts through a pipe: done in order, answered as `banco play --json` answers."""

import asyncio
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from console.configuration.table_plan import TablePlan
from console.service.supervision.process_end import NotWritten
from console.simulation.scenario.acts import Vocabulary
from console.simulation.scenario.play import play
from console.simulation.scenario.simulated_machine import (
    SimulatedMachine,
    machine_in_real_time,
    machine_in_virtual_time,
)
from console.simulation.scenario.simulated_table import SimulatedTable
from console.simulation.terminal.pipe import (
    LONGEST_LINE,
    Descriptors,
    lines_from,
    run_pipe,
    write_line,
)
from devices.device import Device
from devices.roles import Button, ButtonPressed, Lamp
from tests.deadlines import DEADLINE_S

EVENING = """\
press GAME_OVER       # the table opens

token 1 3
press COIN_IN
  expect phase PLAYING
press FLUSH
press JPOT
expect refused WRONG_KEY
key JPL
press JPOT
expect each 100.02
"""


@contextmanager
def start_pipe(machine: SimulatedMachine, source: int, sink: int) -> Iterator["asyncio.Task[int]"]:
    """A table that takes its acts from `source`; complaints go nowhere."""
    with Path(os.devnull).open("wb") as nowhere:
        descriptors = Descriptors(source, sink, nowhere.fileno())
        face = run_pipe(SimulatedTable(machine), Vocabulary.of("caribbean-stud"), descriptors)
        yield machine.loop.create_task(face)


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[SimulatedMachine]:
    with machine_in_virtual_time(TablePlan(), tmp_path) as machine:
        yield machine


def run_acts(
    machine: SimulatedMachine, acts: str, folder: Path
) -> tuple[int, list[dict[str, Any]], list[str]]:
    """Status, states and complaints of these acts from a file to a file."""
    typed, states, complaints = folder / "acts", folder / "states", folder / "complaints"
    typed.write_text(acts)
    with typed.open("rb") as source, states.open("wb") as sink, complaints.open("wb") as errors:
        descriptors = Descriptors(source.fileno(), sink.fileno(), errors.fileno())
        face = run_pipe(SimulatedTable(machine), Vocabulary.of("caribbean-stud"), descriptors)
        status = machine.loop.run_until_complete(face)
    answers = [json.loads(line) for line in states.read_text().splitlines()]
    return status, answers, complaints.read_text().splitlines()


def test_it_answers_as_a_scenario_does(
    machine: SimulatedMachine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, (first, *answers), complaints = run_acts(machine, EVENING, tmp_path)
    assert (status, complaints) == (0, [])
    assert (first["line"], first["text"], first["ok"], first["phase"]) == (0, "", True, "PAUSED")
    assert first["display"] == ["JACKPOT", "       10.000,00 EUR"]
    assert play([str(tmp_path / "acts")], as_json=True, real_time=False) == 0
    played = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert answers == [{**line, "file": "-"} for line in played]


def test_a_table_is_ready_when_its_display_shows_what_is_on_record(
    machine: SimulatedMachine,
) -> None:
    simulated_table = SimulatedTable(machine)
    assert not simulated_table.is_ready()
    machine.pass_time(200)
    assert simulated_table.is_ready()
    simulated_table.service.report(ButtonPressed(Button.COIN_IN))
    assert not simulated_table.is_ready()
    machine.pass_time(50)
    assert simulated_table.is_ready()
    assert simulated_table.observe().display == ("TAVOLO NON APERTO", "       10.000,00 EUR")


def test_the_first_line_waits_until_the_lamps_follow(machine: SimulatedMachine) -> None:
    simulated_table = SimulatedTable(machine)
    machine.pass_time(200)
    assert simulated_table.shows_lamps()
    simulated_table.service.report(ButtonPressed(Button.GAME_OVER))
    assert not simulated_table.shows_lamps()
    machine.pass_time(50)
    assert simulated_table.shows_lamps()


@pytest.mark.parametrize(
    ("acts", "status", "complaint"),
    [
        ("expect phase PLAYING", 1, "-:1: expected phase PLAYING, got PAUSED"),
        ("# nothing\n\ndance", 2, "-:3: no act 'dance'; there are press, "),
        ("expect jackpot much", 2, "-:1: 'much' is not an amount"),
        ("set game black-jack", 2, "-:1: settings come before the first act"),
        ("x" * (LONGEST_LINE + 1), 2, f"-:1: a line is at most {LONGEST_LINE} bytes long"),
    ],
)
def test_what_goes_wrong_is_said_and_the_rest_is_done(
    machine: SimulatedMachine, tmp_path: Path, acts: str, status: int, complaint: str
) -> None:
    got, answers, complaints = run_acts(machine, f"{acts}\npress GAME_OVER\n", tmp_path)
    assert (got, answers[-1]["phase"]) == (status, "BETTING")
    assert [line[: len(complaint)] for line in complaints] == [complaint]


@pytest.mark.parametrize("wrong", ["dance\nexpect phase PLAYING", "expect phase PLAYING\ndance"])
def test_the_worst_that_happened_is_the_status(
    machine: SimulatedMachine, tmp_path: Path, wrong: str
) -> None:
    status, answers, _ = run_acts(machine, f"{wrong}\nexpect phase PAUSED", tmp_path)
    assert status == 2
    assert [answer["ok"] for answer in answers] == [True, False, True]


def test_quit_ends_it(machine: SimulatedMachine, tmp_path: Path) -> None:
    status, answers, _ = run_acts(machine, "press GAME_OVER\n QUIT \ndance\n", tmp_path)
    assert (status, answers[-1]["phase"]) == (0, "BETTING")


def test_a_link_that_stays_away_is_awaited_for_two_seconds(
    machine: SimulatedMachine, tmp_path: Path
) -> None:
    machine.cabinet.unplug(Device.RAIL)
    before = machine.loop.time()
    _, (first,), _ = run_acts(machine, "", tmp_path)
    assert machine.loop.time() - before == pytest.approx(2.0, abs=0.05)
    assert first["faults"] == []  # the rail itself is awaited for 5 s (rules, 7.13.1)


def test_by_the_clock_each_answer_comes_when_its_act_is_done(tmp_path: Path) -> None:
    to_table, to_driver = os.pipe(), os.pipe()

    async def drive() -> list[str]:
        phases = []
        states = lines_from(to_driver[0])
        for act in ("press GAME_OVER", "token 5", "press COIN_IN", "wait 1s", "quit"):
            phases.append(json.loads(await asyncio.wait_for(anext(states), DEADLINE_S))["phase"])
            await write_line(to_table[1], act)
        await states.aclose()
        return phases

    with (
        machine_in_real_time(TablePlan(), tmp_path) as machine,
        start_pipe(machine, to_table[0], to_driver[1]) as it,
    ):
        phases = machine.loop.run_until_complete(drive())
        assert phases[:3] == ["PAUSED", "BETTING", "BETTING"]
        assert phases[3] in {"COLLECTING", "PLAYING"}  # 50 ms may be too short for a busy machine
        assert phases[4] == "PLAYING"
        assert machine.loop.run_until_complete(asyncio.wait_for(it, DEADLINE_S)) == 0
    for end in (*to_table, *to_driver):
        os.close(end)


def test_a_slow_disk_s_answer_is_awaited(tmp_path: Path) -> None:
    """By the clock 50 ms may be too short: what is reports of an act is what became of it"""
    to_table, to_driver = os.pipe(), os.pipe()
    ledger = tmp_path / "ledger" / "ledger.db"

    async def drive() -> list[tuple[str, str | None]]:
        reports, states = [], lines_from(to_driver[0])
        await anext(states)
        loop = asyncio.get_running_loop()
        for act in ("press GAME_OVER", "press JPOT"):
            with closing(sqlite3.connect(ledger, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")  # the table's commit waits for its end
                loop.call_later(0.3, other.execute, "ROLLBACK")
                await write_line(to_table[1], act)
                state = json.loads(await asyncio.wait_for(anext(states), DEADLINE_S))
            reports.append((state["phase"], state["refused"]))
        await write_line(to_table[1], "quit")
        await states.aclose()
        return reports

    with (
        machine_in_real_time(TablePlan(), tmp_path) as machine,
        start_pipe(machine, to_table[0], to_driver[1]) as it,
    ):
        reports = machine.loop.run_until_complete(drive())
        assert reports == [("BETTING", None), ("BETTING", "NO_COMBINATION")]
        assert machine.loop.run_until_complete(asyncio.wait_for(it, DEADLINE_S)) == 0
    for end in (*to_table, *to_driver):
        os.close(end)


def test_a_reader_who_does_not_read_holds_up_acts_but_not_the_table(
    machine: SimulatedMachine, tmp_path: Path
) -> None:
    reading, writing = os.pipe()
    acts = tmp_path / "acts"
    acts.write_text("press GAME_OVER\n" + "wait 1ms\n" * 300)
    with acts.open("rb") as source, start_pipe(machine, source.fileno(), writing) as it:
        machine.pass_time(5000)
        assert not it.done()
        # Its board darkens the lamps of a table that has fallen silent.
        assert machine.cabinet.slot_lamps()[1] is Lamp.INVITE
        with os.fdopen(reading, "rb") as reader:
            os.set_blocking(reading, False)
            answers = b""
            while not it.done():
                answers += reader.read() or b""
                machine.pass_time(10)
            answers += reader.read() or b""
    os.close(writing)
    assert answers.count(b"\n") == 1 + 301


def test_a_reader_who_goes_away_ends_it(machine: SimulatedMachine, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    acts = tmp_path / "acts"
    acts.write_text("press GAME_OVER\n" * 3)
    with (
        acts.open("rb") as source,
        start_pipe(machine, source.fileno(), writing) as it,
        pytest.raises(NotWritten),
    ):
        machine.loop.run_until_complete(it)
    os.close(writing)
    assert machine.cabinet.slot_lamps()[1] is Lamp.DARK


def test_ended_from_outside_it_lets_go_of_its_input(machine: SimulatedMachine) -> None:
    reading, writing = os.pipe()
    with (
        Path(os.devnull).open("wb") as nowhere,
        start_pipe(machine, reading, nowhere.fileno()) as it,
    ):
        machine.pass_time(3000)
        it.cancel()
        machine.pass_time(1)
        assert it.cancelled()
        assert not machine.loop.remove_reader(reading)
    os.close(reading)
    os.close(writing)
