"""What the house pays at a linked table, on a centre in a real PostgreSQL.

docs/reference/prizes.md, 2.16 to 2.18.
"""

import asyncio
import json
import os
import signal
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from console.command_line.command import DONE
from console.command_line.main import main
from console.link.centre.books import find_book_differences
from console.link.centre.membership import admit_member
from console.office.link.audit import AuditReport, FindingKind
from console.office.link.audit import audit as compare_books
from console.office.link.audit_sources import open_ledger
from jackpot.ledger.journal import Entry
from jackpot.ledger.ledger import Ledger
from jackpot.money.accounts import Account, Posting, Reason, Transaction
from jackpot.money.amounts import Units
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.centres import MakeCentre
from tests.console.link.linked_table import read_terms
from tests.console.link.servers import Server
from tests.console.link.test_linked_table import (
    DONE_AGAIN,
    TABLE,
    Step,
    courier_of,
    is_linked,
    take_step,
    until_delivered,
)
from tests.console.running_table import Seen, configuration, running

PRIZES = """
[[prize]]
combination = "ROYAL_FLUSH"
share = "100"
key = "JPH"
[[prize]]
combination = "FOUR_OF_A_KIND"
share = "10"
from = "house"
envy = "25.00"
key = "JPL"
[[prize]]
combination = "FULL_HOUSE"
amount = "20.00"
envy = "3.00"
key = "JPL"
[[prize]]
combination = "FLUSH"
amount = "50.00"
from = "house"
envy = "5.00"
key = "JPL"
"""
STEPS: tuple[Step, ...] = (
    (("press GAME_OVER",), "BETTING"),
    (("token 1 2 3", "press COIN_IN"), "PLAYING"),
    (("press FOUR_OF_A_KIND", "key JPL", "press JPOT"), "AWARDING"),
    (("key between", "key R"), "PLAYING"),
    (("press FLUSH", "key JPL", "press JPOT"), "AWARDING"),
    (("key between", "key R"), "PLAYING"),
    (("press FULL_HOUSE", "key JPL", "press JPOT"), "AWARDING"),
    (("key between", "key R"), "PLAYING"),
    (("press GAME_OVER",), "BETTING"),
)
KEY_TURNED_AGAIN = {**DONE_AGAIN, "key R": ("key between",)}
"""The table then pays what it shows."""

PAID = "1136.42"
"""A tenth of 10,004.20, 2 x 25.00 as its envy; 50.00, and 2 x 5.00; 20.00, and 2 x 3.00."""


@pytest.fixture
def centre(make_postgres: MakeCentre) -> PostgresCentre:
    """A centre of that house, which lets the table in."""
    made = make_postgres(terms=read_terms(PRIZES))
    assert isinstance(made, PostgresCentre)
    admit_member(made.superuser, TABLE, JACKPOT)
    return made


def write_configuration(folder: Path, server: Server, centre: PostgresCentre) -> Path:
    (folder / "prizes.toml").write_text(PRIZES, "utf-8")
    file = configuration(folder / "table.toml")
    database = centre.one("SELECT current_database()")
    text = file.read_text("utf-8").replace('game = "caribbean-stud"\n', "")
    game = '[game]\nname = "caribbean-stud"\nprizes = "prizes.toml"\n'
    hosts = f'hosts = ["127.0.0.1:{server.port}"]\ndatabase = "{database}"\n'
    file.write_text(f'{text}{game}[link]\njackpot = "{JACKPOT}"\n{hosts}', "utf-8")
    return file


def audit(centre: PostgresCentre, folder: Path) -> AuditReport:
    with psycopg.connect(centre.dsn("postgres"), autocommit=True) as connection:
        return compare_books(connection, [open_ledger(folder)])


def check_books(centre: PostgresCentre, folder: Path, seen: Seen) -> None:
    """The centre has its part, the ledger the whole; both are in order, and replay."""
    assert (seen["paid"], seen["pending"]) == (PAID, "0.00")
    assert centre.one("SELECT paid FROM link.jackpot") == (1_000_42 + 26_00) * 10_000
    assert list(find_book_differences(centre.superuser)) == []
    assert audit(centre, folder).right
    assert main(["ledger", "verify", str(folder)]) == DONE


@pytest.mark.parametrize("kills", ["nobody", "the courier", "the table"])
def test_what_the_house_pays_is_paid_once_and_asked_of_no_centre(
    centre: PostgresCentre, server: Server, tmp_path: Path, kills: str
) -> None:
    """PRIZES 2.16, 2.17, 2.18"""
    file = write_configuration(tmp_path, server, centre)

    async def play(first: int, end: int) -> Seen:
        async with running(tmp_path, "--sim", "--config", file) as table:
            await table.until(is_linked)
            for step in STEPS[first:end]:
                if kills == "the courier":
                    await table.until(lambda _: courier_of(table) is not None)
                    os.kill(courier_of(table) or 0, signal.SIGKILL)
                await take_step(table, step, KEY_TURNED_AGAIN)
            return await until_delivered(table, centre) if end == len(STEPS) else {}

    async def night() -> Seen:
        if kills != "the table":
            return await play(0, len(STEPS))
        for number in range(len(STEPS) - 1):
            await play(number, number + 1)
        return await play(len(STEPS) - 1, len(STEPS))

    check_books(centre, tmp_path, asyncio.run(night()))


def test_the_night_is_exported_and_reported_with_what_the_house_paid(
    centre: PostgresCentre, server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """PRIZES 2.18"""
    file = write_configuration(tmp_path, server, centre)

    async def night() -> None:
        async with running(tmp_path, "--sim", "--config", file) as table:
            await table.until(is_linked)
            for step in STEPS:
                await take_step(table, step, KEY_TURNED_AGAIN)
            await until_delivered(table, centre)
            await table.do("press COIN_IN")

    asyncio.run(night())
    key, export = tmp_path / "house.key", tmp_path / "cs-1.export"
    assert main(["ledger", "key", str(key)]) == DONE
    words = ["ledger", "export", str(tmp_path), "--key", str(key), "--out", str(export)]
    assert main(words) == DONE
    assert main(["ledger", "check-export", str(export), "--key", f"{key}.pub"]) == DONE
    words = ["link", "audit", "--export", str(export), "--key", f"{key}.pub"]
    assert main([*words, "--centre", centre.dsn("postgres")]) == DONE
    capsys.readouterr()
    assert main(["report", str(tmp_path), "--format", "json"]) == DONE
    report = json.loads(capsys.readouterr().out)
    assert [(one["combination"], one["by_house"]) for one in report["awards"]] == [
        ("FOUR_OF_A_KIND", "50.00"),
        ("FLUSH", "60.00"),
        ("FULL_HOUSE", "0.00"),
    ]
    rows = report["prizes"]
    paid = {(one["combination"], one["envy"]): one["house"] for one in rows}
    jackpot = {one["jackpot"] for one in rows if one["combination"] == "FULL_HOUSE"}
    assert jackpot == {"20.00", "6.00"}
    assert paid == {
        ("FOUR_OF_A_KIND", False): "0.00",
        ("FOUR_OF_A_KIND", True): "50.00",
        ("FLUSH", False): "50.00",
        ("FLUSH", True): "10.00",
        ("FULL_HOUSE", False): "0.00",
        ("FULL_HOUSE", True): "0.00",
    }


AWARD = f"{TABLE}/round-1/award-1"
LIES = {
    "it moves the jackpot": (
        Transaction(
            f"{AWARD}/house-pending",
            Reason.AWARD_PENDING,
            (Posting(Account.JACKPOT, Units(-5)), Posting(Account.PENDING, Units(5))),
        ),
        "house-pending is not at the centre",
    ),
    "more was pending": (
        Transaction(
            f"{AWARD}/envy-final",
            Reason.AWARD_FINAL,
            (Posting(Account.PENDING, Units(-5)), Posting(Account.PAID, Units(5))),
        ),
        "envy-final is not what the house gave for it",
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_the_house_s_names_hide_nothing_from_the_audit(
    centre: PostgresCentre, server: Server, tmp_path: Path, lie: str
) -> None:
    """PRIZES 2.18: a ledger may say what it likes"""
    file = write_configuration(tmp_path, server, centre)

    async def night() -> None:
        async with running(tmp_path, "--sim", "--config", file) as table:
            await table.until(is_linked)
            for step in STEPS[:3]:
                await take_step(table, step, KEY_TURNED_AGAIN)

    asyncio.run(night())
    moved, found = LIES[lie]
    with closing(Ledger.open(tmp_path / "ledger")) as ledger:
        ledger.begin(99)
        balances = ledger.balances.after(moved).to_dict()
        body = {"changes": {"balances": balances}}
        ledger.commit([Entry("lie", 1, 0, "", 1, body, (moved,))])
    findings = audit(centre, tmp_path).findings
    differs = [one.text for one in findings if one.kind is FindingKind.DIFFERS]
    assert [one for one in differs if found in one], findings
