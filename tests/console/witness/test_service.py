"""The table's ledger and its witness outside: commits never wait for it, and a set-back locks."""

import shutil
import threading
import time
from collections.abc import Callable
from contextlib import closing

import pytest

from console.configuration.file import load_configuration
from console.service.counterparts import CLOSED_WITHIN_S, COMPARED_WITHIN_S, counterparts_of
from console.service.table_ledger import TableLedger
from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from jackpot.ledger.journal import Head
from jackpot.ledger.ledger import verify
from tests.console.witness.witness_house import SignedTable
from tests.deadlines import DEADLINE_S
from tests.jackpot.money import entry

BUSY_S = 6.0
"""What a busy machine may add; a medium that is waited for has ASKED_WITHIN_S = 8 s."""


def until(true: Callable[[], object]) -> None:
    ends = time.monotonic() + DEADLINE_S
    while not true():
        assert time.monotonic() < ends
        threading.Event().wait(0.005)


def start(table: SignedTable, *, begins: bool = False) -> TableLedger:
    """The table's ledger as a start makes it of its configuration, not yet opened."""
    configured = load_configuration(table.write_configuration())
    return TableLedger(
        table.ledger, counterparts=counterparts_of(configured, configured.table), begins=begins
    )


def play(table: SignedTable, acts: int) -> None:
    """A run of the service with so many acts, up to its end in good order."""
    with closing(start(table)) as table_ledger:
        table_ledger.open()
        for number in range(acts):
            table_ledger.commit([entry(number=number)])


def open_and_act(table_ledger: TableLedger) -> None:
    """Where the witness's answer is late for the start, the next act raises it."""
    table_ledger.open()
    until(lambda: table_ledger.doubt)
    table_ledger.commit([entry()])


def test_it_has_the_newest_head_when_the_service_has_ended(table: SignedTable) -> None:
    play(table, 20)
    newest, head = table.newest(), verify(table.ledger).head
    assert (newest.seq, newest.hash) == (head.seq, head.hash)
    assert len(table.house.entries(table.name)) < 20  # not one for each act


def test_a_table_whose_media_were_all_set_back_locks(table: SignedTable) -> None:
    play(table, 1)
    media = (table.ledger, table.key, table.seal.parent)
    table.save(*media)
    play(table, 3)
    table.set_back(*media)
    with (
        closing(start(table)) as table_ledger,
        pytest.raises(LedgerCorrupt, match="record 9 had been seen"),
    ):
        open_and_act(table_ledger)


def test_a_table_that_lost_all_its_media_begins_only_when_the_house_says_so(
    table: SignedTable,
) -> None:
    play(table, 3)
    for folder in (table.ledger, table.seal.parent):
        shutil.rmtree(folder)
        folder.mkdir()
    with (
        closing(start(table, begins=True)) as table_ledger,
        pytest.raises(LedgerCorrupt, match="the witness outside has seen record 8"),
    ):
        table_ledger.open()
    table.house.admit(table.name, table.fingerprint, Head(0, "0" * 64), "the fire of May")
    with closing(start(table, begins=True)) as table_ledger:
        table_ledger.open()
        table_ledger.commit([entry()])
    assert table.newest().seq == 1


def test_a_table_that_the_house_does_not_know_yet_does_not_begin(table: SignedTable) -> None:
    shutil.rmtree(table.ledger)
    table.rename("table-unknown")
    with (
        closing(start(table, begins=True)) as table_ledger,
        pytest.raises(LedgerUnavailable, match="does not know table-unknown"),
    ):
        table_ledger.open()


def test_a_database_that_stands_still_holds_up_nothing(table: SignedTable) -> None:
    with closing(start(table)) as table_ledger:
        table_ledger.open()
        until(lambda: table_ledger.counterpart_numbers()["witness_behind"] == 0)
        with table.house.stop_session(table.name):
            began = time.monotonic()
            for number in range(50):
                table_ledger.commit([entry(number=number)])
            assert time.monotonic() - began < BUSY_S
            began = time.monotonic()
            table_ledger.close()
            assert time.monotonic() - began < CLOSED_WITHIN_S + BUSY_S
    assert verify(table.ledger).records == 55


def test_a_database_that_cannot_be_reached_is_a_figure(table: SignedTable) -> None:
    unreachable = table.witness(port=1)
    table_ledger = TableLedger(table.ledger, counterparts=lambda _: (unreachable,))
    with closing(table_ledger):
        began = time.monotonic()
        table_ledger.open()
        assert time.monotonic() - began < COMPARED_WITHIN_S + BUSY_S
        until(lambda: table_ledger.counterpart_numbers()["witness_lost"])
        table_ledger.commit([entry()])
        numbers = table_ledger.counterpart_numbers()
        assert (numbers["witness_behind"], numbers["not_compared"]) == (6, 0)
