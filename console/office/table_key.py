"""`banco key make`, `show`, `sign`: the table's own key, as its configuration names it."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from console.configuration.file import ConfigurationErrors, load_configuration
from console.configuration.sections import Configuration, KeySection, KeyStoreKind
from console.service.supervision.process_end import describe_failure
from jackpot.failures import Failure

DONE, UNUSABLE = 0, 2

TITLES: Mapping[KeyStoreKind, str] = {
    KeyStoreKind.TPM: "a TPM 2.0",
    KeyStoreKind.FILE: "a file, without a TPM: whoever reads it can sign as the table",
}


class KeyCommand(Protocol):
    """Adds a command to `banco key`."""

    def __call__(self, *, name: str, text: str, example: str) -> ArgumentParser:
        """Add it, with what it does and an example; returns its parser."""


def add_key(command: KeyCommand) -> None:
    """Add the commands."""
    for name, text in (
        ("make", "make the table's own key and its counter, once, where [key] says"),
        ("show", "print where the table's key is, its fingerprint and its counter"),
        ("sign", "have the running table sign its newest record, before its ledger is copied"),
    ):
        example = f"sudo -u banco banco key {name} /etc/banco/table.toml"
        parser = command(name=name, text=text, example=example)
        parser.add_argument("file", metavar="FILE", type=Path, help="the table's configuration")
        parser.set_defaults(doing=name)


def answer(options: Namespace) -> int:
    """Answer `banco key make`, `show` and `sign`; the exit status."""
    try:
        configuration = load_configuration(options.file)
        if configuration.key is None:
            print(f"{options.file}: it has no section [key]", file=sys.stderr)
            return UNUSABLE
        for line in ANSWERS[options.doing](configuration, configuration.key):
            print(line)
    except (ConfigurationErrors, Failure, OSError) as error:
        print(describe_failure(error), file=sys.stderr)
        return UNUSABLE
    return DONE


def _make(_: Configuration, section: KeySection) -> list[str]:
    from jackpot.trust.key_stores.file import KEY, make_file_store
    from jackpot.trust.key_stores.tpm import make_tpm_store
    from jackpot.trust.signing import public_file

    folder = Path(section.folder)
    if section.store is KeyStoreKind.FILE:
        public = make_file_store(folder)
    else:
        public = make_tpm_store(folder, section.device)
    return [
        f"the key is in {TITLES[section.store]}",
        f"public key  {public_file(folder / KEY)}: for everybody who checks",
        f"fingerprint {public.fingerprint}",
    ]


def _show(_: Configuration, section: KeySection) -> list[str]:
    from console.service.table_key import open_key_store

    store = open_key_store(section)
    return [
        f"the key is in {TITLES[section.store]}",
        f"fingerprint {store.public.fingerprint}",
        f"counter     {store.read_counter()}",
    ]


def _sign(configuration: Configuration, _: KeySection) -> list[str]:
    from console.office.head_request import have_head_signed

    return [have_head_signed(configuration)]


ANSWERS: Mapping[str, Callable[[Configuration, KeySection], list[str]]] = {
    "make": _make,
    "show": _show,
    "sign": _sign,
}
