"""`banco ledger repair` and the table's key: a seal that the table does not believe is named."""

import shutil
from pathlib import Path

import pytest
from msgspec.structs import asdict

from console.configuration.places import PEOPLE_FILE
from jackpot.ledger.ledger import verify
from jackpot.ledger.two_slots import TwoSlots
from jackpot.trust.key_stores.file import FileStore
from jackpot.trust.seal import Seal
from tests.console.real_table import ANNA, ROSSI, WALL, Ended, RealTable, enrol_both, type_command
from tests.jackpot.forged_chain import forge_chain


@pytest.fixture
def table(tmp_path: Path) -> RealTable:
    table = RealTable(tmp_path)
    assert table.begin().status == 0
    return table


def repair(table: RealTable, *more: str) -> Ended:
    media = ("--mirror", str(table.second), "--seal", str(table.seal))
    return type_command("ledger", "repair", str(table.ledger), *media, *more)


def use_as_this_machine_s(table: RealTable, patch: pytest.MonkeyPatch) -> None:
    patch.setattr("console.office.table_of_ledger.TABLE_FILE", table.file)


def raise_counter(table: RealTable) -> None:
    """The table has signed later records than its media have."""
    FileStore(table.file.with_name("key")).raise_counter()


def forge_a_seal(table: RealTable) -> None:
    """A ledger that was computed anew, and a seal that fits it; the second copy is the true one."""
    forge_chain(table.ledger, "UPDATE journal SET wall = 'never' WHERE seq = 2")
    head = verify(table.ledger).head
    table.seal.unlink()
    TwoSlots(table.seal).make(asdict(Seal("caribbean-1", head.seq, head.hash, WALL)))


def test_all_media_set_back_are_not_in_order(
    table: RealTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table locks, by its key's counter: whoever looks why must be told the same"""
    use_as_this_machine_s(table, monkeypatch)
    assert repair(table).status == 0
    raise_counter(table)
    looked = repair(table)
    assert looked.status == 1
    assert "NOT BELIEVED: the seal is an older one: its counter is 1, the key's is 2" in looked.out
    assert "--accept REASON begins it anew" in looked.out


def test_a_forged_seal_does_not_choose_the_copy(table: RealTable) -> None:
    before = shutil.copytree(table.second, table.second.with_name("before"))
    forge_a_seal(table)
    looked = repair(table, "--config", str(table.file))
    assert (looked.status, "NOT BELIEVED: the seal is not signed" in looked.out) == (2, True)
    assert "--from" in looked.complaints, "a person says which is the right one"
    assert verify(table.second).head == verify(before).head


def test_without_the_key_it_says_that_nobody_has_checked_the_signature(table: RealTable) -> None:
    raise_counter(table)
    looked = repair(table)
    assert looked.status == 0
    assert "its signature is not checked: --config FILE names the table's key" in looked.out


def test_a_key_that_is_gone_does_not_stop_a_repair(table: RealTable) -> None:
    shutil.rmtree(table.file.with_name("key"))
    looked = repair(table, "--config", str(table.file))
    assert (looked.status, "the seal cannot be checked" in looked.out) == (0, True)


def test_the_configuration_of_another_table_is_refused(table: RealTable) -> None:
    other = table.file.with_name("other.toml")
    text = table.file.read_text("utf-8").replace(str(table.ledger), "/var/lib/other")
    other.write_text(text, "utf-8")
    refused = repair(table, "--config", str(other))
    assert (refused.status, "is of the table whose ledger is in" in refused.complaints) == (2, True)


@pytest.mark.parametrize("named", [True, False])
def test_at_a_real_table_nobody_brings_a_list_of_people(table: RealTable, named: bool) -> None:
    """One person who makes such a file would be two."""
    own = enrol_both(table.file.with_name("own.toml"))
    before = table.records
    accept = ("--accept", "the old one was put back", "--really", "--by", "anna", "--and", "rossi")
    words = ("ledger", "repair", str(table.ledger), "--seal", str(table.seal), *accept)
    brought = ("--people", str(own))
    config = ("--config", str(table.file))
    if named:
        refused = type_command(*words, *brought, *config, typed=(ANNA, ROSSI))
    else:
        refused = table.type(*words, *brought, typed=(ANNA, ROSSI))
    assert (refused.status, refused.complaints) == (
        2,
        f"not to be done: --people {own}: at a real table only "
        f"{table.people if not named else PEOPLE_FILE} counts, which root writes: "
        "leave the option out\n",
    )
    assert table.records == before
    assert table.type(*words, typed=(ANNA, ROSSI)).status == 0
    shown = type_command("ledger", "show", str(table.ledger), "--kind", "seal-accepted")
    assert "anna and rossi: seal begun anew" in shown.out
