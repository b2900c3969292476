"""A restore drill: the newest backup is restored into a folder of a spare machine, and audited.

The copy is a server of its own, reached by a socket in that folder alone: no table, no standby and
no archive hears of it. It is deleted at the end (docs/how-to/centre.md).
"""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from console.child_process import kill_process
from console.database.connect import connect_to, name_person
from console.link.centre.proposals import approve, propose
from console.link.centre.roles import RoleGroup, make_role
from console.link.centre.room_reading import read_room
from console.office.ledger.exit_status import FAILED, IN_ORDER
from console.office.link.audit import audit, render_report
from console.office.link.observations import PGBACKREST
from console.office.link.proposal_requests import RecoveryRequest
from jackpot.failures import Refused, Unavailable

OPERATORS = ("drill-1", "drill-2")
DATA, LOG = "data", "log"
RESTORED_WITHIN_S = 4 * 3600
RECOVERED_WITHIN_S = 4 * 3600
LOOK_EVERY_S = 1.0
ENDS_WITHIN_S = 60
HBA = "local all all trust\n"
"""Whoever may enter the folder, and nobody else may."""


def drill_restore(stanza: str, folder: Path, database: str) -> int:
    """Restore, recover each jackpot, audit; 1 if the copy is not in order.

    Raises Unavailable, OSError, and Refused if the folder is not new.
    """
    if folder.exists():
        raise Refused(f"{folder} is there already: name a folder that is not")
    folder.mkdir(mode=0o700, parents=True)
    try:
        began = time.monotonic()
        _restore(stanza, folder)
        restored = time.monotonic()
        with _run_copy(folder, database) as centre:
            started = time.monotonic()
            right = _check(centre)
        checked = time.monotonic()
    finally:
        shutil.rmtree(folder)
    print(
        f"restored in {restored - began:.0f} s, its log replayed in {started - restored:.0f} s, "
        f"recovered and audited in {checked - started:.0f} s"
    )
    return IN_ORDER if right else FAILED


def _restore(stanza: str, folder: Path) -> None:
    words = [PGBACKREST, f"--stanza={stanza}", f"--pg1-path={folder / DATA}"]
    try:
        subprocess.run(
            [*words, "--archive-mode=off", "restore"],
            check=True,
            capture_output=True,
            text=True,
            timeout=RESTORED_WITHIN_S,
        )
    except subprocess.CalledProcessError as error:
        raise Unavailable(f"{PGBACKREST} restore: {error.stdout.strip()}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"{PGBACKREST} restore: {error}") from error


@contextmanager
def _run_copy(folder: Path, database: str) -> Iterator[str]:
    """The copy, as long as the block lasts; its connection."""
    data = folder / DATA
    version = (data / "PG_VERSION").read_text("ascii").strip()
    program = Path(f"/usr/lib/postgresql/{version}/bin/postgres")
    if not program.exists():
        raise Unavailable(
            f"the backup is of PostgreSQL {version}: install postgresql-{version} here"
        )
    (folder / "hba").write_text(HBA, "utf-8")
    (folder / "conf").touch()
    settings = {
        "config_file": folder / "conf",
        "hba_file": folder / "hba",
        "listen_addresses": "",
        "unix_socket_directories": folder,
        "hot_standby": "off",
        "archive_mode": "off",
        "synchronous_standby_names": "",
        "ssl": "off",
    }
    options = [f"--{name}={value}" for name, value in settings.items()]
    with (folder / LOG).open("ab") as log:
        server = subprocess.Popen(
            [program, "-D", str(data), *options],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        centre = f"host={folder} dbname={database} user=postgres"
        _wait_until_recovered(server, folder, centre)
        yield centre
    finally:
        server.terminate()
        with suppress(subprocess.TimeoutExpired):
            server.wait(ENDS_WITHIN_S)
        kill_process(server, "the copy's server", ENDS_WITHIN_S)


def _wait_until_recovered(server: "subprocess.Popen[bytes]", folder: Path, centre: str) -> None:
    """It takes connections once all of the archive is replayed."""
    deadline = time.monotonic() + RECOVERED_WITHIN_S
    while server.poll() is None and time.monotonic() < deadline:
        with suppress(Unavailable), connect_to(centre):
            return
        with suppress(subprocess.TimeoutExpired):
            server.wait(LOOK_EVERY_S)
    raise Unavailable(f"the copy does not start: {(folder / LOG).read_text('utf-8', 'replace')}")


def _check(centre: str) -> bool:
    """Recover each jackpot by two operators of the copy's own, and audit it whole."""
    with connect_to(centre) as superuser:
        for name in OPERATORS:
            make_role(superuser, name, RoleGroup.OPERATOR)
        jackpots = [one.jackpot for one in read_room(superuser).jackpots]
        for jackpot in jackpots:
            _recover(centre, jackpot)
            print(f"{jackpot}: two operators have said recover")
        report = audit(superuser, [])
    print(*render_report(report), sep="\n")
    return report.right


def _recover(centre: str, jackpot: str) -> None:
    first, second = (name_person(centre, name) for name in OPERATORS)
    with connect_to(first) as one, connect_to(second) as other:
        text = RecoveryRequest(jackpot, (), (), (), alone=False).propose(one)
        refusal = approve(other, propose(one, text), text)
    if refusal is not None:
        raise Unavailable(f"{jackpot}: recover is refused: {refusal.value}")
