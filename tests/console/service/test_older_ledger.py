"""A service whose ledger is of an older version, and too long to be brought up at a start."""

from pathlib import Path

import pytest

from console.service import table_ledger as books
from jackpot.ledger import Ledger
from tests.console.table import table_in
from tests.jackpot.test_version_one import older, version_of


def test_it_locks_the_table_until_it_has_been_brought_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(books, "BROUGHT_UP_AT_START", 10)
    older(tmp_path / "ledger")
    with table_in(tmp_path) as table:
        folder = table.stage.disk.folder
        table.play("expect fault LEDGER_FAULT", "press GAME_OVER", "expect refused LOCKED")
        assert version_of(folder) == 1
        table.play("key S", "clear LEDGER_FAULT", "expect refused STILL_FAULTY")
    Ledger.open(folder).close()
    assert version_of(folder) == 2


def test_a_chain_in_order_that_holds_no_tables_states_locks_the_table(tmp_path: Path) -> None:
    older(tmp_path / "ledger")
    with table_in(tmp_path) as table:
        table.play("expect fault LEDGER_CORRUPT", "press GAME_OVER", "expect refused LOCKED")
