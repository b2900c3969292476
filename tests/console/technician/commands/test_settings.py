"""`settings` and `restart`: told, changed for the next start, and that start awaited."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from console.configuration.adopted import read_adopted
from console.line.handler import HandlerParts
from console.line.settings_changes import WrittenSettings
from console.rules.codes import Duty
from console.simulation.scenario.simulated_machine import SimulatedMachine
from console.technician.commands.settings import BACK_WITHIN_S
from console.texts.language import Language
from tests.console.line.handled_table import PINS, make_login
from tests.console.running_table import configuration
from tests.console.technician.commands.command_line import (
    EN,
    IT,
    SERVICE,
    TableCommandLine,
    line_in,
)


@contextmanager
def with_file(folder: Path, language: Language = EN) -> Iterator[TableCommandLine]:
    """Anna, a technician, in SERVICE at a table with a configuration file; Verdi is enrolled."""
    file = configuration(folder / "table.toml")
    lines: list[TableCommandLine] = []
    starts: list[asyncio.Task[None]] = []

    def parts(machine: SimulatedMachine) -> HandlerParts:
        table = read_adopted(file)
        settings = WrittenSettings(file, table.in_force, table.adopted)
        return HandlerParts(
            make_login(machine, folder),
            settings=settings,
            restart=lambda: starts.append(asyncio.create_task(again(lines[0]))),
        )

    with line_in(folder, language=language, parts=parts, configuration=file) as line:
        lines.append(line)
        line.table.play("key S")
        line.table.enter("anna", Duty.TECHNICIAN)
        yield line


async def again(line: TableCommandLine) -> None:
    """As systemd does: the service ends, and is started a second later."""
    await line.table.perform("power off")
    await asyncio.sleep(1)
    await line.table.perform("power on")


def test_what_may_be_changed_here_stands_first(tmp_path: Path) -> None:
    with with_file(tmp_path) as line:
        shown = line.type_command("settings")
    changed, _, others = shown.partition("in the file only, by root:\n")
    assert "Settings, version 1\ncan be changed here (settings KEY VALUE):\n" in changed
    assert "  money.token              2.00\n" in changed
    assert "  rail.kind                slot\n" in others
    assert "money.token" not in others


def test_a_key_or_a_section_alone(tmp_path: Path) -> None:
    with with_file(tmp_path, IT) as line:
        shown = line.type_command("impostazioni money.t")
        assert "money.token " in shown
        assert "money.to_jackpot" in shown
        assert "language" not in shown
        assert "nessuna chiave 'xyz'" in line.type_command("impostazioni xyz")


def test_a_change_is_shown_asked_written_and_told_from_then_on(tmp_path: Path) -> None:
    with with_file(tmp_path) as line:
        shown = line.type_command("settings money.token 5.00")
        assert "          money.token: 2.00 -> 5.00\n" in shown
        assert shown.rstrip().endswith("Write it for the next start? (y: yes, Enter: no)")
        assert read_adopted(tmp_path / "table.toml").adopted.money.token == "2.00"
        shown = line.type_command("y", "verdi", PINS["verdi"], "n")
        assert "Written; the next start adopts it.\nRestart now? (y: yes, Enter: no) n\n" in shown
        assert read_adopted(tmp_path / "table.toml").adopted.money.token == "5.00"
        shown = line.type_command("settings")
        assert "adopted by the next start:\n  money.token              2.00 -> 5.00\n" in shown
        (record,) = (one for one in line.table.table.records if one.kind == "setting-changed")
        assert record.body["act"] == {
            "who": "anna",
            "key": "money.token",
            "value": "5.00",
            "before": "2.00",
            "second": "verdi",
            "typed": "5.00",
        }


def test_what_is_for_the_next_jackpot_waits(tmp_path: Path) -> None:
    with with_file(tmp_path) as line:
        shown = line.type_command("settings money.base 6000.00 next-jackpot")
        assert "from the next jackpot money.base: 5000.00 -> 6000.00\n" in shown
        assert shown.rstrip().endswith("for the next jackpot? (y: yes, Enter: no)")
        shown = line.type_command("y", "verdi", PINS["verdi"])
        assert "On record; it counts once the jackpot is won and that round over.\n" in shown
        shown = line.type_command("settings money.base")
        assert "from the next jackpot:\n  money.base               -> 6000.00\n" in shown
        assert read_adopted(tmp_path / "table.toml").adopted.money.base == "5000.00"


def test_a_dash_takes_it_back_to_what_the_file_says(tmp_path: Path) -> None:
    with with_file(tmp_path) as line:
        line.type_command("settings language en", "y", "n")
        assert read_adopted(tmp_path / "table.toml").adopted.language is EN
        assert "language: en -> it\n" in line.type_command("settings language -", "y", "n")
        assert read_adopted(tmp_path / "table.toml").adopted.language is IT


def test_no_to_the_question_writes_nothing(tmp_path: Path) -> None:
    with with_file(tmp_path) as line:
        assert "Nothing was written.\n" in line.type_command("settings money.token 5.00", "n")
        assert read_adopted(tmp_path / "table.toml").adopted.money.token == "2.00"


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("settings money.token many", "WRONG_VALUE: this value cannot be\n"),
        ("settings money.tokn 5.00", "NO_SUCH_SETTING: there is no such setting\n"),
        (
            "settings rail.kind sensor",
            "CANNOT: this table cannot do that\n  rail.kind can only be changed by root",
        ),
    ],
)
def test_what_cannot_be_written_is_told(typed: str, answer: str, tmp_path: Path) -> None:
    with with_file(tmp_path) as line:
        shown = line.type_command(typed)
        assert answer in shown
        assert "Write it" not in shown


def test_the_same_value_is_nothing_to_write(tmp_path: Path) -> None:
    with with_file(tmp_path) as line:
        shown = line.type_command("settings money.token 2.00")
        assert "no effect; money.token: 2.00 -> 2.00\n" in shown
        assert "Nothing was written.\n" in shown


def test_a_change_needs_service(tmp_path: Path) -> None:
    with with_file(tmp_path) as line:
        line.table.play("key R")  # ends the login, too
        shown = line.type_command("settings language en", "rossi", PINS["rossi"])
        assert "NOT_IN_SERVICE: " in shown


def test_a_restart_is_awaited(tmp_path: Path) -> None:
    with with_file(tmp_path) as line:
        shown = line.type_command("restart", "y", seconds=12)
        assert "Restarting...\nBack after " in shown
        assert " s: SERVICE, settings 1.\n" in shown
        assert "ledger opening 2\n" in line.type_command("status")


def test_no_restart_without_a_yes(tmp_path: Path) -> None:
    with with_file(tmp_path) as line:
        assert "Nothing was done.\n" in line.type_command("restart", "n")
        assert "ledger opening 1\n" in line.type_command("status")


def test_a_service_that_does_not_come_back_is_told(tmp_path: Path) -> None:
    with line_in(tmp_path, parts=lambda _: HandlerParts(restart=lambda: None)) as line:
        line.table.play(*SERVICE)
        line.table.enter("anna")
        shown = line.type_command("restart", "y", seconds=BACK_WITHIN_S + 2)
        assert "It is not back after 30 s: status says why.\n" in shown


def test_a_table_that_cannot_be_restarted_from_here(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play(*SERVICE)
        line.table.enter("anna")
        assert "CANNOT: " in line.type_command("restart", "y")
