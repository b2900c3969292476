"""`banco ledger archive`: delete old records that a signed file has.

The house signs the file elsewhere, from a copy of the ledger: its private key is never at the
table. Records are deleted only while no service uses the ledger.
"""

import sys
import time
from collections.abc import Mapping
from contextlib import closing
from itertools import islice
from pathlib import Path

from msgspec import UNSET, Struct

from console.bordereau.nights import nights
from console.configuration.places import ledger_in
from console.configuration.sections import Configuration
from console.office.identity import identify, load_enrolled
from console.office.ledger.exit_status import FAILED, IN_ORDER
from console.office.ledger.labels import parse_record_or_time
from console.office.table_of_ledger import configuration_of
from console.rules.acts import (
    KINDS,
    Adopted,
)
from console.rules.link_state import (
    LinkAnswered,
)
from console.rules.records import settings_in
from console.service.clock import wall_clock
from console.service.table_key import head_signer_of
from jackpot.failures import Failure, LedgerCorrupt, LedgerUnavailable, Refused
from jackpot.ledger.anchor import Anchor, anchor_of
from jackpot.ledger.folder import FolderClaim
from jackpot.ledger.ledger import newest_record, read_records
from jackpot.ledger.reading import wall_of
from jackpot.ledger.schema import FILE, Connect, connect, one_instant
from jackpot.trust.archive import ArchiveRequest, ArchiveResult, archive, archive_copy, last_before
from jackpot.trust.export_check import read_header
from jackpot.trust.seal import hold_against, newest_noted, read_seal
from jackpot.trust.second_copy import SecondCopy
from jackpot.trust.signing import PublicKey, load_public

NIGHTS_KEPT = 2
ROUNDS_KEPT = 2
"""Whole nights and rounds that stay, for disputes and the bordereau.

docs/reference/rules.md, section 11.
"""


class ArchivedTable(Struct, frozen=True):
    """The ledger's folder, its second copy and seal, and the configuration that names them."""

    folder: Path
    mirror: Path | None
    seal: Path | None
    configuration: Configuration | None

    def hold_against_counterparts(self) -> dict[str, int]:
        """Check that the ledger has what seal and witness outside know; up to which record that is.

        Raises LedgerCorrupt, LedgerUnavailable, CounterpartLost.
        """
        known = {}
        seal = read_seal(self.seal) if self.seal is not None else None
        if seal is not None:
            own = self.configuration
            hold_against(seal, self.folder, own.table if own is not None else seal.table)
            known[f"the seal {self.seal} is of"] = seal.seq
        seen = self._ask_witness_outside()
        if seen is not None:
            known["the witness outside knows this ledger up to"] = seen
        return known

    def _ask_witness_outside(self) -> int | None:
        configuration = self.configuration
        signer = head_signer_of(configuration)
        if configuration is None or configuration.witness is None or signer is None:
            return None
        from console.witness.outside import make_outside_witness

        table = configuration.table
        witness = make_outside_witness(configuration.witness, signer, self.folder, table)
        try:
            return witness.compare().at
        finally:
            witness.close()


def check_kept(known: Mapping[str, int], last: int) -> None:
    """Check that what each of them knows comes after `last`, or is it. Raises Refused."""
    for what, seq in known.items():
        if seq < last:
            raise Refused(
                f"{what} record {seq}, before the last one to be archived, {last}: start the "
                "service with it once, so that it knows the later ones"
            )


def find_table(
    folder: Path, file: Path | None, mirror: Path | None, seal: Path | None
) -> ArchivedTable:
    """The table whose ledger is in this folder; `file`: its configuration, else this machine's.

    `mirror` and `seal`: where the configuration names none. Raises Refused.
    """
    configuration = configuration_of(folder, file)
    if configuration is not None:
        mirror = _the_tables_own("--mirror", mirror, configuration.ledger.mirror)
        seal = _the_tables_own("--seal", seal, configuration.ledger.seal)
    return ArchivedTable(folder, mirror, seal, configuration)


def _the_tables_own(option: str, given: Path | None, named: str | None) -> Path | None:
    """What the configuration names, if it names one. Raises Refused for another one."""
    if named is None:
        return given
    own = Path(named)
    if given is not None and given.resolve() != own.resolve():
        raise Refused(f"{option} {given}: the table's own is {own}; leave the option out")
    return own


class ArchiveOrder(Struct, frozen=True):
    """Which signed file the old records of a ledger are in, and who says so."""

    folder: Path
    export: Path
    key: Path | None
    """The house's public key, which checks the file."""
    by: str | None
    second: str | None
    people: Path | None
    """The file of enrolled people, at a simulation."""
    config: Path | None
    """The table's configuration, if not this machine's."""
    mirror: Path | None
    seal: Path | None


def tell_records(folder: Path, before: str, config: Path | None = None) -> int:
    """Say which records can be archived, and how they are exported; in play, too.

    `before`: a year, a day or a record. `config`: the table's configuration, if not this machine's.
    Raises Refused, LedgerUnavailable, LedgerCorrupt.
    """
    folder = _find_ledger(folder)
    kept = configuration_of(folder, config)
    last = last_before(folder, _limit(before), first_kept(folder))
    with one_instant(folder) as connection:
        first = anchor_of(connection).seq + 1
    print(f"records {first} to {last} can be archived")
    print(
        "from a copy of this ledger, where the house's private key is, which is not at the table:"
    )
    print(f"banco ledger export --key house.key --to {last} --out ARCHIVE COPY")
    _tell_retention(kept, folder, last)
    return IN_ORDER


def _tell_retention(configuration: Configuration | None, folder: Path, last: int) -> None:
    """Say until when the archive of the records up to `last` is to be kept."""
    years = configuration.retention_years if configuration is not None else None
    if years is None:
        return
    with one_instant(folder) as connection:
        label = wall_of(connection, last)
    year, rest = label[:4], label[4:10]
    if year.isdigit():
        until = f"{int(year) + years}{rest}"
        print(f"its last day is {label[:10]}; retention_years = {years}: keep it until {until}")


def archive_records(order: ArchiveOrder) -> int:
    """Hold the export against the ledger, and delete what it has; the exit status.

    Raises Refused, KeyUnusable, LedgerUnavailable, LedgerCorrupt, CounterpartLost,
    OSError; then nothing was deleted.
    """
    folder, file = _find_ledger(order.folder), order.export
    if order.key is None:
        raise Refused("--export needs --key FILE, the house's public key")
    FolderClaim(folder).release()  # before anybody types a PIN
    key = load_public(order.key)
    archived = find_table(folder, order.config, order.mirror, order.seal)
    known = archived.hold_against_counterparts()
    people = load_enrolled(order.people, archived.configuration, [folder])
    header = read_header(file)
    _check_end(folder, file, header.last)
    check_kept(known, header.last)
    print(f"{file}: records {header.first} to {header.last}")
    _tell_retention(archived.configuration, folder, header.last)
    print(f"it must be signed with the key {key.fingerprint}")
    by = identify(people, order.by)
    second = identify(people, order.second, other_than=by)
    at_ms = time.monotonic_ns() // 1_000_000
    request = ArchiveRequest(header.last, file, wall_clock(), by.on_record, second.on_record, at_ms)
    done = archive_or_report_failure(folder, request, key)
    if done is None:
        return FAILED
    _print(done, file)
    return _archive_copy(folder, archived.mirror, done.anchor) if archived.mirror else IN_ORDER


def _find_ledger(folder: Path) -> Path:
    ledger = ledger_in(folder)
    if not (ledger / FILE).exists():
        raise Refused(f"there is no ledger in {ledger}")
    return ledger


def _check_end(folder: Path, file: Path, last: int) -> None:
    """Check that the ledger can begin after the file's last record. Raises Refused."""
    most = last_before(folder, max(last, 0) + 1, first_kept(folder))
    if last != most:
        raise Refused(
            f"{file} ends with record {last}; this ledger can be archived up to record {most}: "
            f"export it with --to {most}"
        )


def archive_or_report_failure(
    folder: Path, request: ArchiveRequest, key: PublicKey, *, connect: Connect = connect
) -> ArchiveResult | None:
    """Archive. If it fails or is interrupted after its commit, print how far it got; then None.

    Raises what `archive` raises, and KeyboardInterrupt; then nothing was deleted.
    """
    try:
        return archive(folder, request, key, connect=connect)
    except (KeyboardInterrupt, LedgerUnavailable) as error:
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
        where = f"are in {request.file} alone is unknown: {error}"
        return f"whether the records up to {request.last} {where}"
    return f"the records up to {request.last} are in {request.file}, and no more in the ledger"


def first_kept(folder: Path) -> int:
    """The first record that must stay, for the last whole nights and rounds.

    Raises Refused if nothing comes before it.
    """
    closed = islice((night for night in nights(folder) if night.stretch.closed), NIGHTS_KEPT)
    after = [night.stretch.after for night in closed]
    newest = newest_record(folder)
    if len(after) < NIGHTS_KEPT or newest is None or after[-1] == 0:
        raise Refused(
            f"nothing to archive: the last {NIGHTS_KEPT} whole nights stay in the ledger, and "
            "there is nothing before them"
        )
    with closing(read_records(folder, round=newest.round - ROUNDS_KEPT, limit=1)) as found:
        first = next(found, None)
    limits = [after[-1], first.seq - 1 if first is not None else 0, _last_before_link(folder)]
    return min(limit for limit in limits if limit is not None)


def _last_before_link(folder: Path) -> int | None:
    """The last record that the centre of a linked jackpot cannot ask for; None: no limit.

    It asks for the last record that it knows (docs/reference/link-rules.md, section 3.12): one that
    came with the last call which was answered, or a later one. That call was made after the answer
    before.
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
        raise Refused(
            f"--before {text}: write a year such as 2026, a day such as 2026-11-20, or a record"
        )
    return limit


def _print(done: ArchiveResult, file: Path) -> None:
    anchor = done.anchor
    print(
        f"records {done.first} to {anchor.seq} are in {file} alone: read back, signed and in order"
    )
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
    except Failure as error:
        print(f"the second copy in {mirror} still has these records: {error}")
        return FAILED
    print(f"the second copy in {mirror} goes on after record {anchor.seq}, too")
    return IN_ORDER
