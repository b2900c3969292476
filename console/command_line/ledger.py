"""`banco ledger`: read a ledger, sign and archive its records, begin, repair and correct it."""

import sys
from argparse import Action, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from console.command_line.arguments import add_language, add_table, read_entry, read_language
from console.command_line.command import UNUSABLE, BancoCommand, Family
from console.command_line.ledger_export import EXPORTING
from console.office.ledger.labels import label_in
from console.service.supervision.command_parser import whole_number
from jackpot.foreign_text import quote

# What is read


def _read(folder: Path, reading: Callable[[Path], int]) -> int:
    """Read the ledger in this folder; print why it cannot be read."""
    from console.configuration.places import ledger_in
    from console.rules.records import UnreadableRecord
    from jackpot.failures import LedgerCorrupt, LedgerUnavailable, Refused

    ledger = ledger_in(folder)
    try:
        return reading(ledger)
    except Refused as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    except (LedgerUnavailable, LedgerCorrupt, UnreadableRecord) as error:
        sys.stdout.flush()
        print(f"{ledger}: {error}", file=sys.stderr)
        return UNUSABLE


def _add_folder(reading: ArgumentParser) -> None:
    """Add where the ledger is; `_folder_of` reads it."""
    where = reading.add_mutually_exclusive_group(required=True)
    where.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, help="the ledger's folder")
    where.add_argument(
        "--sim", action="store_true", help="the simulated table's ledger: banco run --sim"
    )


def _folder_of(options: Namespace) -> Path:
    from console.configuration.places import simulation_folder

    return simulation_folder() if options.sim else options.folder


def _add_verify(verify: ArgumentParser) -> None:
    _add_folder(verify)
    verify.add_argument(
        "--archive",
        metavar="FILE",
        action="append",
        type=Path,
        help="check this file of its archive, too; of several, the oldest first",
    )
    verify.add_argument(
        "--key", metavar="FILE", type=Path, help="the house's public key, for the archive"
    )
    verify.add_argument(
        "--table-key",
        metavar="FILE",
        type=Path,
        help="the table's public key: check what it has signed, too",
    )
    verify.add_argument("--seal", metavar="FILE", type=Path, help="the seal, for --table-key")
    verify.add_argument(
        "--nights",
        metavar="FILE",
        type=Path,
        help="the file of nights beside the seal, for --table-key",
    )


def _verify(options: Namespace) -> int:
    from console.office.ledger.verify import SignedByTable, verify_whole

    signed = SignedByTable(options.table_key, options.seal, options.nights)
    archive = options.archive or []
    return _read(
        _folder_of(options), lambda ledger: verify_whole(ledger, archive, options.key, signed)
    )


def _add_meters(meters: ArgumentParser) -> None:
    _add_folder(meters)
    add_language(meters)
    meters.add_argument("--json", action="store_true", help="as JSON")


def _meters(options: Namespace) -> int:
    from console.office.ledger.meters import print_meters
    from console.texts.language import Language

    return _read(
        _folder_of(options),
        lambda ledger: print_meters(
            ledger, read_language(options) or Language.EN, as_json=options.json
        ),
    )


def _rebuild(options: Namespace) -> int:
    from console.office.ledger.verify import rebuild_accounts

    return _read(_folder_of(options), rebuild_accounts)


def _add_show(show: ArgumentParser) -> None:
    _add_folder(show)
    show.add_argument("--since", metavar="TIME", type=_label, help="such as 2026-11-20T21:30 (UTC)")
    show.add_argument("--until", metavar="TIME", type=_label, help="inclusive: all of 2026-11-20")
    show.add_argument("--round", type=whole_number, metavar="N", help="only this round")
    show.add_argument(
        "--kind", metavar="KIND", action="append", help="such as button; may be given several times"
    )
    show.add_argument("--refused", action="store_true", help="only what was refused")
    show.add_argument("--money", action="store_true", help="only what moves money")
    show.add_argument(
        "--after",
        type=whole_number,
        metavar="SEQ",
        help="only later records, the oldest of them first",
    )
    how_many = show.add_mutually_exclusive_group()
    how_many.add_argument(
        "--limit",
        type=whole_number,
        metavar="N",
        help="at most so many (one screen on a terminal, or 1000); 0: all",
    )
    how_many.add_argument("--last", type=whole_number, metavar="N", help="only the newest N")
    show.add_argument(
        "--follow", action="store_true", help="print further records as they come, until Ctrl-C"
    )
    shape = show.add_mutually_exclusive_group()
    shape.add_argument(
        "--format", choices=("table", "json", "csv"), default="table", help="how (table)"
    )
    shape.add_argument(
        "--json", action="store_const", dest="format", const="json", help="--format json"
    )


def _label(text: str) -> str:
    label = label_in(text)
    if label is None:
        raise ArgumentTypeError(f"not a time such as 2026-11-20T21:30 (UTC): {quote(text)}")
    return label


def _show(options: Namespace) -> int:
    from console.office.ledger.show import Extent, show_records
    from jackpot.ledger.selection import Selection

    selection = Selection(
        since=options.since or "",
        until=options.until or "",
        round=options.round,
        kinds=tuple(options.kind or ()),
        refused=options.refused,
        moving=options.money,
        after=options.after or 0,
    )
    extent = Extent(options.limit, options.last, options.after is not None, options.follow)
    return _read(
        _folder_of(options), lambda ledger: show_records(ledger, selection, extent, options.format)
    )


def _add_replay(replay: ArgumentParser) -> None:
    replay.add_argument("round", metavar="ROUND", type=whole_number, help="the round's number")
    replay.add_argument(
        "--json", action="store_true", help="one JSON object for each act, as banco play prints"
    )
    replay.add_argument(
        "--language", choices=("it", "en"), default="it", help="of the words and the display (it)"
    )
    folder = replay.add_argument(
        "folder", metavar="FOLDER", type=Path, help="the ledger's folder; none with --sim"
    )
    replay.add_argument(
        "--sim",
        action=InsteadOfFolder,
        folder=folder,
        help="the simulated table's ledger: banco run --sim",
    )


class InsteadOfFolder(Action):
    """An option with which a folder is not required.

    Behind the number of a round argparse takes a folder that may be missing only beside it, and
    not behind further options.
    """

    def __init__(self, option_strings: Sequence[str], folder: Action, **kwargs: Any) -> None:
        super().__init__(option_strings, nargs=0, default=False, **(kwargs | {"dest": "sim"}))
        self._folder = folder

    def __call__(
        self, _parser: ArgumentParser, namespace: Namespace, _values: object, *_: object
    ) -> None:
        """The option was given."""
        self._folder.required = False
        namespace.sim = True


def _replay(options: Namespace) -> int:
    from console.office.ledger.rounds import print_replay
    from console.texts.language import Language

    if options.sim and options.folder is not None:
        print(f"--sim is the simulation's: leave out {quote(str(options.folder))}", file=sys.stderr)
        return UNUSABLE
    language = Language(options.language)
    return _read(
        _folder_of(options),
        lambda ledger: print_replay(ledger, options.round, language, as_json=options.json),
    )


# What is changed


def _add_begin(begin: ArgumentParser) -> None:
    begin.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        default=Path("/etc/banco/table.toml"),
        help="the table's configuration (/etc/banco/table.toml)",
    )
    begin.add_argument("--as", metavar="NAME", dest="who", help="the first; asked if not given")
    begin.add_argument("--and", metavar="NAME", dest="second", help="the second; the same")


def _begin(options: Namespace) -> int:
    from console.office.ledger.begin import begin

    return begin(options.config, options.who, options.second)


def _add_repair(repair: ArgumentParser) -> None:
    repair.add_argument("folder", metavar="FOLDER", type=Path, help="the ledger's folder")
    repair.add_argument("--mirror", metavar="FOLDER", type=Path, help="its second copy's")
    repair.add_argument("--seal", metavar="FILE", type=Path, help="its seal")
    repair.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="the table's configuration, whose key checks the seal, and signs a new one; without "
        "it /etc/banco/table.toml, if that names this ledger",
    )
    repair.add_argument(
        "--from",
        dest="source",
        choices=("ledger", "copy"),
        help="which of two sound copies is the right one, where they part",
    )
    repair.add_argument(
        "--accept", metavar="REASON", help="begin the seal anew, because of what was checked"
    )
    repair.add_argument(
        "--really", action="store_true", help="repair; without it, only show what would be done"
    )
    repair.add_argument("--by", metavar="NAME", help="who has checked it; the PIN is asked for")
    repair.add_argument(
        "--and",
        metavar="NAME",
        dest="second",
        help="a second person, where evidence is thrown away: with --accept, or lost records",
    )
    repair.add_argument(
        "--people",
        metavar="FILE",
        type=Path,
        help="who is enrolled at a simulation; at a real table /etc/banco/people.toml alone",
    )


def _repair(options: Namespace) -> int:
    from console.configuration.places import ledger_in
    from console.office.ledger.repair import RepairRequest, repair
    from jackpot.trust.repair import Side

    return repair(
        RepairRequest(
            ledger_in(options.folder),
            options.mirror,
            options.seal,
            Side(options.source) if options.source else None,
            options.config,
            options.accept or "",
            options.really,
            options.by or "",
            options.second or "",
            options.people,
        )
    )


def _add_correct(correct: ArgumentParser) -> None:
    accounts = ("tray", "jackpot", "reserve", "house")
    correct.add_argument("source", metavar="FROM", choices=accounts, help=", ".join(accounts))
    correct.add_argument("target", metavar="TO", choices=accounts, help="another of them")
    correct.add_argument("amount", metavar="AMOUNT", help="such as 12.50")
    correct.add_argument("--reason", required=True, help="why: 10 to 200 characters")
    correct.add_argument(
        "--as", metavar="NAME", dest="who", help="the first cashier; asked if not given"
    )
    correct.add_argument(
        "--and", metavar="NAME", dest="second", help="the second cashier; asked if not given"
    )
    add_table(correct)
    add_language(correct)


def _correct(options: Namespace) -> int:
    from console.line.requests import CorrectAccounts
    from console.office.dialogue import correct

    request = CorrectAccounts(options.source, options.target, options.amount, options.reason)
    return correct(request, read_entry(options), options.second or "")


COMMANDS = (
    Family(
        "ledger",
        "read a ledger",
        "banco ledger verify /var/lib/banco",
        (
            BancoCommand(
                "verify",
                "verify the whole chain of records",
                "banco ledger verify /var/lib/banco",
                _verify,
                _add_verify,
            ),
            BancoCommand(
                "rebuild",
                "rebuild every account from the record",
                "banco ledger rebuild FOLDER",
                _rebuild,
                _add_folder,
            ),
            BancoCommand(
                "show", "print the records", "banco ledger show --sim --follow", _show, _add_show
            ),
            BancoCommand(
                "meters",
                "print the meters of a table's life: tokens, each prize, the last 25 wins",
                "banco ledger meters --sim --json",
                _meters,
                _add_meters,
            ),
            BancoCommand(
                "replay",
                "play a round again, act by act",
                "banco ledger replay 17 FOLDER",
                _replay,
                _add_replay,
            ),
            *EXPORTING,
            BancoCommand(
                "begin",
                "two enrolled people begin the ledger of a real table, each with a PIN",
                "banco ledger begin --as anna --and rossi",
                _begin,
                _add_begin,
            ),
            BancoCommand(
                "repair",
                "show which copy of a ledger is sound, and restore the other from it",
                "banco ledger repair /var/lib/banco --mirror /media/second/banco",
                _repair,
                _add_repair,
            ),
            BancoCommand(
                "correct",
                "two cashiers correct the accounts, each with a PIN, while the table runs",
                'banco ledger correct house reserve 12.50 --reason "counted twice on Friday"',
                _correct,
                _add_correct,
            ),
        ),
        needs=("cryptography",),
        title="readings",
        metavar="READING",
    ),
)
