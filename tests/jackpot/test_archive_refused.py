"""What may not be archived stays as it is."""

from contextlib import closing
from pathlib import Path

import pytest

from jackpot.archive import NotArchived, archive
from jackpot.export import NotExported
from jackpot.failures import LedgerInUse, LedgerUnavailable
from jackpot.signing import PrivateKey, load_private, make_pair
from tests.jackpot.archives import make_archive, make_request
from tests.jackpot.full_medium import fill_medium
from tests.jackpot.money import content, damage, open_ledger


def expect_refusal(folder: Path, key: PrivateKey, error: type[Exception], why: str) -> None:
    before = content(folder)
    with pytest.raises(error, match=why):
        make_archive(folder, key)
    assert content(folder) == before


def test_not_beside_a_service(folder: Path, key: PrivateKey) -> None:
    with closing(open_ledger(folder)):
        expect_refusal(folder, key, LedgerInUse, "open already, elsewhere")


def test_not_over_a_file(folder: Path, key: PrivateKey) -> None:
    (folder.parent / "2026.jsonl").write_text("of last year")
    expect_refusal(folder, key, NotExported, "is there already")
    assert (folder.parent / "2026.jsonl").read_text() == "of last year"


def test_not_where_there_is_no_room(
    folder: Path, key: PrivateKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_medium(monkeypatch)
    expect_refusal(folder, key, LedgerUnavailable, "No space left")


def test_not_over_an_export_that_was_cut_short(folder: Path, key: PrivateKey) -> None:
    (folder.parent / "2026.jsonl.part").write_text("half of it")
    expect_refusal(folder, key, NotExported, "is there already; if it was left by an export")
    assert (folder.parent / "2026.jsonl.part").read_text() == "half of it"


def test_not_what_is_not_in_order(folder: Path, key: PrivateKey) -> None:
    damage(folder, "UPDATE journal SET body = '[]' WHERE seq = 2")
    expect_refusal(folder, key, NotArchived, "is not in order: record 2 was changed")
    assert not (folder.parent / "2026.jsonl").exists()


def test_not_by_a_file_that_its_key_does_not_check(folder: Path, key: PrivateKey) -> None:
    make_pair(folder.parent / "other.key")
    other = load_private(folder.parent / "other.key")
    before = content(folder)
    with pytest.raises(NotArchived, match="was written, and is not in order: line 7: signed with"):
        archive(folder, make_request(folder), key, other.public)
    assert content(folder) == before


def test_no_ledger_is_made(tmp_path: Path, key: PrivateKey) -> None:
    with pytest.raises(NotArchived, match="there is no ledger"):
        make_archive(tmp_path, key)
    assert not (tmp_path / "ledger.db").exists()


class DishonestKey:
    """What was written, and what is read back, are not the same."""

    def __init__(self, key: PrivateKey) -> None:
        self.fingerprint = key.public.fingerprint
        self._key = key

    def sign(self, signed: bytes) -> bytes:
        return self._key.sign(signed[::-1])


def test_not_by_a_file_that_is_read_back_otherwise(folder: Path, key: PrivateKey) -> None:
    before = content(folder)
    with pytest.raises(NotArchived, match="is not in order: line 7: the signature"):
        archive(folder, make_request(folder), DishonestKey(key), key.public)
    assert content(folder) == before
