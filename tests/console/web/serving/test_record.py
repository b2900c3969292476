"""The follower follows the ledger of a table: its newest records and its last wins."""

import asyncio
import fcntl
import os
import signal
import threading
from collections.abc import Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import pytest

from console.texts.language import Words
from console.web.serving import record as reading
from console.web.serving.record import (
    MOST_RECORDS,
    LedgerFollower,
    LedgerNews,
    RecordsMessage,
    WinsMessage,
)
from tests.console.table import Table, table_in
from tests.jackpot.money import entry, open_ledger

Result = TypeVar("Result")

OPEN_HAND = ("press GAME_OVER", "token 1 2 3", "press COIN_IN", "wait 1s")
PENDING = (*OPEN_HAND, "press FLUSH", "key JPL", "press JPOT")
WHOLE = (*OPEN_HAND, "press ROYAL_FLUSH", "key JPH", "press JPOT")
PAID = "key R"


def follower_of(table: Table) -> LedgerFollower:
    return LedgerFollower(table.machine.disk.folder)


def follow_once(follower: LedgerFollower, table: Table) -> LedgerNews:
    """What is new since it last followed the table."""
    return within(follower.follow(table.records[-1].seq))


def within(work: Coroutine[Any, Any, Result], seconds: float = 60.0) -> Result:
    """What it comes to, on a loop of its own."""

    async def read_in_time() -> Result:
        async with asyncio.timeout(seconds):
            return await work

    return asyncio.run(read_in_time())


def wins_in(news: LedgerNews) -> WinsMessage:
    assert news.wins is not None
    return news.wins


def records_in(news: LedgerNews) -> RecordsMessage:
    assert news.records is not None
    return news.records


def test_a_record_is_told_in_both_languages_with_the_money_it_moved(tmp_path: Path) -> None:
    with table_in(tmp_path, "game caribbean-stud") as table:
        table.play("press GAME_OVER", "token 4", "press COIN_IN", "wait 1s")
        records = records_in(follow_once(follower_of(table), table)).records
    (accepted,) = [one for one in records if one.moved and one.act == "rail"]
    assert "accettato 4" in accepted.text["it"]
    assert "accepted 4" in accepted.text["en"]
    assert accepted.moved == {
        "tray": "-2.00",
        "jackpot": "1.40",
        "reserve": "0.20",
        "house": "0.40",
    }
    assert [one.seq for one in records] == sorted(one.seq for one in records)


def test_a_refused_act_has_its_code(tmp_path: Path) -> None:
    with table_in(tmp_path, "game caribbean-stud") as table:
        table.play("press JPOT")
        record = records_in(follow_once(follower_of(table), table)).records[-1]
    assert (record.act, record.outcome, record.refusal) == ("button", "refused", "NOT_OPEN")
    assert record.moved == {}


def test_only_what_is_new_is_told_and_all_of_it(tmp_path: Path) -> None:
    with table_in(tmp_path, "game caribbean-stud") as table:
        follower = follower_of(table)
        first = records_in(follow_once(follower, table)).records
        table.play("press GAME_OVER")
        second = records_in(follow_once(follower, table)).records
        assert follow_once(follower, table) == LedgerNews()
    assert [one.text["en"] for one in second] == ["GAME OVER"]
    assert follower.records.records == (*first, *second)


def test_no_more_than_sixty_are_kept(tmp_path: Path) -> None:
    with table_in(tmp_path, "game black-jack") as table:
        table.play(*("press GAME_OVER", "press COIN_IN") * 50)
        follower = follower_of(table)
        news = records_in(follow_once(follower, table))
        newest = table.records[-1].seq
    assert len(news.records) == MOST_RECORDS
    assert news.records[-1].seq == newest
    assert follower.records == news


def test_an_award_is_pending_then_paid(tmp_path: Path) -> None:
    with table_in(tmp_path, "game caribbean-stud") as table:
        follower = follower_of(table)
        table.play(*PENDING)
        (pending,) = wins_in(follow_once(follower, table)).wins
        table.play("press JPOT")
        (raised,) = wins_in(follow_once(follower, table)).wins
        table.play(PAID)
        (paid,) = wins_in(follow_once(follower, table)).wins
    assert (pending.combination, pending.winners, pending.state) == ("FLUSH", 1, "pending")
    assert (pending.each, pending.total) == ("100.04", "100.04")
    assert (raised.winners, raised.each, raised.total) == (2, "100.04", "200.08")
    assert (paid.winners, paid.each, paid.state, paid.whole) == (2, "100.04", "paid", False)
    assert paid.seq > raised.seq > pending.seq


def test_an_award_cancelled_is_no_win(tmp_path: Path) -> None:
    with table_in(tmp_path, "game caribbean-stud") as table:
        follower = follower_of(table)
        table.play(*PENDING)
        follow_once(follower, table)
        table.play("press FLUSH")
        assert wins_in(follow_once(follower, table)) == WinsMessage(())


def test_a_jackpot_won_whole_has_started_again(tmp_path: Path) -> None:
    with table_in(tmp_path, "game caribbean-stud") as table:
        follower = follower_of(table)
        table.play(*WHOLE, PAID)
        (paid,) = wins_in(follow_once(follower, table)).wins
    assert (paid.combination, paid.each, paid.whole) == ("ROYAL_FLUSH", "10004.20", True)


def test_the_last_eight_wins_are_found_again_by_who_begins_later(tmp_path: Path) -> None:
    with table_in(tmp_path, "game caribbean-stud") as table:
        followed_on = follower_of(table)
        for _ in range(10):
            table.play(*PENDING, PAID)
            follow_once(followed_on, table)
        table.play(*PENDING)
        follow_once(followed_on, table)
        later = follower_of(table)
        wins = wins_in(follow_once(later, table)).wins
    assert [one.state for one in wins] == ["pending"] + ["paid"] * 7
    assert [one.round for one in wins] == list(range(11, 3, -1))
    assert later.wins == followed_on.wins


def test_wins_are_not_sought_further_back_than_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with table_in(tmp_path, "game caribbean-stud") as table:
        table.play(*PENDING, PAID, *PENDING, PAID)
        awards = [one.seq for one in table.records if "award-final" in str(one.body)]
        newest = table.records[-1].seq
        monkeypatch.setattr(reading, "WINS_REACH_BACK", newest - awards[0])
        (only,) = wins_in(follow_once(follower_of(table), table)).wins
    assert only.seq == awards[1]


def test_a_ledger_that_cannot_be_read_is_told_and_sought_again(tmp_path: Path) -> None:
    with table_in(tmp_path, "game caribbean-stud") as table:
        table.play(*PENDING, PAID)
        newest = table.records[-1].seq
        elsewhere = LedgerFollower(tmp_path / "link")
        missing = within(elsewhere.follow(newest))
        assert "cannot be read" in missing.trouble
        assert wins_in(missing) == WinsMessage((), readable=False)
        assert within(elsewhere.follow(newest)).trouble  # told again, without a change for a page
        os.symlink(table.machine.disk.folder, tmp_path / "link")
        found = within(elsewhere.follow(newest))
    assert not found.trouble
    assert wins_in(found).readable
    assert [one.state for one in wins_in(found).wins] == ["paid"]


def test_a_file_that_is_no_ledger_is_trouble_too(tmp_path: Path) -> None:
    (tmp_path / "ledger.db").write_bytes(b"no database at all" * 100)
    assert "damaged" in within(LedgerFollower(tmp_path).follow(7)).trouble


def test_a_ledger_set_back_is_read_anew(tmp_path: Path) -> None:
    with table_in(tmp_path, "game caribbean-stud") as table:
        table.play(*PENDING, PAID)
        follower = follower_of(table)
        follow_once(follower, table)
        within(follower.follow(2))
    assert [one.seq for one in follower.records.records] == [1, 2]
    assert follower.wins == WinsMessage(())


def test_a_reading_that_hangs_is_waited_for_and_no_second_one_begins(tmp_path: Path) -> None:
    held = os.open(tmp_path / "ledger.db", os.O_RDWR | os.O_CREAT)
    before = threading.active_count()
    ignored = signal.signal(signal.SIGIO, signal.SIG_IGN)  # the kernel asks for the file

    async def hanging() -> tuple[LedgerNews, LedgerNews, int, LedgerNews]:
        fcntl.fcntl(held, fcntl.F_SETLEASE, fcntl.F_WRLCK)  # whoever opens it waits
        follower = LedgerFollower(tmp_path, seconds=0.2)
        first, second = await follower.follow(5), await follower.follow(5)
        threads = threading.active_count() - before
        fcntl.fcntl(held, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        while "not read within" in (third := await follower.follow(5)).trouble:
            pass
        return first, second, threads, third

    try:
        first, second, threads, third = within(hanging())
    finally:
        os.close(held)
        signal.signal(signal.SIGIO, ignored)
    assert "not read within 0.2 s" in first.trouble
    assert "not read within 0.2 s" in second.trouble
    assert threads == 1
    assert third.trouble
    assert "not read within" not in third.trouble


def test_an_award_that_cannot_be_read_is_trouble(tmp_path: Path) -> None:
    with closing(open_ledger(tmp_path)) as ledger:
        ledger.commit([entry(decisions=[{"decision": "award-final", "winners": 2}])])
    news = within(LedgerFollower(tmp_path).follow(1))
    assert "its award cannot be read" in news.trouble
    assert wins_in(news) == WinsMessage((), readable=False)


HOUSE_PRIZES = """
currency = "CHF"
[[prize]]
combination = "MINI_ROYAL"
it = "MINI SCALA"
en = "MINI ROYAL"
amount = "50.00"
key = "JPL"
"""


@pytest.mark.parametrize("read_between", [True, False])
def test_each_record_is_named_by_the_prizes_then_in_force(
    tmp_path: Path, *, read_between: bool
) -> None:
    file, ledger = tmp_path / "prizes.toml", tmp_path / "ledger"
    file.write_text(HOUSE_PRIZES)
    with table_in(ledger) as table:
        follower = follower_of(table)
        table.play(*OPEN_HAND, "press ROYAL_FLUSH", "key JPH", "press JPOT", PAID)
        table.play("press GAME_OVER", "press COIN_IN")
        if read_between:
            follow_once(follower, table)
    with table_in(ledger, f"prizes {file}") as table:
        table.play(*OPEN_HAND, "press MINI_ROYAL", "key JPL", "press JPOT", PAID)
        follow_once(follower, table)
    wins = [(win.name, win.currency) for win in follower.wins.wins]
    assert wins == [
        (Words("MINI SCALA", "MINI ROYAL"), "CHF"),
        (Words("SCALA REALE", "ROYAL FLUSH"), "EUR"),
    ]
    pressed = [one.text["it"] for one in follower.records.records if one.act == "button"]
    named = [text for text in pressed if "SCALA" in text]
    assert ["MINI" in text for text in named] == [False, False, True, True], named
