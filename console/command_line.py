"""The command `banco`: its arguments, and the function that answers each command.

Heavy modules are imported only when needed: `banco --help` and a table's start are quick.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from console.service.supervision.process_end import run_to_end

DONE, FAILED, UNUSABLE = 0, 1, 2
"""Exit statuses: done; done, with a negative result; not possible as asked."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit status (docs/exit-status.md)."""
    return run_to_end(lambda: _run_command(arguments))


def _run_command(arguments: Sequence[str] | None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    options = _parser(words[0] if words else "").parse_args(words)
    answer: Callable[[argparse.Namespace], int] = options.answer
    return answer(options)


def _parser(command: str = "") -> argparse.ArgumentParser:
    """The arguments of this command; of all if it is none. All of them cost a start 10 ms."""
    parser = argparse.ArgumentParser(
        prog="banco",
        description="The controller inside a casino table.",
        epilog="example: banco run --sim",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and leave")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    parser.set_defaults(answer=_help_of(parser))
    for name, add in _ADDED.items():
        if name == command or command not in _ADDED:
            add(commands)
    return parser


def _add_run(commands: Any) -> None:
    run = _command(commands, "run", _run, "run a table", "banco run --config /etc/banco/table.toml")
    run.add_argument("--config", metavar="FILE", type=Path, help="the table's configuration")
    run.add_argument(
        "--sim",
        action="store_true",
        help="simulate the cabinet; acts are typed at a prompt, or come from a pipe",
    )
    run.add_argument(
        "--json", action="store_true", help="with --sim: no picture, one JSON object for each act"
    )
    run.add_argument(
        "--web",
        metavar="ADDRESS:PORT",
        nargs="?",
        const="",
        help="with --sim: serve its pages to browsers, on 127.0.0.1:8080 or where you say",
    )
    run.add_argument(
        "--fault",
        type=int,
        choices=range(1, 11),
        metavar="N",
        help="with --sim: something is broken in the cabinet, 1 to 10, for training",
    )


def _add_play(commands: Any) -> None:
    play = _command(commands, "play", _play, "play scenarios", "banco play --json night.scenario")
    play.add_argument("--json", action="store_true", help="print one JSON object for each line")
    play.add_argument(
        "--real-time", action="store_true", help="by the clock, over pseudo-terminals"
    )
    play.add_argument("files", metavar="FILE", nargs="+", help="a scenario")


def _add_check(commands: Any) -> None:
    check = _command(
        commands, "check", _check, "check a configuration", "banco check /etc/banco/table.toml"
    )
    check.add_argument("file", metavar="FILE", type=Path, help="a configuration")


def _add_ledger(commands: Any) -> None:
    from console.office.export.arguments import add_exporting
    from console.office.ledger.arguments import add_readings
    from console.office.ledger.change_arguments import add_correct, add_repair

    ledger = commands.add_parser(
        "ledger", help="read a ledger", epilog="example: banco ledger verify /var/lib/banco"
    )
    readings = ledger.add_subparsers(title="readings", metavar="READING")
    ledger.set_defaults(answer=_help_of(ledger))
    add_readings(partial(_command, readings, answer=_ledger))
    add_exporting(partial(_command, readings, answer=_ledger_exporting))
    add_repair(partial(_command, readings, answer=_ledger_repair))
    add_correct(partial(_command, readings, answer=_ledger_correct))


def _add_report(commands: Any) -> None:
    from console.office.arguments import add_report

    add_report(partial(_command, commands, answer=_report))


def _add_link(commands: Any) -> None:
    from console.office.link.arguments import add_link

    text, example = "run the centre of a linked jackpot", "example: banco link status --json"
    link = commands.add_parser("link", help=text, epilog=example)
    link.set_defaults(answer=_help_of(link))
    centre = link.add_subparsers(title="commands", metavar="COMMAND")
    add_link(partial(_command, centre, answer=_link))


def _add_tournament(commands: Any) -> None:
    from console.office.tournament.arguments import add_tournament

    text, example = "run a tournament jackpot", "example: banco tournament status --json"
    tournament = commands.add_parser("tournament", help=text, epilog=example)
    tournament.set_defaults(answer=_help_of(tournament))
    desks = tournament.add_subparsers(title="commands", metavar="COMMAND")
    add_tournament(partial(_command, desks, answer=_tournament))


def _add_room(commands: Any) -> None:
    text = "serve the sign of a linked jackpot and the overview of its tables"
    room = _command(commands, "room", _room, text, "banco room --config /etc/banco/room.toml")
    room.add_argument(
        "--config", metavar="FILE", type=Path, required=True, help="the room's configuration"
    )


def _add_declare(commands: Any) -> None:
    from console.office.arguments import add_declare

    add_declare(partial(_command, commands, answer=_declare))


def _add_diag(commands: Any) -> None:
    from console.office.arguments import add_diag

    add_diag(partial(_command, commands, answer=_diag))


def _add_enrol(commands: Any) -> None:
    from console.office.arguments import add_enrol

    add_enrol(partial(_command, commands, answer=_enrol))


_ADDED: Mapping[str, Callable[[Any], None]] = {
    "run": _add_run,
    "play": _add_play,
    "check": _add_check,
    "ledger": _add_ledger,
    "report": _add_report,
    "link": _add_link,
    "room": _add_room,
    "tournament": _add_tournament,
    "declare": _add_declare,
    "enrol": _add_enrol,
    "diag": _add_diag,
}
"""What adds each command, in the order of the help."""

_DOCUMENTED_IN = {"cryptography": "audit.md", "psycopg": "link.md", "aiohttp": "room.md"}


def _command(
    commands: Any, name: str, answer: Callable[[argparse.Namespace], int], text: str, example: str
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=text, description=text[0].upper() + text[1:] + ".", epilog=f"example: {example}"
    )
    parser.set_defaults(answer=answer)
    return parser


def _help_of(parser: argparse.ArgumentParser) -> Callable[[argparse.Namespace], int]:
    """Prints the help where no command is named."""

    def answer(_: argparse.Namespace) -> int:
        parser.print_help()
        return DONE

    return answer


class _Version(argparse.Action):
    """Prints the version, which only this option reads."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from console.configuration.version import VERSION

        print(f"banco {VERSION}")
        parser.exit()


def _run(options: argparse.Namespace) -> int:
    """Run a table. A signal stops it in good order, even while it is starting."""
    try:
        from console.run import run

        return run(
            options.config,
            simulated=options.sim,
            as_json=options.json,
            fault=options.fault,
            web=options.web,
        )
    except KeyboardInterrupt:
        return DONE


def _play(options: argparse.Namespace) -> int:
    from console.simulation.scenario.play import play

    return play(options.files, as_json=options.json, real_time=options.real_time)


def _check(options: argparse.Namespace) -> int:
    from console.configuration.adopted import adopt_content
    from console.configuration.file import ConfigurationErrors, content_of
    from console.configuration.room_file import check_room, is_room
    from firmware_bridge.board_link.framing import describe_slow_codec

    try:
        content = content_of(options.file)
        if is_room(content):
            check_room(str(options.file), content)
            print(f"{options.file}: a room, in order")
            return DONE
        configuration = adopt_content(options.file, content).in_force
    except ConfigurationErrors as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    print(f"{options.file}: a {configuration.kind.value} table, {configuration.game}, in order")
    slow = describe_slow_codec()
    if slow:
        print(f"note: {slow}", file=sys.stderr)
    return DONE


def _declare(options: argparse.Namespace) -> int:
    from console.office.declare import declare

    return declare(options)


def _diag(options: argparse.Namespace) -> int:
    from console.technician.diag import diag

    return diag(options)


def _ledger(options: argparse.Namespace) -> int:
    from console.office.ledger.command import read

    return _with_library(f"ledger {options.reading}", "cryptography", lambda: read(options))


def _ledger_exporting(options: argparse.Namespace) -> int:
    def export() -> int:
        from console.office.export.command import answer

        return answer(options)

    return _with_library(f"ledger {options.reading}", "cryptography", export)


def _link(options: argparse.Namespace) -> int:
    def run_centre() -> int:
        from console.office.link.command import answer

        return answer(options)

    return _with_library(f"link {options.link}", "psycopg", run_centre)


def _tournament(options: argparse.Namespace) -> int:
    def run_tournament() -> int:
        from console.office.tournament.command import answer

        return answer(options)

    return _with_library(f"tournament {options.link}", "psycopg", run_tournament)


def _room(options: argparse.Namespace) -> int:
    def serve() -> int:
        from console.room.run import run_room

        return run_room(options.config)

    return _with_library("room", "aiohttp", partial(_with_library, "room", "psycopg", serve))


def _with_library(command: str, library: str, answer: Callable[[], int]) -> int:
    """Answer; print an error where an optional library is needed and missing."""
    try:
        return answer()
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != library:
            raise
        print(
            f"banco {command} needs the library {library}, which is not installed: see "
            f"docs/{_DOCUMENTED_IN[library]}",
            file=sys.stderr,
        )
        return UNUSABLE


def _ledger_repair(options: argparse.Namespace) -> int:
    from console.office.ledger.repair import repair

    return repair(options)


def _ledger_correct(options: argparse.Namespace) -> int:
    from console.office.correct import correct

    return correct(options)


def _report(options: argparse.Namespace) -> int:
    from console.office.bordereau.command import report

    return report(options)


def _enrol(options: argparse.Namespace) -> int:
    from console.office.enrol import enrol

    return enrol(options)
