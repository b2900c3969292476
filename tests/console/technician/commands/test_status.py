"""`status`: the first screen of a search."""

import re
from pathlib import Path

import msgspec
import pytest

from console.line.requests import PresentFault, Status
from console.rules.codes import Duty, Fault
from console.technician.commands.status import render_status
from console.technician.terminal.terminal import SPARED
from console.texts.catalogue.findings import Finding, FindingCode
from console.texts.language import Language
from tests.console.technician.commands.command_line import (
    A_PAGE,
    EN,
    FIRST_ROUND,
    IT,
    SERVICE,
    line_in,
    too_long,
    write_house_prizes,
)


def test_a_table_in_play(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play("press GAME_OVER", "token 1 3 5", "jam 5", "press COIN_IN", "wait 3s")
        shown = line.type_command("status")
    for expected in (
        "table     SIMULATION  simulated  caribbean-stud, slot\n",
        "phase     COLLECTING  key R\n",
        "FAULT     TOKEN_STUCK seats 5 (since ",
        ": a token has not dropped\n          what to check: faults\n",
        "lines     up panel rail display shuffler\n",
        "round     1; accepted 1 3; STUCK 5\n",
        "money     jackpot 10,002.80  reserve 0.40  pending 0.00  paid 0.00\n",
        "ledger opening 1\n",
    ):
        assert expected in shown


def test_the_reason_of_a_fault_is_told_to_its_end(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play("disk full", "press GAME_OVER", "wait 2s")
        shown = line.type_command("status")
    reason = " ".join(shown[shown.index("FAULT") : shown.index("lines")].split())
    assert "the ledger cannot be written: database or disk is full" in reason
    assert "the ledger cannot be written; the table is locked" in reason
    assert "..." not in reason
    assert too_long(shown, 79) == []


def test_the_opening_of_the_ledger_is_not_called_a_start(tmp_path: Path) -> None:
    """A ledger fault that was cleared opens it again, and nothing was started."""
    with line_in(tmp_path) as line:
        line.table.play("disk full", "press GAME_OVER", "wait 2s", "disk ok", "key S", "wait 1s")
        line.table.play("clear LEDGER_FAULT", "wait 1s")
        shown = line.type_command("status")
    assert "ledger opening 2\n" in shown
    assert "boot" not in shown


def test_an_award_is_told(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play(*FIRST_ROUND[:4])
        assert "chosen    FLUSH\n" in line.type_command("status")
        line.table.play(*FIRST_ROUND[4:6])
        assert "award     FLUSH x1 100.02\n" in line.type_command("status")


@pytest.mark.parametrize(
    ("language", "chosen", "award", "money"),
    [
        (
            EN,
            "chosen    MINI ROYAL\n",
            "award     MINI ROYAL x1 500.00 ENVY x1 25.00\n",
            "jackpot 10,002.00 MAX reserve 1.20 pending 525.00 paid 0.00 CHF",
        ),
        (
            IT,
            "scelta    MINI SCALA\n",
            "vincita   MINI SCALA x1 500,00 ENVY x1 25,00\n",
            "jackpot 10.002,00 MAX riserva 1,20 in sospeso 525,00 pagato 0,00 CHF",
        ),
    ],
)
def test_a_prize_file_gives_names_currency_envy_and_the_limit(
    tmp_path: Path, language: Language, chosen: str, award: str, money: str
) -> None:
    with line_in(tmp_path, write_house_prizes(tmp_path), language=language) as line:
        line.table.play("press GAME_OVER", "token 1 3", "press COIN_IN", "press MINI_ROYAL")
        assert chosen in line.type_command("status")
        line.table.play("key JPL", "press JPOT")
        shown = line.type_command("status")
    assert award in shown
    assert money in " ".join(shown.split())
    assert "MINI_ROYAL" not in shown


def test_a_linked_jackpot_at_its_limit_is_marked_at_the_display(tmp_path: Path) -> None:
    """Not beside this table's part of it"""
    with line_in(tmp_path, write_house_prizes(tmp_path), "link stud") as line:
        line.table.play("wait 5s")
        assert "MAX" not in line.type_command("status")
        line.table.play("press GAME_OVER", "token 1 3", "press COIN_IN", "wait 2s")
        shown = line.type_command("status")
    assert "10.002,00 CHF] MAX\n" in shown
    assert shown.count("MAX") == 1


def test_a_lost_device_stands_first_among_the_lines(tmp_path: Path) -> None:
    with line_in(tmp_path, language=IT) as line:
        line.table.play("unplug display", "wait 3s")
        shown = line.type_command("stato")
    assert "GUASTO    DISPLAY_LOST" in shown
    assert "linee     MANCA: display; collegati: consolle, gettoniera, mescolatore\n" in shown


def test_service_tells_what_is_underneath_and_what_is_driven(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play(*SERVICE)
        line.table.enter("anna", Duty.TECHNICIAN)
        assert "phase     SERVICE (then: PAUSED)  key S\n" in line.type_command("status")
        assert "entered   anna (technician), for 10 min\n" in line.type_command("status")
        line.anna.type("lamp seat 1\r")
        line.anna.wait(1)
        assert line.table.table.state.drive is not None


def test_the_display_is_shown_as_the_table_sees_it(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        first, second = line.table.table.seen.display
        assert f"display   [{first:20}] [{second:20}]\n" in line.type_command("status")


def test_a_display_that_is_lost_shows_nothing(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play("unplug display", "wait 3s")
        english = line.type_command("status")
        line.type_command("lingua it")
        italian = line.type_command("stato")
    amount = r"\[.{20}\] \[       10\.000,00 EUR\]\n"
    assert re.search(rf"^display   \(lost\) would show {amount}", english, re.MULTILINE)
    assert re.search(rf"^display   \(scollegato\) atteso {amount}", italian, re.MULTILINE)
    assert not too_long(english + italian, 79)


@pytest.fixture
def quiet(tmp_path: Path) -> Status:
    with line_in(tmp_path, size=A_PAGE) as line:
        status = line.session.status
    assert status is not None
    return status


def worst(quiet: Status) -> Status:
    """All that a Caribbean table can have to say at once, with one fault."""
    return msgspec.structs.replace(
        quiet,
        table="caribbean-stud-table-1",
        phase="SERVICE",
        underneath="COLLECTING",
        driven=True,
        seats={
            str(seat): what
            for seat, what in enumerate(
                ("accepted", "stuck", "changed", "void", "token", "covered", "accepted"), start=1
            )
        },
        choice="STRAIGHT_FLUSH",
        award="STRAIGHT_FLUSH x7 12345678.90",
        accounts=dict.fromkeys(("jackpot", "reserve", "house", "pending", "paid"), "-123456789.00"),
        faults=(PresentFault(Fault.RAIL_LOST, "2026-11-20T23:12:00+00:00", "no answer " * 8),),
        findings=tuple(
            Finding(code.value, "seat 7 and its sensor", "a detail of some length")
            for code in FindingCode
        ),
        devices_up=dict.fromkeys(("panel", "rail", "display", "shuffler", "shoe"), False),
        display=("X" * 20, "9" * 20),
        waiting_acts=1024,
        up_s=100 * 86_400,
        boot=4_321,
        health={
            "loop_stall_ms": 12_345.6,
            "commit_mean_ms": 4_321.0,
            "disk_free_mb": 123_456.7,
            "temperature_c": 85.2,
        },
        person="a-name-as-long-as-can-be",
        duties=tuple(Duty),
        person_left_s=600,
    )


@pytest.mark.parametrize("language", Language)
def test_the_worst_that_can_be_told_fits_a_page(quiet: Status, language: Language) -> None:
    lines = render_status(worst(quiet), language)
    assert len(lines) <= A_PAGE.rows - SPARED
    assert too_long("\n".join(lines), 79) == []


@pytest.mark.parametrize(
    ("store", "line"),
    [
        ("tpm", None),
        ("file", "signed    key in a file, without a TPM"),
        ("", "signed    nothing: the table has no key"),
    ],
)
def test_a_real_table_says_what_its_key_lacks(store: str, line: str | None, quiet: Status) -> None:
    real = msgspec.structs.replace(quiet, simulated=False, key_store=store)
    lines = [line for line in render_status(real, Language.EN) if line.startswith("signed ")]
    assert lines == ([line] if line else [])


def test_more_findings_than_are_told_are_counted(quiet: Status) -> None:
    shown = "\n".join(render_status(worst(quiet), Language.EN))
    assert shown.count("NOTICED") == 5
    assert f"and {len(FindingCode) - 5} more: faults" in shown


def test_a_later_services_finding_is_told_as_it_is(quiet: Status) -> None:
    later = msgspec.structs.replace(quiet, findings=(Finding("NEW_CODE", "seat 1"),))
    assert "NOTICED   NEW_CODE seat 1: -" in render_status(later, Language.EN)
