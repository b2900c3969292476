"""`banco link audit`: what was changed, left out or set back is named, with its place."""

import asyncio
import io
import json
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from console.command_line.command import DONE, FAILED, UNUSABLE
from console.command_line.main import main
from console.link.centre.membership import admit_member, create_jackpot
from console.office.link.audit import FindingKind
from console.office.link.audit import audit as compare_books
from console.office.link.audit_sources import open_ledger
from tests.console.conftest import TEMPLATE
from tests.console.link.linked_table import MONEY, TERMS
from tests.console.link.servers import Server
from tests.console.link.test_linked_table import STEPS, TABLE, run_linked, take_step
from tests.console.running_table import (
    RunningTable,
    configuration,
    running,
)
from tests.deadlines import DEADLINE_S

PLAYED, COPY, EARLIER = "audit_played", "audit_copy", "audit_earlier"
CUT_OFF = """
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = %s
"""
Audit = Callable[..., int]


@dataclass(frozen=True)
class Night:
    """A night at a linked table: its ledger, and a copy of it as it was before the end."""

    ledger: Path
    older: Path
    key: Path
    export: Path


@pytest.fixture(scope="module")
def night(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Night]:
    """Two rounds with an award; then the table is cut off, and its last call waits."""
    folder = tmp_path_factory.mktemp("night")
    server.make_database(PLAYED, TEMPLATE)
    with server.connect(database=PLAYED) as superuser:
        create_jackpot(superuser, "stud", TERMS, MONEY.base, MONEY.opening, "split")
        admit_member(superuser, TABLE, "stud")
    asyncio.run(play_night(server, folder))
    key = folder / "house.key"
    export = folder / "cs-1.export"
    assert main(["ledger", "key", str(key)]) == DONE
    words = ["ledger", "export", str(folder / "table"), "--key", str(key), "--out", str(export)]
    assert main(words) == DONE
    yield Night(folder / "table", folder / "older", Path(f"{key}.pub"), export)
    with server.connect() as superuser:
        superuser.execute(sql.SQL("ALTER ROLE {} LOGIN").format(sql.Identifier(TABLE)))
    for database in (PLAYED, EARLIER):
        server.drop_database(database)


async def play_night(server: Server, folder: Path) -> None:
    """Play it. The ledger and the centre are copied at the end of the first round."""
    table_folder = folder / "table"
    table_folder.mkdir()
    async with run_linked(table_folder, server.port, PLAYED) as table:
        for step in STEPS[:5]:
            await take_step(table, step)
    shutil.copytree(table_folder, folder / "older", ignore=shutil.ignore_patterns("line"))
    server.copy_database(EARLIER, PLAYED)
    async with run_linked(table_folder, server.port, PLAYED) as table:
        await take_step(table, STEPS[5])
        await wait_for_calls(server, table, 9)
        with server.connect() as superuser:
            superuser.execute(sql.SQL("ALTER ROLE {} NOLOGIN").format(sql.Identifier(TABLE)))
            superuser.execute(CUT_OFF, (TABLE,))
        await table.until(lambda seen: "LINK_LOST" in seen["faults"])
        await table.do(*STEPS[6][0])


async def wait_for_calls(server: Server, table: RunningTable, calls: int) -> None:
    """Until the centre has so many: the last token is delivered behind the table's back."""
    async with asyncio.timeout(DEADLINE_S):
        with server.connect(database=PLAYED) as superuser:
            while superuser.execute("SELECT max(n) FROM link.entry").fetchone() != (calls,):
                await table.do("wait 20ms")


@pytest.fixture
def centre(server: Server, night: Night) -> Iterator[str]:
    """A copy of the centre, to be broken."""
    assert night.ledger.exists()
    server.copy_database(COPY, PLAYED)
    yield server.dsn("postgres", COPY)
    server.drop_database(COPY)


def break_centre(server: Server, *statements: str) -> None:
    """Change what stands there as a replica would, which no trigger refuses."""
    with server.connect(database=COPY) as superuser:
        superuser.execute("SET session_replication_role = replica")
        for statement in statements:
            assert superuser.execute(statement.encode()).rowcount != 0, statement


def audit(centre: str, *words: str | Path) -> int:
    return main(["link", "audit", *map(str, words), "--centre", centre])


def read_findings(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def test_a_night_is_in_order_and_the_call_that_waits_is_named(
    centre: str, night: Night, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """LINK 7.2"""
    for who in ("postgres", "auditor"):
        if who == "auditor":
            assert main(["link", "reader", who, "--centre", centre]) == DONE
        capsys.readouterr()
        words = (night.ledger, "--export", night.export, "--key", night.key)
        assert audit(server.dsn(who, COPY), *words) == DONE
        lines = capsys.readouterr().out.splitlines()
        waits = f"undelivered: {night.ledger}: call 1/10 waits for the centre: close round 2"
        assert waits in lines
        assert "in order: the centre, 2 ledgers or exports, and 18 calls" in lines
        assert not [line for line in lines if "DIFFERS" in line]


DAMAGE = {
    'UPDATE link.entry SET answer = answer || \'{"refusal": "ROUND_CLOSED"}\' WHERE n = 5': (
        "entry cs-1/1/5: its hash is another"
    ),
    "UPDATE link.act SET details = '{}' WHERE kind = 'award-pending'": "its hash is another",
    "UPDATE link.member_balance SET jackpot = jackpot + 1, house = house - 1": (
        "table cs-1: its balances are"
    ),
    "UPDATE link.jackpot SET reserve = reserve + 1, house = house - 1": (
        "jackpot stud: its balances are"
    ),
    "UPDATE link.movement SET house = house - 1, reserve = reserve + 1 WHERE reason = 'stake' "
    "AND identity LIKE '%seat-2%'": "movement cs-1/round-1/seat-2/stake of cs-1/1: its call says",
    "UPDATE link.award SET each = each + 1, total = total + winners": "award stud/1: final, 1",
    "UPDATE link.winner SET state = 'agreed'": "cs-1/round-1/award-1 of cs-1: it is agreed",
    "DELETE FROM link.movement WHERE reason = 'award_final'": "paid by nothing",
    "DELETE FROM link.entry WHERE n = 4": "epoch 1 has 8 calls up to 9",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_changed_row_is_named(
    server: Server, centre: str, capsys: pytest.CaptureFixture[str], damage: str
) -> None:
    """LINK 7.2"""
    break_centre(server, damage)
    assert audit(centre) == FAILED
    assert DAMAGE[damage] in capsys.readouterr().out


def test_a_row_changed_with_all_its_hashes_is_not_what_the_ledger_holds(
    server: Server, centre: str, night: Night, capsys: pytest.CaptureFixture[str]
) -> None:
    """LINK 7.2"""
    break_centre(
        server,
        "UPDATE link.entry SET call = jsonb_set(call, '{more}', '7') WHERE n = 9",
        "UPDATE link.entry SET hash = link.hash_entry((SELECT hash FROM link.entry WHERE n = 8), "
        "member, epoch, n, act, call, answer) WHERE n = 9",
        "UPDATE link.member SET hash = (SELECT hash FROM link.entry WHERE n = 9)",
    )
    assert audit(centre) == DONE
    assert audit(centre, night.ledger) == FAILED
    assert "call 1/9 is another than at the centre" in capsys.readouterr().out


def test_an_older_copy_of_a_ledger_lacks_what_the_centre_has(
    centre: str, night: Night, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit(centre, night.older) == FAILED
    out = capsys.readouterr().out
    assert "2 calls are at the centre alone, 1/8 to 1/9: an older copy" in out
    assert f"DIFFERS: {night.older}: the centre knows record " in out


def test_a_table_that_plays_on_meanwhile_is_no_older_copy(
    centre: str, night: Night, tmp_path: Path
) -> None:
    """LINK 7.2: tables may be at play; the ledger is opened, then the table goes on."""
    at_play = tmp_path / "table"
    shutil.copytree(night.older, at_play)
    source = open_ledger(at_play)
    shutil.rmtree(at_play)
    shutil.copytree(night.ledger, at_play, ignore=shutil.ignore_patterns("line"))
    with psycopg.connect(centre, autocommit=True) as connection:
        report = compare_books(connection, [source])
    assert [one.text for one in report.findings if one.kind is FindingKind.DIFFERS] == []
    assert report.right


def test_two_operators_let_the_older_copy_rejoin_and_the_audit_names_the_rest(
    centre: str,
    night: Night,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("olga", "piero"):
        main(["link", "operator", name, "--centre", centre])
    people = ("--as", "olga", "--and", "piero", "--centre", centre)
    words = ("rejoin", TABLE, "--ledger", str(night.older))
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\ny\n"))
    assert main(["link", *words, *people]) == DONE
    printed = capsys.readouterr().out
    assert f"Let {TABLE} rejoin in epoch 2, with the ledger that ends at record" in printed
    assert "Tokens of it that the centre lacks, and books: 0" in printed
    assert audit(centre, night.older) == DONE
    out = capsys.readouterr().out
    alone = "call 1/9 is at the centre alone; the table has rejoined since"
    assert f"not here: {night.older}: {alone}" in out
    words = ("rejoin", "cs-9", "--ledger", str(night.older))
    assert main(["link", *words, *people]) == UNUSABLE
    assert "the centre has no table cs-9" in capsys.readouterr().err


def test_a_centre_set_back_lacks_what_the_ledger_holds_as_answered(
    server: Server, night: Night, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit(server.dsn("postgres", EARLIER), night.ledger, "--json") == FAILED
    texts = [one["text"] for one in read_findings(capsys)["findings"]]
    assert any("call 1/8 is answered, and the centre does not have it" in text for text in texts)


def test_a_ledger_of_another_table_is_not_taken_for_this_ones(
    server: Server, centre: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def begin() -> None:
        file = configuration(tmp_path / "table.toml", table=TABLE)
        async with running(tmp_path, "--sim", "--config", file) as table:
            await table.do("press GAME_OVER")

    asyncio.run(begin())
    assert audit(centre, tmp_path) == FAILED
    assert "9 calls are at the centre alone, 1/1 to 1/9" in capsys.readouterr().out
    break_centre(server, "UPDATE link.member SET name = 'cs-7'")
    assert audit(centre, tmp_path) == FAILED
    assert "the centre has no table 'cs-1'" in capsys.readouterr().out


def test_an_export_with_a_cut_end_is_named(
    centre: str, night: Night, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """LINK 7.2"""
    cut = tmp_path / "cut.export"
    cut.write_bytes(b"".join(night.export.read_bytes().splitlines(keepends=True)[:-3]))
    assert audit(centre, "--export", cut, "--key", night.key) == FAILED
    assert "has no signature: it was cut off" in capsys.readouterr().out


def test_an_export_that_ends_earlier_is_in_order(
    centre: str, night: Night, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export = tmp_path / "older.export"
    key = str(night.key).removesuffix(".pub")
    words = ["ledger", "export", str(night.older), "--key", key, "--out", str(export)]
    assert main(words) == DONE
    assert audit(centre, "--export", export, "--key", night.key) == DONE
    assert f"not here: {export}: 2 calls are at the centre alone" in capsys.readouterr().out


def test_what_nobody_approved_is_named(
    server: Server, centre: str, capsys: pytest.CaptureFixture[str]
) -> None:
    break_centre(
        server,
        "ALTER TABLE link.proposal DROP CONSTRAINT proposal_check",
        "INSERT INTO link.proposal (jackpot_id, what, arguments, proposer) "
        "VALUES ('stud', 'correct', '{}', 'olga')",
        "INSERT INTO link.proposal (jackpot_id, what, arguments, proposer, approver, approves) "
        "VALUES ('stud', 'correct', '{\"amount\": 1}', 'olga', 'olga', 1)",
        "INSERT INTO link.act (jackpot_id, number, kind, details, hash) "
        "VALUES ('stud', 99, 'correction', '{}', '')",
    )
    assert audit(centre) == FAILED
    out = capsys.readouterr().out
    for text in (
        "proposal 1: approved by olga, who had proposed it",
        "proposal 1: its approval 2 says something else",
        "proposal 1: it is approved, and no act of it is on record",
        "act stud/99: correction, without two operators",
    ):
        assert text in out


def test_what_cannot_be_read_is_no_difference(
    centre: str, night: Night, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """LINK 7.2"""
    for words, problem in (
        ((tmp_path / "nowhere",), "nowhere"),
        (("--export", night.export), "--export needs --key"),
        (("--export", night.export, "--key", tmp_path / "no.pub"), "no.pub"),
        (("--export", night.ledger / "ledger" / "ledger.db", "--key", night.key), "line 1"),
    ):
        assert audit(centre, *words) == UNUSABLE
        assert problem in capsys.readouterr().err
