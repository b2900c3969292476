"""A gaming day of a linked jackpot on paper, against a centre in a real PostgreSQL."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from console.bordereau.words import Wording
from console.command_line.command import DONE, UNUSABLE
from console.command_line.main import main
from console.link.centre.gaming_day import ACCOUNTS, GamingDay, read_gaming_day
from console.office.link.day_sheet import BEGINS, sheet_of_day
from console.texts.language import Language
from jackpot.money.accounts import Balances
from jackpot.money.amounts import Cents, to_units
from jackpot.money.prizes import Combination
from tests.console.bordereau.test_sections import text_of_pdf
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.centres import seat_table
from tests.console.link.linked_table import LinkedTable
from tests.console.link.servers import Server

CORRECTION = {
    "source": "house",
    "target": "reserve",
    "amount": to_units(Cents(500)),
    "reason": "counted by two people",
}


def instant(centre: PostgresCentre) -> datetime:
    """By the server's clock, which dates what moves."""
    now: datetime = centre.one("SELECT clock_timestamp()")
    return now


def play_night(centre: PostgresCentre) -> tuple[LinkedTable, LinkedTable]:
    """Four tokens at one and two at two, of which one goes back; a flush; a correction."""
    one, two = (seat_table(centre, name) for name in ("one", "two"))
    one.open(4)
    two.open(2)
    two.deliver(two.take_token_back(2))
    one.claim(Combination.FLUSH)
    one.agree()
    one.close()
    two.close()
    assert centre.approve("correct", CORRECTION) is None
    return one, two


def read_today(centre: PostgresCentre) -> GamingDay:
    now = instant(centre)
    return read_gaming_day(centre.superuser, JACKPOT, now - timedelta(days=1), now)


def sum_movements(centre: PostgresCentre) -> dict[tuple[str, str], int]:
    """Of the jackpot's account, by table and reason, as the ledger has them."""
    rows = centre.superuser.execute(
        "SELECT coalesce(member, ''), reason, sum(jackpot)::bigint FROM link.movement GROUP BY 1, 2"
    ).fetchall()
    return {(table, reason): jackpot for table, reason, jackpot in rows}


def test_a_night_of_two_tables_is_what_the_ledger_says(postgres: PostgresCentre) -> None:
    play_night(postgres)
    day = read_today(postgres)
    found = {(one.table, one.reason): one.moved.jackpot for one in day.movements}
    assert found == sum_movements(postgres)
    assert (day.opening, day.closing, day.differs) == (Balances(), postgres.total, ())
    counts = {(one.table, one.reason): one.count for one in day.movements}
    assert counts["one", "stake"] == 4
    assert (counts["two", "stake"], counts["two", "token_returned"]) == (2, 1)
    assert [(one.combination, one.paid, one.tables) for one in day.awards] == [
        ("FLUSH", to_units(Cents(10_007)), ("one",))
    ]
    newest = postgres.one("SELECT encode(hash, 'hex') FROM link.act ORDER BY number DESC LIMIT 1")
    assert day.last.hash == newest


def test_two_days_divide_what_moved_and_the_second_begins_as_the_first_ended(
    postgres: PostgresCentre,
) -> None:
    one, _ = play_night(postgres)
    midnight = instant(postgres)
    one.open(3)
    length = timedelta(days=1)
    first = read_gaming_day(postgres.superuser, JACKPOT, midnight - length, midnight)
    second = read_gaming_day(postgres.superuser, JACKPOT, midnight, midnight + length)
    assert first.closing == second.opening
    assert second.closing == postgres.total
    assert [(one.table, one.reason, one.count) for one in second.movements] == [("one", "stake", 3)]
    assert (second.acts, second.awards, second.last) == ((), (), first.last)
    for day in (first, second):
        for account in ACCOUNTS:
            moved = sum(each.moved.of(account) for each in day.movements)
            assert day.opening.of(account) + moved == day.closing.of(account)


def test_a_balance_that_the_movements_do_not_lead_to_is_said(postgres: PostgresCentre) -> None:
    play_night(postgres)
    postgres.superuser.execute("UPDATE link.jackpot SET house = house + 1, reserve = reserve - 1")
    day = read_today(postgres)
    assert day.differs == ("reserve", "house")
    sheet = sheet_of_day(day, Wording(Language.EN), over=True)
    assert sheet.warnings == ("DOES NOT ADD UP: reserve, house",)


EN = (
    "TOKENS BY TABLE, EUR",
    "awards paid",
    "flush",
    "counted by two people",
    "olga",
    "*** NOT OVER YET ***",
    "The hash fixes the acts up to this one",
)
IT = (
    "GETTONI PER TAVOLO, EUR",
    "vincite pagate",
    "colore",
    "counted by two people",
    "*** NON ANCORA FINITA ***",
    "L'impronta fissa gli atti fino a questo",
)


@pytest.mark.parametrize(("language", "words"), [("en", EN), ("it", IT)])
def test_it_is_printed_as_text_json_and_pdf(
    language: str,
    words: tuple[str, ...],
    postgres: PostgresCentre,
    server: Server,
    tmp_path: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    play_night(postgres)
    centre = server.dsn("postgres", postgres.one("SELECT current_database()"))
    today = (datetime.now().astimezone() - timedelta(hours=BEGINS.hour)).date()

    def link_bordereau(*words: str) -> int:
        asked = ("bordereau", JACKPOT, *words, "--language", language, "--centre", centre)
        return main(["link", *asked])

    assert link_bordereau(str(today)) == DONE
    text = capsysbinary.readouterr().out.decode("ascii")
    assert all(line.isascii() and len(line) <= 40 for line in text.splitlines())
    assert all(word in text for word in words), text
    assert link_bordereau(str(today), "--format", "json") == DONE
    content: dict[str, Any] = json.loads(capsysbinary.readouterr().out)
    assert content["closing"] == postgres.total.to_dict()
    out = tmp_path / "day.pdf"
    assert link_bordereau(str(today), "--format", "pdf", "--out", str(out)) == DONE
    assert {"it": "100,07", "en": "100.07"}[language] in text_of_pdf(out.read_bytes())
    assert link_bordereau(str(today), "--out", str(out)) == UNUSABLE
    assert link_bordereau("2000-01-01") == UNUSABLE
    assert b"stud was begun after 2000-01-02" in capsysbinary.readouterr().err
