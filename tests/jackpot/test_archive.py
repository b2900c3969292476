"""Old records go to a signed file: nothing is deleted before it is safe, and the chain goes on."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jackpot.anchor import Anchor
from jackpot.archive import Archived, Asked, NotArchived, archive, archive_copy, last_before
from jackpot.export import NotExported, Stretch, export
from jackpot.export_check import check_export
from jackpot.failures import LedgerInUse, LedgerUnavailable
from jackpot.ledger import (
    IdentityConflict,
    Ledger,
    LedgerCorrupt,
    read_records,
    rebuild,
    verify,
)
from jackpot.looking_through import LookingThrough
from jackpot.movements import stake
from jackpot.repair import NoRepair, Plan, Side, diagnose, planned, restore
from jackpot.schema import one_instant
from jackpot.seal import Seal, hold_against
from jackpot.second_copy import SecondCopy
from jackpot.settings import MoneySettings
from jackpot.signing import PrivateKey, load_private, make_pair
from jackpot.witness import Compared, Noted, WitnessLost
from tests.jackpot.failing_disk import FailingDisk
from tests.jackpot.money import SETTINGS, an_evening, damage, entry, opened
from tests.jackpot.recorded_disk import Damage, Platter
from tests.jackpot.test_second_copy import content

WRITTEN = "2027-01-03T09:00:00.000+00:00"
CUT = 4
"""The ledger of these tests has a snapshot as its record 5: four records can be archived."""


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> PrivateKey:
    file = tmp_path_factory.mktemp("keys") / "house.key"
    make_pair(file)
    return load_private(file)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An opening, tokens 1 to 3, a snapshot (5), tokens 4 to 6."""
    an_evening(tmp_path / "ledger", tokens=6, snapshot_after=3)
    return tmp_path / "ledger"


def asked(folder: Path, last: int = CUT, out: str = "2026.jsonl") -> Asked:
    return Asked(last, folder.parent / out, "caribbean-1", WRITTEN, "anna", 7)


def archived(folder: Path, key: PrivateKey, last: int = CUT, out: str = "2026.jsonl") -> Archived:
    return archive(folder, asked(folder, last, out), key, key.public)


def test_the_chain_goes_on_from_the_anchor(folder: Path, key: PrivateKey) -> None:
    before = verify(folder)
    records = list(read_records(folder))
    done = archived(folder, key)
    assert (done.first, done.anchor.seq, done.space_kept) == (1, CUT, "")
    report = verify(folder)
    assert report.problems == ()
    assert (report.anchor, report.records, report.head.seq) == (done.anchor, 5, 9)
    assert report.balances == before.balances
    assert rebuild(folder).agrees
    *left, told = read_records(folder)
    assert left == records[CUT:]
    assert (told.kind, told.boot, told.previous) == ("archived", 2, before.head.hash)
    assert told.body["act"] == {
        "by": "anna",
        "last": CUT,
        "hash": records[CUT - 1].hash,
        "file": done.anchor.file.hex(),
    }
    with closing(opened(folder)) as ledger:
        assert ledger.recovered.snapshot_seq == 5
        ledger.commit([entry(stake(SETTINGS, "token 7"))])
    assert verify(folder).sound


def test_the_file_is_what_was_deleted(folder: Path, key: PrivateKey) -> None:
    done = archived(folder, key)
    checked = check_export(folder.parent / "2026.jsonl", key.public)
    assert checked.sound
    assert (checked.records, checked.head.seq, checked.balances) == (4, CUT, done.anchor.balances)


def test_what_was_archived_moves_nothing_again(folder: Path, key: PrivateKey) -> None:
    archived(folder, key)
    with closing(opened(folder)) as ledger:
        balances = ledger.balances
        ledger.commit([entry(stake(SETTINGS, "token 1"))])
        assert ledger.balances == balances
        with pytest.raises(IdentityConflict):
            ledger.commit([entry(stake(MoneySettings(token=SETTINGS.base), "token 2"))])
    assert verify(folder).sound


def test_a_second_archive_begins_where_the_first_ended(folder: Path, key: PrivateKey) -> None:
    archived(folder, key)
    with closing(opened(folder)) as ledger:
        ledger.commit([entry(kind="snapshot"), entry(stake(SETTINGS, "token 7"))])
    second = archived(folder, key, 9, "2027.jsonl")
    assert (second.first, second.anchor.seq) == (CUT + 1, 9)
    earlier, later = (
        check_export(folder.parent / f"{year}.jsonl", key.public) for year in (2026, 2027)
    )
    assert later.sound
    assert later.header.previous == earlier.head.hash
    assert later.header.balances == earlier.balances.to_dict()
    assert verify(folder).problems == ()
    assert rebuild(folder).agrees


def test_an_export_begins_at_the_anchor(folder: Path, key: PrivateKey) -> None:
    done = archived(folder, key)
    out = folder.parent / "rest.jsonl"
    export(folder, out, key, table="", written="", stretch=Stretch())
    checked = check_export(out, key.public)
    assert (checked.problems, checked.header.first) == ((), CUT + 1)
    assert checked.header.previous == done.anchor.hash.hex()
    with pytest.raises(NotExported, match="has 5 to 9; those before are in the archive"):
        export(folder, folder.parent / "x", key, table="", written="", stretch=Stretch(2))


def test_the_second_look_begins_at_the_anchor(folder: Path, key: PrivateKey) -> None:
    archived(folder, key)
    look = LookingThrough(folder)
    assert not look.page(3)
    assert not look.page(256)
    assert look.page(256), "then the transactions known of the archive"
    assert look.at == 9


def test_its_space_is_given_back(tmp_path: Path, key: PrivateKey) -> None:
    folder = tmp_path / "ledger"
    with closing(Ledger.open(folder, durable=False)) as ledger:
        ledger.begin(1)
        ledger.commit([entry(text="x" * 1_000) for _ in range(3_000)])
        ledger.commit([entry(kind="snapshot")])
    size = (folder / "ledger.db").stat().st_size
    archived(folder, key, 3_000)
    assert (folder / "ledger.db").stat().st_size < size / 50


def test_beside_a_reader_no_space_is_given_back_and_the_log_stays_small(
    tmp_path: Path, key: PrivateKey
) -> None:
    """The whole file would stay in the log, and every start reads and writes that again"""
    folder = tmp_path / "ledger"
    with closing(Ledger.open(folder, durable=False)) as ledger:
        ledger.begin(1)
        ledger.commit([entry()])
        ledger.commit([entry(kind="snapshot"), *[entry(text="x" * 1_000)] * 3_000])
    with one_instant(folder) as reader:
        reader.execute("SELECT * FROM meta").fetchone()
        assert archived(folder, key, 1).space_kept == "somebody is reading the ledger"
        assert (folder / "ledger.db-wal").stat().st_size < 100_000
    assert verify(folder).problems == ()


def test_what_is_being_looked_through_may_be_archived(folder: Path, key: PrivateKey) -> None:
    """The ledger of a table that is locked is nobody's"""
    look = LookingThrough(folder)
    assert not look.page(3)
    archived(folder, key)
    while not look.page(3):
        assert 3 < look.at <= 9
    assert look.at == 9


# What can be archived


@pytest.mark.parametrize(
    ("limit", "keep"), [(9, 9), (5, 9), (9, 5), ("2026-03-01T22", 8), ("2027", 8)]
)
def test_up_to_the_last_snapshot_before_the_limit(
    folder: Path, limit: int | str, keep: int
) -> None:
    assert last_before(folder, limit, keep) == CUT


@pytest.mark.parametrize(("limit", "keep"), [(4, 9), (9, 4), (0, 0), ("2026", 9), ("1999", 9)])
def test_nothing_to_archive(folder: Path, limit: int | str, keep: int) -> None:
    with pytest.raises(NotArchived, match="nothing to archive: the ledger begins with record 1"):
        last_before(folder, limit, keep)


def test_nothing_is_archived_twice(folder: Path, key: PrivateKey) -> None:
    archived(folder, key)
    with pytest.raises(NotArchived, match="begins with record 5"):
        last_before(folder, 9, 9)


# What stays as it is


def refuses(folder: Path, key: PrivateKey, error: type[Exception], why: str) -> None:
    before = content(folder)
    with pytest.raises(error, match=why):
        archived(folder, key)
    assert content(folder) == before


def test_not_beside_a_service(folder: Path, key: PrivateKey) -> None:
    with closing(opened(folder)):
        refuses(folder, key, LedgerInUse, "open already, elsewhere")


def test_not_over_a_file(folder: Path, key: PrivateKey) -> None:
    (folder.parent / "2026.jsonl").write_text("of last year")
    refuses(folder, key, NotExported, "is there already")
    assert (folder.parent / "2026.jsonl").read_text() == "of last year"


def test_not_where_there_is_no_room(folder: Path, key: PrivateKey) -> None:
    (folder.parent / "2026.jsonl.part").symlink_to("/dev/full")
    refuses(folder, key, LedgerUnavailable, "No space left")


def test_not_what_is_not_in_order(folder: Path, key: PrivateKey) -> None:
    damage(folder, "UPDATE journal SET body = '[]' WHERE seq = 2")
    refuses(folder, key, NotArchived, "is not in order: record 2 was changed")
    assert not (folder.parent / "2026.jsonl").exists()


def test_not_by_a_file_that_its_key_does_not_check(folder: Path, key: PrivateKey) -> None:
    make_pair(folder.parent / "other.key")
    other = load_private(folder.parent / "other.key")
    before = content(folder)
    with pytest.raises(NotArchived, match="was written, and is not in order: line 7: signed with"):
        archive(folder, asked(folder), key, other.public)
    assert content(folder) == before


def test_no_ledger_is_made(tmp_path: Path, key: PrivateKey) -> None:
    with pytest.raises(NotArchived, match="there is no ledger"):
        archived(tmp_path, key)
    assert not (tmp_path / "ledger.db").exists()


class SignsSomethingElse:
    """What was written, and what is read back, are not the same."""

    def __init__(self, key: PrivateKey) -> None:
        self.fingerprint = key.public.fingerprint
        self._key = key

    def sign(self, signed: bytes) -> bytes:
        return self._key.sign(signed[::-1])


def test_not_by_a_file_that_is_read_back_otherwise(folder: Path, key: PrivateKey) -> None:
    before = content(folder)
    with pytest.raises(NotArchived, match="is not in order: line 7: the signature"):
        archive(folder, asked(folder), SignsSomethingElse(key), key.public)
    assert content(folder) == before


# What can be seen of it


TAMPERING = {
    "the hash before": "UPDATE meta SET anchor_hash = zeroblob(32)",
    "the balances before": (
        "UPDATE meta SET anchor_balances = json_set(anchor_balances, '$.paid', 1, '$.house', -1)"
    ),
    "no balances before": "UPDATE meta SET anchor_balances = ''",
    "the file": "UPDATE meta SET anchor_file = zeroblob(32)",
    "more archived": "UPDATE meta SET anchor_seq = 5",
    "less archived": "UPDATE meta SET anchor_seq = 3",
    "nothing archived": "UPDATE meta SET anchor_seq = 0",
    "an identity forgotten": "DELETE FROM identity WHERE identity = 'token 1'",
    "an identity changed": "UPDATE identity SET seq = 2 WHERE identity = 'token 3'",
    "an identity more": "INSERT INTO identity VALUES ('token 9', 1, zeroblob(16))",
    "a record from before": (
        "INSERT INTO journal SELECT 2, boot, kind, round, at_ms, wall, settings_version, body,"
        " money, hash FROM journal WHERE seq = 6"
    ),
    "its record gone": "UPDATE journal SET kind = 'act' WHERE seq = 9",
}


@pytest.mark.parametrize("statement", TAMPERING.values(), ids=TAMPERING.keys())
def test_a_changed_anchor_is_found(folder: Path, key: PrivateKey, statement: str) -> None:
    archived(folder, key)
    damage(folder, statement)
    assert not verify(folder).sound


@pytest.mark.parametrize(
    "statement",
    [text for name, text in TAMPERING.items() if name.startswith("an identity")],
)
@pytest.mark.parametrize("page", [2, 256])
def test_what_could_come_again_from_the_archive_is_found_by_the_second_look(
    folder: Path, key: PrivateKey, statement: str, page: int
) -> None:
    archived(folder, key)
    damage(folder, statement)
    with pytest.raises(LedgerCorrupt, match="transactions known of the archive"):
        look_through(folder, page)


def look_through(folder: Path, page: int) -> None:
    look = LookingThrough(folder)
    while not look.page(page):
        pass


def test_a_change_of_the_hash_before_is_found_at_start(folder: Path, key: PrivateKey) -> None:
    archived(folder, key)
    damage(folder, TAMPERING["the hash before"])
    with pytest.raises(LedgerCorrupt, match="record 5 was changed, or the one before it"):
        Ledger.open(folder)


def test_a_seal_of_what_is_there_or_just_before_is_satisfied(folder: Path, key: PrivateKey) -> None:
    records = list(read_records(folder))
    archived(folder, key)
    for record in records[CUT - 1 :]:
        hold_against(Seal("one", record.seq, record.hash, ""), folder, "one")
    with pytest.raises(LedgerCorrupt, match=r"record 3 had been seen at 21:00; .* in the archive"):
        hold_against(Seal("one", 3, records[2].hash, "21:00"), folder, "one")
    with pytest.raises(LedgerCorrupt, match="record 4 is not the one"):
        hold_against(Seal("one", 4, "ab" * 32, "21:00"), folder, "one")


# The second copy


@pytest.fixture
def second(folder: Path, tmp_path: Path) -> Path:
    shutil.copytree(folder, tmp_path / "second")
    return tmp_path / "second"


def brought_up(folder: Path, second: Path) -> None:
    """As the service does it behind a start."""
    with closing(Ledger.open(folder)) as ledger, closing(SecondCopy(folder, second)) as copy:
        copy.compare()
        while copy.follow(Noted(ledger.head, "")) < ledger.head.seq:
            pass


def test_a_copy_that_still_has_it_all_goes_on(folder: Path, second: Path, key: PrivateKey) -> None:
    archived(folder, key)
    diagnosis = diagnose(folder, second, None)
    assert (diagnosis.parts, planned(diagnosis)) == (9, None)
    brought_up(folder, second)
    report = verify(second)
    assert (report.problems, report.records, report.anchor) == ((), 9, Anchor())
    assert planned(diagnose(folder, second, None)) is None


def test_a_copy_is_archived_like_the_ledger(folder: Path, second: Path, key: PrivateKey) -> None:
    done = archived(folder, key)
    brought_up(folder, second)
    assert archive_copy(second, done.anchor) == ""
    assert content(second) == content(folder)
    assert verify(second).sound
    assert planned(diagnose(folder, second, None)) is None
    with closing(SecondCopy(folder, second)) as copy:
        assert copy.compare() == Compared(9)


def test_a_copy_that_is_another_is_left_as_it_is(
    tmp_path: Path, folder: Path, key: PrivateKey
) -> None:
    an_evening(tmp_path / "second", tokens=3)
    with closing(opened(tmp_path / "second")) as ledger:
        ledger.commit([entry(kind="snapshot", other="night")])
    before = content(tmp_path / "second")
    done = archived(folder, key, 4)
    changed = Anchor(4, bytes(32), done.anchor.balances, done.anchor.identities)
    with pytest.raises(NotArchived, match="record 4 of the second copy is another one"):
        archive_copy(tmp_path / "second", changed)
    assert content(tmp_path / "second") == before


def test_a_ledger_set_back_before_its_archive_is_found(
    tmp_path: Path, folder: Path, key: PrivateKey
) -> None:
    shutil.copytree(folder, tmp_path / "old")
    damage(tmp_path / "old", "DELETE FROM journal WHERE seq > 2")
    damage(
        tmp_path / "old",
        "UPDATE meta SET seq = 2, hash = (SELECT hash FROM journal WHERE seq = 2)",
    )
    archived(folder, key)
    with (
        closing(SecondCopy(tmp_path / "old", folder)) as copy,
        pytest.raises(LedgerCorrupt, match=r"ends at record 2, of its copy .* it has 5 to 9"),
    ):
        copy.compare()


def test_a_copy_that_ends_before_the_archive_is_made_anew(
    folder: Path, second: Path, key: PrivateKey
) -> None:
    archived(folder, key)
    shutil.rmtree(second)
    an_evening(second, tokens=2)
    with (
        closing(SecondCopy(folder, second)) as copy,
        pytest.raises(WitnessLost, match="ends at record 3, before what the ledger still has"),
    ):
        copy.compare()
    diagnosis = diagnose(folder, second, None)
    plan = planned(diagnosis)
    assert plan == Plan(Side.SECOND, Side.FIRST)
    restore(diagnosis, plan)
    assert content(second) == content(folder)


def test_a_ledger_that_ends_before_the_archive_of_its_copy_is_a_person_s_to_judge(
    tmp_path: Path, folder: Path, key: PrivateKey
) -> None:
    """They cannot be compared: it may be the copy of another table. The seal knows"""
    an_evening(tmp_path / "old", tokens=1)
    done = archived(folder, key)
    with pytest.raises(NoRepair, match=r"ends at record 2, before what its copy .*--from copy"):
        planned(diagnose(tmp_path / "old", folder, None))
    restored = Plan(Side.FIRST, Side.SECOND)
    seal = Seal("one", done.anchor.seq, done.anchor.hash.hex(), "")
    assert planned(diagnose(tmp_path / "old", folder, seal)) == restored
    diagnosis = diagnose(tmp_path / "old", folder, None)
    assert planned(diagnosis, Side.SECOND) == restored
    restore(diagnosis, restored)
    assert content(tmp_path / "old") == content(folder)


def test_a_log_without_its_database_is_not_taken_for_that_of_a_new_copy(
    folder: Path, second: Path, key: PrivateKey, tmp_path: Path
) -> None:
    archived(folder, key)
    (tmp_path / "left").mkdir()
    with closing(opened(second)) as ledger:
        ledger.commit([entry(stake(SETTINGS, "other 1")), entry(stake(SETTINGS, "other 2"))])
        shutil.copy(second / "ledger.db-wal", tmp_path / "left")
    with closing(SecondCopy(folder, tmp_path / "left")) as copy:
        assert copy.compare() == Compared(9, anew=True)
    assert content(tmp_path / "left") == content(folder)


def test_where_two_have_parted_is_found_behind_the_archive(
    folder: Path, second: Path, key: PrivateKey
) -> None:
    archived(folder, key)
    with closing(opened(second)) as ledger:
        ledger.commit([entry(stake(SETTINGS, "other 1")), entry(stake(SETTINGS, "other 2"))])
    assert diagnose(folder, second, None).parts == 9


# The power goes


def test_cut_off_anywhere_nothing_is_lost(folder: Path, tmp_path: Path, key: PrivateKey) -> None:
    """Before and after every write and sync: all records, or the archive and the rest"""
    with closing(opened(folder)) as ledger:
        ledger.commit([entry(text="x" * 9_000) for _ in range(20)])
    everything = list(read_records(folder))
    disk = FailingDisk()
    disk.holds(folder)
    begin = len(disk.log)
    done = archive(folder, asked(folder), key, key.public, connect=disk.connect)
    seen = {"whole": 0, "archived": 0}
    for at in range(begin, len(disk.log) + 1):
        platter = Platter()
        for one in disk.log[:at]:
            platter.take(one)
        for what in Damage:
            for seed in range(3):
                where = put(platter.left(what, seed), tmp_path / f"{at} {what.name} {seed}")
                Ledger.open(where, durable=False).close()
                report = verify(where)
                assert report.problems == ()
                assert rebuild(where).agrees
                left = list(read_records(where))
                if report.anchor.seq == 0:
                    seen["whole"] += 1
                    assert left == everything
                else:
                    seen["archived"] += 1
                    assert report.anchor == done.anchor
                    assert left[:-1] == everything[CUT:]
    print(f"{sum(seen.values())} crash points of an archive, 0 wrong: {seen}")
    assert min(seen.values()) > 10


def put(left: dict[str, bytes], where: Path) -> Path:
    where.mkdir()
    for name, data in left.items():
        (where / name).write_bytes(data)
    return where


def test_the_file_is_whole_before_anything_is_deleted(folder: Path, key: PrivateKey) -> None:
    out = folder.parent / "2026.jsonl"
    seen: list[bool] = []

    class Watched(sqlite3.Connection):
        def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
            if sql.lstrip().startswith(("DELETE", "UPDATE")):
                seen.append(out.exists() and check_export(out, key.public).sound)
            return super().execute(sql, parameters)

    def connect(path: Path) -> sqlite3.Connection:
        return sqlite3.connect(path, factory=Watched)

    archive(folder, asked(folder), key, key.public, connect=connect)
    assert seen == [True, True, True]
