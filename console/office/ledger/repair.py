"""`banco ledger repair`: find the sound copy of a ledger, and restore the other from it.

It changes nothing without `--really`, and never while a service uses the ledger.
"""

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict

from console.office.identity import identify, load_enrolled
from console.office.table_of_ledger import configuration_of
from console.rules.codes import Fault
from console.rules.records import UnreadableRecord, restore_recovered
from console.service.clock import wall_clock
from console.service.supervision.process_end import describe_failure
from console.service.table_key import head_signer_of, seal_signing_of
from console.service.table_ledger import LOCK_FILE
from jackpot.failures import Failure, KeyUnusable, LedgerCorrupt, LedgerUnavailable, Refused
from jackpot.ledger.folder import FolderClaim
from jackpot.ledger.journal import JSON, Entry, Head
from jackpot.ledger.ledger import Ledger, newest_record, read_records
from jackpot.ledger.lock_file import Lock, LockFile
from jackpot.ledger.two_slots import TwoSlots
from jackpot.trust.counterpart import CounterpartLost, CounterpartReplaced, Noted
from jackpot.trust.heads_on_record import ACCEPTED
from jackpot.trust.repair import (
    CopyState,
    Diagnosis,
    RepairPlan,
    Side,
    diagnose,
    plan_repair,
    restore,
)
from jackpot.trust.seal import Seal, read_seal, set_aside

if TYPE_CHECKING:
    from jackpot.trust.head_signer import HeadSigner


REFUSALS = (Failure, OSError)

DONE, NOT_DONE, UNUSABLE = 0, 1, 2
"""Exit statuses: nothing left to do; there is something to do; it cannot be done."""

MOST_SHOWN = 20
"""The most lost records, and problems, that are printed one by one."""

REPAIRED = "repaired"
"""The kind of the record of a restored copy."""


def show_seal(path: Path) -> Seal | None:
    """Read the seal, and print what it says."""
    try:
        seal = read_seal(path)
    except CounterpartReplaced as error:
        print(f"seal    {error}: it says nothing")
        return None
    if seal is None:
        print(f"seal    {path}: there is none")
    else:
        print(f"seal    {path}: record {seal.seq} of table {seal.table}, {seal.wall}")
    return seal


def is_believed(seal: Seal, path: Path, signer: "HeadSigner | None") -> bool:
    """Whether the table will believe this seal; prints why not, or that nobody can tell."""
    if signer is None:
        if seal.is_signed:
            print(f"{'':8}its signature is not checked: --config FILE names the table's key")
        return True
    try:
        seal_signing_of(signer, path).check(seal)
    except LedgerCorrupt as error:
        print(f"{'':8}NOT BELIEVED: {error}")
        return False
    except CounterpartLost as error:
        print(f"{'':8}{error}")
    return True


def seal_anew(path: Path, seal: Seal, signer: "HeadSigner | None") -> None:
    """Begin the seal anew with this record. Raises Refused, OSError."""
    if path.exists():
        set_aside(path)
    if signer is None:
        TwoSlots(path).make(asdict(seal))
        return

    try:
        head = signer.sign_ahead(Noted(Head(seal.seq, seal.hash), seal.wall))
        TwoSlots(path).make(asdict(head))
        signer.raise_counter()
    except KeyUnusable as error:
        raise Refused(f"the new seal cannot be signed: {error}") from error


if TYPE_CHECKING:
    from jackpot.trust.head_signer import HeadSigner


_Acts = list[tuple[str, Mapping[str, JSON]]]
"""Acts to be recorded: the kind of the record, and the act."""


class RepairRequest(Struct, frozen=True):
    """What is to be repaired, how and by whom."""

    first: Path
    """The ledger's folder."""
    mirror: Path | None
    """The second copy's folder."""
    seal: Path | None
    source: Side | None
    """The copy to restore from; None: the sound one."""
    table: Path | None
    """The table's configuration, if not this machine's: its key checks and signs the seal."""
    accept: str
    """Why a new seal replaces one that disagrees; "": it does not."""
    really: bool
    """Do it, not only show it."""
    by: str
    """Who does it."""
    second: str
    """Who stands for it, too, where it throws evidence away."""
    people: Path | None
    """The file of enrolled people, at a simulation."""


def repair(request: RepairRequest) -> int:
    """Show what would be done, or do it; the exit status."""
    try:
        return _repair(request)
    except REFUSALS as error:
        print(f"not to be done: {describe_failure(error)}", file=sys.stderr)
        return UNUSABLE


def _repair(request: RepairRequest) -> int:
    if request.really and not request.by:
        raise Refused("--really needs --by NAME: who has checked this goes on record")
    with ExitStack() as claims:
        if request.really:
            for folder in (request.first, request.mirror):
                if folder is not None:
                    claims.callback(FolderClaim(folder).release)
        seal, believed, signer = _ask_seal(request)
        diagnosis = diagnose(request.first, request.mirror, seal if believed else None)
        for line in _describe(diagnosis):
            print(line)
        plan = plan_repair(diagnosis, request.source)
        against = not believed or bool(plan is None and diagnosis.seal_against)
        for line in _describe_plan(diagnosis, plan, request, against):
            print(line)
        if plan is None and not request.accept:
            return NOT_DONE if against else DONE
        if not request.really:
            print("Nothing has been changed. To do it, the service stopped: --really --by NAME")
            return NOT_DONE
        people = _identify(request, plan)
        done = _restore(diagnosis, plan, request.first, people)
    if request.accept:
        sealed = None if seal is None else asdict(seal)
        done.append((ACCEPTED, {**people, "reason": request.accept, "seal": sealed}))
    accepted = _record_acts(request.first, done)
    if request.accept and request.seal is not None:
        seal_anew(request.seal, accepted, signer)
    print("Done, and on record. A table that is locked is cleared by the technician in SERVICE.")
    return DONE


def _ask_seal(request: RepairRequest) -> tuple[Seal | None, bool, "HeadSigner | None"]:
    """What the seal says, whether the table believes it, and what signs a new one.

    A seal that the table does not believe says nothing of which copy is the right one. Raises
    Refused.
    """
    if request.seal is None:
        if request.accept:
            raise Refused("--accept needs --seal FILE")
        return None, True, None
    signer = head_signer_of(configuration_of(request.first, request.table))
    seal = show_seal(request.seal)
    if seal is None:
        return None, True, signer
    if seal.is_signed and request.accept and signer is None:
        raise Refused(
            "the seal is signed with the table's key: --accept needs --config FILE, a "
            "configuration with [key], so that the new seal is signed, too"
        )
    return seal, is_believed(seal, request.seal, signer), signer


def _identify(request: RepairRequest, plan: RepairPlan | None) -> Mapping[str, JSON]:
    """Who does it, by name and PIN; two people where evidence is thrown away.

    Raises Refused.
    """
    loses = bool(request.accept) or (plan is not None and plan.lost is not None)
    if loses and not request.second:
        raise Refused("this throws evidence away: two people, --by NAME --and NAME")
    copies = [copy for copy in (request.first, request.mirror) if copy is not None]
    people = load_enrolled(request.people, configuration_of(request.first, request.table), copies)
    by = identify(people, request.by)
    if not request.second:
        return {"by": by.on_record}
    second = identify(people, request.second, other_than=by)
    return {"by": by.on_record, "second": second.on_record}


# What is printed


def _describe(diagnosis: Diagnosis) -> Iterator[str]:
    for side, found in ((Side.FIRST, diagnosis.first), (Side.SECOND, diagnosis.second)):
        if found is not None:
            yield f"{side.value:7} {found.folder}: {_state(found)}"
            for problem in (found.report.problems if found.report else ())[:MOST_SHOWN]:
                yield f"{'':8}{problem}"
            if side in diagnosis.seal_against:
                yield f"{'':8}against the seal: {diagnosis.seal_against[side]}"
    if diagnosis.parting is not None:
        parting = diagnosis.parting
        yield f"By their hashes they are the same before record {parting}, and no further."


def _state(found: CopyState) -> str:
    if found.report is None:
        return found.why if found.absent else f"NOT SOUND: {found.why}"
    sound = "sound" if found.sound else "NOT SOUND"
    head = found.head
    return f"{sound}, {found.report.records} records, the last is {head.seq} {head.hash[:16]}"


def _describe_plan(
    diagnosis: Diagnosis, plan: RepairPlan | None, request: RepairRequest, against: bool
) -> Iterator[str]:
    if plan is None:
        yield "Nothing is to be restored."
    else:
        source, target = diagnosis.of(plan.source), diagnosis.of(plan.target)
        yield f"To be done: {target.folder} is made what {source.folder} is."
        if not target.absent or target.log_alone:
            yield "What lies there now is kept beside it, as ledger.db.damaged-N."
        if plan.kept:
            first = source.head.seq + 1
            yield f"Records {first} to {plan.kept}, which only it has, fit on and are kept."
        if plan.lost is not None:
            yield f"LOST: records {plan.lost[0]} to {plan.lost[1]}, which only it has:"
            yield from _records(target.folder, *plan.lost)
    if against and not request.accept:
        yield "The table locks by its seal: find out why; then --accept REASON begins it anew."
    if request.accept:
        yield f"To be done: {request.seal} is begun anew; the old one is kept beside it."


def _records(folder: Path, first: int, last: int) -> Iterator[str]:
    try:
        for record in read_records(folder, after=first - 1, limit=MOST_SHOWN):
            reasons = " ".join(one.reason.value for one in record.transactions)
            yield f"{record.seq:>8} {record.wall} round {record.round} {record.kind} {reasons}"
    except (LedgerCorrupt, LedgerUnavailable) as error:
        yield f"{'':8}{error}"
    if last - first >= MOST_SHOWN:
        yield f"{'':8}and {last - first + 1 - MOST_SHOWN} more"


# What is done


def _lock(folder: Path) -> None:
    """Lock the table, until a technician in SERVICE clears it.

    docs/reference/rules.md, section 7.
    """
    lock = LockFile(folder / LOCK_FILE)
    locked = lock.read()
    if locked is None or not locked.since:
        why = "the ledger was repaired; what was restored is to be checked"
        lock.set(Lock(Fault.LEDGER_CORRUPT.value, why, wall_clock()))


def _restore(
    diagnosis: Diagnosis, plan: RepairPlan | None, first: Path, people: Mapping[str, JSON]
) -> _Acts:
    """Lock the table and restore it; the acts to be recorded."""
    if plan is None or plan.target is Side.FIRST:
        _lock(first)
    if plan is None:
        return []
    kept = restore(diagnosis, plan)
    act: Mapping[str, JSON] = {
        **people,
        "restored": plan.target.value,
        "lost": list(plan.lost) if plan.lost else None,
        "kept": kept.name if kept else None,
    }
    return [(REPAIRED, act)]


def _record_acts(folder: Path, acts: _Acts) -> Seal:
    """Record the acts; returns a seal of the newest record.

    Raises LedgerUnavailable, LedgerCorrupt.
    """
    newest = newest_record(folder)
    round_number, version = (newest.round, newest.settings_version) if newest else (0, 0)
    now, wall = time.monotonic_ns() // 1_000_000, wall_clock()
    with closing(Ledger.open(folder, begun=True)) as ledger:
        ledger.begin(ledger.recovered.boot + 1)
        head = ledger.commit(
            [
                Entry(kind, round_number, now, wall, version, {"act": act, "outcome": "done"})
                for kind, act in acts
            ]
        )
        try:
            settings = restore_recovered(ledger.recovered).settings
        except UnreadableRecord as error:
            raise LedgerCorrupt(str(error)) from error
    return Seal(settings.table if settings else "", head.seq, head.hash, wall)
