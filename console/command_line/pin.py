"""`banco pin`: change one's own PIN."""

from argparse import ArgumentParser, Namespace

from console.command_line.command import BancoCommand


def _add_pin(pin: ArgumentParser) -> None:
    pin.add_argument("name", metavar="NAME", nargs="?", help="your own")
    pin.add_argument("--sim", action="store_true", help="at the simulation")


def _pin(options: Namespace) -> int:
    from console.office.enrol import PeopleFile, change_own_pin

    return change_own_pin(PeopleFile(None, options.sim), options.name)


COMMANDS = (
    BancoCommand(
        "pin",
        "change your own PIN: the present one is asked first",
        "banco pin anna",
        _pin,
        _add_pin,
    ),
)
