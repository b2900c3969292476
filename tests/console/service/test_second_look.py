"""The second look: what a start does not read is read behind it; what it finds locks the table."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import date, datetime
from pathlib import Path
from threading import Event

import pytest

from console.configuration.table_plan import TablePlan
from console.line.companions import lock_on_finding
from console.office.ledger.rounds import replay_round
from console.rules.codes import Fault
from console.service.second_look import SecondLook, night_of
from console.service.table_ledger import LOCK_FILE, TableLedger
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from jackpot.ledger.ledger import Ledger, newest_record, verify
from jackpot.ledger.lock_file import Lock, LockFile
from jackpot.money.movements import stake
from tests.console.table import Table
from tests.deadlines import DEADLINE_S
from tests.jackpot.money import SETTINGS, damage, entry
from tests.jackpot.recorded_disk import Folder

PLAN = TablePlan()


def until(true: Callable[[], object]) -> None:
    ends = time.monotonic() + DEADLINE_S
    while not true():
        assert time.monotonic() < ends
        Event().wait(0.005)


def old_ledger(folder: Path, records: int = 600) -> None:
    """Many records, a snapshot after them, and one more."""
    with closing(Ledger.open(folder)) as ledger:
        ledger.begin(1)
        ledger.commit([entry(stake(SETTINGS, f"{number}")) for number in range(records)])
        ledger.commit([entry(kind="snapshot"), entry()])


def change_an_old_record(folder: Path) -> None:
    damage(folder, "UPDATE journal SET body = replace(body, '{', '{\"x\":1,') WHERE seq = 17")


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    folder = tmp_path / "ledger"
    old_ledger(folder)
    return folder


def look_at(folder: Path) -> SecondLook:
    return SecondLook(folder, begins_after_s=0)


@contextmanager
def table_ledger_of(folder: Path) -> Iterator[TableLedger]:
    with closing(TableLedger(folder, second_look=look_at(folder))) as table_ledger:
        table_ledger.open()
        yield table_ledger


def test_a_record_before_the_last_snapshot_is_found_behind_the_start(ledger: Path) -> None:
    change_an_old_record(ledger)
    with table_ledger_of(ledger) as table_ledger:
        until(lambda: table_ledger.doubt)
        with pytest.raises(LedgerCorrupt, match="record 17 was changed"):
            table_ledger.commit([entry()])
        with pytest.raises(LedgerUnavailable, match="not open"):
            table_ledger.commit([entry()])
    assert newest_record(ledger, kind="act", before=603) is not None


def test_what_is_found_before_it_is_opened_again_is_not_forgotten(ledger: Path) -> None:
    """As where the disk had failed meanwhile, and a technician clears that"""
    change_an_old_record(ledger)
    with table_ledger_of(ledger) as table_ledger:
        until(lambda: table_ledger.doubt)
        for _ in range(2):
            with pytest.raises(LedgerCorrupt, match="record 17 was changed"):
                table_ledger.open()


def test_a_sound_ledger_is_written_while_it_is_looked_at(
    ledger: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "console.service.second_look")
    with table_ledger_of(ledger) as table_ledger:
        for number in range(50):
            table_ledger.commit([entry(stake(SETTINGS, f"late {number}"))])
        until(lambda: caplog.messages)
        assert table_ledger.doubt == ""
        assert "records of the ledger are sound" in caplog.messages[0]
    assert not (ledger / "ledger.db-wal").exists(), "nobody else has it open at the end"
    assert verify(ledger).records == 652


def test_it_takes_a_tenth_of_a_processor(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "console.service.second_look")
    old_ledger(tmp_path, records=6_000)
    with looking_at(tmp_path) as look:
        began, worked = time.monotonic(), time.process_time()
        look.begin()
        while not caplog.messages:
            assert time.monotonic() - began < DEADLINE_S
            Event().wait(0.05)
        took = time.monotonic() - began
    assert (time.process_time() - worked) / took < 0.25


@contextmanager
def looking_at(folder: Path) -> Iterator[SecondLook]:
    look = look_at(folder)
    try:
        yield look
    finally:
        look.end()


def test_a_ledger_that_is_not_there_is_sought_and_is_no_damage(tmp_path: Path) -> None:
    with looking_at(tmp_path) as look:
        with pytest.raises(LedgerUnavailable, match="cannot be read"):
            look.hear(DEADLINE_S)
        assert look.damage == ""


def test_it_looks_again_when_a_night_is_over(ledger: Path) -> None:
    now, asked = [datetime(2026, 11, 23, 6, 59)], []

    def read_clock() -> datetime:
        asked.append(now[-1])
        return now[-1]

    look = SecondLook(ledger, begins_after_s=0, now=read_clock, night_sought_s=0.001)
    with ExitStack() as stack:
        stack.callback(look.end)
        look.hear(DEADLINE_S)
        change_an_old_record(ledger)
        until(lambda: len(asked) > 9)
        assert look.damage == "", "it is the same night"
        now.append(datetime(2026, 11, 23, 7, 0))
        until(lambda: look.damage)
        assert "record 17" in look.damage


@pytest.mark.parametrize(
    ("now", "night"),
    [
        (datetime(2026, 11, 23, 21, 0), date(2026, 11, 23)),
        (datetime(2026, 11, 24, 6, 59, 59), date(2026, 11, 23)),
        (datetime(2026, 11, 24, 7, 0), date(2026, 11, 24)),
    ],
)
def test_a_night_is_over_at_seven(now: datetime, night: date) -> None:
    assert night_of(now) == night


def test_who_waits_too_short_is_told_how_far_it_has_come_and_comes_again(
    ledger: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "console.service.second_look")
    with looking_at(ledger) as look:
        with pytest.raises(LedgerUnavailable, match=r"it is at record \d+; clear again later"):
            look.hear(0)
        until(lambda: caplog.messages)
        look.hear(0)  # that look has ended; another would take longer than this
        change_an_old_record(ledger)
        with pytest.raises(LedgerCorrupt, match="record 17"):
            look.hear(DEADLINE_S)


# A whole table


def play_past_snapshot(folder: Path) -> Folder:
    """A round is played at a table that has written a snapshot since it began; its files."""
    with machine_in_virtual_time(PLAN, folder) as machine:
        table = Table(PLAN, machine)
        table.play("press game_over", "token 2 5", "press coin_in", "expect phase PLAYING")
        table.play(*["press jpot", "wait 1s"] * 260)  # slower than a contact that flaps
    assert newest_record(folder / "ledger", kind="snapshot") is not None
    return {file.name: file.read_bytes() for file in (folder / "ledger").iterdir()}


def is_locked_after_a_moment(table: Table) -> bool:
    table.play("wait 50ms")
    return Fault.LEDGER_CORRUPT in table.state.faults


def test_what_it_finds_locks_the_table_as_committed_until_all_of_it_is_sound(
    tmp_path: Path,
) -> None:
    sound = play_past_snapshot(tmp_path)
    change_an_old_record(tmp_path / "ledger")
    with machine_in_virtual_time(PLAN, tmp_path) as machine:
        machine.second_look = look_at
        machine.followers.append(lock_on_finding(machine.loop))
        table = Table(PLAN, machine)
        until(lambda: is_locked_after_a_moment(table))  # nobody has pressed anything
        table.play("expect phase PLAYING", "expect jackpot 10002.80", "press game_over")
        table.play("expect refused LOCKED")
        lock = table.simulated_table.service.table_ledger.find_lock()
        assert lock is not None
        assert (lock.fault, lock.why[:21]) == ("LEDGER_CORRUPT", "record 17 was changed")
        table.play("key S", "clear LEDGER_CORRUPT", "expect refused STILL_FAULTY")
        table.play("expect fault LEDGER_CORRUPT")
        put_back(tmp_path / "ledger", sound)
        table.play("clear LEDGER_CORRUPT", "expect fault none", "key R", "expect phase PLAYING")
        assert verify(tmp_path / "ledger").sound
        table.play("press game_over", "expect phase BETTING")


def test_a_table_that_starts_locked_is_cleared_only_when_all_of_it_is_sound(
    tmp_path: Path,
) -> None:
    sound = play_past_snapshot(tmp_path)
    change_an_old_record(tmp_path / "ledger")
    LockFile(tmp_path / "ledger" / LOCK_FILE).set(Lock("LEDGER_CORRUPT", "seen before", "21:00"))
    with machine_in_virtual_time(PLAN, tmp_path) as machine:
        machine.second_look = SecondLook  # it would begin in two seconds
        table = Table(PLAN, machine)
        table.play("expect fault LEDGER_CORRUPT", "key S")
        table.play("clear LEDGER_CORRUPT", "expect refused STILL_FAULTY")
        put_back(tmp_path / "ledger", {"ledger.db": sound["ledger.db"]})
        table.play("clear LEDGER_CORRUPT", "expect fault none", "key R", "expect phase PLAYING")


def test_a_table_that_once_could_not_read_its_ledger_is_in_order(tmp_path: Path) -> None:
    """It did not know the round; what it refused is written in the round that is played"""
    folder, away = tmp_path / "ledger", tmp_path / "away"
    sound = play_past_snapshot(tmp_path)
    folder.rename(away)
    (folder / "ledger.db").mkdir(parents=True)
    with machine_in_virtual_time(PLAN, tmp_path) as machine:
        machine.second_look = look_at
        table = Table(PLAN, machine)
        table.play("expect fault LEDGER_FAULT", "press game_over", "expect refused LOCKED")
        (folder / "ledger.db").rmdir()
        put_back(folder, {"ledger.db": sound["ledger.db"]})
        table.play("key S", "clear LEDGER_FAULT", "expect fault none", "key R")
        late = [record for record in table.records if record.body.get("while_locked")]
        assert {record.round for record in late} == {1}
    with looking_at(folder) as look:
        look.hear(DEADLINE_S)
    whole = len(replay_round(folder, 1))
    older = "UPDATE journal SET round = 0 WHERE instr(body, 'while_locked')"  # as it was written
    damage(folder, older)
    assert len(replay_round(folder, 1)) == whole > 260


def put_back(folder: Path, files: Folder) -> None:
    """As `banco ledger repair` does: a new file in the place of the old one."""
    for name, content in files.items():
        (folder / name).unlink(missing_ok=True)
        (folder / name).write_bytes(content)
