"""A signed seal: whatever is set back or forged together with it, the key's counter knows."""

import shutil
import subprocess
import sys
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import asdict, replace

from jackpot.failures import LedgerCorrupt
from jackpot.ledger.journal import Head
from jackpot.ledger.ledger import Ledger
from jackpot.ledger.two_slots import TwoSlots
from jackpot.money.movements import stake
from jackpot.trust.counterpart import Compared, CounterpartLost, Noted
from jackpot.trust.head_signer import HeadSigner
from jackpot.trust.heads_on_record import KIND, check_heads
from jackpot.trust.key_stores.file import COUNTER, KEY, FileStore, make_file_store
from jackpot.trust.seal import Seal, read_seal
from jackpot.trust.seal_file import SealFile
from jackpot.trust.seal_signing import RAISED_EVERY_S, SealSigning, Signed
from jackpot.trust.signed_head import SignedHead, check_head, sign_head
from jackpot.trust.signed_nights import SignedNights, nights_file, read_heads
from jackpot.trust.signing import public_file
from tests.deadlines import DEADLINE_S
from tests.house.documents import page
from tests.jackpot.money import SETTINGS, an_evening, entry, open_ledger

WALL = "2026-03-01T23:59:01"


class SignedTable:
    """A table's ledger, seal and key; `now`: its clock, in seconds."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ledger, self.seal, self.key = folder / "ledger", folder / "seal", folder / "key"
        make_file_store(self.key)
        an_evening(self.ledger, tokens=3)
        self.now = 0
        self.recorded: list[Signed] = []
        self.loses_heads = False  # the power goes before a head is on record

    def start(self) -> SealFile:
        """The seal as a start opens it, before it is compared."""
        signer = HeadSigner("one", lambda: FileStore(self.key))
        nights = SignedNights(nights_file(self.seal))
        signing = SealSigning(signer, nights, clock=lambda: self.now)
        signing.follow(self.record)
        seal = SealFile(self.seal, self.ledger, "one", signing=signing)
        if not self.seal.exists():
            seal.begin_anew()
        return seal

    def record(self, signed: Signed) -> None:
        """Put a head on record, as the service does."""
        if self.loses_heads:
            return
        self.recorded.append(signed)
        with closing(open_ledger(self.ledger)) as ledger:
            ledger.commit([entry(kind=KIND, act={**asdict(signed.head), "store": signed.store})])

    def play(self, seal: SealFile, token: str, *, closes_night: bool = False) -> None:
        with closing(open_ledger(self.ledger)) as ledger:
            ledger.commit([entry(stake(SETTINGS, token))])
            noted = Noted(ledger.head, WALL, closes_night=closes_night)
        seal.follow(noted)

    @property
    def counter(self) -> int:
        return FileStore(self.key).read_counter()

    def head_in_seal(self) -> SignedHead:
        seal = read_seal(self.seal)
        assert seal is not None
        return SignedHead(**asdict(seal))


@pytest.fixture
def table(tmp_path: Path) -> SignedTable:
    return SignedTable(tmp_path)


def test_it_is_the_tables_own_and_raised_at_each_start(table: SignedTable) -> None:
    assert table.start().compare() == Compared(4, anew=True)
    assert table.start().compare() == Compared(4)
    head = table.head_in_seal()
    check_head(head, FileStore(table.key).public)
    assert (head.seq, head.counter, table.counter) == (4, 2, 2)
    assert [signed.head.counter for signed in table.recorded] == [1, 2]


def test_in_play_it_is_raised_once_in_ten_minutes(table: SignedTable) -> None:
    seal = table.start()
    seal.compare()
    for table.now in (1, RAISED_EVERY_S - 1, RAISED_EVERY_S, RAISED_EVERY_S + 9):
        table.play(seal, str(table.now))
    assert table.counter == table.head_in_seal().counter == 2
    assert [signed.head.seq for signed in table.recorded] == [4, 8]
    check_head(table.head_in_seal(), FileStore(table.key).public)


def test_each_night_has_its_head_in_a_file(table: SignedTable) -> None:
    seal = table.start()
    seal.compare()
    table.play(seal, "a", closes_night=True)
    with nights_file(table.seal).open("ab") as nights:
        nights.write(b'{"table":"one","se')  # the power goes
    table.play(seal, "b")
    table.play(seal, "c", closes_night=True)
    whole = nights_file(table.seal).read_bytes().splitlines()
    assert [msgspec.json.decode(line)["seq"] for line in (whole[0], whole[2])] == [6, 9]
    assert table.counter == 3
    with pytest.raises(CounterpartLost, match="line 2"):
        read_heads(nights_file(table.seal))


def test_the_program_on_the_page_checks_the_file(table: SignedTable) -> None:
    seal = table.start()
    seal.compare()
    table.play(seal, "a", closes_night=True)
    program = page("docs/how-to/check_heads.py")
    nights, public = nights_file(table.seal), public_file(table.key / KEY)
    command = [sys.executable, "-c", program, str(nights), str(public)]
    checked = subprocess.run(
        command, capture_output=True, text=True, timeout=DEADLINE_S, check=True
    )
    (head,) = read_heads(nights)
    assert checked.stdout == f"{head.seq} {head.hash} {head.counter}\n"
    nights.write_bytes(nights.read_bytes().replace(b'"seq":6', b'"seq":7'))
    assert (
        subprocess.run(command, capture_output=True, timeout=DEADLINE_S, check=False).returncode
        == 1
    )


def test_ledger_and_seal_set_back_together(table: SignedTable, tmp_path: Path) -> None:
    table.start().compare()
    shutil.copytree(table.ledger, tmp_path / "old")
    shutil.copy(table.seal, tmp_path / "old seal")
    seal = table.start()
    seal.compare()
    table.play(seal, "lost")
    shutil.rmtree(table.ledger)
    (tmp_path / "old").rename(table.ledger)
    shutil.copy(tmp_path / "old seal", table.seal)
    with pytest.raises(LedgerCorrupt, match="its counter is 1, the key's is 2"):
        table.start().compare()


def set_ledger_back(table: SignedTable) -> None:
    """To what it was before the last start; the seal is deleted."""
    table.start().compare()
    shutil.copytree(table.ledger, table.folder / "old")
    seal = table.start()
    seal.compare()
    table.now = RAISED_EVERY_S
    table.play(seal, "lost")
    shutil.rmtree(table.ledger)
    (table.folder / "old").rename(table.ledger)
    table.seal.unlink()


def test_a_ledger_set_back_whose_seal_is_deleted(table: SignedTable) -> None:
    set_ledger_back(table)
    why = "its newest signed head has the counter 1, the table's key 3, and there is no seal"
    seal = table.start()  # which may begin anew
    with pytest.raises(LedgerCorrupt, match=why):
        seal.compare()
    assert not table.seal.exists()


def test_a_ledger_set_back_whose_seal_is_on_a_medium_that_is_away(table: SignedTable) -> None:
    set_ledger_back(table)
    seal = SealFile(
        table.folder / "away" / "seal", table.ledger, "one", signing=table.start().signing
    )
    with pytest.raises(LedgerCorrupt, match="there is no seal"):
        seal.compare()


def test_a_later_head_in_a_ledger_that_was_set_back(table: SignedTable) -> None:
    """Somebody has kept the newest head, and puts it into the older chain."""
    set_ledger_back(table)
    table.record(table.recorded[-1])
    with pytest.raises(LedgerCorrupt, match="record 7 is missing"):
        table.start().compare()


def test_power_that_goes_before_a_head_is_on_record(table: SignedTable) -> None:
    """The next start signs with the same counter: none is missing on record"""
    table.loses_heads = True
    table.start().compare()
    table.loses_heads = False
    seal = table.start()
    assert seal.compare() == Compared(4)
    assert [signed.head.counter for signed in table.recorded] == [1]
    table.play(seal, "a")
    assert [signed.head.counter for signed in table.recorded] == [1, 2]
    assert table.counter == 2
    assert check_heads(table.ledger, FileStore(table.key).public).problems == ()


def test_a_counter_that_is_missing_on_record_is_named(table: SignedTable) -> None:
    set_ledger_back(table)
    store = FileStore(table.key)
    store.raise_counter()
    with closing(Ledger.open(table.ledger)) as ledger:
        noted = Noted(ledger.head, WALL)
    head = sign_head(store, noted, table="one", counter=4)
    table.record(Signed(head, "file"))
    (problem,) = check_heads(table.ledger, store.public).problems
    assert "has the counter 4, the head before it 1" in problem


def test_a_forged_seal(table: SignedTable) -> None:
    """Somebody without the key seals a ledger of their own: by hand, or with another key."""
    table.start().compare()
    head = table.head_in_seal()
    other = replace(head, hash=sha256(b"forged").hexdigest())
    TwoSlots(table.seal).make(asdict(other))
    with pytest.raises(LedgerCorrupt, match="wrong signature"):
        table.start().compare()
    make_file_store(table.folder / "another")
    noted = Noted(Head(head.seq, head.hash), head.wall)
    forged = sign_head(FileStore(table.folder / "another"), noted, table="one", counter=1)
    TwoSlots(table.seal).make(asdict(forged))
    with pytest.raises(LedgerCorrupt, match="is signed with the key"):
        table.start().compare()
    TwoSlots(table.seal).make(asdict(Seal("one", head.seq, head.hash, head.wall)))
    with pytest.raises(LedgerCorrupt, match="is not signed"):
        table.start().compare()


def test_a_seal_from_before_the_key_is_accepted_once(table: SignedTable) -> None:
    without_key = SealFile(table.seal, table.ledger, "one")
    without_key.begin_anew()
    without_key.compare()
    unsigned = table.seal.read_bytes()
    assert table.start().compare() == Compared(4)
    assert [signed.accepted for signed in table.recorded] == [4]
    assert table.start().compare() == Compared(4)
    assert [signed.accepted for signed in table.recorded] == [4, 0]
    table.seal.write_bytes(unsigned)
    with pytest.raises(LedgerCorrupt, match="is not signed"):
        table.start().compare()


def test_a_counter_that_was_set_back(table: SignedTable) -> None:
    """A file's counter can be; a TPM's cannot."""
    old = (table.key / COUNTER).read_bytes()
    for _ in range(2):
        table.start().compare()
    (table.key / COUNTER).write_bytes(old)
    with pytest.raises(LedgerCorrupt, match="the key's counter was set back: it is 0"):
        table.start().compare()


def test_a_key_that_is_taken_out_of_the_configuration(table: SignedTable) -> None:
    table.start().compare()
    with pytest.raises(LedgerCorrupt, match="and the table has none now"):
        SealFile(table.seal, table.ledger, "one").compare()


def test_power_that_goes_before_the_counter_is_raised(table: SignedTable) -> None:
    """The seal is one ahead then; the next start goes on from there."""
    seal = table.start()
    seal.compare()
    before = (table.key / COUNTER).read_bytes()
    table.now = RAISED_EVERY_S
    table.loses_heads = True
    table.play(seal, "a")
    table.loses_heads = False
    (table.key / COUNTER).write_bytes(before)
    assert table.head_in_seal().counter == table.counter + 1
    assert table.start().compare() == Compared(6)
    assert table.head_in_seal().counter == table.counter == 2


def test_a_store_that_is_lost_is_a_lost_seal(table: SignedTable) -> None:
    seal = table.start()
    seal.compare()
    shutil.move(table.key, table.folder / "away")
    with pytest.raises(CounterpartLost, match="the seal cannot be checked"):
        table.start().compare()
    table.now = RAISED_EVERY_S
    with pytest.raises(CounterpartLost, match="the seal cannot be signed"):
        table.play(seal, "a")
    shutil.move(table.folder / "away", table.key)
    table.play(seal, "b")
    assert table.head_in_seal().seq == 7
