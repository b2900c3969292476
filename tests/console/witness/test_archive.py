"""`banco ledger archive` asks the witness outside before anything is moved."""

from pathlib import Path

import pytest
from psycopg import sql

from console.command_line.command import UNUSABLE
from console.office.ledger.archive import check_kept, find_table
from jackpot.failures import Refused
from tests.console.real_table import Ended, type_command
from tests.console.witness.witness_house import SignedTable


def archive(table: SignedTable) -> Ended:
    folder = table.ledger.parent
    key = folder / "house.key"
    assert type_command("ledger", "key", str(key)).status == 0
    out = folder / "old.jsonl"
    made = ("--key", str(key), "--out", str(out), "--to", "4", str(table.ledger))
    assert type_command("ledger", "export", *made).status == 0
    words = ["--export", out, "--key", f"{key}.pub", "--by", "anna", "--and", "rossi"]
    config = ["--config", table.write_configuration()]
    return type_command("ledger", "archive", *map(str, [table.ledger, *words, *config]))


def test_nothing_is_archived_from_a_ledger_that_was_set_back(table: SignedTable) -> None:
    table.save(table.ledger, table.key)
    table.play(3)
    table.follow()
    table.set_back(table.ledger, table.key)
    archived = archive(table)
    assert archived.status == UNUSABLE
    assert "ends at record 5; record 8 had been seen" in archived.complaints
    assert table.house.refusals(table.name) == ["PARTED"]


def test_nothing_is_archived_while_it_cannot_be_asked(table: SignedTable) -> None:
    table.follow()
    role = sql.Identifier(table.name)
    table.house.superuser.execute(sql.SQL("ALTER ROLE {} NOLOGIN").format(role))
    archived = archive(table)
    assert (archived.status, "witness outside" in archived.complaints) == (UNUSABLE, True)


def test_it_keeps_what_the_witness_knows(table: SignedTable) -> None:
    table.follow()
    table.play(5)
    file = table.write_configuration()
    known = find_table(table.ledger, file, None, None).hold_against_counterparts()
    check_kept(known, 5)
    with pytest.raises(Refused, match=r"up to record 5, before the last one .* 6"):
        check_kept(known, 6)


def test_a_configuration_of_another_ledger_is_refused(table: SignedTable, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="is of the table whose ledger is in"):
        find_table(tmp_path / "other", table.write_configuration(), None, None)
