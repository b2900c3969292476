"""`banco ledger rebuild`: the postings alone, beside everything that states a balance."""

import pytest

from jackpot.money.amounts import format_units
from tests.console.office.ledger.reading import ledger, tamper
from tests.console.table import Table

Capture = pytest.CaptureFixture[str]


def until_a_snapshot(table: Table) -> None:
    while not any(one.kind == "snapshot" for one in table.records):
        table.play("token 1 3", "press COIN_IN", "press GAME_OVER")


def test_every_account_stands_beside_table_and_snapshot(table: Table, capsys: Capture) -> None:
    until_a_snapshot(table)
    assert ledger(table, "rebuild") == 0
    heading, *rows = capsys.readouterr().out.splitlines()
    snapshot = next(one for one in table.records if one.kind == "snapshot")
    assert heading.endswith(f"snapshot {snapshot.seq}")
    for row, (name, units) in zip(rows, table.state.balances.to_dict().items(), strict=False):
        assert row.split()[:3] == [name, format_units(units), format_units(units)]
    assert rows[-1] == "the accounts rebuilt from the record are those the ledger has"


def test_without_a_snapshot_there_is_none_to_compare(table: Table, capsys: Capture) -> None:
    assert ledger(table, "rebuild") == 0
    assert capsys.readouterr().out.splitlines()[1].split()[3] == "-"


def test_a_balance_that_was_changed_is_named(table: Table, capsys: Capture) -> None:
    tamper(table, "UPDATE meta SET balances = json_set(balances, '$.reserve', 200001)")
    assert ledger(table, "rebuild") == 1
    output = capsys.readouterr().out
    assert (
        "NOT IN ORDER: the table of balances says reserve 0.200001, the postings up to it" in output
    )
    assert "jackpot" not in output.split("NOT IN ORDER")[1]


def test_where_they_first_part_is_named(table: Table, capsys: Capture) -> None:
    until_a_snapshot(table)
    stakes = [one.seq for one in table.records if one.kind == "rail" and one.transactions]
    (moved,) = (one.transactions for one in table.records if one.seq == stakes[2])
    for old, new in (("house", 5), ("reserve", -5)):
        (units,) = {posting.amount for posting in moved[0].postings if posting.account.value == old}
        tamper(
            table,
            "UPDATE journal SET money = replace(money, ?, ?) WHERE seq = ?",
            f'["{old}",{units}]',
            f'["{old}",{units + new}]',
            stakes[2],
        )
    assert ledger(table, "rebuild") == 1
    output = capsys.readouterr().out
    assert f"they part first at record {stakes[2]}, which says reserve " in output
    assert "the table of balances says house " in output
    assert "snapshot " in output.split("NOT IN ORDER", 1)[1]
