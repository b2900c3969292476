"""`banco ledger archive`: move old records from the ledger to a signed file.

Only while no service uses the ledger.
"""

import sys
import time
from argparse import Namespace
from contextlib import closing
from itertools import islice
from pathlib import Path

from msgspec import UNSET

from console.configuration.places import ledger_in
from console.office.bordereau.nights import nights
from console.office.export.archive_witnesses import check_kept, find_table
from console.office.export.questions import ExportRefused, private_key
from console.office.export.table_name import table_of
from console.office.identity import identify, load_enrolled
from console.office.ledger.arguments import parse_record_or_time
from console.office.ledger.exit_status import FAILED, IN_ORDER
from console.rules.acts import (
    KINDS,
    Adopted,
)
from console.rules.link_acts import (
    LinkAnswered,
)
from console.rules.records import settings_in
from console.service.clock import wall_clock
from jackpot.anchor import Anchor, anchor_of
from jackpot.archive import (
    ArchiveRequest,
    ArchiveResult,
    NotArchived,
    archive,
    archive_copy,
    last_before,
)
from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from jackpot.folder import FolderClaim
from jackpot.ledger import newest_record, read_records
from jackpot.schema import FILE, Connect, connect, one_instant
from jackpot.seal import newest_noted
from jackpot.second_copy import SecondCopy
from jackpot.signing import PrivateKey
from jackpot.witness import WitnessLost

NIGHTS_KEPT = 2
ROUNDS_KEPT = 2
"""Whole nights and rounds that stay, for disputes and the bordereau (docs/rules.md, section 11)."""


def archive_records(options: Namespace) -> int:
    """Answer `banco ledger archive`; the exit status.

    Raises ExportRefused, NotArchived, NotExported, NotIdentified, PeopleUnreadable, KeyUnusable,
    LedgerUnavailable, LedgerCorrupt, WitnessLost; then nothing was deleted.
    """
    folder = ledger_in(options.folder)
    limit = _limit(options.before)
    _not_in_use(folder)
    key = private_key(options.key)
    archived = find_table(folder, options.config, options.mirror, options.seal)
    known = archived.hold_against_witnesses()
    last = last_before(folder, limit, first_kept(folder))
    check_kept(known, last)
    people = load_enrolled(options.people, archived.configuration)
    by = identify(people, options.by)
    second = identify(people, options.second, other_than=by)
    written, table = wall_clock(), table_of(folder)
    at_ms = time.monotonic_ns() // 1_000_000
    request = ArchiveRequest(last, options.out, table, written, by, second, at_ms)
    done = archive_or_report_failure(folder, request, key)
    if done is None:
        return FAILED
    _print(done, options.out)
    return _archive_copy(folder, archived.mirror, done.anchor) if archived.mirror else IN_ORDER


def archive_or_report_failure(
    folder: Path, request: ArchiveRequest, key: PrivateKey, *, connect: Connect = connect
) -> ArchiveResult | None:
    """Archive. If it fails or is interrupted after its commit, print how far it got; then None.

    Raises what `archive` raises, and KeyboardInterrupt; then nothing was deleted.
    """
    try:
        return archive(folder, request, key, key.public, connect=connect)
    except (KeyboardInterrupt, LedgerUnavailable) as error:
        if not request.out.exists():
            raise
        status = _where_it_stands(folder, request)
        if not status:
            raise
        print(f"{status}: keep that file. ({str(error) or 'interrupted'})", file=sys.stderr)
        return None


def _where_it_stands(folder: Path, request: ArchiveRequest) -> str:
    """What became of an interrupted archive, from the ledger; "" if nothing was deleted."""
    try:
        with one_instant(folder) as connection:
            if anchor_of(connection).seq < request.last:
                return ""
    except (LedgerUnavailable, LedgerCorrupt) as error:
        where = f"are in {request.out} alone is unknown: {error}"
        return f"whether the records up to {request.last} {where}"
    return f"the records up to {request.last} are in {request.out}, and no more in the ledger"


def first_kept(folder: Path) -> int:
    """The first record that must stay, for the last whole nights and rounds.

    Raises NotArchived if nothing comes before it.
    """
    closed = islice((night for night in nights(folder) if night.stretch.closed), NIGHTS_KEPT)
    after = [night.stretch.after for night in closed]
    newest = newest_record(folder)
    if len(after) < NIGHTS_KEPT or newest is None or after[-1] == 0:
        raise NotArchived(
            f"nothing to archive: the last {NIGHTS_KEPT} whole nights stay in the ledger, and "
            "there is nothing before them"
        )
    with closing(read_records(folder, round=newest.round - ROUNDS_KEPT, limit=1)) as found:
        first = next(found, None)
    limits = [after[-1], first.seq - 1 if first is not None else 0, _last_before_link(folder)]
    return min(limit for limit in limits if limit is not None)


def _last_before_link(folder: Path) -> int | None:
    """The last record that the centre of a linked jackpot cannot ask for; None: no limit.

    It asks for the last record that it knows (docs/link-rules.md, section 3.12): one that came with
    the last call which was answered, or a later one. That call was made after the answer before.
    """
    settings = newest_record(folder, kind=KINDS[Adopted])
    adopted = settings_in(settings.kind, settings.body) if settings is not None else None
    if settings is None or adopted is None or adopted.link is UNSET:
        return None
    kind = KINDS[LinkAnswered]
    answered = newest_record(folder, kind=kind)
    before = newest_record(folder, kind=kind, before=answered.seq) if answered else None
    return (before or settings).seq - 1


def _limit(text: str) -> int | str:
    limit = parse_record_or_time(text, years=True)
    if limit is None:
        raise ExportRefused(
            f"--before {text}: write a year such as 2026, a day such as 2026-11-20, or a record"
        )
    return limit


def _not_in_use(folder: Path) -> None:
    """Check before asking for a passphrase. Raises LedgerInUse, ExportRefused."""
    if not (folder / FILE).exists():
        raise ExportRefused(f"there is no ledger in {folder}")
    FolderClaim(folder).release()


def _print(done: ArchiveResult, out: Path) -> None:
    anchor = done.anchor
    print(f"{out}: records {done.first} to {anchor.seq}, signed, read back and in order")
    print(f"its SHA-256 is {anchor.file.hex()}")
    print(f"the ledger goes on after {anchor.seq} {anchor.hash.hex()}")
    if done.space_kept:
        print(f"its space is not given back, records to come will use it: {done.space_kept}")


def _archive_copy(folder: Path, mirror: Path, anchor: Anchor) -> int:
    """Bring the second copy up to date, and archive it too; the exit status."""
    try:
        newest = newest_noted(folder)
        with closing(SecondCopy(folder, mirror)) as copy:
            at = copy.compare().at
            while at < newest.head.seq:
                at = copy.follow(newest)
        archive_copy(mirror, anchor)
    except (NotArchived, WitnessLost, LedgerUnavailable, LedgerCorrupt) as error:
        print(f"the second copy in {mirror} still has these records: {error}")
        return FAILED
    print(f"the second copy in {mirror} goes on after record {anchor.seq}, too")
    return IN_ORDER
