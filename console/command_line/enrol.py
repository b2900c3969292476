"""`banco enrol` and `banco pin`: who may do what on the table's line, and with which PIN."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from console.command_line.command import BancoCommand


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


COMMANDS = (
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
)
