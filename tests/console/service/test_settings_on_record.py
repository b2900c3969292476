"""settings.toml is held against the record at each start (decision 0013)."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec import UNSET

from console.configuration.adopted import read_adopted
from console.configuration.keys import fingerprint
from console.configuration.named_files import FileUnusable
from console.configuration.overrides import (
    OVERRIDES_FILE,
    Override,
    read_overrides,
    write_overrides,
)
from console.line.handler import HandlerParts
from console.line.requests import ChangeSetting, Done
from console.line.settings_changes import WrittenSettings
from console.rules.codes import Duty
from console.rules.structs import replace
from console.service.start import StartRefused
from console.simulation.scenario.simulated_machine import (
    SimulatedMachine,
    machine_in_virtual_time,
)
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import read_records
from tests.console.line.handled_table import HandledTable, handler_of
from tests.console.line.test_settings_changes import change_money
from tests.console.running_table import configuration, running
from tests.console.table import Table


@contextmanager
def machine_with(file: Path) -> Iterator[SimulatedMachine]:
    """A machine whose next controller runs what the file and its settings.toml ask for."""
    table = read_adopted(file)
    with machine_in_virtual_time(table.plan(), file.parent) as machine:
        yield machine


@contextmanager
def desk(file: Path) -> Iterator[HandledTable]:
    """A table in SERVICE, and Rossi, a technician, on its line."""
    with machine_with(file) as machine:
        table = read_adopted(file)
        settings = WrittenSettings(file, table.in_force, table.adopted)
        handler = handler_of(machine, HandlerParts(settings=settings), file.parent)
        rig = HandledTable(Table(machine.plan, machine), handler)
        rig.play("key S")
        rig.enter("rossi", Duty.TECHNICIAN)
        yield rig


def read_findings(folder: Path) -> list[object]:
    return [record.body["act"] for record in read_records(folder / "ledger", kind="settings-found")]


def lay_over(file: Path, **written: str) -> None:
    """Write settings.toml as somebody with an editor does."""
    overrides = {key.replace("__", "."): Override(value) for key, value in written.items()}
    write_overrides(read_adopted(file).adopted, overrides)


def test_what_two_people_wrote_is_taken_at_the_next_start(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    with desk(file) as rig:
        assert isinstance(rig.ask_now(change_money("money.token", "5.00")), Done)
        assert rig.table.state.written == (("money.token", "5.00"),)
    with desk(file) as rig:
        assert rig.table.state.settings is not None
        assert rig.table.state.settings.money.token == 500
        assert isinstance(rig.ask_now(change_money("money.token", "")), Done)
        assert rig.table.state.written == ()
    assert read_findings(tmp_path) == [{"written": [], "taken": True}], "the first start's"


@pytest.mark.parametrize(
    "changed",
    [{"money__token": "4.00"}, {"money__token": "5.00", "money__base": "1.00"}, {}],
    ids=["another value", "one more", "gone"],
)
def test_a_changed_settings_file_is_not_believed(changed: dict[str, str], tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    with desk(file) as rig:
        rig.ask_now(change_money("money.token", "5.00"))
    lay_over(file, **changed)
    with machine_with(file) as machine, pytest.raises(StartRefused) as raised:
        machine.start_controller()
    assert raised.value.on_record == (("money.token", "5.00"),)
    assert not raised.value.due
    slipped_in = read_adopted(file).found.written
    held = read_adopted(file).with_settings_on_record(raised.value.on_record, slipped_in)
    assert held.in_force.money.token == "5.00"
    assert held.in_force.money.base == "5000.00"
    assert held.refused == slipped_in


def test_a_change_on_the_line_does_not_take_in_what_was_slipped_into_the_file(
    tmp_path: Path,
) -> None:
    file = configuration(tmp_path / "table.toml")
    with desk(file) as rig:
        lay_over(file, money__base="90000.00")
        assert isinstance(rig.ask_now(ChangeSetting("language", "en", really=True)), Done)
    assert set(read_overrides(tmp_path / OVERRIDES_FILE)) == {"language"}


def test_a_ledger_of_an_earlier_version_takes_the_file_once(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    lay_over(file, money__token="5.00")
    with machine_with(file) as machine:
        machine.plan = replace(machine.plan, found=None)  # as earlier versions did
        assert Table(machine.plan, machine).state.written is UNSET
    with desk(file) as rig:
        assert rig.table.state.written == (("money.token", "5.00"),)
    assert read_findings(tmp_path) == [{"written": [["money.token", "5.00"]], "taken": True}]


def test_a_setting_that_the_table_no_longer_has_does_not_count(tmp_path: Path) -> None:
    """A table that was linked meanwhile: its money is the centre's."""
    file = configuration(tmp_path / "table.toml")
    with desk(file) as rig:
        rig.ask_now(change_money("money.token", "5.00"))
    changeable = read_adopted(file).found.changeable - {"money.token"}
    lay_over(file)
    with machine_with(file) as machine:
        assert machine.plan.found is not None
        found = replace(machine.plan.found, changeable=changeable)
        machine.plan = replace(machine.plan, found=found)
        service = machine.start_controller()
        assert service.state.settings is not None
        assert service.state.settings.money.token == 200


@pytest.mark.parametrize("mode", [0o660, 0o642])
def test_a_file_that_others_could_write_is_not_believed(mode: int, tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    lay_over(file, language="en")
    (tmp_path / OVERRIDES_FILE).chmod(mode)
    with pytest.raises(FileUnusable, match="others than its owner may write it"):
        read_adopted(file)


def test_each_start_has_the_hash_of_its_configuration(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    hashes = []
    for token in ("2.00", "2.00", "3.00"):
        configuration(file, token=token)
        with machine_with(file) as machine:
            Table(machine.plan, machine)
        hashes.append(fingerprint(read_adopted(file).in_force))
    assert hashes[0] == hashes[1] != hashes[2]
    started = read_records(tmp_path / "ledger", kind="started")
    assert [record.body["act"] for record in started] == [{"configuration": one} for one in hashes]


def test_a_process_starts_with_the_record_and_writes_the_file_anew(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")

    async def night() -> list[Record]:
        async with running(tmp_path, "--sim", "--config", file) as table:
            table.say("quit")
            assert await table.wait_for_end() == 0
        lay_over(file, money__token="99.00")
        async with running(tmp_path, "--sim", "--config", file) as table:
            await table.do("press game_over", "token 3", "press coin_in")
            await table.until(lambda seen: seen["jackpot"] == "10001.40")
            table.say("quit")
            assert await table.wait_for_end() == 0
            complaints = table.complaints.read_text("utf-8")
            assert "it holds money.token = 99.00; on record is nothing" in complaints
        return list(read_records(tmp_path / "ledger", kind="settings-found"))

    records = asyncio.run(night())
    assert [record.body["act"] for record in records] == [
        {"written": [], "taken": True},
        {"written": [["money.token", "99.00"]], "taken": False},
    ]
    assert read_overrides(tmp_path / OVERRIDES_FILE) == {}
