"""What the ledger is held against, each in its own thread: nothing of the table waits for it."""

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import asdict

from console.configuration.table_plan import TablePlan
from console.line.companions import lock_on_finding
from console.service.counterparts import CLOSED_WITHIN_S, COMPARED_WITHIN_S, CounterpartThread
from console.service.table_ledger import TableLedger
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from jackpot.ledger.journal import Head
from jackpot.ledger.ledger import Ledger, verify
from jackpot.ledger.two_slots import TwoSlots
from jackpot.money.movements import stake
from jackpot.trust.counterpart import Counterpart, Noted
from jackpot.trust.seal import Seal, read_seal
from jackpot.trust.seal_file import SealFile
from jackpot.trust.second_copy import SecondCopy
from tests.console.table import Table
from tests.deadlines import DEADLINE_S
from tests.jackpot.money import SETTINGS, an_evening, entry

BUSY_S = 6.0
"""What a busy machine may add; a medium that is waited for has ASKED_WITHIN_S = 8 s."""


def until(true: Callable[[], object]) -> None:
    ends = time.monotonic() + DEADLINE_S
    while not true():
        assert time.monotonic() < ends
        threading.Event().wait(0.005)


class Media:
    """A ledger's folder, and those of its second copy and its seal."""

    def __init__(self, folder: Path) -> None:
        self.ledger = folder / "ledger"
        self.second = folder / "media" / "second"
        self.seal = folder / "media" / "seal"
        self.second.mkdir(parents=True)

    def table_ledger(self) -> TableLedger:
        return TableLedger(self.ledger, counterparts=self.counterparts, begins=True)

    def counterparts(self, ledger: Path) -> tuple[Counterpart, ...]:
        return SecondCopy(ledger, self.second), SealFile(self.seal, ledger, "one")

    def head(self) -> Head:
        return verify(self.ledger).head


@pytest.fixture
def media(tmp_path: Path) -> Media:
    return Media(tmp_path)


@pytest.fixture
def silent(media: Media) -> Iterator[Media]:
    """The seal's medium answers nothing: whoever opens the file waits for ever.

    The ledger was made while it did.
    """
    with closing(TableLedger(media.ledger, begins=True)) as table_ledger:
        table_ledger.open()
    os.mkfifo(media.seal)
    yield media
    os.close(os.open(media.seal, os.O_RDWR | os.O_NONBLOCK))  # its thread may end


def commit_round(table_ledger: TableLedger, *tokens: str) -> None:
    for token in tokens:
        table_ledger.commit([entry(stake(SETTINGS, token))])


def test_both_follow_the_ledger_and_have_it_all_at_the_end(media: Media) -> None:
    table_ledger = media.table_ledger()
    table_ledger.open()
    commit_round(table_ledger, "1", "2", "3")
    until(lambda: table_ledger.counterpart_numbers()["copy_behind"] == 0)
    assert verify(media.second).records == 3
    commit_round(table_ledger, *map(str, range(4, 60)))
    table_ledger.close()
    assert not (media.ledger / "ledger.db-wal").exists(), "the ledger is closed as without them"
    seal = read_seal(media.seal)
    assert seal is not None
    assert verify(media.second).head == Head(seal.seq, seal.hash) == media.head()


def test_a_start_does_not_wait_until_thousands_are_caught_up(media: Media) -> None:
    with closing(Ledger.open(media.ledger)) as ledger:
        ledger.begin(1)
        ledger.commit([entry(stake(SETTINGS, f"{number}")) for number in range(8_000)])
        ledger.commit([entry(kind="snapshot")])
    table_ledger = media.table_ledger()
    began = time.monotonic()
    table_ledger.open()
    assert time.monotonic() - began < COMPARED_WITHIN_S + BUSY_S
    assert table_ledger.counterpart_numbers()["copy_behind"] > 0
    assert table_ledger.counterpart_numbers()["not_compared"] == 2
    doubted: list[str] = []
    table_ledger.on_counterpart_doubt(lambda name, _: doubted.append(name))
    until(lambda: len(doubted) == 2)
    for name in doubted:
        table_ledger.allow_anew(name)
    commit_round(table_ledger, "late")
    until(lambda: table_ledger.counterpart_numbers()["copy_behind"] == 0)
    table_ledger.close()
    assert verify(media.second).head == media.head()


def test_a_ledger_that_was_set_back_is_not_opened(media: Media) -> None:
    table_ledger = media.table_ledger()
    table_ledger.open()
    commit_round(table_ledger, "1")
    table_ledger.close()
    shutil.copytree(media.ledger, media.ledger.with_name("old"))
    table_ledger = media.table_ledger()
    table_ledger.open()
    commit_round(table_ledger, "2")
    table_ledger.close()
    shutil.rmtree(media.ledger)
    shutil.copytree(media.ledger.with_name("old"), media.ledger)
    for seconds_too in (False, True):
        if seconds_too:
            shutil.rmtree(media.second)
            shutil.copytree(media.ledger, media.second)
        table_ledger = media.table_ledger()
        with closing(table_ledger):
            answer_late = (
                "record 2 had been seen" if seconds_too else "ends at record 1, its copy .* at 2"
            )
            with pytest.raises(LedgerCorrupt, match=answer_late):
                table_ledger.open()
            with pytest.raises(LedgerUnavailable):
                commit_round(table_ledger, "3")
            Ledger.open(media.ledger).close()  # nobody holds it: it may be repaired


def test_a_medium_that_never_answers_holds_up_nothing(silent: Media) -> None:
    table_ledger = silent.table_ledger()
    began = time.monotonic()
    table_ledger.open()
    assert time.monotonic() - began < COMPARED_WITHIN_S + BUSY_S
    began = time.monotonic()
    commit_round(table_ledger, *map(str, range(50)))
    assert time.monotonic() - began < BUSY_S
    until(lambda: table_ledger.counterpart_numbers()["copy_behind"] == 0)
    numbers = table_ledger.counterpart_numbers()
    assert (numbers["seal_behind"], numbers["not_compared"]) == (50, 1)
    assert numbers["seal_late_s"] > 0
    began = time.monotonic()
    table_ledger.close()
    assert time.monotonic() - began < CLOSED_WITHIN_S + BUSY_S
    assert verify(silent.second).records == 50


def test_what_is_answered_late_stops_the_next_commit(silent: Media) -> None:
    table_ledger = silent.table_ledger()
    table_ledger.open()
    commit_round(table_ledger, "1")
    answer_late(silent, Seal("one", 99, "ab" * 32, "21:00"))
    until(lambda: table_ledger.counterparts[1].parted)
    with pytest.raises(LedgerCorrupt, match="ends at record 1; record 99 had been seen at 21:00"):
        commit_round(table_ledger, "2")
    table_ledger.close()
    assert verify(silent.ledger).records == 1


def answer_late(media: Media, seal: Seal) -> None:
    """The medium answers after all, with this."""
    made = media.seal.with_name("made")
    TwoSlots(made).make(asdict(seal))
    with media.seal.open("wb") as pipe:
        pipe.write(made.read_bytes())


def test_what_is_answered_late_locks_the_table_though_nobody_acts(silent: Media) -> None:
    plan = TablePlan()
    with machine_in_virtual_time(plan, silent.ledger.parent) as machine:
        machine.counterparts = silent.counterparts
        machine.followers.append(lock_on_finding(machine.loop))
        table = Table(plan, machine)
        table.play("press game_over", "token 3", "press coin_in", "expect phase PLAYING")
        table_ledger = table.simulated_table.service.table_ledger
        records = verify(silent.ledger).records
        answer_late(silent, Seal("simulated", 9_999, "ab" * 32, "21:00"))
        until(lambda: table_ledger.counterparts[1].parted)
        table.play("wait 50ms", "expect fault LEDGER_CORRUPT")
        assert verify(silent.ledger).records == records
        lock = table_ledger.find_lock()
    assert lock is not None
    assert lock.fault == "LEDGER_CORRUPT"


def test_a_medium_that_comes_back_is_compared_and_brought_up(media: Media) -> None:
    an_evening(media.ledger, tokens=9)
    head = media.head()
    media.second.rmdir()
    thread = CounterpartThread(SecondCopy(media.ledger, media.second), sought_every_s=0.05)
    thread.ask(Noted(head, ""))
    thread.hear(DEADLINE_S)
    assert "is not there" in thread.lost
    doubts: list[str] = []
    thread.doubts.on_doubt(lambda _, why: doubts.append(why))
    media.second.mkdir()
    until(lambda: doubts)
    assert doubts == [f"there is no second copy in {media.second}"]
    assert list(media.second.iterdir()) == [], "it is not on record yet"
    thread.allow_anew()
    until(lambda: not thread.lost and not thread.behind)
    assert verify(media.second).head == head
    thread.end()
    thread.join()


def test_a_medium_that_comes_back_with_more_than_the_ledger_has_parts(media: Media) -> None:
    an_evening(media.ledger, tokens=9)
    shutil.copytree(media.ledger, media.second, dirs_exist_ok=True)
    gone = media.second.rename(media.second.with_name("gone"))
    with closing(Ledger.open(gone)) as ledger:
        ledger.begin(7)
        ledger.commit([entry()])
    thread = CounterpartThread(SecondCopy(media.ledger, media.second), sought_every_s=0.05)
    thread.ask(Noted(media.head(), ""))
    thread.hear(DEADLINE_S)
    assert thread.parted == ""
    gone.rename(media.second)
    until(lambda: thread.parted)
    assert thread.parted.endswith(f"ends at record 10, its copy in {media.second} at 11")
    thread.end()
    thread.join()
