"""What a house tells its centre, for the alarms (docs/how-to/alarms.md)."""

import json
import platform
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from msgspec import Struct

from console.database.connect import DatabaseConnection, connect_to
from console.link.alarms import DAY_S, AlarmCode, judge_end
from console.link.centre.room_reading import HouseObservation, ObservedKind, is_standby, observe
from console.office.ledger.exit_status import FAILED, IN_ORDER
from jackpot.failures import Refused

PGBACKREST = "pgbackrest"
INFO_WITHIN_S = 60
WORDS = {
    None: "in order",
    AlarmCode.CERTIFICATE_SOON: "ends soon: make a new one",
    AlarmCode.CERTIFICATE_ENDS: "ENDS",
}


class CertificateEnd(Struct, frozen=True):
    """Whose certificate, or whose list of revoked ones, in which file, and its last instant."""

    subject: str
    file: Path
    end: datetime


def read_end(file: Path) -> CertificateEnd:
    """Read a PEM file. Raises Refused and OSError."""
    content = file.read_bytes()
    try:
        if b"BEGIN X509 CRL" in content:
            revoked = x509.load_pem_x509_crl(content)
            end = revoked.next_update_utc
            if end is None:
                raise Refused(f"{file} does not say until when it holds")
            return CertificateEnd(f"revoked by {_name(revoked.issuer)}", file, end)
        certificate = x509.load_pem_x509_certificate(content)
    except ValueError as error:
        raise Refused(f"{file} is no certificate, and no list of revoked ones") from error
    return CertificateEnd(_name(certificate.subject), file, certificate.not_valid_after_utc)


def _name(name: x509.Name) -> str:
    found = name.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
    return str(found[0].value) if found else name.rfc4514_string()


def check_certificates(files: Sequence[Path], centre: str | None) -> int:
    """Print when each ends, the next one first; 1 if one ends within 14 days.

    `centre`: its connection, if it is told. Raises Refused, OSError, Unavailable.
    """
    ends = sorted((read_end(file) for file in files), key=lambda one: one.end)
    now = datetime.now(UTC)
    codes = [judge_end((one.end - now).total_seconds()) for one in ends]
    for one, code in zip(ends, codes, strict=True):
        days = int((one.end - now).total_seconds() // DAY_S)
        print(f"{one.subject}: {one.end:%Y-%m-%d}, {days} days, {WORDS[code]} ({one.file})")
    if centre is not None:
        tell_centre(
            centre,
            [
                HouseObservation(ObservedKind.CERTIFICATE, one.subject, _milliseconds(one.end))
                for one in ends
            ],
        )
    return FAILED if AlarmCode.CERTIFICATE_ENDS in codes else IN_ORDER


def check_machine(folders: Sequence[Path], stanza: str | None, centre: str) -> int:
    """Tell the centre how full this machine's disks are, and when the last backup ended.

    Raises Refused, OSError, Unavailable.
    """
    observations = [read_disk(folder) for folder in folders]
    if stanza is not None:
        observations += read_backup(stanza)
    tell_centre(centre, observations)
    for one in observations:
        print(f"{one.kind.value}: {one.subject}: {one.value}")
    return IN_ORDER


def read_disk(folder: Path) -> HouseObservation:
    """The free part of a folder's disk. Raises OSError."""
    usage = shutil.disk_usage(folder)
    percent = usage.free * 100 // usage.total
    return HouseObservation(ObservedKind.DISK, f"{platform.node()}:{folder}", percent)


def read_backup(stanza: str) -> Iterator[HouseObservation]:
    """When the last backup ended; nothing if there is none. Raises Refused."""
    words = [PGBACKREST, f"--stanza={stanza}", "--output=json", "info"]
    try:
        info = subprocess.run(
            words, capture_output=True, text=True, timeout=INFO_WITHIN_S, check=True
        ).stdout
        backups = json.loads(info)[0]["backup"]
        ends = [one["timestamp"]["stop"] for one in backups if not one.get("error")]
    except (OSError, subprocess.SubprocessError, ValueError, LookupError) as error:
        raise Refused(f"{' '.join(words)}: {error}") from error
    if ends:
        yield HouseObservation(ObservedKind.BACKUP, stanza, max(ends) * 1000)


def tell_centre(centre: str, observations: Sequence[HouseObservation]) -> None:
    """Tell them all. Raises Unavailable."""
    with connect_to(centre) as connection:
        for one in observations:
            observe(connection, one)


def tell_audit(connection: DatabaseConnection, *, right: bool) -> None:
    """An audit has ended now; a standby is told nothing. Raises psycopg.Error."""
    if not is_standby(connection):
        observe(
            connection, HouseObservation(ObservedKind.AUDIT, "", round(time.time() * 1000) * right)
        )


def _milliseconds(at: datetime) -> int:
    return round(at.timestamp() * 1000)
