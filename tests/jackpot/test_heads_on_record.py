"""Heads on record: a public key finds a chain that was computed anew, in ledger or export."""

from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import asdict, replace

from jackpot.ledger.journal import Entry
from jackpot.ledger.ledger import verify
from jackpot.money.movements import stake
from jackpot.trust.counterpart import Noted
from jackpot.trust.export_check import CheckedExport, check_export
from jackpot.trust.heads_on_record import KIND, check_heads
from jackpot.trust.key_stores.file import FileStore, make_file_store
from jackpot.trust.signed_head import SignedHead, sign_head
from jackpot.trust.signing import PrivateKey, load_private, make_pair
from tests.jackpot.exports import Lines, lines_of, make_export, rechain, sign_anew
from tests.jackpot.forged_chain import forge_chain
from tests.jackpot.money import SETTINGS, an_evening, entry, open_ledger

WALL = "2026-03-01T23:59:01"

SEAT_3_TO_4 = """UPDATE journal SET body = replace(body, '"seat":3', '"seat":4') WHERE seq = 4"""

WITHOUT_HEADS = f"UPDATE journal SET kind = 'act' WHERE kind = '{KIND}'"


class SignedLedger:
    """Four records, the head of the fourth, one more, and the head of that: 1 to 7."""

    def __init__(self, folder: Path) -> None:
        make_file_store(folder / "key")
        self.folder = folder / "ledger"
        self.store = FileStore(folder / "key")
        self.house = house_key(folder / "house.key")
        an_evening(self.folder, tokens=3)
        self.first = self.sign(1)
        self.play("a")
        self.second = self.sign(2)

    def play(self, token: str) -> None:
        with closing(open_ledger(self.folder)) as ledger:
            ledger.commit([entry(stake(SETTINGS, token))])

    def sign(self, counter: int) -> SignedHead:
        with closing(open_ledger(self.folder)) as ledger:
            noted = Noted(ledger.head, WALL)
            head = sign_head(self.store, noted, table="one", counter=counter)
            ledger.commit([entry(kind=KIND, act={**asdict(head), "store": "file"})])
        return head

    def problems(self, *others: SignedHead) -> tuple[str, ...]:
        named = [("the seal", head) for head in others]
        return check_heads(self.folder, self.store.public, named).problems

    def problems_of_export(self) -> tuple[str, ...]:
        out = self.folder / "exported"
        self.export(out)
        problems = self.check(out).problems
        out.unlink()
        return problems

    def export(self, out: Path) -> Lines:
        make_export(self.folder, out, self.house)
        return lines_of(out)

    def check(self, out: Path) -> CheckedExport:
        return check_export(out, self.house.public, self.store.public)


def house_key(file: Path) -> PrivateKey:
    make_pair(file)
    return load_private(file)


@pytest.fixture
def table(tmp_path: Path) -> SignedLedger:
    return SignedLedger(tmp_path)


def test_what_was_signed_is_in_it(table: SignedLedger) -> None:
    report = check_heads(table.folder, table.store.public)
    assert (report.heads, report.newest, report.problems) == (2, table.second, ())
    assert table.problems(table.first, table.second) == ()


def test_a_chain_computed_anew_is_found_out(table: SignedLedger) -> None:
    """The ledger itself is sound then, and so would be a copy and a seal without a signature."""
    forge_chain(table.folder, SEAT_3_TO_4)
    assert verify(table.folder).problems == ()
    assert [problem.split(" (")[0] for problem in table.problems()] == [
        "record 4 is not the one that the table's key has signed",
        "record 6 is not the one that the table's key has signed",
    ]


def test_heads_that_are_taken_out_are_missed(table: SignedLedger) -> None:
    """The seal, a night's file, paper: whatever still has a head shows it."""
    forge_chain(table.folder, SEAT_3_TO_4, WITHOUT_HEADS)
    assert verify(table.folder).problems == ()
    assert table.problems() == ("the table's key has signed nothing in it",)
    assert "record 6 is not the one" in table.problems(table.second)[0]


def test_a_head_that_another_key_has_signed(table: SignedLedger, tmp_path: Path) -> None:
    make_file_store(tmp_path / "forger")
    forged = FileStore(tmp_path / "forger")
    assert forged.public.fingerprint != table.store.public.fingerprint
    with closing(open_ledger(table.folder)) as ledger:
        head = sign_head(forged, Noted(ledger.head, WALL), table="one", counter=3)
        ledger.commit([entry(kind=KIND, act={**asdict(head)})])
        head = replace(head, key=table.store.public.fingerprint)
        ledger.commit([entry(kind=KIND, act={**asdict(head)}), entry(kind=KIND, act={"seq": 4})])
    other, wrong, none = table.problems()
    assert "is signed with the key" in other
    assert "has a wrong signature" in wrong
    assert "record 10 holds no signed head" in none


def test_a_ledger_that_is_cut_off_under_its_seal(table: SignedLedger) -> None:
    forge_chain(table.folder, "DELETE FROM journal WHERE seq > 5")
    assert table.problems() == ()
    (problem,) = table.problems(table.second)
    assert problem.startswith("record 6 is missing: it is one that the table's key has signed")


def test_play_that_nobody_signed_is_named(table: SignedLedger) -> None:
    """Somebody has added an hour at the end; or the key was lost for an hour."""
    with closing(open_ledger(table.folder)) as ledger:
        for minute in range(0, 61, 2):
            ledger.commit([act_at(minute)])
    (problem,) = table.problems()
    assert problem.startswith("records 7 to 38, 62 minutes of play, are not signed")
    assert table.problems_of_export() == (problem,)


def test_play_whose_times_say_nothing_is_named_by_its_rounds(table: SignedLedger) -> None:
    """Whoever adds it writes what times he likes: standing still, or with a start for each."""
    with closing(open_ledger(table.folder)) as ledger:
        ledger.commit([act_at(0, round=number) for number in range(1, 200)])
    (problem,) = table.problems()
    assert "18 minutes of play, are not signed" in problem


def test_play_with_a_start_before_each_record_is_named(table: SignedLedger) -> None:
    for _ in range(9):
        with closing(open_ledger(table.folder)) as ledger:
            ledger.commit([act_at(0)])
    (problem,) = table.problems()
    assert "minutes of play, are not signed" in problem


def test_what_comes_after_a_pause_is_not_missed_before_it_can_be_signed(
    table: SignedLedger,
) -> None:
    """The table signs a second after the first record that follows ten minutes without play."""
    with closing(open_ledger(table.folder)) as ledger:
        ledger.commit([act_at(minute) for minute in range(10)])
        ledger.commit([act_at(9 + 5 * 60)])
    assert table.problems() == table.problems_of_export() == ()


def act_at(minute: int, *, round: int = 1) -> Entry:
    return Entry("act", round, minute * 60_000, WALL, 1, {}, ())


def test_an_export_is_checked_by_the_same_key(table: SignedLedger, tmp_path: Path) -> None:
    table.export(tmp_path / "out")
    checked = table.check(tmp_path / "out")
    assert checked.problems == ()
    assert checked.heads is not None
    assert (checked.heads.heads, checked.heads.newest) == (2, table.second)


def test_an_export_that_was_forged_and_signed_by_the_house(
    table: SignedLedger, tmp_path: Path
) -> None:
    """Whoever has the house's key can sign any chain, but not as the table."""
    lines = table.export(tmp_path / "out")
    forged = [line.replace(b'\\"seat\\":3', b'\\"seat\\":4') for line in lines]
    assert forged != lines
    (tmp_path / "forged").write_bytes(sign_anew(rechain(forged), table.house))
    assert check_export(tmp_path / "forged", table.house.public).problems == ()
    assert [problem.split(" (")[0] for problem in table.check(tmp_path / "forged").problems] == [
        "record 4 is not the one that the table's key has signed",
        "record 6 is not the one that the table's key has signed",
    ]


def test_an_export_without_heads(table: SignedLedger, tmp_path: Path) -> None:
    forge_chain(table.folder, WITHOUT_HEADS)
    table.export(tmp_path / "out")
    assert table.check(tmp_path / "out").problems == ("the table's key has signed nothing in it",)
