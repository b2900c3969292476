"""`banco witness`: installed, tables admitted, and the heads audited beside ledgers and exports."""

import json
import re
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from console.command_line.command import DONE, FAILED, UNUSABLE
from console.command_line.main import main
from console.office.table_of_ledger import table_of
from jackpot.ledger.journal import Head
from jackpot.ledger.ledger import read_records
from jackpot.trust.counterpart import Noted
from jackpot.trust.head_signer import HeadSigner
from jackpot.trust.key_stores.file import KEY, FileStore, make_file_store
from jackpot.trust.signing import public_file
from tests.console.bordereau.played_nights import NIGHT, TRAY, ledger_of, play_night
from tests.console.link.servers import Server
from tests.console.witness.witness_house import WitnessHouse

SEEN = 3
"""Every third record's head was sent."""


@dataclass(frozen=True)
class Night:
    """A night at a table: its ledger, its key, an export."""

    table: str
    ledger: Path
    key: Path
    house_key: Path
    export: Path

    def sign(self, noted: Noted) -> Any:
        """A head as the table signs it."""
        return HeadSigner(self.table, lambda: FileStore(self.key)).sign(noted)


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Night:
    """A closed night, exported up to its record 20."""
    folder = tmp_path_factory.mktemp("night")
    make_file_store(folder / "key")
    house_key, export = folder / "house.key", folder / "export.jsonl"
    assert main(["ledger", "key", str(house_key)]) == DONE
    with play_night(folder, *NIGHT, TRAY) as table:
        ledger = folder / "ledger copy"
        shutil.copytree(ledger_of(table), ledger)
    words = ["--key", str(house_key), "--out", str(export), "--to", "20"]
    assert main(["ledger", "export", *words, str(ledger)]) == DONE
    return Night(table_of(ledger), ledger, folder / "key", public_file(house_key), export)


Audit = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def audit(own_house: WitnessHouse, night: Night, capsys: pytest.CaptureFixture[str]) -> Audit:
    """The audit of a witness that has every third record's head of the night."""
    own_house.admit(night.table, FileStore(night.key).public.fingerprint)
    with closing(own_house.call_as(night.table)) as heads:
        for number, record in enumerate(read_records(night.ledger, limit=-1)):
            if number % SEEN == 0:
                head = night.sign(Noted(Head(record.seq, record.hash), record.wall))
                heads.append(head, number // SEEN + 1)
    dsn = own_house.server.dsn("postgres", own_house.database)

    def run(*words: str | Path, key: Path = night.key) -> tuple[int, Any]:
        capsys.readouterr()
        options = ["--key", str(public_file(key / KEY)), "--json", "--database", dsn]
        status = main(["witness", "audit", *map(str, words), *options])
        return status, json.loads(capsys.readouterr().out)

    return run


def list_findings(report: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["kind"], one["text"]) for one in report["findings"]]


def test_the_heads_are_proved_against_ledger_and_export(audit: Audit, night: Night) -> None:
    export = ("--export", night.export, "--house-key", night.house_key)
    status, report = audit(night.ledger, *export)
    assert status == DONE
    last = max(record.seq for record in read_records(night.ledger, limit=-1))
    assert report["heads"] == {night.table: len(range(1, last + 1, SEEN))}
    assert [kind for kind, _ in list_findings(report)] == ["not-here"]


def test_an_older_copy_of_the_ledger_differs(audit: Audit, tmp_path: Path) -> None:
    """In virtual time the same acts lead to the same records."""
    with play_night(tmp_path, *NIGHT[:6]) as table:
        status, report = audit(ledger_of(table))
    assert status == FAILED
    ((kind, text),) = list_findings(report)
    assert kind == "differs"
    assert re.fullmatch(r"it ends at record \d+; the witness has seen record \d+", text)


def test_another_ledger_of_this_table_differs(audit: Audit, tmp_path: Path) -> None:
    with play_night(tmp_path, *NIGHT[:1], "token 7", *NIGHT[1:], TRAY) as table:
        status, report = audit(ledger_of(table))
    assert status == FAILED
    kind, text = list_findings(report)[0]
    assert kind == "differs"
    assert re.fullmatch(r"record \d+ is not the one that the witness has seen", text)


def test_a_head_that_the_table_did_not_sign_differs(
    audit: Audit, night: Night, own_house: WitnessHouse
) -> None:
    with closing(own_house.call_as(night.table)) as heads:
        newest = heads.read_newest()
        assert newest is not None
        head = newest.head()
        assert head is not None
        heads.append(replace(head, seq=head.seq + 1, hash="b" * 64), newest.number)
    status, report = audit()
    assert status == FAILED
    assert "wrong signature" in list_findings(report)[0][1]


def test_a_head_that_was_deleted_leaves_a_gap(
    audit: Audit, night: Night, own_house: WitnessHouse
) -> None:
    own_house.delete_entry(night.table, 5)
    status, report = audit()
    assert status == FAILED
    assert list_findings(report) == [("differs", "entry 5 is missing: the next is 6")]


def test_signatures_of_a_key_that_is_not_given_are_not_called_right(
    audit: Audit, tmp_path: Path
) -> None:
    make_file_store(tmp_path / "other")
    status, report = audit(key=tmp_path / "other")
    assert status == FAILED
    assert [kind for kind, _ in list_findings(report)] == ["unchecked"]


def test_what_was_refused_and_what_the_house_admitted_is_named(
    audit: Audit, night: Night, own_house: WitnessHouse
) -> None:
    records = {record.seq: record for record in read_records(night.ledger, limit=-1)}
    older = records[4]
    with closing(own_house.call_as(night.table)) as heads:
        head = night.sign(Noted(Head(older.seq, older.hash), older.wall))
        assert heads.append(head, 1).refused is not None
    key = FileStore(night.key).public.fingerprint
    own_house.admit(night.table, key, Head(older.seq, older.hash), "backup of May put back")
    status, report = audit(night.ledger)
    assert status == DONE
    (admitted, text), (refused, why) = list_findings(report)
    assert (admitted, refused) == ("admitted", "refused")
    assert text.endswith("backup of May put back")
    assert "OLDER_RECORD: record 4" in why


def test_a_house_installs_it_admits_a_table_and_a_reader(
    server: Server, night: Night, capsys: pytest.CaptureFixture[str]
) -> None:
    server.make_database("bare", "template0")
    database = ("--database", server.dsn("postgres", "bare"))
    key = str(public_file(night.key / KEY))
    try:
        for _ in range(2):  # once more changes nothing
            assert main(["witness", "init", *database]) == DONE
        admit = ["witness", "admit", "table-new", "--key", key, "--reason", "new", *database]
        assert main(admit) == DONE
        assert main([*admit, "--from", f"812:{'c' * 64}"]) == DONE
        assert main(["witness", "reader", "inspector", *database]) == DONE
        assert "entry 2" in capsys.readouterr().out
        assert main([*admit, "--from", "812"]) == UNUSABLE
        assert "write the record's number and hash" in capsys.readouterr().err
        assert main(["witness", "audit", "--key", key, *database]) == DONE
        out = capsys.readouterr().out.splitlines()
        assert out[0] == "table-new: 0 heads"
        assert out[-1] == "in order: 0 heads, and 0 ledgers or exports"
    finally:
        server.drop_database("bare")


def test_a_database_that_cannot_be_reached_is_told(
    night: Night, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--key", str(public_file(night.key / KEY)), "--database", "host=127.0.0.1 port=1"]
    assert main(["witness", "audit", *words]) == UNUSABLE
    assert "not done: " in capsys.readouterr().err
