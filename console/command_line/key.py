"""`banco key make`, `show`, `sign`: the table's own key, as its configuration names it."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from console.command_line.command import BancoCommand, Family


def _add_file(key: ArgumentParser) -> None:
    key.add_argument("file", metavar="FILE", type=Path, help="the table's configuration")


def _make(options: Namespace) -> int:
    from console.office.table_key import make_key

    return make_key(options.file)


def _show(options: Namespace) -> int:
    from console.office.table_key import show_key

    return show_key(options.file)


def _sign(options: Namespace) -> int:
    from console.office.table_key import sign_newest_record

    return sign_newest_record(options.file)


COMMANDS = (
    Family(
        "key",
        "make or show the table's own key, or have it sign",
        "banco key show /etc/banco/table.toml",
        (
            BancoCommand(
                "make",
                "make the table's own key and its counter, once, where [key] says",
                "sudo -u banco banco key make /etc/banco/table.toml",
                _make,
                _add_file,
            ),
            BancoCommand(
                "show",
                "print where the table's key is, its fingerprint and its counter",
                "sudo -u banco banco key show /etc/banco/table.toml",
                _show,
                _add_file,
            ),
            BancoCommand(
                "sign",
                "have the running table sign its newest record, before its ledger is copied",
                "sudo -u banco banco key sign /etc/banco/table.toml",
                _sign,
                _add_file,
            ),
        ),
        needs=("cryptography",),
    ),
)
