"""`banco witness`: the answers of its commands."""

import re
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping

import msgspec

from console.database.connect import connect_to
from console.database.install import install_schema
from console.office.ledger.exit_status import FAILED, IN_ORDER, UNUSABLE
from console.office.link.audit_sources import open_export, open_ledger
from console.office.questions import ask_password
from console.office.witness.audit import audit_heads
from console.office.witness.audit_report import render_report
from console.service.supervision.process_end import describe_failure
from console.witness.admission import Admission, admit_table, make_reader
from console.witness.reading import read_newest_numbers
from console.witness.witness_schema import load_witness_schema
from jackpot.failures import Failure
from jackpot.ledger.journal import Head
from jackpot.trust.signing import load_public


def answer(options: Namespace) -> int:
    """Answer a command of `banco witness`; the exit status (docs/reference/exit-status.md)."""
    try:
        return ANSWERS[options.witness](options)
    except (Failure, OSError, ValueError) as error:
        print(f"not done: {describe_failure(error)}", file=sys.stderr)
        return UNUSABLE


def _init(options: Namespace) -> int:
    with connect_to(options.database, ask_password) as connection:
        version = install_schema(connection, load_witness_schema())
    print(f"the witness has the schema, version {version}")
    return IN_ORDER


def _admit(options: Namespace) -> int:
    key = load_public(options.key).fingerprint
    head = _head_of(options.head) if options.head else None
    admission = Admission(options.table, key, options.reason, head)
    with connect_to(options.database, ask_password) as connection:
        number = admit_table(connection, admission)
    print(f"{options.table} is admitted with the key {key}: entry {number}")
    return IN_ORDER


def _head_of(text: str) -> Head:
    found = re.fullmatch(r"([0-9]{1,18}):([0-9a-f]{64})", text)
    if found is None:
        raise ValueError(
            f"--from {text}: write the record's number and hash, as banco ledger verify prints "
            "them: 812:1f0c..."
        )
    return Head(int(found[1]), found[2])


def _make_reader(options: Namespace) -> int:
    with connect_to(options.database, ask_password) as connection:
        make_reader(connection, options.name)
    print(f"{options.name} may read the heads")
    print(f"now give it a password (in psql: \\password {options.name}), or a certificate")
    return IN_ORDER


def _audit(options: Namespace) -> int:
    keys = [load_public(file) for file in options.keys]
    if options.exports and options.house_key is None:
        raise ValueError("--export needs --house-key FILE, the key that signed the export")
    with connect_to(options.database, ask_password) as connection:
        upto = read_newest_numbers(connection)
        sources = [open_ledger(path) for path in options.ledgers]
        sources += [open_export(path, load_public(options.house_key)) for path in options.exports]
        report = audit_heads(connection, upto, keys, sources)
    if options.json:
        print(msgspec.json.encode(report, enc_hook=str).decode())
    else:
        print(*render_report(report), sep="\n")
    return IN_ORDER if report.right else FAILED


ANSWERS: Mapping[str, Callable[[Namespace], int]] = {
    "init": _init,
    "admit": _admit,
    "reader": _make_reader,
    "audit": _audit,
}
