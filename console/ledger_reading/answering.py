"""Which reading answers to `banco ledger`, and what its exit status says."""

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path

from console.ledger_reading.accounts import rebuild_accounts
from console.ledger_reading.act_by_act import replay_round
from console.ledger_reading.found import FAILED, UNUSABLE
from console.ledger_reading.place import ledger_in
from console.ledger_reading.showing import show_records
from console.ledger_reading.whole import verify_whole
from console.records import UnreadableRecord
from jackpot.ledger import LedgerCorrupt, LedgerUnavailable

READINGS: Mapping[str, Callable[[Path, Namespace], int]] = {
    "verify": verify_whole,
    "rebuild": rebuild_accounts,
    "show": show_records,
    "replay": replay_round,
}


def read(options: Namespace) -> int:
    """Answer `banco ledger READING`; the exit status.

    A pager that was left is no error worth telling, but nothing was told to the end either.
    """
    folder = ledger_in(options.folder)
    try:
        status = READINGS[options.reading](folder, options)
        sys.stdout.flush()
    except (LedgerUnavailable, LedgerCorrupt, UnreadableRecord) as error:
        sys.stdout.flush()
        print(f"{folder}: {error}", file=sys.stderr)
        return UNUSABLE
    except BrokenPipeError:
        _say_no_more()
        return FAILED
    return status


def _say_no_more() -> None:
    """Python flushes standard output once more at its end; that must not be told either."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
