"""What export and archive need to know: keys, passphrases, the table's name."""

import sys
from getpass import getpass
from pathlib import Path

from console.rules.acts import KINDS, Adopted
from console.rules.records import SNAPSHOT, restore_state, settings_in
from jackpot.ledger import newest_record
from jackpot.signing import PassphraseNeeded, PrivateKey, load_private


class ExportRefused(Exception):
    """The command cannot do what was asked; the text says why and what to do."""


def visible(text: str) -> str:
    """The text without control characters: the file may come from anybody."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def table_of(folder: Path) -> str:
    """The table's name in the newest settings; "" before the first settings."""
    adopted = newest_record(folder, kind=KINDS[Adopted])
    if adopted is not None:
        settings = settings_in(adopted.kind, adopted.body)
    else:  # they may be in the archive
        snapshot = newest_record(folder, kind=SNAPSHOT)
        settings = restore_state(snapshot.body, ()).settings if snapshot is not None else None
    return settings.table if settings else ""


def private_key(file: Path) -> PrivateKey:
    """The private key; asks for its passphrase if it has one. Raises EOFError, KeyUnusable."""
    try:
        return load_private(file)
    except PassphraseNeeded:
        return load_private(file, ask_hidden(f"passphrase of {file}: "))


def new_passphrase() -> str:
    """Ask twice for a new passphrase. Raises EOFError, ExportRefused."""
    passphrase = ask_hidden("passphrase: ")
    if not passphrase:
        raise ExportRefused("an empty passphrase protects nothing; leave out --passphrase for none")
    if ask_hidden("once more: ") != passphrase:
        raise ExportRefused("these are two different passphrases")
    return passphrase


def ask_hidden(question: str) -> str:
    """Ask for a line without echo, or read the next line of a pipe. Raises EOFError."""
    if sys.stdin.isatty():
        return getpass(question)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")
