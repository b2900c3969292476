"""`banco ledger begin`: two people begin a real table's ledger; its service never does."""

import os
from pathlib import Path

import pytest

from console.rules.codes import Fault
from console.service.table_ledger import LOCK_FILE
from jackpot.ledger.ledger import verify
from jackpot.ledger.lock_file import LockFile
from jackpot.trust.seal import read_seal
from jackpot.trust.signed_nights import nights_file
from jackpot.trust.signing import load_public
from tests.console.real_table import ANNA, ROSSI, RealTable
from tests.house.sources import ROOT

SERVICE = 65_534
"""The user that the folders belong to."""


@pytest.fixture
def table(tmp_path: Path) -> RealTable:
    return RealTable(tmp_path)


def test_two_people_begin_and_their_names_are_its_first_record(table: RealTable) -> None:
    done = table.begin()
    assert (done.status, done.complaints.count("note")) == (0, 0), done.complaints
    assert "opening 10000.00" in done.out
    first, second, third, boards = table.records
    assert (first.seq, first.kind) == (1, "begun")
    assert first.body["act"] == {"who": "anna", "second": "rossi"}
    assert [second.kind, third.kind] == ["settings", "settings-found"]
    assert boards.body["act"] == {"first_sight": "refuse"}, "none is enrolled yet"
    state = table.start()
    assert (state.faults, state.balances.jackpot_cents) == ((), 1_000_000)


def test_second_copy_and_seal_begin_with_it(table: RealTable) -> None:
    assert table.begin(ANNA, ROSSI, names=("--as", "anna", "--and", "rossi")).status == 0
    head = verify(table.ledger).head
    assert verify(table.second).head == head
    seal = read_seal(table.seal)
    assert seal is not None
    assert (seal.table, seal.seq) == ("caribbean-1", head.seq)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root writes as somebody else")
def test_what_root_begins_is_the_services_and_nobody_elses_to_read(table: RealTable) -> None:
    """docs/how-to/install.md makes second copy's and seal's folders with `install -d`: open to
    all
    """
    table.ledger.mkdir()
    folders = (table.ledger, table.second, table.seal.parent)
    for folder in folders:
        os.chown(folder, SERVICE, SERVICE)
        folder.chmod(0o755)
    assert table.begin(ANNA, ROSSI, names=("--as", "anna", "--and", "rossi")).status == 0
    made = [file for folder in folders for file in folder.iterdir()]
    assert {folder.name for folder in folders} == {file.parent.name for file in made}
    assert {file.stat().st_uid for file in made} == {SERVICE}
    assert [file.name for file in made if file.stat().st_mode & 0o007] == []


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        (("anna", ANNA, "rossi", ANNA), "name or PIN is wrong"),
        (("anna", ROSSI), "name or PIN is wrong"),
        (("anna", ANNA, "carlo", ROSSI), "name or PIN is wrong"),
        (("anna", ANNA, "anna", ANNA), "the second is another one"),
        (("anna", ANNA), "no answer"),
    ],
)
def test_a_ledger_is_not_begun_without_both_people(
    typed: tuple[str, ...], why: str, table: RealTable
) -> None:
    refused = table.begin(*typed)
    assert refused.status == 1
    assert why in refused.complaints
    assert not table.ledger.exists()


def test_a_ledger_is_not_begun_by_anybody_who_is_not_enrolled(table: RealTable) -> None:
    table.people.unlink()
    refused = table.begin()
    assert (refused.status, refused.complaints.count("nobody is enrolled")) == (2, 1)


def test_the_service_of_a_real_table_makes_no_ledger_but_a_lock(table: RealTable) -> None:
    """TABLE 7.20"""
    for _ in range(2):
        assert table.start().faults == (Fault.LEDGER_CORRUPT,)
        assert [file.name for file in table.ledger.iterdir()] == [LOCK_FILE]
    lock = LockFile(table.ledger / LOCK_FILE).read()
    assert lock is not None
    assert "banco ledger begin" in lock.why
    assert table.begin().status == 0
    assert table.start().faults == (), "nothing was wrong but that it had not begun"


def test_it_begins_once(table: RealTable) -> None:
    table.begin()
    before = table.records
    refused = table.begin()
    assert (refused.status, refused.complaints.count("it does so once")) == (2, 1)
    assert table.records == before


@pytest.mark.parametrize("known_to", ["copy", "seal"])
def test_no_ledger_is_begun_where_it_is_gone_and_a_medium_knows_it(
    known_to: str, table: RealTable
) -> None:
    table.begin()
    for file in table.ledger.iterdir():
        file.unlink()
    if known_to == "copy":
        table.seal.unlink()
    else:
        for file in table.second.iterdir():
            file.unlink()
    refused = table.begin()
    assert (refused.status, refused.complaints.count("has seen record 4")) == (2, 1)
    assert table.start().faults == (Fault.LEDGER_CORRUPT,)


def test_no_ledger_is_begun_where_the_nights_of_an_earlier_one_lie_beside_its_seal(
    table: RealTable,
) -> None:
    """`verify --nights` would never again find the new ledger in order"""
    nights = nights_file(table.seal)
    nights.write_text("", "utf-8")
    refused = table.begin()
    assert (refused.status, str(nights) in refused.complaints) == (2, True)
    assert not table.ledger.exists()


def test_a_ledger_is_not_begun_before_the_table_has_its_key(table: RealTable) -> None:
    """Nobody could sign its first records: it would begin without a seal"""
    key = table.file.with_name("key")
    key.rename(key.with_name("taken"))
    refused = table.begin()
    assert (refused.status, refused.complaints.count("banco key make")) == (2, 1)
    assert not table.ledger.exists()
    assert not table.seal.exists()
    key.with_name("taken").rename(key)
    begun = table.begin()
    shown = f"fingerprint of the key: {load_public(key / 'table.key.pub').fingerprint}"
    assert (begun.status, shown in begun.out) == (0, True)


def test_a_simulation_begins_by_itself(table: RealTable) -> None:
    table.file.write_text((ROOT / "docs/tables/simulation.toml").read_text("utf-8"), "utf-8")
    refused = table.begin()
    assert (refused.status, refused.complaints.count("by itself")) == (2, 1)


PRIZES = """
currency = "CHF"
limit = "20000.00"
[[prize]]
combination = "MINI_ROYAL"
it = "MINI SCALA"
en = "MINI ROYAL"
amount = "500.00"
from = "house"
envy = "25.00"
key = "JPH"
"""


def test_the_two_people_read_what_the_prize_file_says(table: RealTable) -> None:
    (table.file.parent / "prizes.toml").write_text(PRIZES, "utf-8")
    text = table.file.read_text("utf-8")
    named = 'game.name = "caribbean-stud"\ngame.prizes = "prizes.toml"'
    table.file.write_text(text.replace('game = "caribbean-stud"', named), "utf-8")
    done = table.begin()
    assert done.status == 0
    for words in (
        "opening 10000.00, base 5000.00 CHF; ",
        "prize MINI_ROYAL key JPH amount 500.00 from house envy 25.00 it MINI SCALA en MINI ROYAL",
        "limit 20000.00 CHF",
    ):
        assert words in done.out
    assert "EUR" not in done.out
