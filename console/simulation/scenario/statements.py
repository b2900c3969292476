"""One line of a scenario: parse it, do it, and report on it."""

import asyncio
import json

from console.rules.observation import Observation
from console.simulation.scenario.language.acts import CabinetAct, Vocabulary, Wait
from console.simulation.scenario.language.expectations import Expectation
from console.simulation.scenario.language.script import Statement, parse_line
from console.simulation.scenario.simulated_table import SimulatedTable


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
