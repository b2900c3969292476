"""A real table's ledger stays one: in another folder, by another configuration, by whomever."""

import os
import subprocess
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

from console.configuration.table_plan import TablePlan
from console.line.access.people import load_people
from console.service.start import StartRefused
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from tests.console.real_table import ANNA, ROSSI, Ended, RealTable, enrol_both, type_command
from tests.console.running_table import (
    BANCO,
    ENVIRONMENT,
    configuration,
)
from tests.console.table import Table
from tests.deadlines import DEADLINE_S
from tests.jackpot.money import content
from tests.jackpot.test_folder import mode_of
from tests.jackpot.test_reading_group import in_child
from tests.open_folder import make_open_folder

BY = ("--by", "anna", "--and", "rossi")


@pytest.fixture
def table(tmp_path: Path) -> RealTable:
    table = RealTable(tmp_path)
    assert table.begin().status == 0
    return table


def own_configuration(table: RealTable, *changes: tuple[str, str]) -> Path:
    """A configuration of one's own, of the same ledger."""
    file, text = table.file.with_name("mine.toml"), table.file.read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file.write_text(text, "utf-8")
    return file


def name_own_media(table: RealTable) -> Path:
    """With a second copy and a seal of one's own in place of the table's."""
    for folder in ("second/banco", "seal"):
        (table.media.with_name("mine") / folder).mkdir(parents=True)
    return own_configuration(table, (str(table.media), str(table.media.with_name("mine"))))


AS_BENCH = ('kind = "production"', 'kind = "bench"')


@pytest.fixture
def elsewhere(table: RealTable) -> tuple[str, ...]:
    """On a machine that has no configuration: people of one's own, and a bench's file."""
    people = enrol_both(table.file.with_name("own-people.toml"))
    file = own_configuration(table, AS_BENCH)
    return ("--people", str(people), "--config", str(file))


def expect_refusal(ended: Ended, table: RealTable, before: object, why: str) -> None:
    assert ended.status == 2
    assert why in ended.complaints
    assert content(table.ledger) == before


REFUSED_PEOPLE = "own-people.toml: at a real table only /etc/banco/people.toml counts"


def test_no_list_of_ones_own_repairs_it_where_no_table_is_installed(
    table: RealTable, elsewhere: tuple[str, ...]
) -> None:
    """The card in another computer: its ledger says that two people have begun it"""
    before = content(table.ledger)
    accept = ("--accept", "the old one was put back", "--really", *BY)
    words = ("ledger", "repair", str(table.ledger), "--seal", str(table.seal), *accept)
    expect_refusal(
        type_command(*words, *elsewhere, typed=(ANNA, ROSSI)), table, before, REFUSED_PEOPLE
    )


def test_no_list_of_ones_own_repairs_it_where_its_second_copy_alone_can_be_read(
    table: RealTable, elsewhere: tuple[str, ...]
) -> None:
    (table.ledger / "ledger.db").write_bytes(b"no database")
    words = ("ledger", "repair", str(table.ledger), "--mirror", str(table.second), "--really", *BY)
    refused = type_command(*words, *elsewhere, typed=(ANNA, ROSSI))
    assert (refused.status, REFUSED_PEOPLE in refused.complaints) == (2, True)
    assert (table.ledger / "ledger.db").read_bytes() == b"no database"


def test_no_list_of_ones_own_archives_it_where_no_table_is_installed(
    table: RealTable, elsewhere: tuple[str, ...]
) -> None:
    key, out = table.file.with_name("house.key"), table.file.with_name("old.jsonl")
    assert type_command("ledger", "key", str(key)).status == 0
    made = ("--key", str(key), "--out", str(out), str(table.ledger))
    assert type_command("ledger", "export", *made).status == 0
    before = content(table.ledger)
    words = ("ledger", "archive", str(table.ledger), "--export", str(out), "--key", f"{key}.pub")
    expect_refusal(
        type_command(*words, *BY, *elsewhere, typed=(ANNA, ROSSI)), table, before, REFUSED_PEOPLE
    )


@pytest.mark.parametrize("how", [AS_BENCH, None], ids=["bench", "other media"])
@pytest.mark.parametrize("command", ["repair", "archive"])
def test_at_its_machine_no_other_configuration_speaks_for_it(
    table: RealTable, command: str, how: tuple[str, str] | None
) -> None:
    """One that names no seal, or another: what the true one knows would not be asked"""
    file = own_configuration(table, how) if how else name_own_media(table)
    before = content(table.ledger)
    words = {
        "repair": ("--seal", str(table.seal), "--accept", "put back", "--really"),
        "archive": ("--export", str(file), "--key", str(table.file.with_name("key") / KEY)),
    }
    given = ("ledger", command, str(table.ledger), *words[command], *BY, "--config", str(file))
    why = f"the ledger in {table.ledger} is this machine's table's: {table.file} says how it is"
    expect_refusal(table.type(*given, typed=(ANNA, ROSSI)), table, before, why)


KEY = "table.key.pub"


def test_at_its_machine_its_own_may_be_named(table: RealTable) -> None:
    same = table.file.with_name("same.toml")
    same.symlink_to(table.file)
    for file in (table.file, same):
        words = ("ledger", "repair", str(table.ledger), "--mirror", str(table.second))
        assert table.type(*words, "--config", str(file)).status == 0


@pytest.mark.parametrize("option", ["--seal", "--mirror"])
def test_at_its_machine_archive_asks_the_tables_own_media(table: RealTable, option: str) -> None:
    before = content(table.ledger)
    public = str(table.file.with_name("key") / KEY)
    words = ("ledger", "archive", str(table.ledger), "--export", str(table.file), "--key", public)
    refused = table.type(*words, *BY, option, str(table.media / "mine"), typed=(ANNA, ROSSI))
    expect_refusal(refused, table, before, f"{option} {table.media / 'mine'}: the table's own is ")


def test_at_its_machine_no_other_configuration_begins_it(tmp_path: Path) -> None:
    """Without second copy and seal nothing would know the ledger before"""
    table = RealTable(tmp_path)
    file = name_own_media(table)
    words = ("ledger", "begin", "--config", str(file))
    refused = table.type(*words, typed=("anna", ANNA, "rossi", ROSSI))
    assert refused.status == 2
    assert "is this machine's table's" in refused.complaints
    assert not (table.ledger / "ledger.db").exists()


# Who is in the groups banco and banco-ledger, which nobody should be


GROUP, READERS, MEMBER = 64_003, 64_001, 64_004


@pytest.fixture
def services_table() -> Iterator[RealTable]:
    """A table whose files belong to whom its installation gives them."""
    with make_open_folder() as folder:
        table = RealTable(folder)
        assert table.begin().status == 0
        for top in (table.ledger, table.media):
            for path in (top, *top.rglob("*")):
                os.chown(path, GROUP, READERS)
                path.chmod(0o2750 if path.is_dir() else mode_of(path))
        os.chown(folder / "key", GROUP, GROUP)
        (folder / "key").chmod(0o700)
        os.chown(table.people, 0, GROUP)
        table.people.chmod(0o640)
        own = folder / "own"
        own.mkdir()
        enrol_both(own / "people.toml")
        own_configuration(table, AS_BENCH).rename(own / "table.toml")
        for path in (own, *own.iterdir()):
            os.chown(path, MEMBER, MEMBER)
        yield table


def become_member_and(work: Callable[[], None]) -> None:
    def change_user() -> None:
        os.setgroups([READERS])
        os.setgid(GROUP)
        os.setuid(MEMBER)
        work()

    in_child(change_user)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes somebody else")
@pytest.mark.parametrize("at_its_machine", [True, False])
def test_whoever_is_in_its_groups_changes_nothing_with_a_command(
    services_table: RealTable, at_its_machine: bool
) -> None:
    """From a folder of one's own, with people and configuration of one's own"""
    table, own = services_table, services_table.file.with_name("own")
    before = {folder: content(folder) for folder in (table.ledger, table.second)}
    accept = ("--seal", str(table.seal), "--accept", "put back", "--really", *BY)
    export = ("--export", str(own / "old.jsonl"), "--key", str(own / "house.key.pub"), *BY)
    lists = ((), ("--people", str(own / "people.toml")))
    files = ((), ("--config", str(own / "table.toml")))
    given: list[tuple[str, ...]] = [
        ("ledger", command, str(table.ledger), *words, *people, *file)
        for command, words in (("repair", accept), ("archive", export))
        for people in lists
        for file in files
    ]
    given += [
        ("ledger", "begin", "--config", str(file)) for file in (table.file, own / "table.toml")
    ]
    given += [("enrol", "carla", "--duty", "technician"), ("enrol", "--remove", "anna")]
    type_in = table.type if at_its_machine else type_command
    for module in ("ledger.archive", "ledger.repair", "ledger.begin", "enrol"):
        import_module(f"console.office.{module}")  # while the libraries' folder can be read

    def try_all() -> None:
        os.chdir(own)
        for words in given:
            ended = type_in(*words, typed=(ANNA, ROSSI))
            assert ended.status in (1, 2), (words, ended)

    become_member_and(try_all)
    assert {folder: content(folder) for folder in before} == before
    assert sorted(load_people(table.people)) == ["anna", "rossi"]


# A simulation on it, and the reverse


def test_a_simulation_does_not_go_on_with_it(table: RealTable) -> None:
    """Tokens that nobody staked would be in its jackpot"""
    (table.file.parent / "sim").mkdir()
    file = configuration(table.file.parent / "sim/table.toml", table="caribbean-1")
    (file.parent / "ledger").symlink_to(table.ledger)
    before = content(table.ledger)
    refused = subprocess.run(
        [*BANCO, "run", "--sim", "--config", str(file), "--json"],
        input="quit\n",
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        env=ENVIRONMENT,
        check=False,
    )
    assert refused.returncode == 2
    assert "is a real table's: no simulation goes on with it" in refused.stderr
    assert content(table.ledger) == before


def test_a_real_table_does_not_go_on_with_a_simulations(tmp_path: Path) -> None:
    plan = TablePlan()
    with machine_in_virtual_time(plan, tmp_path) as machine:
        Table(plan, machine).play("press GAME_OVER", "token 1", "press COIN_IN")
        machine.kill_controller()
        before = content(machine.disk.folder)
        machine.simulated = False
        with pytest.raises(StartRefused, match="is a simulation's: a real table begins its own"):
            machine.start_controller()
        assert content(machine.disk.folder) == before
