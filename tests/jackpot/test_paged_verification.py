"""The whole journal, a page at a time beside a service: it finds what `verify` finds."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from jackpot.ledger.ledger import Ledger, verify
from jackpot.ledger.paged_verification import PagedVerification
from jackpot.money.movements import stake
from tests.jackpot.money import SETTINGS, an_evening, damage, entry, money_of, open_ledger


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Ten records, the seventh of them a snapshot."""
    an_evening(tmp_path, tokens=8, snapshot_after=5)
    return tmp_path


def start_at_the_records(folder: Path) -> PagedVerification:
    """The file itself is sound; no record was looked at yet."""
    looking = PagedVerification(folder)
    assert (looking.page(1), looking.at) == (False, 0)
    return looking


def verify_in_pages(folder: Path, page: int = 3) -> int:
    looking = start_at_the_records(folder)
    while not looking.page(page):
        assert looking.at % page == 0
    return looking.at


@pytest.mark.parametrize("page", [1, 2, 3, 5, 10, 11, 99])
def test_a_sound_ledger_is_read_to_its_end(ledger: Path, page: int) -> None:
    assert verify_in_pages(ledger, page) == 10


def test_an_empty_ledger_is_sound(tmp_path: Path) -> None:
    open_ledger(tmp_path).close()
    assert verify_in_pages(tmp_path) == 0


DAMAGE = {
    "a body": ["UPDATE journal SET body = '{\"seat\":7}' WHERE seq = 3"],
    "money": [money_of(4, "14000", "24000")],
    "no money": ["UPDATE journal SET money = NULL WHERE seq = 4"],
    "a hash": ["UPDATE journal SET hash = zeroblob(32) WHERE seq = 2"],
    "a record before the first": [
        "INSERT INTO journal SELECT -seq, boot, kind, round, at_ms, wall,"
        " settings_version, body, money, hash FROM journal WHERE seq = 3"
    ],
    "a record gone": ["DELETE FROM journal WHERE seq = 5"],
    "the last records gone": ["DELETE FROM journal WHERE seq > 8"],
    "a transaction not known": ["DELETE FROM identity WHERE seq = 3"],
    "known as another": ["UPDATE identity SET digest = zeroblob(16) WHERE seq = 3"],
    "of another record": ["UPDATE identity SET seq = 9 WHERE seq = 3"],
    "one too many is known": ["INSERT INTO identity VALUES ('another', 3, zeroblob(16))"],
    "the head": ["UPDATE meta SET seq = 9, hash = (SELECT hash FROM journal WHERE seq = 9)"],
    "balances": ["UPDATE meta SET balances = replace(balances, '0}', '1}')"],
    "no head": ["DELETE FROM meta"],
}


@pytest.mark.parametrize("statements", DAMAGE.values(), ids=list(DAMAGE))
@pytest.mark.parametrize("page", [2, 99])
def test_what_verify_finds_it_finds(ledger: Path, statements: list[str], page: int) -> None:
    before = verify(ledger)
    damage(ledger, *statements)
    assert verify(ledger) != before
    with pytest.raises(LedgerCorrupt):
        verify_in_pages(ledger, page)


def test_a_round_that_goes_back_is_found(ledger: Path) -> None:
    with closing(open_ledger(ledger)) as writing:
        writing.commit([entry(round=3)])
    with pytest.raises(LedgerCorrupt, match="record 11: round 3 comes after 8"):
        verify_in_pages(ledger)


def test_what_a_locked_table_refused_may_bear_an_older_round(ledger: Path) -> None:
    """A table that could not read its ledger did not know the round"""
    with closing(open_ledger(ledger)) as writing:
        writing.commit([entry(round=0, while_locked=True), entry(round=8)])
    assert verify_in_pages(ledger) == 12
    with closing(open_ledger(ledger)) as writing:
        writing.commit([entry(round=9, while_locked=True), entry(round=7)])
    with pytest.raises(LedgerCorrupt, match="record 14: round 7 comes after 8"):
        verify_in_pages(ledger)


def test_what_is_written_meanwhile_belongs_to_it_and_the_log_can_be_emptied(ledger: Path) -> None:
    with closing(open_ledger(ledger)) as writing:
        looking = start_at_the_records(ledger)
        assert not looking.page(5)
        writing.commit([entry(stake(SETTINGS, "late"), round=8)])
        with closing(sqlite3.connect(ledger / "ledger.db")) as beside:
            (busy, *_) = beside.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        assert busy == 0, "a page was read, and nothing is held any more"
        assert looking.page(99)
    assert looking.at == 11


def test_a_file_that_was_replaced_is_read_from_its_beginning(ledger: Path, tmp_path: Path) -> None:
    another = tmp_path / "another"
    an_evening(another, tokens=3)
    looking = start_at_the_records(ledger)
    assert not looking.page(5)
    (ledger / "ledger.db").unlink()
    (another / "ledger.db").rename(ledger / "ledger.db")
    assert not looking.page(99), "the other file itself"
    assert looking.page(99)
    assert looking.at == 4


def test_a_file_that_is_not_there_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(LedgerUnavailable, match="cannot be read"):
        PagedVerification(tmp_path)


def test_a_file_that_would_lose_records_is_found_before_they_are_lost(ledger: Path) -> None:
    """SQLite reads every record of it, and would write the next ones over pages in use"""
    file = ledger / "ledger.db"
    content = bytearray(file.read_bytes())
    page = int.from_bytes(content[28:32], "big")  # how many there are: the last one is in use
    content[32:40] = page.to_bytes(4, "big") + (1).to_bytes(4, "big")  # and is said to be free
    file.write_bytes(content)
    with closing(Ledger.open(ledger)), pytest.raises(LedgerCorrupt, match="the database file"):
        verify_in_pages(ledger)
