"""`status` where the service does not answer: why, as far as files and journal tell."""

import os
from pathlib import Path

import pytest

from console.configuration.adopted import read_adopted
from console.configuration.named_files import FileUnusable
from console.configuration.overrides import OVERRIDES_FILE
from console.configuration.places import simulation_folder
from console.office.dialogue import TableChoice
from console.service.table_ledger import LOCK_FILE
from console.simulation.cabinet import WRONG_SETTING, prepare_training_table
from console.technician.diag import locate_table
from console.technician.without_service import ServiceEvidence, advise, gather_evidence
from console.texts.language import Language
from devices.sim.virtual_time import VirtualLoop
from jackpot.ledger.folder import FolderClaim
from jackpot.ledger.lock_file import Lock, LockFile
from tests.console.running_table import configuration
from tests.console.technician.commands.command_line import (
    EN,
    IT,
    absent_service,
    line_to,
    too_long,
)
from tests.console.technician.commands.fake_journalctl import install_journalctl


@pytest.fixture(autouse=True)
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's journal says why the service has ended."""
    install_journalctl(
        'echo "nov 20 banco[7]: no pins: lgpio is not installed"', tmp_path, monkeypatch
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A configuration in order, whose ledger lies beside it."""
    folder = tmp_path / "table"
    folder.mkdir()
    return configuration(folder / "table.toml")


def status(loop: VirtualLoop, file: Path | None, language: Language = EN) -> str:
    """What `status` shows, its lines joined where they were too long for the terminal."""
    with line_to(loop, absent_service(), language=language, configuration=file) as line:
        shown = line.type_command("status")
    assert too_long(shown, 79) == []
    return shown


def join_words(shown: str) -> str:
    return " ".join(shown.split())


def flat(text: str) -> str:
    """Without any blanks: a path may be cut where a line ends."""
    return "".join(text.split())


def test_a_table_in_order_whose_service_is_stopped(loop: VirtualLoop, file: Path) -> None:
    shown = join_words(status(loop, file))
    assert "SERVICE no answer: no-such-line: there is no such socket" in shown
    assert "config in order" in shown
    assert "MB free" in shown
    assert "journal nov 20 banco[7]: no pins: lgpio is not installed" in shown
    assert "TO DO the service is stopped: read the journal above, then systemctl start" in shown


def test_every_mistake_of_the_configuration_is_told(loop: VirtualLoop, file: Path) -> None:
    text = file.read_text().replace('game = "caribbean-stud"', 'game = "whist"')
    file.write_text(text.replace('token = "2.00"', 'token = "two"'))
    shown = join_words(status(loop, file, IT))
    assert "game: no game 'whist'" in shown
    assert "money.token: 'two' is not" in shown
    assert "DA FARE correggere la configurazione (banco check FILE)" in shown


def test_a_corrupted_setting_is_told(loop: VirtualLoop, file: Path) -> None:
    (file.parent / OVERRIDES_FILE).write_text('["money.token"]\nvalue = "two"\n')
    shown = flat(status(loop, file))
    assert flat(f"{OVERRIDES_FILE}: money.token: 'two' is not") in shown
    there = f"{file.parent}/{OVERRIDES_FILE}"
    assert flat(f"TO DO correct that key in {there}, or move the file away") in shown


def test_a_lock_is_told_with_its_reason(loop: VirtualLoop, file: Path) -> None:
    since = "2026-11-20T23:12:00+00:00"
    LockFile(file.parent / LOCK_FILE).set(Lock("LEDGER_FAULT", "disk full", since))
    shown = join_words(status(loop, file))
    assert "LOCK LEDGER_FAULT 2026-11-2" in shown
    assert ":12:00: disk full" in shown


def test_who_holds_the_ledger_is_named(loop: VirtualLoop, file: Path) -> None:
    claim = FolderClaim(file.parent)
    try:
        shown = join_words(status(loop, file))
    finally:
        claim.release()
    assert f"ledger held by process {os.getpid()} " in shown
    assert "TO DO the process that holds the ledger is alive" in shown
    assert "held by" not in status(loop, file)


def test_nothing_is_made_or_held_by_looking(file: Path) -> None:
    before = sorted(file.parent.iterdir())
    found = gather_evidence(file, file.parent)
    assert found.lock is None
    assert found.holder == ""
    assert sorted(file.parent.iterdir()) == before


def test_what_cannot_be_read_is_told(loop: VirtualLoop, tmp_path: Path, file: Path) -> None:
    shown = join_words(status(loop, tmp_path / "none.toml"))
    assert "CONFIG" in shown
    assert "cannot be read: No such file or directory" in shown
    shown = join_words(status(loop, None))
    assert (
        "not read the configuration was not read: end, and start banco diag --config FILE" in shown
    )
    assert "not read the ledger's folder is not known: start with --ledger" in shown
    found = gather_evidence(file, tmp_path / "nowhere")
    assert found.unread == (f"{tmp_path / 'nowhere'}: No such file or directory",)


@pytest.mark.parametrize(
    ("found", "next_step"),
    [
        (ServiceEvidence(mistakes=("a",), free_bytes=0, holder="7"), "correct the configuration"),
        (ServiceEvidence(mistakes=(), free_bytes=0, holder="7"), "make room on the disk"),
        (
            ServiceEvidence(mistakes=(), free_bytes=10**10, holder="7"),
            "the process that holds the ledger",
        ),
        (
            ServiceEvidence(mistakes=(), free_bytes=10**10),
            "the service is stopped: systemctl start banco",
        ),
        (ServiceEvidence(), "the service is stopped: systemctl start banco"),
        (ServiceEvidence(journal=("no pins",)), "the service is stopped: read the journal above"),
        (
            ServiceEvidence(mistakes=("/t/settings.toml: a: b",)),
            "correct that key in /t/settings.toml, or",
        ),
        (ServiceEvidence(simulated=True), "the simulation has ended: banco run --sim"),
    ],
)
def test_what_to_do_is_what_stands_in_the_way_first(found: ServiceEvidence, next_step: str) -> None:
    assert advise(found, EN).startswith(next_step)
    assert advise(found, IT)


def test_a_simulation_reads_the_table_in_its_folder_and_names_the_mistake(
    loop: VirtualLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    file = prepare_training_table(None, simulation_folder(), WRONG_SETTING)
    table = locate_table(TableChoice(simulated=True), language=EN)
    assert (table.configuration, table.simulated) == (file, True)
    with line_to(
        loop, absent_service(), ledger=table.ledger, configuration=table.configuration
    ) as line:
        line.session.simulated = table.simulated
        shown = flat(line.type_command("status"))
    there = f"{file.parent}/{OVERRIDES_FILE}"
    assert flat(f"CONFIG {there}: money.base: '5.000,00' is not an amount") in shown
    assert flat(f"TO DO correct that key in {there},") in shown
    assert flat("then banco run --sim") in shown
    assert "journal" not in shown
    assert "systemctl" not in shown


def test_a_settings_file_is_no_configuration(file: Path) -> None:
    with pytest.raises(FileUnusable, match="laid over a configuration; check that one"):
        read_adopted(file.parent / OVERRIDES_FILE)
