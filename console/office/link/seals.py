"""`banco link seal`, `detach`, `attach`: a day's books are audited, fixed, and may be put away.

docs/reference/link-rules.md, 5.6; docs/how-to/link.md.
"""

from pathlib import Path

from console.database.connect import connect_to
from console.link.centre.seals import attach, detach, find_last_seal, make_seal
from console.office.ledger.exit_status import FAILED, IN_ORDER
from console.office.link.audit import audit, render_report
from console.office.link.observations import tell_audit
from jackpot.failures import Refused

KEPT_SEALS = 2
"""So many later seals, each after an audit, must stand before a day is detached."""


def seal_books(centre: str) -> int:
    """Audit what is later than the last seal, and seal; 1, and no seal, if it differs.

    Raises Unavailable, Refused.
    """
    with connect_to(centre) as connection:
        report = audit(connection, [], find_last_seal(connection))
        tell_audit(connection, right=report.right)
        print(*render_report(report), sep="\n")
        if not report.right:
            return FAILED
        seal = make_seal(connection)
        acts = connection.execute(
            "SELECT a.jackpot_id, a.number, encode(a.hash, 'hex') FROM link.act AS a"
            " JOIN link.sealed_jackpot AS s ON s.jackpot_id = a.jackpot_id AND s.act = a.number"
            " WHERE s.seal = %s ORDER BY a.jackpot_id",
            (seal,),
        ).fetchall()
    print(f"seal {seal}")
    for jackpot, act, digest in acts:
        print(f"{jackpot}: act {act}, {digest}")
    return IN_ORDER


def detach_days(centre: str, seal: int, folder: Path) -> int:
    """Audit all that is here, and put the days before a seal into files; 1 if it differs.

    Raises Refused, Unavailable, OSError.
    """
    with connect_to(centre) as connection:
        last = find_last_seal(connection)
        if not 0 < seal <= last - KEPT_SEALS:
            raise Refused(
                f"seal {seal}: the last is {last}, and {KEPT_SEALS} later ones must stand"
            )
        report = audit(connection, [])
        print(*render_report(report), sep="\n")
        if not report.right:
            return FAILED
        rows = detach(connection, seal, folder)
    _print_rows("detached", rows)
    return IN_ORDER


def attach_days(centre: str, seal: int, folder: Path) -> int:
    """Put the days before a seal back, and audit; 1 if that differs.

    Raises Refused, Unavailable, OSError.
    """
    with connect_to(centre) as connection:
        rows = attach(connection, seal, folder)
        _print_rows("attached", rows)
        report = audit(connection, [])
    print(*render_report(report), sep="\n")
    return IN_ORDER if report.right else FAILED


def _print_rows(what: str, rows: dict[str, int]) -> None:
    print(f"{what}: {rows['entry']} calls, {rows['movement']} movements")
