"""`banco ledger verify`, `rebuild`, `show`, `replay`: run the command, return its exit status."""

import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path

from console.configuration.places import ledger_in
from console.office.ledger.exit_status import UNUSABLE, NotAsked
from console.office.ledger.rebuild import rebuild_accounts
from console.office.ledger.replay import print_replay
from console.office.ledger.show import show_records
from console.office.ledger.verify import verify_whole
from console.rules.records import UnreadableRecord
from jackpot.ledger.ledger import LedgerCorrupt, LedgerUnavailable

READINGS: Mapping[str, Callable[[Path, Namespace], int]] = {
    "verify": verify_whole,
    "rebuild": rebuild_accounts,
    "show": show_records,
    "replay": print_replay,
}


def read(options: Namespace) -> int:
    """Run the command that reads a ledger; the exit status."""
    folder = ledger_in(options.folder)
    try:
        return READINGS[options.reading](folder, options)
    except NotAsked as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    except (LedgerUnavailable, LedgerCorrupt, UnreadableRecord) as error:
        sys.stdout.flush()
        print(f"{folder}: {error}", file=sys.stderr)
        return UNUSABLE
