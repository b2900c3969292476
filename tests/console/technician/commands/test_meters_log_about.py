"""`meters`, `log` and `about`: figures, lines, versions; with the service and without."""

import platform
from pathlib import Path

import pytest

from console.line.handler import HandlerParts
from console.service.health.log_ring import LogLine, LogRing
from console.technician.commands.about import describe_machine
from devices.sim.virtual_time import VirtualLoop
from tests.console.table import table_in
from tests.console.technician.commands.at_the_line import (
    FIRST_ROUND,
    IT,
    line_in,
    line_to,
    nobody,
    too_long,
)
from tests.console.technician.commands.journal import journal_that


def test_accounts_and_what_was_counted_since_the_beginning(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play(*FIRST_ROUND)
        shown = line.does("meters")
    for told in (
        "tray                -4.00 EUR\njackpot           9902.78 EUR\n",
        "round     1\nsince the beginning: ",
        "rounds    1\ntokens    2\nawards    1, 100.02 EUR\nfaults    -\n",
    ):
        assert told in shown


def test_counting_begins_anew_when_the_tray_is_counted(tmp_path: Path) -> None:
    with line_in(tmp_path, language=IT) as line:
        line.table.play(*FIRST_ROUND, "press GAME_OVER", "press COIN_IN")
        line.table.enter("carla")
        line.does("dichiara tray 2", "s")
        line.table.play("press GAME_OVER", "token 1 2 3", "press COIN_IN")
        line.table.play("unplug display", "wait 3s", "plug display", "wait 6s")
        line.does("dichiara hand-void 2 returned", "s")
        shown = line.does("contatori")
    assert "dall'ultima conta della vaschetta: " in shown
    assert "mani      1\ngettoni   2\nvincite   0, 0.00 EUR\nguasti    DISPLAY_LOST x1\n" in shown


def test_a_count_that_is_refused_counts_nothing_anew(tmp_path: Path) -> None:
    """`declare tray` in PLAYING is refused: the night goes on, and so do its figures"""
    with line_in(tmp_path) as line:
        line.table.play(*FIRST_ROUND, "declare tray 2", "expect refused ALREADY_OPEN")
        shown = line.does("meters")
    assert "since the beginning: " in shown
    assert "rounds    1\ntokens    2\nawards    1, 100.02 EUR\n" in shown


def test_meters_without_a_service_come_from_the_file(tmp_path: Path, loop: VirtualLoop) -> None:
    with table_in(tmp_path) as table:
        table.play(*FIRST_ROUND)
    with line_to(loop, nobody(), ledger=tmp_path) as line:
        shown = line.does("meters")
    assert "accounts  - (no-such-line: " in shown
    assert "tokens    2\n" in shown


def test_meters_without_a_readable_ledger_still_tell_the_accounts(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        (line.table.table.machine.disk.folder / "ledger.db").unlink()
        shown = line.does("meters")
    assert "jackpot          10000.00 EUR\n" in shown
    assert "ledger    -" in shown
    assert "cannot be read" in shown


LINES = tuple(
    LogLine(f"2026-11-20T12:00:{second:02}+00:00", "WARNING", f"rail: line {second} " + "x" * 90)
    for second in range(40)
)


def keeping(*lines: LogLine) -> HandlerParts:
    ring = LogRing()
    for line in lines:
        ring.add(line)
    return HandlerParts(log=ring)


def test_the_services_last_lines(tmp_path: Path) -> None:
    with line_in(tmp_path, fittings=lambda _: keeping(*LINES)) as line:
        shown = line.does("log")
        assert [number for number in range(40) if f"rail: line {number} " in shown] == [
            *range(20, 40)
        ]
        assert ":00:39 WARNING rail: line 39 xxx" in shown
        assert too_long(shown, 79) == []
        assert line.does("log 3").count(" WARNING ") == 3


def test_a_log_without_lines(tmp_path: Path) -> None:
    with line_in(tmp_path, fittings=lambda _: keeping()) as line:
        assert "No lines.\n" in line.does("log")
        assert "a number from 1 to 200" in line.does("log 0")


@pytest.fixture
def journalctl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journalctl that tells what it was asked."""
    return journal_that('echo "nov 20 banco[7]: asked $*"', tmp_path, monkeypatch)


@pytest.mark.usefixtures("journalctl")
def test_without_the_service_the_journal_tells(loop: VirtualLoop) -> None:
    with line_to(loop, nobody()) as line:
        shown = " ".join(line.does("log 7").split())
    assert "The service does not answer: no-such-line: " in shown
    assert "From the journal: nov 20 banco[7]: asked --unit banco --lines 7" in shown


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("echo no such unit >&2; exit 1", "no such unit"),
        ("exit 0", "journalctl: nothing"),
        ("exec sleep 60", "journalctl: no answer within 0 s"),
    ],
)
def test_a_journal_that_tells_nothing_says_so(
    script: str,
    told: str,
    journalctl: Path,
    loop: VirtualLoop,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("console.technician.programs.JOURNAL_WITHIN_S", 0.3)
    journalctl.write_text(f"#!/bin/sh\n{script}\n")
    with line_to(loop, nobody()) as line:
        assert told in line.does("log")


def test_a_machine_without_a_journal_says_so(
    loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with line_to(loop, nobody()) as line:
        assert "journalctl: not on this machine" in line.does("log")


def test_about_tells_versions_machine_and_places(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        shown = line.does("about")
        joined = "".join(shown.split())
    assert "(Apache-2.0)" in shown
    assert f"Python    {platform.python_version()}\n" in shown
    assert "service   test, up " in shown
    assert ", ledger opening 1\n" in shown
    assert f"ledger{line.session.status.ledger if line.session.status else '?'}" in joined
    assert platform.node() in shown


def test_about_without_a_service_tells_what_is_known(loop: VirtualLoop) -> None:
    with line_to(loop, nobody(), ledger=Path("a-ledger"), language=IT) as line:
        shown = line.does("informazioni")
    assert "servizio  - (no-such-line: " in shown
    assert "registro  a-ledger\n" in shown
    assert "config    ?\n" in shown


def test_a_raspberry_pi_says_which_it_is(tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.write_text("Raspberry Pi 4 Model B Rev 1.5\0")
    assert "Raspberry Pi 4 Model B Rev 1.5, Linux" in describe_machine(model)
    assert platform.machine() in describe_machine(tmp_path / "none")
