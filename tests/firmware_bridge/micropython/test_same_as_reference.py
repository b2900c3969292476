"""The firmware and the reference: the same bytes and outputs, deed by deed, in both Pythons."""

import pytest

from tests.deadlines import DEADLINE_S
from tests.firmware_bridge.firmware_deeds import Deeds
from tests.firmware_bridge.micropython.program import run_program
from tests.firmware_bridge.micropython.steps_server import StepServer
from tests.firmware_bridge.proved_deeds import ProvedDeeds
from tests.firmware_bridge.reference.bench import ReferenceBench

STEPS = 100_000
PROVED_STEPS = 4_000


def find_difference(lines: list[str], reference: list[str], firmware: list[str]) -> str | None:
    """The first step at which they differ, in words."""
    assert len(firmware) == len(lines)
    for number, (line, ours, theirs) in enumerate(zip(lines, firmware, reference, strict=True)):
        if ours != theirs:
            return f"step {number}: {line}\nfirmware:  {ours}\nreference: {theirs}"
    return None


def test_100_000_steps_are_answered_the_same(pytestconfig: pytest.Config) -> None:
    """Another seed at each commit; pytest prints how to repeat it."""
    lines = list(Deeds(pytestconfig.getoption("hypothesis_seed")).make_lines(STEPS))
    bench, server = ReferenceBench(), StepServer()
    reference = [bench.answer(line) for line in lines]
    assert find_difference(lines, reference, [server.answer(line) for line in lines]) is None
    firmware = run_program("steps_server.py", lines, DEADLINE_S)
    assert find_difference(lines, reference, firmware) is None


def test_boards_with_keys_answer_the_same(pytestconfig: pytest.Config) -> None:
    """Keys, sessions, proofs; repeated, invented and damaged frames among them."""
    deeds, server = ProvedDeeds(pytestconfig.getoption("hypothesis_seed")), StepServer()
    steps = list(deeds.take_steps(PROVED_STEPS))
    lines, reference = [line for line, _ in steps], [answer for _, answer in steps]
    assert find_difference(lines, reference, [server.answer(line) for line in lines]) is None
    firmware = run_program("steps_server.py", lines, DEADLINE_S)
    assert find_difference(lines, reference, firmware) is None
    assert deeds.proved > PROVED_STEPS // 20
    assert deeds.keys_taken > 0


def test_they_reach_what_matters(pytestconfig: pytest.Config) -> None:
    """Every kind of board is there, and is lit, opens gates and exits often enough."""
    lines = list(Deeds(pytestconfig.getoption("hypothesis_seed")).make_lines(STEPS // 10))
    bench = ReferenceBench()
    open_gates = open_exits = lit = ready = 0
    kinds = set()
    for line in lines:
        outputs = bench.answer(line).split()[1]
        kinds.add(bench.board.kind)
        first, _, second = outputs.partition(",")
        if bench.board.kind == 1:
            lit += first != "0"
            open_gates += second != "0"
        elif bench.board.kind == 3:
            open_exits += outputs.split(",")[1] == "1"
        elif bench.board.kind == 7:
            ready += outputs.endswith(",1")
    assert len(kinds) == 7
    assert min(lit, open_gates, open_exits, ready) > 10
