"""A table whose ledger's file is in order, but is not one that this service can go on with."""

from pathlib import Path

from tests.console.table import table_in
from tests.jackpot.money import an_evening, damage


def test_records_that_hold_no_states_of_a_table_lock_it(tmp_path: Path) -> None:
    an_evening(tmp_path / "ledger", snapshot_after=4)
    with table_in(tmp_path) as table:
        table.play("expect fault LEDGER_CORRUPT", "press GAME_OVER", "expect refused LOCKED")


def test_a_ledger_of_another_version_locks_the_table(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("press GAME_OVER", "token 1", "expect phase BETTING")
    damage(tmp_path / "ledger", "PRAGMA user_version = 1")
    with table_in(tmp_path) as table:
        table.play("expect fault LEDGER_CORRUPT", "press GAME_OVER", "expect refused LOCKED")
        lock = table.simulated_table.service.table_ledger.find_lock()
    assert lock is not None
    assert lock.why == "it is of version 1; this program reads version 2"
