"""`banco link`: the centre of a linked jackpot."""

from argparse import ArgumentParser, Namespace
from datetime import date, datetime
from pathlib import Path

from console.command_line.arguments import (
    add_audited,
    add_centre,
    add_language,
    name_of,
    read_language,
)
from console.command_line.command import BancoCommand, Family, report_failure
from console.command_line.link_two_people import BY_TWO_PEOPLE, TIES
from console.configuration.section import JACKPOT_NAME, TABLE_NAME


def _init(options: Namespace) -> int:
    from console.office.link.centre import install_centre

    return report_failure(lambda: install_centre(options.centre))


def _add_jackpot(jackpot: ArgumentParser) -> None:
    jackpot.add_argument(
        "name", metavar="NAME", type=name_of(JACKPOT_NAME), help=JACKPOT_NAME.right
    )
    jackpot.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        required=True,
        help="game, token, shares, opening value and base are those of this table",
    )
    jackpot.add_argument(
        "--tie",
        choices=TIES,
        default="split",
        help="two tables win at once: they divide the amount (split), or the first has it (order)",
    )
    add_centre(jackpot)


def _begin_jackpot(options: Namespace) -> int:
    from console.office.link.centre import begin_jackpot

    return report_failure(
        lambda: begin_jackpot(options.centre, options.name, options.config, options.tie)
    )


def _add_join(join: ArgumentParser) -> None:
    join.add_argument(
        "table", metavar="TABLE", type=name_of(TABLE_NAME), help="its name in its configuration"
    )
    join.add_argument("jackpot", metavar="JACKPOT", help="a jackpot that has been begun")
    add_centre(join)


def _join(options: Namespace) -> int:
    from console.office.link.centre import let_join

    return report_failure(lambda: let_join(options.centre, options.table, options.jackpot))


def _add_role(role: ArgumentParser) -> None:
    role.add_argument(
        "name",
        metavar="NAME",
        type=name_of(TABLE_NAME),
        help="what the role is called at the centre",
    )
    add_centre(role)


def _make_operator(options: Namespace) -> int:
    from console.link.centre.roles import RoleGroup
    from console.office.link.centre import add_role

    return report_failure(lambda: add_role(options.centre, options.name, RoleGroup.OPERATOR))


def _make_poker_table(options: Namespace) -> int:
    from console.link.centre.roles import RoleGroup
    from console.office.link.centre import add_role

    return report_failure(lambda: add_role(options.centre, options.name, RoleGroup.POKER_TABLE))


def _make_reader(options: Namespace) -> int:
    from console.link.centre.roles import RoleGroup
    from console.office.link.centre import add_role

    return report_failure(lambda: add_role(options.centre, options.name, RoleGroup.READER))


def _add_status(status: ArgumentParser) -> None:
    status.add_argument("--json", action="store_true", help="print one JSON object")
    add_centre(status)


def _show_status(options: Namespace) -> int:
    from console.office.link.centre import show_status

    return report_failure(lambda: show_status(options.centre, as_json=options.json))


def _add_next_jackpot(next_jackpot: ArgumentParser) -> None:
    next_jackpot.add_argument("jackpot", metavar="JACKPOT")
    add_centre(next_jackpot)


def _begin_next_jackpot(options: Namespace) -> int:
    from console.office.link.centre import put_next_settings_in_force

    return report_failure(lambda: put_next_settings_in_force(options.centre, options.jackpot))


def _add_leave(leave: ArgumentParser) -> None:
    leave.add_argument("table", metavar="TABLE")
    add_centre(leave)


def _leave(options: Namespace) -> int:
    from console.office.link.centre import let_leave

    return report_failure(lambda: let_leave(options.centre, options.table))


def _add_audit(audit: ArgumentParser) -> None:
    add_audited(audit)
    audit.add_argument("--key", metavar="FILE", type=Path, help="the house's public key")
    audit.add_argument(
        "--since", metavar="SEAL", type=int, help="only what is later than this seal"
    )
    add_centre(audit)


def _audit(options: Namespace) -> int:
    from console.office.link.audit import print_audit

    return report_failure(
        lambda: print_audit(
            options.centre,
            options.ledgers,
            options.exports,
            options.key,
            options.since,
            as_json=options.json,
        )
    )


def _seal(options: Namespace) -> int:
    from console.office.link.centre import seal_books

    return report_failure(lambda: seal_books(options.centre))


def _add_days(days: ArgumentParser) -> None:
    days.add_argument("seal", metavar="SEAL", type=int, help="the number that banco link seal said")
    days.add_argument("folder", metavar="FOLDER", type=Path, help="where its two files are kept")
    add_centre(days)


def _detach(options: Namespace) -> int:
    from console.office.link.centre import detach_days

    return report_failure(lambda: detach_days(options.centre, options.seal, options.folder))


def _attach(options: Namespace) -> int:
    from console.office.link.centre import attach_days

    return report_failure(lambda: attach_days(options.centre, options.seal, options.folder))


def _add_bordereau(bordereau: ArgumentParser) -> None:
    bordereau.add_argument("jackpot", metavar="JACKPOT", help="a linked jackpot")
    bordereau.add_argument(
        "day",
        metavar="DAY",
        nargs="?",
        type=date.fromisoformat,
        help="such as 2026-11-20, from 8 in the morning on; without it the last day that is over",
    )
    bordereau.add_argument("--format", choices=("text", "json", "pdf"), default="text")
    bordereau.add_argument(
        "--out", metavar="FILE", type=Path, help="write to FILE instead of standard output"
    )
    add_language(bordereau)
    add_centre(bordereau)


def _print_bordereau(options: Namespace) -> int:
    from console.office.link.day_sheet import DayRequest, print_day
    from console.texts.language import Language

    request = DayRequest(
        centre=options.centre,
        jackpot=options.jackpot,
        day=options.day,
        format=options.format,
        out=options.out,
        language=read_language(options) or Language.IT,
    )
    return report_failure(lambda: print_day(request, datetime.now().astimezone()))


def _add_check_certificates(check: ArgumentParser) -> None:
    check.add_argument(
        "files",
        metavar="FILE",
        type=Path,
        nargs="+",
        help="a certificate, or a list of revoked ones",
    )
    check.add_argument("--tell", action="store_true", help="tell the centre, for its alarms")
    add_centre(check)


def _check_certificates(options: Namespace) -> int:
    from console.office.link.observations import check_certificates

    centre = options.centre if options.tell else None
    return report_failure(lambda: check_certificates(options.files, centre))


def _add_check_machine(check: ArgumentParser) -> None:
    check.add_argument(
        "--disk",
        dest="folders",
        metavar="FOLDER",
        type=Path,
        action="append",
        default=[],
        help="a folder of the disk that is looked at; may be given several times",
    )
    check.add_argument("--stanza", metavar="NAME", help="pgBackRest's name of the backups")
    add_centre(check)


def _check_machine(options: Namespace) -> int:
    from console.office.link.observations import check_machine

    return report_failure(lambda: check_machine(options.folders, options.stanza, options.centre))


def _add_restore_drill(drill: ArgumentParser) -> None:
    drill.add_argument(
        "--stanza", metavar="NAME", required=True, help="pgBackRest's name of the backups"
    )
    drill.add_argument(
        "--folder", metavar="FOLDER", type=Path, required=True, help="a new one, with space for it"
    )
    drill.add_argument("--database", metavar="NAME", default="banco", help="default: banco")


def _drill_restore(options: Namespace) -> int:
    from console.office.link.restore_drill import drill_restore

    return report_failure(lambda: drill_restore(options.stanza, options.folder, options.database))


COMMANDS = (
    Family(
        "link",
        "run the centre of a linked jackpot",
        "banco link status --json",
        (
            BancoCommand(
                "init",
                "install the centre's schema in a database, or bring it up to this version",
                'banco link init --centre "host=db1 dbname=banco user=postgres"',
                _init,
                add_centre,
            ),
            BancoCommand(
                "jackpot",
                "begin a linked jackpot, on the terms of a table's configuration",
                "banco link jackpot stud --config /etc/banco/table.toml",
                _begin_jackpot,
                _add_jackpot,
            ),
            BancoCommand(
                "join",
                "let a table, or a tournament's cash desk, join a jackpot: make its role at the "
                "centre",
                "banco link join table-3 stud",
                _join,
                _add_join,
            ),
            BancoCommand(
                "operator",
                "create an operator role (some actions need two operators)",
                "banco link operator olga",
                _make_operator,
                _add_role,
            ),
            BancoCommand(
                "poker-table",
                "let a poker table share its tournament's clock: make its role",
                "banco link poker-table poker-1",
                _make_poker_table,
                _add_role,
            ),
            BancoCommand(
                "reader",
                "make the role of a reader, such as the room's or an auditor's",
                "banco link reader auditor",
                _make_reader,
                _add_role,
            ),
            BancoCommand(
                "status",
                "show the jackpots, tables, pending awards, rounds that may join, and open "
                "proposals",
                "banco link status --json",
                _show_status,
                _add_status,
            ),
            *BY_TWO_PEOPLE,
            BancoCommand(
                "next-jackpot",
                "put into force what two people approved for the jackpot that follows a win",
                "banco link next-jackpot stud",
                _begin_next_jackpot,
                _add_next_jackpot,
            ),
            BancoCommand(
                "leave",
                "ask a table to leave its jackpot: it does when it is paused, with nothing pending",
                "banco link leave table-3",
                _leave,
                _add_leave,
            ),
            BancoCommand(
                "audit",
                "check the centre's books, and compare them with ledgers and signed exports",
                "banco link audit /var/lib/banco --export table-4.export --key house.pub",
                _audit,
                _add_audit,
            ),
            BancoCommand(
                "seal",
                "audit what is later than the last seal, and seal the books of all jackpots",
                "banco link seal --centre dbname=banco",
                _seal,
                add_centre,
            ),
            BancoCommand(
                "detach",
                "put the days before a seal into files, audited and read back, and delete them",
                "banco link detach 30 /var/lib/banco-days",
                _detach,
                _add_days,
            ),
            BancoCommand(
                "attach",
                "put the days before a seal back into the database, and audit them",
                "banco link attach 30 /var/lib/banco-days",
                _attach,
                _add_days,
            ),
            BancoCommand(
                "bordereau",
                "a gaming day's sheet of a linked jackpot",
                "banco link bordereau stud 2026-11-20 --format pdf --out day.pdf",
                _print_bordereau,
                _add_bordereau,
            ),
            BancoCommand(
                "check-certificates",
                "say when certificates and lists of revoked ones expire; 1 if within 14 days",
                "banco link check-certificates /etc/postgresql/issued/*.crt --tell",
                _check_certificates,
                _add_check_certificates,
            ),
            BancoCommand(
                "check-machine",
                "tell the centre how full this machine's disks are, and of the last backup",
                "banco link check-machine --disk /var/lib/postgresql --stanza centre",
                _check_machine,
                _add_check_machine,
            ),
            BancoCommand(
                "restore-drill",
                "restore the newest backup on a spare machine, recover and audit the copy",
                "banco link restore-drill --stanza centre --folder /var/tmp/drill",
                _drill_restore,
                _add_restore_drill,
            ),
        ),
        needs=("psycopg", "cryptography"),
    ),
)
