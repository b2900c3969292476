"""`banco declare`, `diag`, `enrol` and `pin`: the table's line, and who may do what on it."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from console.command_line.arguments import (
    add_language,
    add_table,
    read_entry,
    read_language,
    read_table,
)
from console.command_line.command import BancoCommand
from console.service.supervision.command_parser import whole_number


def _add_declare(declare: ArgumentParser) -> None:
    add_table(declare)
    declare.add_argument(
        "--as", metavar="NAME", dest="who", help="who declares; asked if not given"
    )
    declare.add_argument("--yes", action="store_true", help="declare it without asking once more")
    add_language(declare)
    declare.add_argument("words", metavar="WORD", nargs="+", help="such as: last-hands 3")


def _declare(options: Namespace) -> int:
    from console.office.dialogue import declare

    return declare(" ".join(options.words), read_entry(options), yes=options.yes)


def _add_enrol(enrol: ArgumentParser) -> None:
    enrol.add_argument("name", metavar="NAME", nargs="?", help="a to z, 0 to 9 and -")
    enrol.add_argument(
        "--duty",
        action="append",
        choices=("technician", "floor-manager", "cashier"),
        help="what for; may be given twice; without it, who is enrolled keeps the duties",
    )
    instead = enrol.add_mutually_exclusive_group()
    instead.add_argument("--remove", action="store_true", help="NAME is no longer enrolled")
    instead.add_argument(
        "--erase", action="store_true", help="erase the NAME, or number, of who was removed"
    )
    instead.add_argument("--list", action="store_true", help="print who is enrolled, and for what")
    where = enrol.add_mutually_exclusive_group()
    where.add_argument(
        "--file", metavar="FILE", type=Path, help="the file of people (/etc/banco/people.toml)"
    )
    where.add_argument("--sim", action="store_true", help="that of the simulation")


def _enrol(options: Namespace) -> int:
    from console.office.enrol import PeopleFile, enrol, erase, list_people, remove
    from console.rules.codes import Duty

    file = PeopleFile(options.file, options.sim)
    if options.list:
        return list_people(file)
    if options.erase:
        return erase(file, options.name)
    if options.remove:
        return remove(file, options.name)
    return enrol(file, options.name, tuple(dict.fromkeys(map(Duty, options.duty or ()))))


def _add_pin(pin: ArgumentParser) -> None:
    pin.add_argument("name", metavar="NAME", nargs="?", help="your own")
    pin.add_argument("--sim", action="store_true", help="at the simulation")


def _pin(options: Namespace) -> int:
    from console.office.enrol import PeopleFile, change_own_pin

    return change_own_pin(PeopleFile(None, options.sim), options.name)


def _add_diag(diag: ArgumentParser) -> None:
    add_table(diag)
    diag.add_argument("--ledger", metavar="FOLDER", type=Path, help="where the ledger lies")
    where = diag.add_mutually_exclusive_group()
    where.add_argument("--port", metavar="DEVICE", help="serve a serial port, for ever")
    where.add_argument(
        "--pty",
        action="store_true",
        help="serve a pseudo-terminal, whose path is printed, for ever",
    )
    where.add_argument(
        "words",
        metavar="COMMAND",
        nargs="*",
        default=[],
        help="print what this command of the line prints, and leave: status",
    )
    diag.add_argument(
        "--baud",
        type=whole_number,
        choices=(9600, 19200, 38400, 57600, 115200),
        default=115200,
        help="the port's speed (115200), 8N1",
    )
    diag.add_argument(
        "--dsr",
        action="store_true",
        help="with --port: nobody is there while the cable's DSR is off",
    )
    add_language(diag)


def _diag(options: Namespace) -> int:
    from console.technician.diag import TerminalChoice, answer_at_once, diag, locate_table

    table = locate_table(
        read_table(options), ledger=options.ledger, language=read_language(options)
    )
    if options.words:
        return answer_at_once(table, options.words)
    return diag(table, TerminalChoice(options.port, options.baud, options.dsr, options.pty))


COMMANDS = (
    BancoCommand(
        "declare",
        "the floor manager declares, by name and PIN",
        "banco declare hand-void 3 returned --as anna",
        _declare,
        _add_declare,
    ),
    BancoCommand(
        "enrol",
        "enrol somebody for the table's line, or give a new PIN",
        "banco enrol anna --duty technician",
        _enrol,
        _add_enrol,
    ),
    BancoCommand(
        "pin",
        "change your own PIN: the present one is asked first",
        "banco pin anna",
        _pin,
        _add_pin,
    ),
    BancoCommand(
        "diag",
        "the technician's line, on this terminal or on a port",
        "banco diag --port /dev/ttyUSB0 --baud 9600",
        _diag,
        _add_diag,
    ),
)
