"""The firmware and the reference: the same bytes and outputs, deed by deed, in both Pythons."""

from collections import Counter
from collections.abc import Iterable

import pytest

from firmware_bridge.board_session.protocol import BoardKind
from tests.deadlines import DEADLINE_S
from tests.firmware_bridge.firmware_deeds import Deeds
from tests.firmware_bridge.micropython.program import run_program
from tests.firmware_bridge.micropython.steps_server import StepServer
from tests.firmware_bridge.proved_deeds import ProvedDeeds
from tests.firmware_bridge.reference.bench import ReferenceBench

STEPS = 100_000
PROVED_STEPS = 4_000
REACHED = ("lamps", "gates", "exit", "light")


def find_difference(lines: list[str], reference: list[str], firmware: list[str]) -> str | None:
    """The first step at which they differ, in words."""
    assert len(firmware) == len(lines)
    for number, (line, ours, theirs) in enumerate(zip(lines, firmware, reference, strict=True)):
        if ours != theirs:
            return f"step {number}: {line}\nfirmware:  {ours}\nreference: {theirs}"
    return None


def count_reached(answers: Iterable[tuple[BoardKind, str]]) -> Counter[str]:
    """How often each of `REACHED` is lit or open, by the kinds of boards and their answers."""
    reached: Counter[str] = Counter()
    for kind, answer in answers:
        outputs = answer.split()[1].split(",")
        if kind is BoardKind.SLOT_RAIL:
            reached["lamps"] += outputs[0] != "0"
            reached["gates"] += outputs[1:] != ["0"]
        elif kind is BoardKind.SHUFFLER:
            reached["exit"] += outputs[1] == "1"
        elif kind is BoardKind.DECK_SHUFFLER:
            reached["light"] += outputs[-1] == "1"
    return reached


def test_100_000_steps_are_answered_the_same(pytestconfig: pytest.Config) -> None:
    """Another seed at each commit; pytest prints how to repeat it."""
    lines = list(Deeds(pytestconfig.getoption("hypothesis_seed")).make_lines(STEPS))
    bench, server = ReferenceBench(), StepServer()
    reference, kinds = [], []
    for line in lines:
        reference.append(bench.answer(line))
        kinds.append(bench.board.kind)
    assert set(kinds) == set(BoardKind)
    reached = count_reached(zip(kinds, reference, strict=True))
    assert min(reached[what] for what in REACHED) > STEPS // 1_000
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
