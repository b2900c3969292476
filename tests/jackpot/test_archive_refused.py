"""What may not be archived stays as it is."""

import errno
import json
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from jackpot.failures import LedgerInUse, LedgerUnavailable, Refused
from jackpot.money.movements import stake
from jackpot.trust.archive import archive
from jackpot.trust.signing import PrivateKey, load_private, make_pair
from tests.jackpot.archives import CUT, bring_export, make_archive, make_request
from tests.jackpot.exports import Lines, edit_line, lines_of, rechain, sign_anew
from tests.jackpot.money import SETTINGS, content, damage, entry, open_ledger


def expect_refusal(
    folder: Path, key: PrivateKey, error: type[Exception], why: str, last: int = CUT
) -> None:
    before = content(folder)
    with pytest.raises(error, match=why):
        archive(folder, make_request(folder, last), key.public)
    assert content(folder) == before


def test_a_ledger_that_a_service_uses_is_not_archived(folder: Path, key: PrivateKey) -> None:
    bring_export(folder, key)
    with closing(open_ledger(folder)):
        expect_refusal(folder, key, LedgerInUse, "open already, elsewhere")


def test_nothing_is_archived_without_its_export(folder: Path, key: PrivateKey) -> None:
    expect_refusal(folder, key, LedgerUnavailable, r"No such file .*2026\.jsonl")


def test_a_ledger_that_is_not_in_order_is_not_archived(folder: Path, key: PrivateKey) -> None:
    bring_export(folder, key)
    damage(folder, "UPDATE journal SET body = '[]' WHERE seq = 2")
    expect_refusal(folder, key, Refused, "is not in order: record 2 was changed")


def test_an_export_that_another_has_signed_archives_nothing(folder: Path, key: PrivateKey) -> None:
    make_pair(folder.parent / "other.key")
    bring_export(folder, load_private(folder.parent / "other.key"))
    expect_refusal(folder, key, Refused, "is not in order: line 7: signed with")


def test_no_ledger_is_made(tmp_path: Path, key: PrivateKey) -> None:
    with pytest.raises(Refused, match="there is no ledger"):
        archive(tmp_path, make_request(tmp_path), key.public)
    assert not (tmp_path / "ledger.db").exists()


class DishonestKey:
    """What was written, and what was signed, are not the same."""

    def __init__(self, key: PrivateKey) -> None:
        self.fingerprint = key.public.fingerprint
        self._key = key

    def sign(self, signed: bytes) -> bytes:
        return self._key.sign(signed[::-1])


def test_an_export_with_the_signature_of_something_else_archives_nothing(
    folder: Path, key: PrivateKey
) -> None:
    bring_export(folder, DishonestKey(key))
    expect_refusal(folder, key, Refused, "is not in order: line 7: the signature")


def cut_in_the_middle(lines: Lines) -> Lines:
    return lines[:4]


@pytest.mark.parametrize(
    ("change", "error", "why"),
    [
        (cut_in_the_middle, Refused, "the file has no line that ends the records"),
        (edit_line(3, b"token 1", b"token 9"), Refused, "line 3: record 2 was changed"),
        (lambda lines: lines[:2] + lines[3:], Refused, "record 2 is missing"),
        (lambda lines: [*lines, lines[-1]], Refused, "goes on after its signature"),
        (lambda lines: lines[1:], Refused, "line 1 is not the first of an export"),
    ],
    ids=["cut", "changed", "missing", "goes on", "headless"],
)
def test_an_export_that_is_not_whole_archives_nothing(
    folder: Path,
    key: PrivateKey,
    change: Callable[[Lines], Lines],
    error: type[Exception],
    why: str,
) -> None:
    out = bring_export(folder, key)
    out.write_bytes(b"".join(change(lines_of(out))))
    expect_refusal(folder, key, error, why)


def test_other_records_that_the_house_has_signed_archive_nothing(
    folder: Path, key: PrivateKey
) -> None:
    """In order by itself, and not what the table wrote: the true ones would be gone"""
    out = bring_export(folder, key)
    changed = edit_line(3, b"21:00:00", b"21:00:01")(lines_of(out))
    out.write_bytes(sign_anew(rechain(changed), key))
    expect_refusal(folder, key, Refused, r"2026\.jsonl: its record 4 is not the ledger's")


def test_an_export_that_goes_on_from_another_archive_archives_nothing(
    folder: Path, key: PrivateKey
) -> None:
    make_archive(folder, key)
    with closing(open_ledger(folder)) as ledger:
        ledger.commit([entry(kind="snapshot"), entry(stake(SETTINGS, "token 7"))])
    out = bring_export(folder, key, 9, "2027.jsonl")
    changed = edit_line(1, json.loads(lines_of(out)[0])["previous"].encode(), b"ab" * 32)
    out.write_bytes(sign_anew(rechain(changed(lines_of(out))), key))
    before = content(folder)
    with pytest.raises(Refused, match=r"2027\.jsonl does not begin where the ledger does"):
        archive(folder, make_request(folder, 9, "2027.jsonl"), key.public)
    assert content(folder) == before


def test_an_export_that_begins_later_than_the_ledger_archives_nothing(
    folder: Path, key: PrivateKey
) -> None:
    """What is between would be in no file"""
    bring_export(folder, key, first=2)
    expect_refusal(folder, key, Refused, "does not begin where the ledger does, with record 1")


@pytest.mark.parametrize("ends", [3, 8])
def test_an_export_that_ends_elsewhere_archives_nothing(
    folder: Path, key: PrivateKey, ends: int
) -> None:
    bring_export(folder, key, ends)
    expect_refusal(folder, key, Refused, f"ends with record {ends}, not 4")


@pytest.mark.parametrize("last", [3, 5, 8])
def test_nothing_is_archived_so_that_the_ledger_would_begin_without_a_snapshot(
    folder: Path, key: PrivateKey, last: int
) -> None:
    """The next start would know neither settings nor money"""
    bring_export(folder, key, last)
    expect_refusal(folder, key, Refused, f"record {last + 1} is no snapshot", last)


def test_an_export_that_its_medium_does_not_take_archives_nothing(
    folder: Path, key: PrivateKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was copied a moment ago, and is in memory alone"""
    out, synced = bring_export(folder, key), os.fsync

    def fail_for_the_file(descriptor: int) -> None:
        if os.path.sameopenfile(descriptor, opened.fileno()):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        synced(descriptor)

    with out.open("rb") as opened:
        monkeypatch.setattr(os, "fsync", fail_for_the_file)
        expect_refusal(folder, key, LedgerUnavailable, r"Input/output error.*2026\.jsonl")
