"""What is read beside a service that writes: the newest record, what moved, a verification."""

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackpot.ledger.ledger import (
    Ledger,
    LedgerCorrupt,
    LedgerUnavailable,
    newest_record,
    read_records,
    transactions_since,
    verify,
)
from jackpot.ledger.reading import round_span
from jackpot.ledger.schema import one_instant
from jackpot.money.accounts import Reason
from jackpot.money.amounts import Units
from jackpot.money.movements import award_final, award_pending, stake
from jackpot.trust.seal import newest_noted
from tests.jackpot.money import (
    SETTINGS,
    an_evening,
    damage,
    entry,
    money_of,
    open_ledger,
    put_anything,
)


def test_the_newest_record_and_the_newest_of_a_kind(tmp_path: Path) -> None:
    an_evening(tmp_path, tokens=4)
    newest = newest_record(tmp_path)
    opening = newest_record(tmp_path, kind="opening")
    assert newest is not None
    assert (newest.seq, newest.round, newest.body) == (5, 4, {"seat": 4})
    assert opening is not None
    assert (opening.seq, opening.kind) == (1, "opening")
    assert newest_record(tmp_path, kind="snapshot") is None


def test_an_empty_ledger_has_no_newest_record(tmp_path: Path) -> None:
    open_ledger(tmp_path).close()
    assert newest_record(tmp_path) is None


def test_without_a_ledger_there_is_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(LedgerUnavailable):
        newest_record(tmp_path)
    with pytest.raises(LedgerUnavailable):
        list(transactions_since(tmp_path, 0))


def test_what_moved_after_a_record_is_read_in_its_order(tmp_path: Path) -> None:
    an_evening(tmp_path, tokens=3)
    with closing(open_ledger(tmp_path)) as ledger:
        for number in (1, 2):
            pending = award_pending(f"award {number} pending", Units(30_000))
            ledger.commit([entry(pending), entry(award_final(f"award {number}", Units(30_000)))])
        ledger.commit([entry(stake(SETTINGS, "late"))])
        everything = [one for record in read_records(tmp_path) for one in record.transactions]
        assert list(transactions_since(tmp_path, 0)) == everything
        assert Counter(one.reason for one in everything) == {
            Reason.OPENING: 1,
            Reason.STAKE: 4,
            Reason.AWARD_PENDING: 2,
            Reason.AWARD_FINAL: 2,
        }
        late = list(transactions_since(tmp_path, 7))
        assert late == everything[-2:]
        assert [one.reason for one in late] == [Reason.AWARD_FINAL, Reason.STAKE]
        assert list(transactions_since(tmp_path, ledger.head.seq)) == []


def test_a_reason_that_is_none_is_damage(tmp_path: Path) -> None:
    an_evening(tmp_path, tokens=1)
    damage(tmp_path, money_of(2, "stake", "gift"))
    with pytest.raises(LedgerCorrupt, match="of record 2: 'gift'"):
        list(transactions_since(tmp_path, 0))


def test_records_are_found_by_what_their_body_says(tmp_path: Path) -> None:
    an_evening(tmp_path, tokens=3)
    assert [one.seq for one in read_records(tmp_path, containing='"seat":2')] == [3]
    assert [one.seq for one in read_records(tmp_path, containing="seat", after=3)] == [4]


def test_a_verification_is_followed_record_by_record_and_can_be_ended(tmp_path: Path) -> None:
    an_evening(tmp_path, tokens=4)
    seen: list[int] = []
    assert verify(tmp_path, lambda: seen.append(1)).sound
    assert len(seen) == 5

    def enough() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        verify(tmp_path, enough)


@given(st.lists(st.integers(0, 6), max_size=12).map(sorted), st.sets(st.integers(1, 12)))
@settings(deadline=None, max_examples=60)
def test_a_round_is_found_by_halving_also_where_records_are_missing(
    rounds: list[int], missing: set[int]
) -> None:
    with TemporaryDirectory() as place, closing(Ledger.open(Path(place), durable=False)) as ledger:
        ledger.begin(1)
        ledger.commit([entry(round=number) for number in rounds])
        for seq in missing:
            damage(Path(place), f"DELETE FROM journal WHERE seq = {seq}")
        there = [(seq, one) for seq, one in enumerate(rounds, 1) if seq not in missing]
        with one_instant(Path(place)) as connection:
            for number in range(8):
                first, last = round_span(connection, number)
                found = [seq for seq, _ in there if first <= seq <= last]
                assert found == [seq for seq, one in there if one == number]


@given(st.lists(st.tuples(st.integers(1, 5), st.booleans()), max_size=12))
@settings(deadline=None, max_examples=60)
def test_a_round_is_found_also_where_a_locked_table_did_not_know_it(
    acts: list[tuple[int, bool]],
) -> None:
    """What it refused bears round 0, and belongs to where it stands"""
    acts.sort(key=lambda one: one[0])
    with TemporaryDirectory() as place, closing(Ledger.open(Path(place), durable=False)) as ledger:
        ledger.begin(1)
        ledger.commit(
            [entry(round=0, while_locked=True) if late else entry(round=one) for one, late in acts]
        )
        known = [(seq, one) for seq, (one, late) in enumerate(acts, 1) if not late]
        with one_instant(Path(place)) as connection:
            for number in range(1, 7):
                first, last = round_span(connection, number)
                found = [seq for seq, _ in known if first <= seq <= last]
                assert found == [seq for seq, one in known if one == number]


@pytest.mark.parametrize(
    ("column", "values", "read"),
    [
        ("round", ("NULL", "'x'", "x'00'"), lambda folder: list(read_records(folder, round=3))),
        ("money", ("7", "'x'", "x'00'"), lambda folder: list(transactions_since(folder, 0))),
        ("wall", ("NULL", "7", "x'00'"), newest_noted),
    ],
)
def test_anything_may_stand_in_a_column(
    tmp_path: Path, column: str, values: tuple[str, ...], read: Callable[[Path], object]
) -> None:
    """As a damaged page leaves it: the table's own checks have not seen it"""
    an_evening(tmp_path)
    for value in values:
        put_anything(tmp_path, "journal", f"UPDATE journal SET {column} = {value} WHERE seq > 2")
        with pytest.raises(LedgerCorrupt):
            read(tmp_path)


@pytest.mark.parametrize("digest", ["7", "'x'", "NULL"])
def test_anything_may_stand_where_a_transaction_is_known(tmp_path: Path, digest: str) -> None:
    an_evening(tmp_path, tokens=2, snapshot_after=2)
    put_anything(tmp_path, "identity", f"UPDATE identity SET digest = {digest} WHERE seq = 2")
    with closing(open_ledger(tmp_path)) as ledger, pytest.raises(LedgerCorrupt, match="token 1"):
        ledger.commit([entry(stake(SETTINGS, "token 1"))])


def test_a_body_too_deep_to_be_read_is_damage(tmp_path: Path) -> None:
    an_evening(tmp_path)
    damage(tmp_path, f"UPDATE journal SET body = '{'[' * 100_000}' WHERE seq = 2")
    with pytest.raises(LedgerCorrupt, match="record 2"):
        list(read_records(tmp_path))
