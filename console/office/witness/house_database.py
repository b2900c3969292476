"""The witness outside: its schema is installed, tables and readers are let in."""

import re
from pathlib import Path

from console.database.connect import connect_to
from console.database.install import install_schema
from console.office.ledger.exit_status import IN_ORDER
from console.office.questions import ask_password
from console.witness.admission import Admission, admit_table, load_witness_schema, make_reader
from jackpot.ledger.journal import Head
from jackpot.trust.signing import load_public


def install_witness(database: str) -> int:
    """Install the schema, or bring it up to this version; the exit status.

    Raises DatabaseUnusable, as all here do.
    """
    with connect_to(database, ask_password) as connection:
        version = install_schema(connection, load_witness_schema())
    print(f"the witness has the schema, version {version}")
    return IN_ORDER


def admit(database: str, table: str, key_file: Path, reason: str, head: str) -> int:
    """Admit a table with its public key; the exit status. Raises KeyUnusable, OSError, ValueError.

    `head`: number and hash of the record from which its heads go on; "": the newest known.
    """
    key = load_public(key_file).fingerprint
    admission = Admission(table, key, reason, _head_of(head) if head else None)
    with connect_to(database, ask_password) as connection:
        number = admit_table(connection, admission)
    print(f"{table} is admitted with the key {key}: entry {number}")
    return IN_ORDER


def add_reader(database: str, name: str) -> int:
    """Make the role of somebody who reads the heads; the exit status."""
    with connect_to(database, ask_password) as connection:
        make_reader(connection, name)
    print(f"{name} may read the heads")
    print(f"now give it a password (in psql: \\password {name}), or a certificate")
    return IN_ORDER


def _head_of(text: str) -> Head:
    found = re.fullmatch(r"([0-9]{1,18}):([0-9a-f]{64})", text)
    if found is None:
        raise ValueError(
            f"--from {text}: write the record's number and hash, as banco ledger verify prints "
            "them: 812:1f0c..."
        )
    return Head(int(found[1]), found[2])
