"""What is not in order, not there, or has no room is not exported, and leaves no file."""

from pathlib import Path

import pytest

from jackpot.failures import LedgerCorrupt, LedgerUnavailable, Refused
from jackpot.trust.export import ExportRange
from jackpot.trust.signing import PrivateKey
from tests.jackpot.exports import make_export
from tests.jackpot.full_medium import fill_medium
from tests.jackpot.money import damage, money_of, open_ledger


@pytest.mark.parametrize(
    ("done", "message"),
    [
        ("UPDATE journal SET body = '{\"seat\":9}' WHERE seq = 4", "record 4 was changed"),
        (money_of(4, "1400000", "1400001"), "record 4 was changed"),
        ("DELETE FROM journal WHERE seq = 4", "record 4 is missing"),
        ("DELETE FROM journal WHERE seq = 10", "record 10 had been committed"),
        ("UPDATE journal SET hash = zeroblob(32) WHERE seq = 10", "record 10 was changed"),
        (
            "UPDATE meta SET balances = json_set(balances, '$.paid', 1)",
            "the table of balances",
        ),
        ("UPDATE meta SET hash = zeroblob(32)", "record 10 is not the one"),
    ],
)
def test_what_is_not_in_order_is_not_signed(
    ledger: Path, out: Path, key: PrivateKey, done: str, message: str
) -> None:
    damage(ledger, done)
    with pytest.raises(LedgerCorrupt, match=message):
        make_export(ledger, out, key)
    assert list(out.parent.iterdir()) == [ledger]


def test_a_file_that_is_there_is_not_overwritten(ledger: Path, out: Path, key: PrivateKey) -> None:
    out.write_text("something else")
    with pytest.raises(Refused, match="is there already"):
        make_export(ledger, out, key)
    assert out.read_text() == "something else"


def test_a_full_medium_leaves_no_file(
    ledger: Path, out: Path, key: PrivateKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_medium(monkeypatch)
    with pytest.raises(OSError, match="No space left"):
        make_export(ledger, out, key)
    assert list(out.parent.iterdir()) == [ledger]


@pytest.mark.parametrize(
    ("stretch", "message"),
    [
        (ExportRange(0), "no records 0 to 10: the ledger has 1 to 10"),
        (ExportRange(1, 11), "no records 1 to 11"),
        (ExportRange(5, 4), "no records 5 to 4"),
        (ExportRange("2027"), "no record is of 2027 or later"),
        (ExportRange(None, "2025-12"), "no record is of 2025-12 or earlier"),
    ],
)
def test_records_that_are_not_there(
    ledger: Path, out: Path, key: PrivateKey, stretch: ExportRange, message: str
) -> None:
    with pytest.raises(Refused, match=message):
        make_export(ledger, out, key, stretch)
    assert not out.exists()


def test_no_ledger_and_one_without_a_record(tmp_path: Path, out: Path, key: PrivateKey) -> None:
    with pytest.raises(LedgerUnavailable):
        make_export(tmp_path / "nowhere", out, key)
    open_ledger(tmp_path / "new").close()
    with pytest.raises(Refused, match="no record yet"):
        make_export(tmp_path / "new", out, key)
