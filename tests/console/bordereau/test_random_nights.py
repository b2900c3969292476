"""Whatever happens at a table, its bordereaux are the record added up, to the unit.

What they are held against is asked of SQLite, or of the printed paper; none of it by the code that
makes them. The seed is the run's own (`--hypothesis-seed`).
"""

import json
import re
import sqlite3
from collections import Counter
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from console.bordereau.figures import AwardStatus, Bordereau, RecordRange
from console.bordereau.json import plain
from console.bordereau.nights import bordereau_of, nights, rounds_of
from console.bordereau.sections import sheet_of
from console.bordereau.sheet import text_of
from console.bordereau.words import Wording
from console.texts.bordereau_texts import ACCOUNTS_ON_PAPER, TURNED
from console.texts.language import Words
from jackpot.ledger.ledger import read_records
from jackpot.money.accounts import Account, accounts_of
from jackpot.money.amounts import to_units
from tests.console.bordereau.played_nights import IN_ENGLISH, IN_ITALIAN, RandomTable

pytestmark = pytest.mark.sampled(of=2)

ACTS = 6_000
MOST_ACTS = 8 * ACTS
AMOUNT = re.compile(r" (-?[\d.,]+)$")


@pytest.fixture(scope="module", params=["caribbean-stud", "tre-card-stud"])
def ledger(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random nights, more of them until there are some of every kind."""
    seed = request.config.getoption("hypothesis_seed")
    acts = ACTS
    while True:
        folder = tmp_path_factory.mktemp("nights")
        RandomTable(folder, Random(seed), request.param).play(acts)
        if acts == MOST_ACTS or are_of_every_kind(read_bordereaux(folder)):
            return folder
        acts *= 2


@pytest.fixture(scope="module")
def bordereaux(ledger: Path) -> list[Bordereau]:
    """All of them, the first night first."""
    return read_bordereaux(ledger)


def read_bordereaux(ledger: Path) -> list[Bordereau]:
    return [bordereau_of(ledger, night.stretch) for night in reversed(list(nights(ledger)))]


def are_of_every_kind(bordereaux: list[Bordereau]) -> bool:
    awards = [award for report in bordereaux for award in report.awards]
    return (
        len(bordereaux) > 3
        and max(len(report.trays) for report in bordereaux) > 1
        and sum(award.status is AwardStatus.FINAL for award in awards) > 3
        and sum(report.money.tokens_returned for report in bordereaux) > 0
    )


TRANSFERS = """
    CREATE TEMP VIEW transfer AS SELECT seq, money.key AS position,
    json_extract(money.value, '$[1]') AS reason, json_extract(money.value, '$[2]') AS postings
    FROM journal, json_each(journal.money) AS money"""
POSTINGS = """
    CREATE TEMP VIEW posting AS SELECT seq, position,
    json_extract(one.value, '$[0]') AS account, json_extract(one.value, '$[1]') AS amount
    FROM transfer, json_each(transfer.postings) AS one"""


def query_ledger(ledger: Path, query: str, *values: Any) -> list[Any]:
    with closing(sqlite3.connect(ledger / "ledger.db")) as database:
        for view in (TRANSFERS, POSTINGS):
            database.execute(view)
        return database.execute(query, values).fetchall()


def within(report: Bordereau) -> tuple[int, int]:
    return report.stretch.after, report.stretch.last


def test_there_are_nights_of_every_kind(bordereaux: list[Bordereau]) -> None:
    assert are_of_every_kind(bordereaux)
    assert all(report.stretch.closed for report in bordereaux[:-1])


def test_rounds_never_go_back(ledger: Path) -> None:
    """So a round's records can be sought by halving"""
    rounds = [
        number for (number,) in query_ledger(ledger, "SELECT round FROM journal ORDER BY seq")
    ]
    assert rounds == sorted(rounds)


def test_nights_lie_side_by_side(ledger: Path, bordereaux: list[Bordereau]) -> None:
    """Each record belongs to one night, each account is taken over to the unit"""
    assert bordereaux[0].first == 1
    for before, after in pairwise(bordereaux):
        assert after.first == before.last.seq + 1
        assert after.opening == before.closing
        assert after.rounds[0] == before.rounds[1] + 1
    ((newest,),) = query_ledger(ledger, "SELECT max(seq) FROM journal")
    last = bordereaux[-1]
    still_closed = last.stretch.closed and not query_ledger(
        ledger, "SELECT 1 FROM journal WHERE seq > ? AND round > ?", last.last.seq, last.last.round
    )
    assert last.last.seq == newest or still_closed


def test_a_night_ends_with_the_last_count_before_the_next_round(ledger: Path) -> None:
    """Forwards through all records, as the page defines it"""
    ends, counted = [], 0
    records = list(read_records(ledger, limit=-1))
    for before, record in pairwise(records):
        if record.round > before.round and counted:
            ends.append(counted)
            counted = 0
        if record.kind == "tray-counted" and record.body["outcome"] == "done" and record.round:
            counted = record.seq
    closed = [night.stretch.last for night in nights(ledger) if night.stretch.closed]
    assert sorted(closed) == ends + [counted] * bool(counted)


def test_every_sum_is_that_of_the_postings(ledger: Path, bordereaux: list[Bordereau]) -> None:
    for report in bordereaux:
        after, last = within(report)
        rows = query_ledger(
            ledger,
            "SELECT reason, account, sum(amount) FROM transfer JOIN posting USING (seq, position)"
            " WHERE seq > ? AND seq <= ? GROUP BY reason, account",
            after,
            last,
        )
        told_units = {
            (reason.value, account.value, units)
            for reason, moved in report.money.rows()
            for account, units in moved.units.items()
            if units
        }
        assert told_units == {row for row in rows if row[2]}
        counts = query_ledger(
            ledger,
            "SELECT reason, count(*) FROM transfer WHERE seq > ? AND seq <= ? GROUP BY reason",
            after,
            last,
        )
        assert {reason.value: moved.count for reason, moved in report.money.rows()} == dict(counts)


def test_accounts_are_the_postings_until_then(ledger: Path, bordereaux: list[Bordereau]) -> None:
    query = "SELECT account, sum(amount) FROM posting WHERE seq <= ? GROUP BY account"
    for report in bordereaux:
        for seq, balances in zip(within(report), (report.opening, report.closing), strict=True):
            rows = dict(query_ledger(ledger, query, seq))
            assert {name: balances.of(name) for name in Account} == {
                name: rows.get(name.value, 0) for name in Account
            }
        assert report.differs == ()


def test_awards_are_what_was_paid(ledger: Path, bordereaux: list[Bordereau]) -> None:
    for report in bordereaux:
        paid = query_ledger(
            ledger,
            "SELECT seq, amount FROM transfer JOIN posting USING (seq, position)"
            " WHERE account = 'paid' AND seq > ? AND seq <= ? ORDER BY seq",
            *within(report),
        )
        final = [award for award in report.awards if award.status is AwardStatus.FINAL]
        assert [(award.ended.seq, to_units(award.total)) for award in final if award.ended] == paid
        assert all(award.total == award.winners * award.each for award in report.awards)
        ((begun,),) = query_ledger(
            ledger,
            "SELECT count(*) FROM transfer WHERE reason = 'award_pending' AND seq > ? AND seq <= ?",
            *within(report),
        )
        assert len(report.awards) == begun


def test_corrections_are_those_on_record(ledger: Path, bordereaux: list[Bordereau]) -> None:
    query = (
        "SELECT seq, account, amount FROM transfer JOIN posting USING (seq, position)"
        " WHERE reason = 'correction' AND seq > ? AND seq <= ? ORDER BY seq, account"
    )
    made = [one for report in bordereaux for one in report.corrections]
    assert made
    assert {(one.who, one.second, one.reason) for one in made} == {
        ("bruno", "carla", "counted wrong")
    }
    for report in bordereaux:
        moved = [
            (one.when.seq, account.value, units)
            for one in report.corrections
            for account, units in sorted(one.moved.items(), key=lambda each: each[0].value)
        ]
        assert moved == query_ledger(ledger, query, *within(report))


def test_refusals_faults_and_declarations_are_those_on_record(
    ledger: Path, bordereaux: list[Bordereau]
) -> None:
    for report in bordereaux:
        bodies = [
            (kind, json.loads(body))
            for kind, body in query_ledger(
                ledger, "SELECT kind, body FROM journal WHERE seq > ? AND seq <= ?", *within(report)
            )
        ]
        refused = Counter(body["refusal"] for _, body in bodies if "refusal" in body)
        assert report.refused == refused
        decided = [one for _, body in bodies for one in body.get("decisions", ())]
        raised, cleared = Counter[str](), Counter[str]()
        for _, body in bodies:
            up, down = faults_in(body, "fault-raised"), faults_in(body, "fault-cleared")
            raised += up - down  # cleared and raised again at once: it was there all the time
            cleared += down - up
        assert Counter(one.code for one in report.faults if one.raised) == raised
        assert Counter(one.code for one in report.faults if one.cleared) == cleared
        kinds = Counter(kind for kind, _ in bodies)
        for kind in ("hand-void", "round-void", "last-hands", "tray-counted"):
            assert sum(one.kind == kind for one in report.declarations) == kinds[kind]
        assert len(report.starts) == kinds["started"]
        assert sum(report.entered.values()) == kinds["entered"]
        assert sum(report.wrong_pins.values()) == kinds["entry-refused"]
        late = sum(one["decision"] == "token-late" for one in decided)
        assert report.noticed.get("token-late", 0) == late


def faults_in(body: dict[str, Any], decision: str) -> Counter[str]:
    decided = body.get("decisions", ())
    return Counter(one["fault"] for one in decided if one["decision"] == decision)


def test_the_foot_names_the_record_it_ends_with(ledger: Path, bordereaux: list[Bordereau]) -> None:
    for report in bordereaux:
        ((digest,),) = query_ledger(
            ledger, "SELECT hash FROM journal WHERE seq = ?", report.last.seq
        )
        assert report.hash == bytes(digest).hex()


@pytest.mark.parametrize("say", [IN_ITALIAN, IN_ENGLISH], ids=["it", "en"])
def test_the_paper_adds_up_by_hand(bordereaux: list[Bordereau], say: Wording) -> None:
    """Opening and the printed movements make the closing, for each account, to the last decimal"""
    for report in bordereaux:
        paper = text_of(sheet_of(report, say))
        assert all(len(line) <= 40 and line.isascii() for line in paper.splitlines())
        blocks = {block.splitlines()[0]: block for block in paper.split("-" * 40 + "\n")}
        accounts = blocks[say(Words("CONTI, EUR", "ACCOUNTS, EUR"))].splitlines()[1:]
        moved = blocks[say(Words("MOVIMENTI, EUR", "MOVEMENTS, EUR"))].splitlines()[1:]
        for at, account in enumerate(accounts_of(report.opening, report.closing)):
            name = say(ACCOUNTS_ON_PAPER[account])
            assert accounts[2 * at].startswith(name)
            gained = sum(units(line, say) for line in moved if line.startswith(f"  {name} "))
            opening, closing = units(accounts[2 * at], say), units(accounts[2 * at + 1], say)
            sign = -1 if account in TURNED else 1
            on_record = (report.opening.of(account), report.closing.of(account))
            assert (sign * opening, sign * closing) == on_record
            assert opening + gained == closing


def units(line: str, say: Wording) -> int:
    found = AMOUNT.search(line)
    assert found, line
    text = found[1].replace(say(Words(".", ",")), "").replace(say(Words(",", ".")), "")
    decimals = len(found[1].rpartition(say(Words(",", ".")))[2])
    return int(text) * int(10 ** (6 - decimals))


def test_json_says_the_same_as_the_paper(bordereaux: list[Bordereau]) -> None:
    for report in bordereaux:
        from_json = plain(report)
        for account in accounts_of(report.opening, report.closing):
            gained = sum(
                exactly(moved["postings"].get(account.value, "0.00"))
                for moved in from_json["movements"]
            )
            there = from_json["accounts"][account.value]
            assert exactly(there["opening"]) + gained == exactly(there["closing"])
            assert exactly(there["closing"]) == report.closing.of(account)


def exactly(amount: str) -> int:
    whole, _, decimals = amount.partition(".")
    return int(whole + decimals.ljust(6, "0"))


def test_any_rounds_can_be_told(ledger: Path) -> None:
    """A bordereau of some rounds begins and ends where others do"""
    random = Random(0)
    ((rounds,),) = query_ledger(ledger, "SELECT max(round) FROM journal")
    query = "SELECT min(seq), max(seq) FROM journal WHERE round BETWEEN ? AND ?"
    for _ in range(20):
        first = random.randint(1, rounds)
        last = random.randint(first, rounds)
        stretch = rounds_of(ledger, first, last)
        ((begin, end),) = query_ledger(ledger, query, first, last)
        assert stretch == RecordRange(begin - 1, end, night=False, closed=False)
        report = bordereau_of(ledger, stretch)
        assert (report.rounds, report.differs) == ((first, last), ())
