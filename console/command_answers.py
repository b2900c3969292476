"""What each command of `banco` does.

Heavy modules are imported only when needed: a table's start is quick.
"""

import argparse
import sys
from collections.abc import Callable
from functools import partial

DONE, FAILED, UNUSABLE = 0, 1, 2
"""Exit statuses: done; done, with a negative result; not possible as asked."""

_DOCUMENTED_IN = {
    "cryptography": "how-to/audit.md",
    "psycopg": "how-to/link.md",
    "aiohttp": "how-to/room.md",
}


def answer_run(options: argparse.Namespace) -> int:
    """Run a table."""
    from console.run import run

    return run(
        options.config,
        simulated=options.sim,
        as_json=options.json,
        fault=options.fault,
        web=options.web,
    )


def answer_play(options: argparse.Namespace) -> int:
    """Play scenarios."""
    from console.simulation.scenario.play import play

    return play(options.files, as_json=options.json, real_time=options.real_time)


def answer_check(options: argparse.Namespace) -> int:
    """Check a configuration."""
    from console.configuration.adopted import adopt_content
    from console.configuration.file import ConfigurationErrors, content_of
    from console.configuration.keys import fingerprint
    from console.configuration.risks import find_risks
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
    print(f"sha256 of the configuration: {fingerprint(configuration)}")
    for risk in find_risks(configuration):
        print(f"warning: {risk}", file=sys.stderr)
    slow = describe_slow_codec()
    if slow:
        print(f"note: {slow}", file=sys.stderr)
    return DONE


def answer_key(options: argparse.Namespace) -> int:
    """Make or show the table's own key, or have it sign."""

    def answer_with_store() -> int:
        from console.office.table_key import answer

        return answer(options)

    return _with_library(f"key {options.doing}", "cryptography", answer_with_store)


def answer_declare(options: argparse.Namespace) -> int:
    """Declare something, as the floor manager."""
    from console.office.declare import declare

    return declare(options)


def answer_rake(options: argparse.Namespace) -> int:
    """Reckon the rake of a hand."""
    from console.office.rake.command import rake

    return rake(options)


def answer_diag(options: argparse.Namespace) -> int:
    """Serve the technician's line."""
    from console.technician.diag import diag

    return diag(options)


def answer_ledger(options: argparse.Namespace) -> int:
    """Read a ledger."""
    from console.office.ledger.command import read

    return _with_library(f"ledger {options.reading}", "cryptography", lambda: read(options))


def answer_ledger_exporting(options: argparse.Namespace) -> int:
    """Make a key, sign or check an export, or move records to an archive."""

    def export() -> int:
        from console.office.export.command import answer

        return answer(options)

    return _with_library(f"ledger {options.reading}", "cryptography", export)


def answer_link(options: argparse.Namespace) -> int:
    """Work at the centre of a linked jackpot."""

    def run_centre() -> int:
        from console.office.link.command import answer

        return answer(options)

    return _with_library(f"link {options.link}", "psycopg", run_centre)


def answer_witness(options: argparse.Namespace) -> int:
    """Work at the witness outside."""

    def run_witness() -> int:
        from console.office.witness.command import answer

        return answer(options)

    command = f"witness {options.witness}"
    with_key = partial(_with_library, command, "cryptography", run_witness)
    return _with_library(command, "psycopg", with_key)


def answer_tournament(options: argparse.Namespace) -> int:
    """Work at a tournament jackpot."""

    def run_tournament() -> int:
        from console.office.tournament.command import answer

        return answer(options)

    return _with_library(f"tournament {options.link}", "psycopg", run_tournament)


def answer_room(options: argparse.Namespace) -> int:
    """Serve the sign and the overview."""

    def serve() -> int:
        from console.room.run import run_room

        return run_room(options.config)

    return _with_library("room", "aiohttp", partial(_with_library, "room", "psycopg", serve))


def answer_pages(options: argparse.Namespace) -> int:
    """Serve a real table's pages."""

    def serve() -> int:
        from console.web.serving.unit import run_pages

        return run_pages(options.socket)

    return _with_library("pages", "aiohttp", serve)


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


def answer_ledger_begin(options: argparse.Namespace) -> int:
    """Begin a real table's ledger."""
    from console.office.ledger.begin import begin

    return begin(options)


def answer_ledger_repair(options: argparse.Namespace) -> int:
    """Repair a ledger."""
    from console.office.ledger.repair import repair

    return repair(options)


def answer_ledger_correct(options: argparse.Namespace) -> int:
    """Correct the accounts."""
    from console.office.correct import correct

    return correct(options)


def answer_report(options: argparse.Namespace) -> int:
    """Print the night's bordereau."""
    from console.office.report import report

    return report(options)


def answer_enrol(options: argparse.Namespace) -> int:
    """Enrol people."""
    from console.office.enrol import enrol

    return enrol(options)
