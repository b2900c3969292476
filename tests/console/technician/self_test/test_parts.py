"""Verdicts from figures alone: what no simulated cabinet does, a real one will."""

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Formatter
from typing import Any

import msgspec
import pytest

from console.line.requests import PresentFault, Status
from console.rules.acts import PartTested, SelfTested
from console.rules.codes import Fault
from console.rules.structs import replace
from console.technician.self_test import guided, parts
from console.technician.self_test.guided import render_report
from console.technician.self_test.steps import CabinetLook, PartVerdict, StepEnd
from console.texts.language import Language
from console.texts.self_test_texts import PART_FINDINGS, PartFinding
from devices.device import Device
from devices.figures import DeviceFigures, InputFigures, LineCounts

STATUS = Status(
    table="cs-1",
    game="caribbean-stud",
    known_as="caribbean-stud",
    rail="slot",
    language="it",
    simulated=True,
    phase="SERVICE",
    underneath="PAUSED",
    key="S",
    round=0,
    seats={},
    choice="",
    award="",
    accounts={},
    faults=(),
    findings=(),
    devices_up={"panel": True, "rail": True, "display": True},
    display=("", ""),
    driven=True,
    version="1.0.0",
    boot=1,
    up_s=60,
    settings_version=1,
    waiting_acts=0,
    ledger="",
    configuration="",
    configuration_sha256="",
    health={},
)
PLUG = InputFigures("plug", True, 10_000, 0)


def make_open(
    name: str, edges: int = 0, chatter: int = 0, pulse: float | None = None
) -> InputFigures:
    return InputFigures(name, False, 10_000, edges, chatter, pulse)


def make_closed(name: str, edges: int = 0, since_ms: int = 10_000) -> InputFigures:
    return InputFigures(name, True, since_ms, edges)


def look(
    *inputs: InputFigures,
    step_end: StepEnd = StepEnd.DONE,
    devices: Sequence[DeviceFigures] = (),
    status: Status = STATUS,
) -> CabinetLook:
    named = {one.name: one for one in (*inputs, PLUG)}
    return CabinetLook(named, {one.line: one for one in devices}, status, step_end, "1.0.0")


def result_of(verdict: PartVerdict | None) -> tuple[bool | None, str]:
    assert verdict is not None
    return verdict.passed, str(verdict.found)


# Buttons


@pytest.mark.parametrize(
    ("after", "verdict"),
    [
        (make_open("JPOT", 2, 0, 25.4), (True, "PRESSED pulse=25")),
        (make_open("JPOT", 8, 3, 25.4), (True, "BOUNCED pulse=25 chatter=3")),
        (make_open("JPOT", 4, 0, 25.4), (False, "MOVED_OFTEN times=2")),
        (make_closed("JPOT", 1), (False, "STAYS_CLOSED")),
        (make_open("JPOT"), (False, "NOT_MOVED")),
    ],
)
def test_one_press_is_one_clean_pair_of_edges(
    after: InputFigures, verdict: tuple[bool, str]
) -> None:
    looks = [look(make_open("JPOT")), look(after)]
    assert parts.judge_button("JPOT", looks[:1]) is None
    assert result_of(parts.judge_button("JPOT", looks)) == verdict


def test_the_edges_of_before_count_for_nothing() -> None:
    looks = [look(make_open("JPOT", 100, 7)), look(make_open("JPOT", 102, 7, 30.0))]
    assert result_of(parts.judge_button("JPOT", looks)) == (True, "PRESSED pulse=30")


def test_two_buttons_on_one_wire_are_told() -> None:
    looks = [
        look(make_open("JPOT"), make_open("COIN_IN"), make_open("inspector")),
        look(make_open("JPOT", 2), make_open("COIN_IN", 2), make_open("inspector", 1)),
    ]
    assert result_of(parts.judge_button("JPOT", looks)) == (False, "ALSO_MOVED other=COIN_IN")


# The key

POSITIONS = ("R", "JPL", "JPH", "S")


def key(*there: str, edges: int = 0, step_end: StepEnd = StepEnd.DONE) -> CabinetLook:
    contacts = (
        (make_closed if position in there else make_open)(f"key {position}", edges)
        for position in POSITIONS
    )
    return look(*contacts, step_end=step_end)


@pytest.mark.parametrize(
    ("positions", "verdict"),
    [
        (["JPH", "R", "JPL", "S"], (True, "FOUR_POSITIONS")),
        (["JPH", "", "JPL", "S"], (False, "DEAD contacts=R")),
        (["JPH JPL", "R JPL", "JPL", "S JPL"], (False, "WELDED contacts=JPL")),
        (["JPH S", "R S", "JPL S", "S"], (False, "WELDED contacts=S")),
        (["JPH R", "R", "JPL", "S"], (False, "CROSSED contacts=JPH+R")),
        (["JPH", "JPH", "JPH", "JPH"], (False, "DEAD contacts=R+JPL+S")),
    ],
)
def test_each_position_closes_its_own_contact(
    positions: list[str], verdict: tuple[bool, str]
) -> None:
    looks = [key("S"), *(key(*there.split(), edges=2) for there in positions)]
    assert all(parts.judge_key(looks[:count]) is None for count in range(1, 5))
    assert result_of(parts.judge_key(looks)) == verdict


def test_a_key_nobody_turns_is_not_called_welded() -> None:
    looks = [key("S"), *(key("S", step_end=StepEnd.LATE) for _ in range(3)), key("S")]
    assert result_of(parts.judge_key(looks)) == (False, "NOT_MOVED")


# Seats


def seat_3(
    *, sensor: bool, drop: int = 0, tray: int = 0, other: int = 0
) -> tuple[InputFigures, ...]:
    there = make_closed("seat 3") if sensor else make_open("seat 3")
    return (
        there,
        make_open("seat 3 drop", drop),
        make_open("seat 4 drop", other),
        make_open("tray", tray),
    )


@pytest.mark.parametrize(
    ("opened", "verdict"),
    [
        (seat_3(sensor=False, drop=1, tray=1), (True, "DROPPED")),
        (seat_3(sensor=False, drop=1, tray=0), (True, "DROPPED")),  # the tray is a part of its own
        (seat_3(sensor=True, drop=0), (False, "GATE_STICKS")),
        (seat_3(sensor=False, drop=0, tray=1), (False, "DROP_BLIND")),
        (seat_3(sensor=False, drop=0, tray=1, other=1), (False, "WRONG_SEAT seats=4")),
        (seat_3(sensor=True, drop=1, tray=1), (False, "SENSOR_STAYS")),
    ],
)
def test_what_gate_and_sensors_say_of_a_token(
    opened: tuple[InputFigures, ...], verdict: tuple[bool, str]
) -> None:
    free, covered = look(*seat_3(sensor=False)), look(*seat_3(sensor=True))
    looks = [free, free, covered, look(*opened, step_end=StepEnd.LATE)]
    assert all(parts.judge_seat(3, True, looks[:count]) is None for count in range(1, 4))
    assert result_of(parts.judge_seat(3, True, looks)) == verdict


def test_the_tray_is_judged_over_the_whole_test() -> None:
    first = look(*seat_3(sensor=False, drop=10, tray=90))
    agrees = look(*seat_3(sensor=False, drop=12, tray=92))
    differs = look(*seat_3(sensor=False, drop=12, tray=91))
    assert result_of(parts.judge_tray([first, agrees])) == (True, "TRAY_COUNTED tray=2")
    assert result_of(parts.judge_tray([first, differs])) == (False, "TRAY_DIFFERS drops=2 tray=1")
    assert result_of(parts.judge_tray([first, first])) == (None, "NO_TOKEN")


# Lines


def line(**counts: Any) -> DeviceFigures:
    return DeviceFigures(Device.RAIL, "rail", "board rail", True, counts=LineCounts(**counts))


def judge_line(first: DeviceFigures, last: DeviceFigures) -> tuple[bool | None, str]:
    return result_of(parts.judge_line("rail", [look(devices=[first]), look(devices=[last])]))


@pytest.mark.parametrize(
    ("during", "verdict"),
    [
        ({"received": 200, "sent": 200}, (True, "FRAMES received=200 sent=200 bad=0")),
        ({"received": 200, "sent": 200, "bad": 2}, (True, "FRAMES received=200 sent=200 bad=2")),
        ({"received": 200, "sent": 200, "bad": 3}, (False, "NOISY bad=3 received=200")),
        ({"received": 200, "sent": 200, "retries": 5}, (False, "REPEATS retries=5 sent=200")),
        ({"received": 200, "sent": 200, "boots": 1}, (False, "RESTARTED times=1")),
        ({"received": 200, "sent": 200, "connections": 2}, (False, "CUT times=2")),
    ],
)
def test_a_line_is_judged_by_what_it_carried_in_the_test(
    during: Mapping[str, int], verdict: tuple[bool, str]
) -> None:
    """A cable mended before the test is not held against it."""
    before = {
        "received": 900,
        "bad": 400,
        "sent": 900,
        "retries": 300,
        "connections": 5,
        "boots": 3,
    }
    after = {name: count + during.get(name, 0) for name, count in before.items()}
    assert judge_line(line(**before), line(**after)) == verdict


def test_a_short_test_judges_all_since_the_start() -> None:
    before = {"received": 900, "bad": 400, "sent": 900}
    after = {"received": 901, "bad": 400, "sent": 901}
    assert judge_line(line(**before), line(**after)) == (False, "NOISY bad=400 received=901")


def test_a_line_whose_device_is_away_is_not_judged() -> None:
    away = replace(line(received=100, bad=50), up=False)
    assert judge_line(away, away) == (None, "AWAY")


# The rest


def test_a_service_older_than_what_is_installed_is_told() -> None:
    older = replace_status(version="0.9.0")
    assert result_of(parts.judge_program([look(status=older)])) == (
        False,
        "OLD_PROGRAM running=0.9.0 installed=1.0.0",
    )


def replace_status(**changes: object) -> Status:
    return msgspec.structs.replace(STATUS, **changes)


def test_faults_fail_the_part_they_are_about() -> None:
    faulty = replace_status(
        faults=(PresentFault(Fault.LEDGER_FAULT), PresentFault(Fault.TRAY_COUNT))
    )
    rail = DeviceFigures(Device.RAIL, "rail", "board rail", True, identity={"firmware": "1.0.0"})
    seen = look(devices=[rail], status=faulty)
    assert result_of(parts.judge_ledger([seen])) == (False, "FAULT codes=LEDGER_FAULT")
    assert result_of(parts.judge_device(Device.RAIL, ["TRAY_COUNT"], [seen])) == (
        False,
        "FAULT codes=TRAY_COUNT",
    )
    assert result_of(parts.judge_device(Device.RAIL, ["RAIL_LOST"], [seen])) == (
        True,
        "IDENTITY firmware=1.0.0",
    )


# What was found, as it is kept and told


def codes_in(module: Path) -> set[str]:
    """The codes that a module gives to `pass_part`, `fail_part` and `skip_part`."""
    calls = [
        node
        for node in ast.walk(ast.parse(module.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in ("pass_part", "fail_part", "skip_part")
    ]
    given = [leaf for call in calls for leaf in ast.walk(call.args[0])]
    values = [leaf.value for leaf in given if isinstance(leaf, ast.Constant)]
    return {value for value in values if isinstance(value, str)}


def test_every_verdict_has_its_words_and_every_word_its_verdict() -> None:
    modules = (guided, parts)
    given = set().union(*(codes_in(Path(str(module.__file__))) for module in modules))
    assert given == set(PART_FINDINGS)


@pytest.mark.parametrize("code", PART_FINDINGS)
def test_what_was_found_is_told_in_both_languages_on_a_slip(code: str) -> None:
    italian, english = PART_FINDINGS[code].it, PART_FINDINGS[code].en
    assert (italian + english).isascii()
    assert set(fields(italian)) == set(fields(english))
    values = {name: "STRAIGHT_FLUSH" if name == "other" else 7 for name in fields(english)}
    found = PartFinding.of(code, **values)
    assert PartFinding.read(str(found)) == found
    test = SelfTested("rossi", (PartTested("button STRAIGHT_FLUSH", False, str(found)),))
    for language in Language:
        lines = render_report(test, "caribbean-stud-1", "2026-11-21 22:31", language)
        assert max(map(len, lines)) <= 40
        assert "?" not in found.in_(language).replace("fuori?", "").replace("out?", "")


def fields(template: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(template) if name]


def test_a_code_of_another_version_is_shown_as_it_stands() -> None:
    assert PartFinding.read("BENT angle=7").in_(Language.EN) == "BENT angle=7"
    assert PartFinding.read("PRESSED").in_(Language.EN) == "? ms"
    assert PartFinding.read("").in_(Language.EN) == ""
