"""What exporting and archiving ask for: keys, passphrases, what the house calls the table."""

import sys
from getpass import getpass
from pathlib import Path

from console.rules.acts import KINDS, Adopted
from console.rules.records import SNAPSHOT, restore_state, settings_in
from jackpot.ledger import newest_record
from jackpot.signing import PassphraseNeeded, PrivateKey, load_private


class ExportRefused(Exception):
    """It cannot be done as it was asked for; the text says why, and what can be done."""


def visible(text: str) -> str:
    """Without what would steer the terminal: the file may be anybody's."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def table_of(folder: Path) -> str:
    """What the house calls the table, by the settings in force last; "" before there were any."""
    adopted = newest_record(folder, kind=KINDS[Adopted])
    if adopted is not None:
        settings = settings_in(adopted.kind, adopted.body)
    else:  # they may be in the archive
        snapshot = newest_record(folder, kind=SNAPSHOT)
        settings = restore_state(snapshot.body, ()).settings if snapshot is not None else None
    return settings.table if settings else ""


def private_key(file: Path) -> PrivateKey:
    """The private key; its passphrase is asked for if it has one. Raises EOFError, KeyUnusable."""
    try:
        return load_private(file)
    except PassphraseNeeded:
        return load_private(file, ask_hidden(f"passphrase of {file}: "))


def new_passphrase() -> str:
    """One that was typed twice. Raises EOFError, ExportRefused."""
    passphrase = ask_hidden("passphrase: ")
    if not passphrase:
        raise ExportRefused("an empty passphrase protects nothing; leave out --passphrase for none")
    if ask_hidden("once more: ") != passphrase:
        raise ExportRefused("these are two different passphrases")
    return passphrase


def ask_hidden(question: str) -> str:
    """A line without echo; of a pipe, its next line. Raises EOFError."""
    if sys.stdin.isatty():
        return getpass(question)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")
