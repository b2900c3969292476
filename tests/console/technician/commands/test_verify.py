"""`verify`: program, ledger and settings; each passes, fails by name, or cannot be told."""

import sqlite3
from contextlib import closing
from pathlib import Path

from console.configuration.adopted import read_adopted
from console.configuration.overrides import OVERRIDES_FILE
from console.line.handler import HandlerParts
from console.line.requests import SettingView
from console.line.settings_changes import WrittenSettings
from console.technician.commands.verify import verify_settings
from devices.sim.virtual_time import VirtualLoop
from jackpot.ledger.journal import JSON, Entry
from jackpot.ledger.ledger import Ledger
from tests.console.running_table import configuration
from tests.console.table import table_in
from tests.console.technician.commands.command_line import (
    FIRST_ROUND,
    IT,
    TableCommandLine,
    absent_service,
    line_in,
    line_to,
)


def change(folder: Path, statement: str, *values: object) -> None:
    """Change the ledger's file, as no program of ours would."""
    with closing(sqlite3.connect(folder / "ledger.db")) as database:
        assert database.execute(statement, values).rowcount == 1
        database.commit()


def ledger_of(line: TableCommandLine) -> Path:
    return line.table.table.machine.disk.folder


def test_a_sound_ledger_passes_while_the_table_runs(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play(*FIRST_ROUND)
        shown = line.type_command("verify ledger")
    assert "ledger    OK   23 records, the last is 23 " in shown
    assert "\nAll in order.\n" in shown


def test_a_changed_record_is_named(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play(*FIRST_ROUND)
        statement = "UPDATE journal SET wall = 'never' WHERE seq = ?"
        change(ledger_of(line), statement, 19)
        shown = line.type_command("verify ledger")
    assert "ledger    FAIL 23 records" in shown
    assert "- record 19 was changed, or the one before it: its hash does not fit\n" in shown
    assert "\nNOT IN ORDER.\n" in shown


def test_an_act_that_leads_elsewhere_today_is_named(tmp_path: Path, loop: VirtualLoop) -> None:
    """Its chain holds: a version that decided otherwise has written it."""
    with table_in(tmp_path) as table:
        table.play(*FIRST_ROUND)
    with closing(Ledger.open(tmp_path / "ledger", durable=False)) as ledger:
        ledger.begin(2)
        changed: dict[str, JSON] = {"act": {"button": "JPOT"}, "changes": {"phase": "BETTING"}}
        ledger.commit([Entry("button", 1, 1, "2000-01-01T00:00:00+00:00", 1, changed)])
        seq = ledger.head.seq
    with line_to(loop, absent_service(), ledger=tmp_path) as line:
        shown = line.type_command("verify ledger")
    assert "ledger    FAIL " in shown
    assert f"- record {seq}: the act does not lead to the state on record\n" in shown


def test_a_ledger_that_is_no_database_fails(tmp_path: Path) -> None:
    with line_in(tmp_path, language=IT) as line:
        for name in ("ledger.db", "ledger.db-wal"):
            (ledger_of(line) / name).write_bytes(b"what was this? " * 1000)
        shown = line.type_command("verifica registro")
    assert "registro  NO   danneggiato\n          - the ledger's file is damaged: " in shown
    assert "\nNON IN ORDINE.\n" in shown


def test_a_ledger_that_is_not_there_cannot_be_verified(tmp_path: Path, loop: VirtualLoop) -> None:
    with line_to(loop, absent_service(), ledger=tmp_path) as line:
        shown = " ".join(line.type_command("verify ledger").split())
    assert "ledger ? cannot be verified: the ledger cannot be read: " in shown
    assert "Nothing could be verified." in shown
    assert "Nothing is wrong" not in shown


def test_a_ledger_is_verified_without_the_service(tmp_path: Path, loop: VirtualLoop) -> None:
    with table_in(tmp_path) as table:
        table.play(*FIRST_ROUND)
    with line_to(loop, absent_service(), ledger=tmp_path) as line:
        assert "ledger    OK   23 records" in line.type_command("verify ledger")
        shown = line.type_command("verify")
    assert "settings  ?    " in shown
    assert "Nothing is wrong, but not everything could be verified (?)." in shown


def test_what_runs_from_its_source_is_not_verified_and_not_passed(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        shown = line.type_command("verify program")
    assert "program   ?    cannot be verified: " in shown
    assert "All in order" not in shown


def line_with(file: Path) -> WrittenSettings:
    """The settings of a service that started under this file."""
    table = read_adopted(file)
    return WrittenSettings(file, table.in_force, table.adopted)


def test_settings_in_force_as_they_are_written(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    parts = HandlerParts(settings=line_with(file))
    with line_in(tmp_path, parts=lambda _: parts, configuration=file) as line:
        assert "settings  OK   " in line.type_command("verify settings")
        file.write_text(file.read_text().replace('token = "2.00"', 'token = "5.00"'))
        shown = line.type_command("verify settings")
        assert "settings  FAIL " in shown
        assert "- money.token: in force 2.00, written 5.00\n" in shown


def test_a_corrupted_settings_file_is_named(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    parts = HandlerParts(settings=line_with(file))
    with line_in(tmp_path, parts=lambda _: parts, configuration=file) as line:
        (tmp_path / OVERRIDES_FILE).write_bytes(b'["money.token"]\nvalue = "2.0\x00')
        shown = "".join(line.type_command("verify settings").split())
    assert "settingsFAILwithmistakes" in shown
    assert f"{OVERRIDES_FILE}:isnotTOML:" in shown


def test_settings_without_a_service_are_read_but_not_compared(tmp_path: Path) -> None:
    verdict = verify_settings(configuration(tmp_path / "table.toml"), None)
    assert verdict.passed is None
    assert verdict.found.en.endswith(
        "no mistakes; what is in force is not known, the service is silent"
    )


def test_a_key_that_is_in_force_and_nowhere_written_differs(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    verdict = verify_settings(file, [SettingView("money.gift", "1.00")])
    assert verdict.problems == ("money.gift: in force 1.00, written -",)


def test_all_three_in_one(tmp_path: Path) -> None:
    with line_in(tmp_path, language=IT) as line:
        shown = line.type_command("verifica")
    begins = [row.split()[0] for row in shown.splitlines() if row[10:13] in ("OK ", "?  ", "NO ")]
    assert begins == ["programma", "registro", "imposta."]
    assert "Niente di sbagliato, ma non tutto" in shown


def test_another_word_is_told_which_parts_there_are(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        assert "one of program, ledger, settings\nusage: verify" in line.type_command(
            "verify money"
        )
