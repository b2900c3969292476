"""`log`: the service's last lines; without the service those of the journal."""

from pathlib import Path

import pytest

from console.line.handler import HandlerParts
from console.service.health.log_ring import LogLine, LogRing
from devices.sim.virtual_time import VirtualLoop
from tests.console.technician.commands.command_line import (
    absent_service,
    line_in,
    line_to,
    too_long,
)
from tests.console.technician.commands.fake_journalctl import install_journalctl

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
    with line_in(tmp_path, parts=lambda _: keeping(*LINES)) as line:
        shown = line.type_command("log")
        assert [number for number in range(40) if f"rail: line {number} " in shown] == [
            *range(20, 40)
        ]
        assert ":00:39 WARNING rail: line 39 xxx" in shown
        assert too_long(shown, 79) == []
        assert line.type_command("log 3").count(" WARNING ") == 3


def test_a_log_without_lines(tmp_path: Path) -> None:
    with line_in(tmp_path, parts=lambda _: keeping()) as line:
        assert "No lines.\n" in line.type_command("log")
        assert "a number from 1 to 200" in line.type_command("log 0")


@pytest.fixture
def journalctl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journalctl that tells what it was asked."""
    return install_journalctl('echo "nov 20 banco[7]: asked $*"', tmp_path, monkeypatch)


@pytest.mark.usefixtures("journalctl")
def test_without_the_service_the_journal_tells(loop: VirtualLoop) -> None:
    with line_to(loop, absent_service()) as line:
        shown = " ".join(line.type_command("log 7").split())
    assert "The service does not answer: no-such-line: " in shown
    assert "From the journal: nov 20 banco[7]: asked --unit banco --lines 7" in shown


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("echo no such unit >&2; exit 1", "no such unit"),
        ("exit 0", "journalctl: nothing"),
        ("exec sleep 60", "journalctl: no answer within 0 s"),
    ],
)
def test_a_journal_that_tells_nothing_says_so(
    script: str,
    expected: str,
    journalctl: Path,
    loop: VirtualLoop,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("console.technician.without_service.JOURNAL_WITHIN_S", 0.3)
    journalctl.write_text(f"#!/bin/sh\n{script}\n")
    with line_to(loop, absent_service()) as line:
        assert expected in line.type_command("log")


def test_a_machine_without_a_journal_says_so(
    loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with line_to(loop, absent_service()) as line:
        assert "journalctl: not on this machine" in line.type_command("log")
