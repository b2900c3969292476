"""Plays scenarios against the whole controller: `banco play`, and a line that somebody types."""

import asyncio
import json
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from console.configuration.named_files import FileUnusable, read_file
from console.rules.codes import Fault
from console.rules.observation import Observation
from console.service.supervision.process_end import describe_failure
from console.simulation.scenario.acts import CabinetAct, Vocabulary, Wait
from console.simulation.scenario.expectations import Expectation
from console.simulation.scenario.script import (
    Scenario,
    Statement,
    parse_line,
    parse_scenario,
)
from console.simulation.scenario.simulated_machine import (
    machine_in_real_time,
    machine_in_virtual_time,
)
from console.simulation.scenario.simulated_table import SimulatedTable
from jackpot.failures import Refused, Unavailable


def parse_typed_line(raw: str, number: int, vocabulary: Vocabulary) -> Statement | None:
    """Parse a typed line; None for a blank one or a comment. Raises ValueError."""
    text = raw.partition("#")[0].strip()
    return Statement(number, text, parse_line(text, vocabulary)) if text else None


SETTLED_MS = 2000
"""The longest wait for the disk before the result is observed."""

LOOK_MS = 10
"""How often to check whether it is done."""


async def perform(simulated_table: SimulatedTable, does: CabinetAct | Expectation) -> None:
    """Do an act in real time, and wait until the disk has everything.

    An expectation does nothing. One act is done at a time; a `wait` does not delay other acts.
    """
    if isinstance(does, Expectation):
        return
    if isinstance(does, Wait):
        await asyncio.sleep(does.ms / 1000)
        return
    async with simulated_table.performing:
        for ms in simulated_table.perform(does):
            await asyncio.sleep(ms / 1000)
        for _ in range(SETTLED_MS // LOOK_MS):
            if simulated_table.is_settled():
                break
            await asyncio.sleep(LOOK_MS / 1000)


def find_mismatch(does: CabinetAct | Expectation, seen: Observation) -> str | None:
    """What was expected and what is seen instead; None if the expectation holds."""
    if not isinstance(does, Expectation) or does.holds(seen):
        return None
    return f"expected {does.what} {does.wanted}, got {does.got(seen)}"


def render_json(name: str, line: int, text: str, held: bool, seen: Observation) -> str:
    """One line of `--json`: what was done, whether it held, and the table as it then is."""
    head = {"file": name, "line": line, "text": text, "ok": held}
    return json.dumps(head | seen.to_json())


HELD, FAILED, NOT_UNDERSTOOD = 0, 1, 2
"""The exit statuses of `banco play`; the last one also if the scenario cannot be played here."""

LONGEST_FILE = 16 * 1024 * 1024
"""Bytes; about a million lines."""


def play(files: Sequence[str], *, as_json: bool, real_time: bool) -> int:
    """Play each file on a fresh table. All files are parsed before the first is played."""
    logging.getLogger().addHandler(logging.NullHandler())  # standard error is for what failed
    try:
        scenarios = [_read(file) for file in files]
    except Refused as error:
        print(error, file=sys.stderr)
        return NOT_UNDERSTOOD
    try:
        played = [_play_one(scenario, as_json, real_time) for scenario in scenarios]
    except (OSError, Unavailable) as error:
        print(f"cannot play: the temporary folder: {describe_failure(error)}", file=sys.stderr)
        print("TMPDIR names another folder", file=sys.stderr)
        return NOT_UNDERSTOOD
    if not as_json:
        print(_sum_up(played))
    return FAILED if any(one.failed_at for one in played) else HELD


class Played(Struct, frozen=True):
    """What came of a scenario: the acts done, and the expectations that held.

    `failed_at`: the file and line of the one that did not; "" if all held.
    """

    failed_at: str
    acts: int
    expectations: int


def _sum_up(played: Sequence[Played]) -> str:
    """`12 scenarios, 2 failed, first a.scenario:7: 340 acts done, 95 expectations held`.

    What was said of the first one may have left the screen.
    """
    failed = [one.failed_at for one in played if one.failed_at]
    held = "all held" if len(played) > 1 else "it held"
    result = f"{len(failed)} failed, first {failed[0]}" if failed else held
    acts = sum(one.acts for one in played)
    expectations = sum(one.expectations for one in played)
    return (
        f"{_count(len(played), 'scenario')}, {result}: "
        f"{_count(acts, 'act')} done, {_count(expectations, 'expectation')} held"
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _read(file: str) -> Scenario:
    try:
        text = read_file(Path(file), LONGEST_FILE)
    except FileUnusable as error:
        raise Refused(f"{file}:0: {error}") from error
    return parse_scenario(text, file)


def _play_one(scenario: Scenario, as_json: bool, real_time: bool) -> Played:
    machine_in = machine_in_real_time if real_time else machine_in_virtual_time
    rehearsed = scenario.tie if scenario.plan.link else None
    with (
        TemporaryDirectory(prefix="banco-play-") as folder,
        machine_in(scenario.plan, Path(folder), rehearsed=rehearsed) as machine,
    ):
        simulated_table = SimulatedTable(machine)
        simulated_table.wait_for_devices()
        if Fault.LEDGER_FAULT in simulated_table.observe().faults:  # nobody has done anything yet
            raise Unavailable(f"{folder}: {machine.disk.failure or 'cannot be written'}")
        acts = expectations = 0
        for statement in scenario.statements:
            held = _perform(simulated_table, scenario.name, statement, as_json)
            if machine.disk.failure:  # and not what the scenario does to its disk
                raise Unavailable(f"{folder}: {machine.disk.failure}")
            if not held:
                return Played(f"{scenario.name}:{statement.line}", acts, expectations)
            expects = isinstance(statement.does, Expectation)
            acts, expectations = acts + (not expects), expectations + expects
        return Played("", acts, expectations)


def _perform(
    simulated_table: SimulatedTable, name: str, statement: Statement, as_json: bool
) -> bool:
    does = statement.does
    if not isinstance(does, Expectation):
        simulated_table.do(does)
        if not as_json:
            return True
    seen = simulated_table.observe()
    complaint = find_mismatch(does, seen)
    if as_json:
        report = render_json(name, statement.line, statement.text, complaint is None, seen)
        print(report, flush=True)  # a reader need not wait for the next lines
    if complaint is not None:
        print(f"{name}:{statement.line}: {complaint}", file=sys.stderr)
    return complaint is None
