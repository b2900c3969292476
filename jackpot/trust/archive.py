"""Deletes old records that a signed file has; an anchor replaces them (decision 0003).

The file is made elsewhere, where the house's key is. It is synced, read from its medium and held
against the ledger. Only then one transaction deletes the records, sets the anchor and adds a record
of the archive.
"""

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from msgspec import Struct

from jackpot.failures import LedgerCorrupt, Refused
from jackpot.ledger.anchor import ARCHIVED, Anchor, anchor_of, digest_archived_identities
from jackpot.ledger.batch import RecordBatch
from jackpot.ledger.export_lines import Verifier
from jackpot.ledger.folder import FolderClaim, sync_folder
from jackpot.ledger.journal import JSON, SNAPSHOT, Entry, Recovered, balances_text
from jackpot.ledger.reading import hash_before, newest_record
from jackpot.ledger.recovery import recover
from jackpot.ledger.schema import (
    FILE,
    Connect,
    connect,
    convert_disk_errors,
    one_instant,
    open_database,
)
from jackpot.ledger.tables import INSERT_RECORD, anchor_values
from jackpot.ledger.verification import verify
from jackpot.named_files import name_in_errors, open_regular
from jackpot.trust.export_check import CheckedExport, check_export

_SNAPSHOT = "SELECT max(seq) FROM journal WHERE kind = 'snapshot' AND seq <= ?"
_FIRST_SINCE = "SELECT min(seq) FROM journal WHERE wall >= ?"
_KIND = "SELECT kind FROM journal WHERE seq = ?"
_DELETE = "DELETE FROM journal WHERE seq <= ?"
_SET_HEAD = "UPDATE meta SET seq = ?, hash = ?, balances = ?"
_SET_ANCHOR = """
    UPDATE meta SET anchor_seq = ?, anchor_hash = ?, anchor_balances = ?, anchor_identities = ?,
    anchor_file = ?, anchor_wall = ?"""


class ArchiveRequest(Struct, frozen=True):
    """What to archive, the file that has it, and the texts of its record."""

    last: int  # the last record to be archived (see `last_before`), and of the file
    file: Path
    written: str  # the wall-clock label of its record
    by: str  # the first person's name
    second: str  # the other one's
    at_ms: int  # monotonic milliseconds


class ArchiveResult(Struct, frozen=True):
    """What was archived. `space_kept`: why the disk space could not be freed; "" if it was."""

    first: int
    anchor: Anchor
    space_kept: str


def last_before(folder: Path, limit: int | str, keep: int) -> int:
    """The last record that can be archived, so that the ledger then begins with a snapshot.

    `limit`: the first record to stay, or the beginning of its wall-clock label; `keep`: a record
    that stays in any case. Raises Refused if there is none, LedgerUnavailable, LedgerCorrupt.
    """
    with one_instant(folder) as connection:
        if isinstance(limit, str):
            (found,) = connection.execute(_FIRST_SINCE, (limit,)).fetchone()
            limit = found if found is not None else keep
        (snapshot,) = connection.execute(_SNAPSHOT, (min(limit, keep),)).fetchone()
        archived = anchor_of(connection).seq
    if snapshot is None or snapshot - 1 <= archived:
        raise Refused(
            f"nothing to archive: the ledger begins with record {archived + 1}, and there is no "
            f"snapshot after it up to record {min(limit, keep)}, from which on records stay"
        )
    return int(snapshot) - 1


def archive(
    folder: Path, request: ArchiveRequest, key: Verifier, *, connect: Connect = connect
) -> ArchiveResult:
    """Hold the signed file against the ledger; delete from the ledger what the file has.

    Raises Refused, LedgerInUse, LedgerUnavailable, LedgerCorrupt; then no record is deleted.
    """
    if not (folder / FILE).exists():
        raise Refused(f"there is no ledger in {folder}")
    with convert_disk_errors("archived"), ExitStack() as undo:
        claim = FolderClaim(folder)
        undo.callback(claim.release)
        connection = undo.enter_context(
            closing(open_database(connect, folder / FILE, durable=True))
        )
        recovered = recover(connection)
        _check_sound(folder)
        before = anchor_of(connection)
        checked = _check_file(connection, request, before, key)
        anchor = Anchor(
            checked.head.seq,
            bytes.fromhex(checked.head.hash),
            checked.balances,
            digest_archived_identities(connection, checked.head.seq),
            checked.fingerprint,
            request.written,
        )
        note = _archive_record(folder, recovered, anchor, request, key)
        _delete_archived(connection, anchor, note)
        return ArchiveResult(before.seq + 1, anchor, _give_back_space(connection))


def archive_copy(folder: Path, anchor: Anchor, *, connect: Connect = connect) -> str:
    """Delete from a second copy what the ledger has archived.

    Returns why its space was kept, or "". The copy must have all records up to the archive's own.
    Raises Refused, LedgerInUse, LedgerUnavailable, LedgerCorrupt; then the copy is unchanged.
    """
    with convert_disk_errors("archived"), ExitStack() as undo:
        claim = FolderClaim(folder)
        undo.callback(claim.release)
        connection = undo.enter_context(
            closing(open_database(connect, folder / FILE, durable=True))
        )
        recover(connection)
        _check_sound(folder)
        if hash_before(connection, anchor.seq + 1) != anchor.hash:
            raise Refused(f"record {anchor.seq} of the second copy is another one")
        if digest_archived_identities(connection, anchor.seq) != anchor.identities:
            raise Refused("the second copy knows other transactions")
        _delete_archived(connection, anchor, None)
        return _give_back_space(connection)


def _check_sound(folder: Path) -> None:
    report = verify(folder)
    if not report.sound:
        raise Refused(f"the ledger in {folder} is not in order: {report.problems[0]}")


def _check_file(
    connection: sqlite3.Connection, request: ArchiveRequest, before: Anchor, key: Verifier
) -> CheckedExport:
    """Check that the file is in order, and has the ledger's records up to the last one.

    Raises Refused, LedgerCorrupt, OSError.
    """
    file, last = request.file, request.last
    _sync(file)
    checked = check_export(file, key)
    header = checked.header
    begins = (before.seq + 1, before.hash.hex(), before.balances.to_dict())
    if not checked.sound:
        raise Refused(f"{file} is not in order: {checked.problems[0]}")
    if (header.first, header.previous, header.balances) != begins:
        raise Refused(f"{file} does not begin where the ledger does, with record {before.seq + 1}")
    if checked.head.seq != last:
        raise Refused(f"{file} ends with record {checked.head.seq}, not {last}")
    if connection.execute(_KIND, (last + 1,)).fetchone() != (SNAPSHOT,):
        raise Refused(f"record {last + 1} is no snapshot: a ledger cannot begin with it")
    if bytes.fromhex(checked.head.hash) != hash_before(connection, last + 1):
        raise Refused(f"{file}: its record {last} is not the ledger's")
    return checked


def _sync(file: Path) -> None:
    """Have the medium keep the file, and what is read of it come from there. Raises OSError."""
    with name_in_errors(file), open_regular(file) as opened:
        os.fsync(opened.fileno())
        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    sync_folder(file.absolute().parent)


def _archive_record(
    folder: Path, recovered: Recovered, anchor: Anchor, request: ArchiveRequest, key: Verifier
) -> RecordBatch:
    """The record of the archive."""
    newest = newest_record(folder)
    if newest is None:
        raise LedgerCorrupt("the last record is missing")
    act: Mapping[str, JSON] = {
        "by": request.by,
        "second": request.second,
        "last": anchor.seq,
        "hash": anchor.hash.hex(),
        "file": anchor.file.hex(),
        "key": key.fingerprint,
    }
    batch = RecordBatch(
        recovered.boot + 1,
        recovered.seq,
        bytes.fromhex(recovered.hash),
        recovered.balances,
        lambda _: None,
    )
    body: Mapping[str, JSON] = {"act": act, "outcome": "done"}
    round, version = newest.round, newest.settings_version
    batch.add(Entry(ARCHIVED, round, request.at_ms, request.written, version, body))
    return batch


def _delete_archived(
    connection: sqlite3.Connection, anchor: Anchor, note: RecordBatch | None
) -> None:
    """Delete the records, set the anchor, add `note`: all or nothing. Raises sqlite3.Error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(_DELETE, (anchor.seq,))
        connection.execute(_SET_ANCHOR, anchor_values(anchor))
        if note is not None:
            connection.executemany(INSERT_RECORD, note.journal)
            connection.execute(_SET_HEAD, (note.seq, note.hash, balances_text(note.balances)))
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _give_back_space(connection: sqlite3.Connection) -> str:
    """Shrink the file; returns why that failed, or "".

    While a reader is open, the whole file would stay in the write-ahead log, which every start
    reads.
    """
    try:
        if _empty_log(connection):
            connection.execute("VACUUM")
        return "" if _empty_log(connection) else "somebody is reading the ledger"
    except (sqlite3.Error, OSError) as error:
        return str(error)


def _empty_log(connection: sqlite3.Connection) -> bool:
    """Move the write-ahead log into the database; False if a reader still needs it."""
    (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


def archive_problems(anchor: Anchor, files: Sequence[Path], key: Verifier) -> Iterator[str]:
    """Problems of these files, oldest first, of their order, and of their fit to the ledger.

    Raises Refused, OSError, sqlite3.Error.
    """
    before: CheckedExport | None = None
    for file in files:
        checked = check_export(file, key)
        for problem in checked.problems:
            yield f"{file}: {problem}"
        if before is not None:
            header = checked.header
            begins = (header.first - 1, header.previous, header.balances)
            if begins != (before.head.seq, before.head.hash, before.balances.to_dict()):
                yield f"{file} begins with record {header.first}, not where the one before it ends"
        before = checked
    if before is None:
        return
    if (before.head.seq, before.head.hash) != (anchor.seq, anchor.hash.hex()):
        yield f"{files[-1]} ends with record {before.head.seq}, not where the ledger begins"
    elif before.balances != anchor.balances:
        yield f"{files[-1]} ends with other balances than the ledger begins with"
    elif before.fingerprint != anchor.file:
        yield f"{files[-1]} is another file than the one on record"
