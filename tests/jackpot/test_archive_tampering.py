"""Whoever changes what an archived ledger says of its archive is found out."""

from pathlib import Path

import pytest

from jackpot.ledger.ledger import Ledger, LedgerCorrupt, read_records, verify
from jackpot.ledger.paged_verification import PagedVerification
from jackpot.trust.seal import Seal, hold_against
from jackpot.trust.signing import PrivateKey
from tests.jackpot.archives import CUT, make_archive
from tests.jackpot.money import damage

TAMPERING = {
    "the hash before": "UPDATE meta SET anchor_hash = zeroblob(32)",
    "the balances before": (
        "UPDATE meta SET anchor_balances = json_set(anchor_balances, '$.paid', 1, '$.house', -1)"
    ),
    "no balances before": "UPDATE meta SET anchor_balances = ''",
    "the file": "UPDATE meta SET anchor_file = zeroblob(32)",
    "more archived": "UPDATE meta SET anchor_seq = 5",
    "less archived": "UPDATE meta SET anchor_seq = 3",
    "nothing archived": "UPDATE meta SET anchor_seq = 0",
    "an identity forgotten": "DELETE FROM identity WHERE identity = 'token 1'",
    "an identity changed": "UPDATE identity SET seq = 2 WHERE identity = 'token 3'",
    "an identity more": "INSERT INTO identity VALUES ('token 9', 1, zeroblob(16))",
    "a record from before": (
        "INSERT INTO journal SELECT 2, boot, kind, round, at_ms, wall, settings_version, body,"
        " money, hash FROM journal WHERE seq = 6"
    ),
    "its record gone": "UPDATE journal SET kind = 'act' WHERE seq = 9",
}


@pytest.mark.parametrize("statement", TAMPERING.values(), ids=TAMPERING.keys())
def test_a_changed_anchor_is_found(folder: Path, key: PrivateKey, statement: str) -> None:
    make_archive(folder, key)
    damage(folder, statement)
    assert not verify(folder).sound


@pytest.mark.parametrize(
    "statement",
    [text for name, text in TAMPERING.items() if name.startswith("an identity")],
)
@pytest.mark.parametrize("page", [2, 256])
def test_what_could_come_again_from_the_archive_is_found_by_the_second_look(
    folder: Path, key: PrivateKey, statement: str, page: int
) -> None:
    make_archive(folder, key)
    damage(folder, statement)
    with pytest.raises(LedgerCorrupt, match="transactions known of the archive"):
        look_through(folder, page)


def look_through(folder: Path, page: int) -> None:
    look = PagedVerification(folder)
    while not look.page(page):
        pass


def test_a_change_of_the_hash_before_is_found_at_start(folder: Path, key: PrivateKey) -> None:
    make_archive(folder, key)
    damage(folder, TAMPERING["the hash before"])
    with pytest.raises(LedgerCorrupt, match="record 5 was changed, or the one before it"):
        Ledger.open(folder)


def test_a_seal_of_what_is_there_or_just_before_is_satisfied(folder: Path, key: PrivateKey) -> None:
    records = list(read_records(folder))
    make_archive(folder, key)
    for record in records[CUT - 1 :]:
        hold_against(Seal("one", record.seq, record.hash, ""), folder, "one")
    with pytest.raises(LedgerCorrupt, match=r"record 3 had been seen at 21:00; .* in the archive"):
        hold_against(Seal("one", 3, records[2].hash, "21:00"), folder, "one")
    with pytest.raises(LedgerCorrupt, match="record 4 is not the one"):
        hold_against(Seal("one", 4, "ab" * 32, "21:00"), folder, "one")
