"""Old records leave the ledger for a signed file; an anchor stands in their place (decision 0007).

What is archived is exported, synced, read back and checked. Only then, in one transaction, are its
records deleted and the anchor set, with a record that tells of it.
"""

import os
import sqlite3
from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from jackpot.anchor import ARCHIVED, Anchor, anchor_of, archived_identities
from jackpot.batch import Batch
from jackpot.export import Exported, Stretch, export
from jackpot.export_check import check_export
from jackpot.export_lines import Signer, Verifier
from jackpot.failures import LedgerCorrupt
from jackpot.folder import FolderClaim
from jackpot.journal import JSON, Entry, Recovered, balances_text
from jackpot.reading import hash_before, newest_record
from jackpot.recovery import recover
from jackpot.schema import FILE, Connect, connect, one_instant, open_database, told_as
from jackpot.tables import INSERT_RECORD, anchor_values
from jackpot.verification import verify

_BLOCK_BYTES = 1_000_000

_SNAPSHOT = "SELECT max(seq) FROM journal WHERE kind = 'snapshot' AND seq <= ?"
_FIRST_SINCE = "SELECT min(seq) FROM journal WHERE wall >= ?"
_DELETE = "DELETE FROM journal WHERE seq <= ?"
_SET_HEAD = "UPDATE meta SET seq = ?, hash = ?, balances = ?"
_SET_ANCHOR = """
    UPDATE meta SET anchor_seq = ?, anchor_hash = ?, anchor_balances = ?, anchor_identities = ?,
    anchor_file = ?, anchor_wall = ?"""


class NotArchived(Exception):
    """It cannot be archived as it was asked for; the text says why. Nothing was deleted."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What goes where, and what is said of it.

    `last`: the last record to be archived (see `last_before`). `table`, `written`: as an export
    has them; `by`: who does it; `at_ms`: monotonic.
    """

    last: int
    out: Path
    table: str
    written: str
    by: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class Archived:
    """What was archived. `space_kept`: why its space could not be given back; "": it was."""

    first: int
    anchor: Anchor
    space_kept: str


def last_before(folder: Path, limit: int | str, keep: int) -> int:
    """The last record that can be archived, so that the ledger then begins with a snapshot.

    `limit`: the first record that stays, or the beginning of its wall-clock label; `keep`: one that
    stays in any case. Raises NotArchived where there is none, LedgerUnavailable, LedgerCorrupt.
    """
    with one_instant(folder) as connection:
        if isinstance(limit, str):
            (found,) = connection.execute(_FIRST_SINCE, (limit,)).fetchone()
            limit = found if found is not None else keep
        (snapshot,) = connection.execute(_SNAPSHOT, (min(limit, keep),)).fetchone()
        archived = anchor_of(connection).seq
    if snapshot is None or snapshot - 1 <= archived:
        raise NotArchived(
            f"nothing to archive: the ledger begins with record {archived + 1}, and there is no "
            f"snapshot after it up to record {min(limit, keep)}, from which on records stay"
        )
    return int(snapshot) - 1


def archive(
    folder: Path, asked: Asked, signer: Signer, verifier: Verifier, *, connect: Connect = connect
) -> Archived:
    """Export the records up to one, signed, check the file, and delete them from the ledger.

    Raises NotArchived, NotExported, LedgerInUse, LedgerUnavailable, LedgerCorrupt; the records are
    all there then, perhaps the file, too.
    """
    if not (folder / FILE).exists():
        raise NotArchived(f"there is no ledger in {folder}")
    with told_as("archived"), ExitStack() as undo:
        claim = FolderClaim(folder)
        undo.callback(claim.release)
        connection = undo.enter_context(
            closing(open_database(connect, folder / FILE, durable=True))
        )
        recovered = recover(connection)
        _sound(folder)
        before = anchor_of(connection)
        exported = export(
            folder,
            asked.out,
            signer,
            table=asked.table,
            written=asked.written,
            stretch=Stretch(before.seq + 1, asked.last),
        )
        file = _read_back(asked.out, exported, before, verifier)
        anchor = Anchor(
            exported.head.seq,
            bytes.fromhex(exported.head.hash),
            exported.balances,
            archived_identities(connection, exported.head.seq),
            file,
            asked.written,
        )
        _cut(connection, anchor, _told(folder, recovered, anchor, asked))
        return Archived(before.seq + 1, anchor, _give_back(connection))


def archive_copy(folder: Path, anchor: Anchor, *, connect: Connect = connect) -> str:
    """Delete from a second copy what the ledger has archived; why its space was kept, or "".

    The copy must have the records up to the one that tells of it. Raises NotArchived, LedgerInUse,
    LedgerUnavailable, LedgerCorrupt; it then is what it was.
    """
    with told_as("archived"), ExitStack() as undo:
        claim = FolderClaim(folder)
        undo.callback(claim.release)
        connection = undo.enter_context(
            closing(open_database(connect, folder / FILE, durable=True))
        )
        recover(connection)
        _sound(folder)
        if hash_before(connection, anchor.seq + 1) != anchor.hash:
            raise NotArchived(f"record {anchor.seq} of the second copy is another one")
        if archived_identities(connection, anchor.seq) != anchor.identities:
            raise NotArchived("the second copy knows other transactions")
        _cut(connection, anchor, None)
        return _give_back(connection)


def fingerprint_of(file: Path) -> bytes:
    """The SHA-256 of all its bytes. Raises OSError."""
    digest = sha256()
    with file.open("rb") as opened:
        while block := opened.read(_BLOCK_BYTES):
            digest.update(block)
    return digest.digest()


def _sound(folder: Path) -> None:
    report = verify(folder)
    if not report.sound:
        raise NotArchived(f"the ledger in {folder} is not in order: {report.problems[0]}")


def _read_back(out: Path, exported: Exported, before: Anchor, verifier: Verifier) -> bytes:
    """Read the file from its medium and check it; its fingerprint. Raises NotArchived."""
    with out.open("rb") as opened:
        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    checked = check_export(out, verifier)
    header = checked.header
    expected = (before.seq + 1, before.hash.hex(), before.balances.to_dict())
    if not checked.sound:
        raise NotArchived(f"{out} was written, and is not in order: {checked.problems[0]}")
    if (header.first, header.previous, header.balances) != expected:
        raise NotArchived(f"{out} does not begin where the ledger does")
    if (checked.head, checked.balances) != (exported.head, exported.balances):
        raise NotArchived(f"{out} does not end with record {exported.head.seq} as it is")
    return fingerprint_of(out)


def _told(folder: Path, recovered: Recovered, anchor: Anchor, asked: Asked) -> Batch:
    """The record that tells of it."""
    newest = newest_record(folder)
    if newest is None:
        raise LedgerCorrupt("the last record is missing")
    act: Mapping[str, JSON] = {
        "by": asked.by,
        "last": anchor.seq,
        "hash": anchor.hash.hex(),
        "file": anchor.file.hex(),
    }
    batch = Batch(
        recovered.boot + 1,
        recovered.seq,
        bytes.fromhex(recovered.hash),
        recovered.balances,
        lambda _: None,
    )
    body: Mapping[str, JSON] = {"act": act, "outcome": "done"}
    round, version = newest.round, newest.settings_version
    batch.add(Entry(ARCHIVED, round, asked.at_ms, asked.written, version, body))
    return batch


def _cut(connection: sqlite3.Connection, anchor: Anchor, told: Batch | None) -> None:
    """Delete, anchor and tell, all or nothing. Raises sqlite3.Error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(_DELETE, (anchor.seq,))
        connection.execute(_SET_ANCHOR, anchor_values(anchor))
        if told is not None:
            connection.executemany(INSERT_RECORD, told.journal)
            connection.execute(_SET_HEAD, (told.seq, told.hash, balances_text(told.balances)))
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _give_back(connection: sqlite3.Connection) -> str:
    """Make the file as small as what is in it; why it could not be, or "".

    Beside a reader the whole file would stay in the write-ahead log, and every start reads that.
    """
    try:
        if _log_emptied(connection):
            connection.execute("VACUUM")
        return "" if _log_emptied(connection) else "somebody is reading the ledger"
    except (sqlite3.Error, OSError) as error:
        return str(error)


def _log_emptied(connection: sqlite3.Connection) -> bool:
    """Bring the write-ahead log into the database; False: a reader needs it still."""
    (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy
