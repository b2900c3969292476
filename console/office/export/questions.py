"""What export and archive need to know: keys and passphrases."""

from pathlib import Path

from console.office.questions import ask_hidden
from jackpot.failures import Refused
from jackpot.trust.signing import PassphraseNeeded, PrivateKey, load_private


def private_key(file: Path) -> PrivateKey:
    """The private key; asks for its passphrase if it has one. Raises NoAnswer, KeyUnusable."""
    try:
        return load_private(file)
    except PassphraseNeeded:
        return load_private(file, ask_hidden(f"passphrase of {file}: "))


def new_passphrase() -> str:
    """Ask twice for a new passphrase. Raises NoAnswer, Refused."""
    passphrase = ask_hidden("passphrase: ")
    if not passphrase:
        raise Refused("an empty passphrase protects nothing; leave out --passphrase for none")
    if ask_hidden("once more: ") != passphrase:
        raise Refused("these are two different passphrases")
    return passphrase
