"""The ledger on the disk: written once, found again, and nothing in between."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jackpot.failures import Refused
from jackpot.ledger.ledger import (
    Ledger,
    LedgerInUse,
    LedgerUnavailable,
    read_records,
    rebuild,
    verify,
)
from jackpot.money.accounts import Account, Balances
from jackpot.money.amounts import Units
from jackpot.money.movements import correction, opening, stake
from jackpot.money.settings import MoneySettings
from tests.jackpot.money import SETTINGS, an_evening, entry, open_ledger

TWO_TOKENS = Balances(
    tray=-4_000_000, jackpot=10_002_800_000, reserve=400_000, house=-9_999_200_000
)
HOLDER = """
import sys
from pathlib import Path
from jackpot.ledger.ledger import Ledger
ledger = Ledger.open(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""


def test_a_new_ledger_is_empty(tmp_path: Path) -> None:
    with closing(Ledger.open(tmp_path / "table 1" / "ledger")) as ledger:
        found = ledger.recovered
    assert (found.boot, found.seq, found.balances) == (0, 0, Balances())
    assert (found.snapshot, found.tail) == (None, [])


def test_what_was_committed_is_found_again(tmp_path: Path) -> None:
    with closing(open_ledger(tmp_path)) as ledger:
        ledger.commit([entry(opening(SETTINGS), kind="opening")])
        head = ledger.commit(
            [
                entry(stake(SETTINGS, "seat 1"), seat=1),
                entry(stake(SETTINGS, "seat 3"), seat=3, phase="PLAYING"),
            ]
        )
        assert ledger.balances == TWO_TOKENS
    with closing(Ledger.open(tmp_path)) as ledger:
        found = ledger.recovered
        assert ledger.head == head == found.head
    assert (found.boot, found.seq, found.balances) == (1, 3, TWO_TOKENS)
    assert [record.body for record in found.tail] == [
        {},
        {"seat": 1},
        {"seat": 3, "phase": "PLAYING"},
    ]
    last = found.tail[-1]
    assert (last.seq, last.boot, last.round, last.at_ms, last.settings_version) == (
        3,
        1,
        1,
        1_000,
        1,
    )
    assert (last.wall, last.kind, last.hash) == ("2026-03-01T21:00:00", "act", head.hash)
    assert last.previous == found.tail[-2].hash
    assert last.transactions[0].identity == "seat 3"


def test_the_state_is_the_last_snapshot_and_the_records_after_it(tmp_path: Path) -> None:
    an_evening(tmp_path, tokens=4, snapshot_after=2)
    with closing(Ledger.open(tmp_path)) as ledger:
        found = ledger.recovered
    assert found.snapshot == {"phase": "PLAYING", "balances": TWO_TOKENS.to_dict()}
    assert [record.body["seat"] for record in found.tail] == [3, 4]
    assert found.balances.tray == -8_000_000


def test_a_snapshot_is_due_after_256_records(tmp_path: Path) -> None:
    due: list[bool] = []
    with closing(open_ledger(tmp_path)) as ledger:
        for entries in ([entry()] * 255, [entry()], [entry(kind="snapshot")], [entry()] * 255):
            ledger.commit(entries)
            due.append(ledger.wants_snapshot)
    with closing(open_ledger(tmp_path)) as ledger:
        due.append(ledger.wants_snapshot)
        ledger.commit([entry()])
        due.append(ledger.wants_snapshot)
    assert due == [False, True, False, False, False, True]


def test_opening_reads_no_further_back_than_the_snapshot(tmp_path: Path) -> None:
    read: list[str] = []

    class Watched(sqlite3.Connection):
        def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
            read.append(sql)
            return super().execute(sql, parameters)

    with closing(open_ledger(tmp_path)) as ledger:
        ledger.commit([entry(stake(SETTINGS, f"token {number}")) for number in range(500)])
        ledger.commit([entry(kind="snapshot"), entry()])
    Ledger.open(tmp_path, connect=lambda path: sqlite3.connect(path, factory=Watched)).close()
    assert len(read) < 30
    with closing(sqlite3.connect(tmp_path / "ledger.db")) as database:
        plans = [plan(database, sql) for sql in read if "SELECT" in sql]
    assert not [step for step in plans if "SCAN journal" in step]
    assert any("INDEX journal_snapshot" in step for step in plans)


def plan(database: sqlite3.Connection, sql: str) -> str:
    """How SQLite means to answer it."""
    values: Any = {"first": 1} if ":first" in sql else (1,) * sql.count("?")
    return "; ".join(step[3] for step in database.execute(f"EXPLAIN QUERY PLAN {sql}", values))


def test_every_start_has_its_own_number(tmp_path: Path) -> None:
    with closing(Ledger.open(tmp_path)) as ledger:
        with pytest.raises(ValueError, match="begin first"):
            ledger.commit([entry()])
        ledger.begin(7)
        ledger.commit([entry()])
    with closing(Ledger.open(tmp_path)) as ledger:
        assert ledger.recovered.boot == 7
        with pytest.raises(ValueError, match="boot 7 "):
            ledger.begin(7)


def test_nothing_to_write_changes_nothing(tmp_path: Path) -> None:
    with closing(open_ledger(tmp_path)) as ledger:
        assert ledger.commit([]) == ledger.head
        assert ledger.head.seq == 0


@pytest.mark.parametrize("again", ["same batch", "later", "after power"])
def test_an_identity_sent_twice_moves_the_money_once(tmp_path: Path, again: str) -> None:
    token = entry(stake(SETTINGS, "boot 9 seat 3 token 17"), seat=3)
    ledger = open_ledger(tmp_path)
    ledger.commit([token, token] if again == "same batch" else [token])
    if again == "after power":
        ledger.close()
        ledger = open_ledger(tmp_path)
    if again != "same batch":
        ledger.commit([token])
    with closing(ledger):
        assert ledger.balances.tray == -2_000_000
        assert ledger.head.seq == 2, "that it came twice is on record"
    assert [len(record.transactions) for record in read_records(tmp_path)] == [1, 0]
    assert verify(tmp_path).sound


def test_of_a_batch_with_a_known_movement_the_new_ones_are_moved(tmp_path: Path) -> None:
    known, new = (entry(stake(SETTINGS, f"seat {seat}"), seat=seat) for seat in (3, 4))
    with closing(open_ledger(tmp_path)) as ledger:
        ledger.commit([known])
        ledger.commit([new, known])
        assert ledger.balances.tray == -4_000_000
    assert [len(record.transactions) for record in read_records(tmp_path)] == [1, 1, 0]
    assert verify(tmp_path).sound


def test_an_identity_with_other_postings_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    dearer = MoneySettings(token=SETTINGS.base)
    with closing(open_ledger(tmp_path)) as ledger:
        ledger.commit([entry(stake(SETTINGS, "seat 3"))])
        before = (ledger.head, ledger.balances)
        with pytest.raises(Refused, match="seat 3"):
            ledger.commit([entry(), entry(stake(dearer, "seat 3"))])
        assert (ledger.head, ledger.balances) == before
        assert ledger.commit([entry()]).seq == 2, "the ledger goes on"
    assert verify(tmp_path).sound


def test_a_body_that_is_no_json_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    circle: list[Any] = []
    circle.append(circle)
    with closing(open_ledger(tmp_path)) as ledger:
        for body in ({"x": object()}, {"x": circle}):
            with pytest.raises((TypeError, ValueError)):
                ledger.commit([entry(), entry(**body)])
        assert ledger.commit([entry()]).seq == 1
    assert verify(tmp_path).sound


def test_one_folder_has_one_ledger_even_across_kill_9(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(LedgerInUse, match="open already, elsewhere"):
            Ledger.open(tmp_path)
        assert verify(tmp_path).records == 0, "reading goes on beside it"
        holder.kill()
        holder.wait(60)
        open_ledger(tmp_path).close()


def test_this_process_too_opens_it_once(tmp_path: Path) -> None:
    with closing(open_ledger(tmp_path)), pytest.raises(LedgerInUse):
        Ledger.open(tmp_path)
    open_ledger(tmp_path).close()


def test_a_closed_ledger_takes_nothing(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path)
    ledger.close()
    with pytest.raises(LedgerUnavailable, match="closed"):
        ledger.commit([entry()])


def test_records_are_read_by_round_and_kind_and_piece_by_piece(tmp_path: Path) -> None:
    an_evening(tmp_path, tokens=5, snapshot_after=3)
    with closing(open_ledger(tmp_path)):
        assert [record.seq for record in read_records(tmp_path)] == [1, 2, 3, 4, 5, 6, 7]
        assert [record.seq for record in read_records(tmp_path, round=3)] == [4, 5]
        assert [record.seq for record in read_records(tmp_path, kind="snapshot")] == [5]
        assert [record.seq for record in read_records(tmp_path, after=2, limit=2)] == [3, 4]
        every = list(read_records(tmp_path))
    assert [record.previous for record in every[1:]] == [record.hash for record in every[:-1]]


def test_the_accounts_are_rebuilt_from_the_record_alone(tmp_path: Path) -> None:
    an_evening(tmp_path, tokens=2, snapshot_after=1)
    with closing(open_ledger(tmp_path)) as ledger:
        ledger.commit(
            [entry(correction("by hand", Units(5), Account.JACKPOT, Account.HOUSE), by="Rossi")]
        )
        expected = ledger.balances
        built = rebuild(tmp_path)
    assert built.balances == expected
    assert built.agrees
    assert verify(tmp_path).balances == expected


def test_there_must_be_a_ledger_to_read(tmp_path: Path) -> None:
    for read in (verify, rebuild, lambda folder: list(read_records(folder))):
        with pytest.raises(LedgerUnavailable, match="cannot be read"):
            read(tmp_path)


def test_the_log_beside_the_database_stays_small(tmp_path: Path) -> None:
    with closing(Ledger.open(tmp_path, durable=False)) as ledger:
        ledger.begin(1)
        for _ in range(60):
            ledger.commit([entry(text="x" * 10_000)] * 50)
        assert (tmp_path / "ledger.db-wal").stat().st_size < 8_000_000
