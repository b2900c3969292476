"""The witness outside: a table that was set back learns it at its next contact."""

import socket
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest
from msgspec.structs import replace

from console.witness.outside import OutsideWitness
from jackpot.failures import LedgerCorrupt
from jackpot.ledger.journal import Head
from jackpot.trust.counterpart import Compared, CounterpartLost, CounterpartReplaced
from jackpot.trust.seal import newest_noted
from tests.console.witness.witness_house import SignedTable
from tests.deadlines import DEADLINE_S
from tests.jackpot.money import an_evening


def test_a_table_that_it_admitted_is_followed_from_then_on(table: SignedTable) -> None:
    witness = table.witness()
    assert witness.compare() == Compared(0, anew=True)
    newest = newest_noted(table.ledger)
    assert witness.follow(newest) == newest.head.seq
    assert table.witness().compare() == Compared(newest.head.seq)
    assert table.witness().newest() == newest.head.seq


def test_all_media_set_back_is_found_at_the_next_contact(table: SignedTable) -> None:
    """Ledger and key, with its counter: all that the table itself has."""
    table.save(table.ledger, table.key)
    table.play(3)
    table.follow()
    table.set_back(table.ledger, table.key)
    with pytest.raises(LedgerCorrupt, match=r"ends at record 5; record 8 had been seen"):
        table.witness().compare()
    assert table.house.refusals(table.name) == ["PARTED"]


def test_a_ledger_that_was_set_back_and_played_on_is_found(table: SignedTable) -> None:
    table.save(table.ledger)
    table.play(3)
    table.follow()
    table.set_back(table.ledger)
    table.play(7)
    table.play(7)
    with pytest.raises(LedgerCorrupt, match="record 8 is not the one that had been seen"):
        table.witness().compare()


def test_a_set_back_while_it_is_followed_is_found_at_the_next_head(table: SignedTable) -> None:
    witness = table.follow()
    older = newest_noted(table.ledger)
    table.play(2)
    witness.follow(newest_noted(table.ledger))
    with pytest.raises(LedgerCorrupt, match="has seen a later record than 5"):
        witness.follow(older)
    other = replace(newest_noted(table.ledger), head=Head(7, "f" * 64))
    with pytest.raises(LedgerCorrupt, match="has seen another record 7"):
        witness.follow(other)
    assert table.house.refusals(table.name)[0] == "OLDER_RECORD"


def test_a_counter_that_was_set_back_is_found_even_with_the_newest_ledger(
    table: SignedTable,
) -> None:
    table.save(table.key)
    table.signer().raise_counter()
    table.follow()
    table.set_back(table.key)
    with pytest.raises(LedgerCorrupt, match="counter is 0; the witness outside has seen 1"):
        table.witness().compare()


def test_another_key_on_the_table_is_found_until_the_house_admits_it(table: SignedTable) -> None:
    table.follow()
    table.renew_key()
    with pytest.raises(LedgerCorrupt, match="knows this table by the key"):
        table.witness().compare()
    table.house.admit(table.name, table.fingerprint, reason="its board was exchanged")
    assert table.witness().compare() == Compared(5)
    table.follow()


def test_two_machines_with_one_key_are_found_by_the_second_ones_contact(
    table: SignedTable,
) -> None:
    table.follow()
    table.save(table.ledger)
    table.play(2)
    table.follow()
    table.set_back(table.ledger)
    table.play(4)
    with pytest.raises(LedgerCorrupt, match="record 7 is not the one"):
        table.witness().compare()


def test_an_entry_that_the_table_did_not_sign_locks_nothing(table: SignedTable) -> None:
    """The house's administrator can invent a head, not sign one: it is on record, and no lock."""
    table.follow()
    table.heads.append(replace(table.head(), seq=99, signature="00" * 64), 2)
    with pytest.raises(CounterpartReplaced, match="false entry"):
        table.witness().compare()


def test_heads_that_the_house_deleted_are_missed_by_the_run_that_sent_them(
    table: SignedTable,
) -> None:
    witness = table.follow()
    table.house.delete_entry(table.name, 2)
    with pytest.raises(CounterpartReplaced, match="it ends at entry 1, and 2 was there"):
        witness.compare()


def test_a_table_that_was_not_admitted_is_told_so(table: SignedTable) -> None:
    table.rename("table-x")
    with pytest.raises(CounterpartLost, match="does not know table-x: banco witness admit"):
        table.witness().compare()


def test_a_ledger_with_records_at_a_witness_that_knows_none_is_not_compared(
    table: SignedTable,
) -> None:
    assert table.witness().compare().anew
    an_evening(table.ledger.with_name("another"))
    table.house.admit(table.name, table.fingerprint, newest_noted(table.ledger).head)
    assert not table.witness().compare().anew


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_host_that_takes_the_call_and_says_nothing_is_given_up(
    table: SignedTable, silent_port: int
) -> None:
    with pytest.raises(CounterpartLost, match="timeout expired"):
        table.witness(silent_port).compare()


def compare_again(witness: OutsideWitness) -> Compared:
    """On a busy machine the next connection may take longer than it may."""
    ends = time.monotonic() + DEADLINE_S
    while time.monotonic() < ends:
        with suppress(CounterpartLost):
            return witness.compare()
    raise AssertionError("the witness does not answer again")


def test_a_server_that_stands_still_in_a_call_is_given_up(table: SignedTable) -> None:
    witness = table.follow()
    with (
        table.house.stop_session(table.name),
        pytest.raises(CounterpartLost, match="does not answer: within 3 s"),
    ):
        witness.compare()
    assert compare_again(witness) == Compared(5)
