"""`banco diag`: the technician's line."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from console.command_line.arguments import add_language, add_table, read_language, read_table
from console.command_line.command import BancoCommand
from console.service.supervision.command_parser import whole_number


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
        "diag",
        "the technician's line, on this terminal or on a port",
        "banco diag --port /dev/ttyUSB0 --baud 9600",
        _diag,
        _add_diag,
    ),
)
