"""`selftest`: a whole cabinet tested by hands that do what the terminal asks.

What is in order passes, each fault fails its own part and no other, and the report is on record.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from console.acts import KINDS, SelfTested
from console.codes import Duty
from console.local_line.requests import AnyAnswer, AnyRequest
from console.records import act_of
from console.simulated_cabinet import SimulatedCabinet
from console.technician.command import Unreachable
from console.texts import Language
from devices.roles import Button, Device, KeyPosition
from jackpot.journal import Record
from jackpot.ledger import newest_record
from tests.console.technician.commands.hands import Hands
from tests.console.technician.commands.visit import Visit, visit

WIDEST = 79
SLIP = 40

Results = dict[str, tuple[bool | None, str]]


def last_record(seen: Visit) -> Record | None:
    return newest_record(seen.rig.table.stage.disk.folder, kind=KINDS[SelfTested])


def on_record(seen: Visit) -> SelfTested:
    record = last_record(seen)
    assert record is not None
    act = act_of(record.kind, record.body)
    assert isinstance(act, SelfTested)
    return act


def results(seen: Visit) -> Results:
    """Each part's result, as the ledger has it."""
    return {one.part: (one.passed, one.found) for one in on_record(seen).parts}


def failures(seen: Visit) -> dict[str, str]:
    return {part: found for part, (passed, found) in results(seen).items() if passed is False}


def untested(seen: Visit) -> dict[str, str]:
    return {part: found for part, (passed, found) in results(seen).items() if passed is None}


def report_in(told: str, title: str = "SELF-TEST") -> list[str]:
    """The report's lines, as printed last, without the questions that turn its pages."""
    lines = [line.rstrip() for line in told[told.rindex(title) :].splitlines()]
    ends = [at for at, line in enumerate(lines) if line == "-" * SLIP]
    return [line for line in lines[: ends[-1] + 1] if line != "-- more --"]


# A cabinet in order


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize(
    ("settings", "parts"),
    [
        (("inspector fitted",), 46),
        (("rail cctalk",), 45),
        (("game tre-card-stud",), 44),
        (("game ultimate-texas-holdem",), 10),
        (("game black-jack",), 10),
    ],
)
def test_a_cabinet_in_order_passes_in_every_part(
    tmp_path: Path, settings: tuple[str, ...], parts: int, language: Language
) -> None:
    with visit(tmp_path, *settings, language=language) as seen:
        Hands(seen).follows("selftest")
        assert (failures(seen), untested(seen)) == ({}, {})
        assert len(results(seen)) == parts
        assert not seen.driven()


def test_a_reading_shoe_that_says_nothing_unasked_passes_but_for_its_line(tmp_path: Path) -> None:
    with visit(tmp_path, "game mini-punto-banco") as seen:
        Hands(seen).follows("selftest")
        assert (failures(seen), untested(seen)) == ({}, {"line shoe": "QUIET"})


def test_every_token_of_the_test_is_told_and_no_money_moves(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        before = seen.rig.table.state.balances
        told = Hands(seen).follows("selftest")
        assert "Take the test's tokens out of the tray: 7." in told
        assert seen.cabinet.tray_count == 7
        assert seen.rig.table.state.balances == before
        seen.rig.play("key R", "expect fault none", "press GAME_OVER", "expect phase BETTING")


# One fault, one part

Break = Callable[[SimulatedCabinet], None]

FAULTS: dict[str, tuple[Break, str, str]] = {
    "a stuck button": (
        lambda cabinet: cabinet.panel.stick(Button.GAME_OVER),
        "button GAME_OVER",
        "HELD",
    ),
    "a stuck combination button": (
        lambda cabinet: cabinet.panel.stick(Button.COMBINATION_5),
        "button FLUSH",
        "HELD",
    ),
    "a dead sensor": (lambda cabinet: cabinet.rail.kill_sensor(3), "seat 3", "SENSOR_BLIND"),
    "a dead lamp": (lambda cabinet: cabinet.rail.kill_lamp(5), "slot lamp 5", "DRAWS_NOTHING"),
    "a gate that sticks": (lambda cabinet: cabinet.rail.stick_gate(2), "seat 2", "GATE_STICKS"),
    "a token that jams": (lambda cabinet: cabinet.jam(7), "seat 7", "GATE_STICKS"),
    "a board that resets": (
        lambda cabinet: cabinet.rail.reset_every(7.0),
        "line rail",
        "RESTARTED",
    ),
    "a card left on a slot": (lambda cabinet: cabinet.cover(1), "", ""),  # he is asked to clear it
    "a display unplugged": (lambda cabinet: cabinet.unplug(Device.DISPLAY), "display", "LOST"),
    "a shuffler unplugged": (lambda cabinet: cabinet.unplug(Device.SHUFFLER), "shuffler", "LOST"),
    "a rail unplugged": (lambda cabinet: cabinet.unplug(Device.RAIL), "rail", "LOST"),
    "a panel unplugged": (lambda cabinet: cabinet.unplug(Device.PANEL), "plug", "OPEN"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_fails_exactly_its_part(tmp_path: Path, fault: str) -> None:
    broken, part, found = FAULTS[fault]
    with visit(tmp_path, "inspector fitted") as seen:
        broken(seen.cabinet)
        seen.waits(2)
        Hands(seen).follows("selftest")
        told = failures(seen)
        assert list(told) == ([part] if part else [])
        assert all(text.split()[0] == found for text in told.values())
        assert not seen.driven()


def test_what_hangs_on_a_device_that_is_away_is_not_tested(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.unplug(Device.RAIL)
        seen.waits(2)
        Hands(seen).follows("selftest")
        away = [part for part, found in untested(seen).items() if found == "AWAY"]
        assert {f"seat {seat}" for seat in range(1, 8)} < set(away)
        assert {f"slot lamp {seat}" for seat in range(1, 8)} < set(away)
        assert "line rail" in away
        assert untested(seen)["tray"] == "NO_TOKEN"


@pytest.mark.parametrize("position", [KeyPosition.R, KeyPosition.JPL, KeyPosition.JPH])
def test_a_welded_key_contact_fails_the_key_and_lets_no_output_be_driven(
    tmp_path: Path, position: KeyPosition
) -> None:
    with visit(tmp_path, lines=()) as seen:
        seen.cabinet.panel.weld(position)
        seen.cabinet.turn_key(KeyPosition.S)
        seen.waits(2)
        Hands(seen).follows("selftest")
        assert failures(seen) == {"key": f"WELDED contacts={position.value}"}
        assert {found for part, found in untested(seen).items() if "lamp" in part} == {"NOT_DRIVEN"}
        assert results(seen)["button COIN_IN"][0] is True


def test_a_key_contact_that_welds_in_service_fails_the_key_alone(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.panel.weld(KeyPosition.S)
        Hands(seen).follows("selftest")
        assert failures(seen) == {"key": "WELDED contacts=S"}
        assert untested(seen) == {}


def test_a_welded_key_is_told_also_if_nobody_turns_it(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.panel.weld(KeyPosition.JPL)
        seen.waits(1)
        Hands(seen, "turn the key").follows("selftest key")
        assert failures(seen) == {"key": "FAULT codes=KEY_FAULT"}


def test_a_shuffler_with_51_cards_fails_with_its_fault(tmp_path: Path) -> None:
    with visit(tmp_path, lines=("deck load red 51", "wait 3m", "key S")) as seen:
        Hands(seen).follows("selftest shuffler")
        assert failures(seen) == {"shuffler": "FAULT codes=CARD_COUNT"}


def test_a_full_disk_fails_the_ledger_and_the_report_waits_for_the_ledger(tmp_path: Path) -> None:
    with visit(tmp_path, lines=("disk full", "press GAME_OVER", "key S")) as seen:
        told = Hands(seen).follows("selftest ledger")
        assert "FAIL ledger  LEDGER_FAULT" in told
        assert "the report goes there when it can be written" in told
        assert last_record(seen) is None
        seen.rig.table.stage.disk.full = False
        seen.rig.play("clear LEDGER_FAULT")
        assert on_record(seen).who == "rossi"


# What a person does wrong, or not at all


def test_skipping_everything_fails_nothing(tmp_path: Path) -> None:
    with visit(tmp_path, "inspector fitted") as seen:
        told = Hands(seen, "press", "put", "turn", "lit", "legible", "contact").follows("selftest")
        assert failures(seen) == {}
        passed = [part for part, (ok, _) in results(seen).items() if ok]
        assert {"program", "ledger", "plug", "rail", "shuffler"} <= set(passed)
        assert set(untested(seen).values()) == {"SKIPPED", "NO_TOKEN"}
        assert re.search(r"46 parts: 0 FAIL, 3\d not tested", told)


def test_a_button_nobody_presses_is_waited_for_20_s_and_fails(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest button JPOT")
        assert "FAIL" not in seen.waits(19)
        assert "FAIL button JPOT  has not moved" in seen.waits(2)


def test_what_failed_may_be_tried_again(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest button JPOT")
        assert "r: again" in seen.waits(21)
        seen.types("r")
        seen.cabinet.press(Button.JPOT)
        seen.waits(2)
        assert results(seen) == {"button JPOT": (True, "PRESSED pulse=25")}


@pytest.mark.parametrize(
    ("pressed", "found"),
    [
        ([Button.JPOT, Button.JPOT], "MOVED_OFTEN times=2"),
        ([Button.COIN_IN], "OTHER_MOVED other=COIN_IN"),
    ],
)
def test_a_wrong_press_is_no_pass(tmp_path: Path, pressed: list[Button], found: str) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest button JPOT")
        for button in pressed:
            seen.cabinet.press(button)
            seen.typist.waits(0.1)
        seen.waits(21)
        seen.types("\r")
        assert failures(seen) == {"button JPOT": found}


def test_a_lamp_that_is_not_seen_lit_fails_though_the_board_feels_it(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest slot lamp 4")
        seen.types("n")
        seen.waits(1)
        seen.types("\r")
        assert failures(seen) == {"slot lamp 4": "NOT_LIT"}


def test_a_question_nobody_answers_ends(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest slot lamp 4")
        seen.waits(121)
        assert untested(seen) == {"slot lamp 4": "NOT_ANSWERED"}
        assert not seen.driven()


def test_q_ends_the_test_and_keeps_its_report(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest")
        seen.types("\r")
        seen.waits(1)
        told = seen.types("q")
        assert "on record" in told + seen.waits(1)
        assert results(seen)["program"][0] is True
        assert results(seen)["seat 7"] == (None, "ENDED")
        assert not seen.driven()
        assert seen.at_the_prompt


def test_q_after_a_failure_keeps_the_failure(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.panel.stick(Button.GAME_OVER)
        seen.says("selftest buttons")
        seen.waits(11)
        seen.types("s")
        seen.waits(1)
        assert "FAIL button GAME_OVER" in seen.heard
        assert "8 parts: 1 FAIL, 7 not tested" in seen.types("q") + seen.waits(1)
        assert list(failures(seen)) == ["button GAME_OVER"]


def test_q_while_it_is_tried_again_keeps_the_failure_before(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest button JPOT")
        assert "r: again. Enter: on. q: end." in seen.waits(21)
        seen.types("r", "q")
        told = seen.waits(1)
        assert "1 part: 1 FAIL, 0 not tested" in seen.heard + told
        assert failures(seen) == {"button JPOT": "NOT_MOVED"}


def test_only_enter_goes_on_after_a_failure(tmp_path: Path) -> None:
    """The first letter of a command typed too early would have answered it."""
    with visit(tmp_path, language=Language.IT) as seen:
        seen.says("selftest button JPOT")
        assert "r: di nuovo. Invio: avanti. q: fine." in seen.waits(21)
        seen.types("g")
        assert not seen.at_the_prompt
        seen.types("\r")
        assert "1 parte: GUASTO 1, non provate 0" in seen.heard + seen.waits(1)
        assert seen.at_the_prompt


def test_a_lamp_that_is_seen_lit_though_the_board_feels_nothing_is_its_measurement(
    tmp_path: Path,
) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.rail.kill_lamp(4)
        seen.says("selftest slot lamp 4")
        seen.types("\r")
        told = seen.waits(1)
        seen.types("\r")
        assert "you saw it lit; the board finds no current: its measurement" in told
        assert failures(seen) == {"slot lamp 4": "LIT_NO_CURRENT"}


# Whatever ends it, the outputs are let go


def by_ctrl_c(seen: Visit) -> None:
    assert "interrupted" in seen.types("\x03")


def by_the_cable_pulled(seen: Visit) -> None:
    seen.typist.leaves()


def by_a_power_cut(seen: Visit) -> None:
    rig = seen.rig.table
    rig.rehearsal.do(rig.understood("power off"))
    assert "NO_POWER" in seen.waits(1)
    rig.rehearsal.do(rig.understood("power on"))
    seen.waits(1)


@pytest.mark.parametrize("end", [by_ctrl_c, by_the_cable_pulled, by_a_power_cut])
def test_a_test_that_is_broken_off_leaves_nothing_lit_and_no_report(
    tmp_path: Path, end: Callable[[Visit], None]
) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest lamps")
        seen.types("\r")
        seen.waits(1)
        assert seen.driven()
        end(seen)
        assert not seen.driven()
        assert not any(lamp.value != "DARK" for lamp in seen.cabinet.slot_lamps().values())
        assert last_record(seen) is None


def test_when_the_key_leaves_s_what_is_left_is_not_tested(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest lamps")
        seen.types("\r")
        seen.waits(1)
        seen.cabinet.turn_key(KeyPosition.R)
        told = seen.waits(3)
        assert "NOT_IN_SERVICE" in told
        assert "Now: key at R, table PAUSED." in told
        assert results(seen)["slot lamp 1"] == (True, "LIT")
        assert {found for _, found in untested(seen).items()} == {"NOT_DRIVEN"}
        assert failures(seen) == {}


def test_when_the_ten_minutes_are_over_name_and_pin_are_asked_again(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.waits(595)
        seen.says("selftest slot lamp 4")
        assert "Name:" in seen.waits(10)
        seen.types("rossi\r")
        seen.types("271828\r")
        seen.waits(1)
        assert "on record" in seen.heard
        assert on_record(seen).who == "rossi"
        assert untested(seen) == {"slot lamp 4": "NOT_DRIVEN"}


# Who may, and when


def test_nobody_has_entered(tmp_path: Path) -> None:
    with visit(tmp_path, enters=False) as seen:
        assert "Name:" in seen.says("selftest")
        assert "NOT_ENTERED" in seen.says("")
        assert last_record(seen) is None


def test_a_floor_manager_may_not(tmp_path: Path) -> None:
    with visit(tmp_path, enters=False) as seen:
        seen.rig.enter("bianchi", Duty.FLOOR_MANAGER)
        assert "NOT_YOUR_DUTY" in seen.says("selftest")


@pytest.mark.parametrize("lines", [(), ("press GAME_OVER",), ("press GAME_OVER", "token 1")])
def test_a_table_that_is_not_in_service_is_not_tested(
    tmp_path: Path, lines: tuple[str, ...]
) -> None:
    with visit(tmp_path, lines=lines) as seen:
        told = seen.says("selftest")
        assert "NOT_IN_SERVICE" in told
        assert "Now: key at R, table" in told
        assert "press COIN_IN" not in told


def test_a_table_in_play_is_not_tested_though_its_key_cannot_be_read(tmp_path: Path) -> None:
    with visit(tmp_path, lines=("press GAME_OVER",)) as seen:
        seen.cabinet.panel.weld(KeyPosition.JPL)
        seen.waits(1)
        assert "NOT_IN_SERVICE" in seen.says("selftest")


# Parts


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        ("program", ["program"]),
        ("tray", ["tray"]),
        ("seat 3", ["seat 3"]),
        ("posto 3", ["seat 3"]),
        ("button coin_in", ["button COIN_IN"]),
        ("pulsanti", [f"button {name}" for name in ("COIN_IN", "GAME_OVER")]),
        ("chiave", ["key"]),
        ("lines", ["line display", "line shoe"]),
    ],
)
def test_one_part_or_one_group_may_be_asked_for(
    tmp_path: Path, typed: str, parts: list[str]
) -> None:
    game = ["game black-jack"] if len(parts) > 1 else []
    with visit(tmp_path, *game) as seen:
        Hands(seen).follows(f"selftest {typed}")
        assert list(results(seen)) == parts


def test_a_part_there_is_not_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with visit(tmp_path, "game black-jack") as seen:
        told = seen.says("selftest lamps")
        assert "which part? program ledger plug shoe display buttons key lines" in told
    with visit(tmp_path / "it", "game black-jack", language=Language.IT) as seen:
        assert "programma registro spina sabot" in seen.says("collaudo posti")


# The report


def test_the_report_is_read_back_from_the_ledger_as_it_was_printed(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.rail.kill_sensor(3)
        printed = report_in(Hands(seen).follows("selftest"))
        again = report_in(seen.says("selftest show"))
        assert printed[2:] == again[2:]  # the second line has the time of day
        assert again[0] == "SELF-TEST simulated"
        assert again[1].endswith("  rossi")
        assert again[3] == "45 parts: 1 FAIL, 0 not tested"
        assert again[5].startswith("FAIL seat 3")
        assert len(printed) > 45


def test_it_fits_a_slip_of_40_columns_in_both_languages(tmp_path: Path) -> None:
    with visit(tmp_path, "inspector fitted") as seen:
        seen.cabinet.panel.weld(KeyPosition.JPL)
        seen.cabinet.panel.stick(Button.COMBINATION_2)
        seen.cabinet.rail.kill_lamp(5)
        printed = report_in(Hands(seen).follows("selftest"))
        seen.desk.language = Language.IT
        italian = report_in(seen.says("collaudo mostra"), "COLLAUDO")
        for line in printed + italian:
            assert len(line) <= SLIP
        assert "GUASTO chiave" in "\n".join(italian)
        assert "sempre chiuso: JPL" in "\n".join(italian)
        assert seen.heard.isascii()
        assert max(map(len, seen.heard.splitlines())) <= WIDEST


class NoService:
    """The service does not run."""

    async def ask(self, request: AnyRequest) -> AnyAnswer:
        raise Unreachable(f"nobody answers {type(request).__name__}")


def test_it_is_read_also_when_the_service_does_not_run(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        Hands(seen).follows("selftest program")
        seen.desk.table = NoService()
        assert "ok   program  version" in seen.says("selftest show")
        assert "No service" in seen.says("selftest") or "service" in seen.heard


def test_there_may_be_none(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        assert "no self-test is on record" in seen.says("selftest show")


def test_the_newest_one_is_shown(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        Hands(seen).follows("selftest program")
        Hands(seen).follows("selftest ledger")
        told = seen.says("selftest show")
        assert "ok   ledger" in told
        assert "ok   program" not in told
