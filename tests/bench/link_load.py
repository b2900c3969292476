"""What pgbench does at a centre: the calls of 40 tables, and the same rows without any rule.

The calls are made by pgbench, not by Python, so that the client's own work is the same on both
sides, and small.
"""

import json
import re
import subprocess
from pathlib import Path

import msgspec

from console.rules.link import AnyCall, Beat, Close, Deliver, MemberHello, Open
from console.simulation.room.postgres_server import PostgresServer, own, start_program
from devices.roles import SEATS
from jackpot.failures import Unavailable
from jackpot.money import movements
from jackpot.money.accounts import Balances, accounts_of
from tests.console.link.light_member import DATABASE, HEAD
from tests.console.link.linked_table import MONEY, TERMS

LINKED = accounts_of(Balances())
ACCOUNTS = ", ".join(account.value for account in LINKED)
CLIENTS = 40
RATE = re.compile(r"^progress: [0-9.]+ s, ([0-9.]+) tps", re.MULTILINE)
WARM_UP_S = 4
"""New sessions compile the centre's functions first."""
FAILED = re.compile(r"^number of failed transactions: ([0-9]+)", re.MULTILINE)

RAW_TABLES = """
CREATE TABLE raw_movement (LIKE link.movement INCLUDING INDEXES);
CREATE SEQUENCE raw_number;
ALTER TABLE raw_movement ALTER COLUMN number SET DEFAULT nextval('raw_number');
CREATE TABLE raw_entry (LIKE link.entry INCLUDING INDEXES);
ALTER TABLE raw_entry ALTER COLUMN at SET DEFAULT clock_timestamp();
CREATE TABLE raw_row (
    member text, n bigint GENERATED ALWAYS AS IDENTITY, at timestamptz DEFAULT clock_timestamp(),
    PRIMARY KEY (member, n)
);
GRANT USAGE ON SCHEMA public TO PUBLIC;
GRANT INSERT ON raw_row TO PUBLIC;
"""


def name_desks() -> list[str]:
    """The members that pgbench is, one for each client."""
    return [f"desk-{number}" for number in range(CLIENTS)]


class Load:
    """Runs scripts at a server."""

    def __init__(self, server: PostgresServer, folder: Path) -> None:
        """`folder`: a new one, for scripts and logs; whoever runs the servers writes there."""
        self._server = server
        self._folder = folder
        self._runs = 0
        folder.mkdir()
        own(folder)

    def run(self, script: str, seconds: int) -> float:
        """As many transactions a second as 40 clients make, once warm. Raises Unavailable."""
        end = WARM_UP_S + seconds
        output = self._pgbench(script, "-T", str(end + 1), "-P", "1")  # may not tell of its last
        rates = [float(rate) for rate in RATE.findall(output)][WARM_UP_S:end]
        if not rates:
            raise Unavailable(f"pgbench: {output}")
        return sum(rates) / len(rates)

    def _pgbench(self, script: str, *arguments: str) -> str:
        self._runs += 1
        path = self._folder / "script.sql"
        path.write_text(script, "utf-8")
        process = start_program(
            "pgbench", "-n", "-h", "127.0.0.1", "-p", str(self._server.port), "-U", "postgres",
            "-c", str(CLIENTS), "-j", "2", "-D", "first=1", "-D", "n=0", "-D", "round=1",
            "-D", f"run={self._runs}", "-f", str(path), *arguments, DATABASE,
            output=subprocess.PIPE,
        )  # fmt: skip
        output = process.communicate()[0].decode(errors="replace")
        failed = FAILED.search(output)
        if process.returncode != 0 or (failed is not None and int(failed[1])):
            raise Unavailable(f"pgbench: {output}")
        return output


# The scripts. pgbench takes a colon and a word for a variable, also within a text: so each colon of
# JSON's own has a blank behind it.

GREET = """\\if :first
SET SESSION AUTHORIZATION "desk-:client_id";
SELECT h ->> 'session' AS session, (h ->> 'n')::bigint AS n
FROM link.hello({hello}::jsonb) AS h \\gset
\\set first 0
\\endif
"""
NEXT = "\\set n :n + 1\n{}"
CALL = NEXT.format("SELECT link.{function}({request}::jsonb)::text;\n")
NUMBERS = {"session": -1, "n": -2, "round": -3}
"""Stand for a variable where there is a number."""


def quote_json(value: object) -> str:
    """As SQL's text, with pgbench's variables for the `NUMBERS`."""
    text = json.dumps(msgspec.to_builtins(value))
    for name, stands_for in NUMBERS.items():
        text = re.sub(rf": {stands_for}\b", f": :{name}", text)
    return f"'{text}'"


def greet() -> str:
    """The first time: be the desk, and say hello."""
    return GREET.format(hello=quote_json(MemberHello(1, TERMS, 0, "", HEAD)))


def call_desk(call: AnyCall) -> str:
    """One call, of the next number."""
    request = {"session": NUMBERS["session"], "act": 0, "head": HEAD, "call": call}
    function = msgspec.to_builtins(call)["call"]
    return CALL.format(function=function, request=quote_json(request))


def calls_of_round() -> tuple[Open, Deliver, Close]:
    """Open, seven tokens, close."""
    n, of_round = NUMBERS["n"], NUMBERS["round"]
    seats = (f"desk-:client_id/round-:round/seat-{seat}/stake" for seat in SEATS)
    stakes = tuple(movements.stake(MONEY, identity) for identity in seats)
    return Open(n, of_round), Deliver(n, of_round, stakes), Close(n, of_round)


BEGINS_ROUND = "\\set round :n + 1\n"
"""A round has the number of its first call."""


def write_rounds(with_stakes: bool = True) -> str:
    """Whole rounds, in three calls; without stakes in two."""
    opens, delivers, closes = calls_of_round()
    calls: tuple[AnyCall, ...] = (opens, delivers, closes) if with_stakes else (opens, closes)
    return greet() + BEGINS_ROUND + "".join(map(call_desk, calls))


def write_beats() -> str:
    """Signs of life."""
    request = {"session": NUMBERS["session"], "act": 0, "beat": Beat("BETTING", (), None)}
    return greet() + f"SELECT link.beat({quote_json(request)}::jsonb)::text;\n"


def write_raw_rounds() -> str:
    """The ten rows of a round, in three statements as in its three calls."""
    opens, delivers, closes = calls_of_round()
    entries = (write_raw_entry(opens), write_raw_delivery(delivers), write_raw_entry(closes))
    return BEGINS_ROUND + "".join(map(NEXT.format, entries))


def write_raw_stakes() -> str:
    """The eight rows of a delivery alone."""
    _, delivers, _ = calls_of_round()
    return BEGINS_ROUND + NEXT.format(write_raw_delivery(delivers))


def write_raw_delivery(call: Deliver) -> str:
    """The rows of its tokens, and its own."""
    rows = []
    for one in call.transactions:
        posted = {posting.account: posting.amount for posting in one.postings}
        amounts = ", ".join(str(posted.get(account, 0)) for account in LINKED)
        rows.append(f"('stud', 'desk-:client_id', :run, '{one.identity}', 'stake', {amounts})")
    return f"""WITH moved AS (
    INSERT INTO raw_movement (jackpot_id, member, epoch, identity, reason, {ACCOUNTS})
    VALUES {", ".join(rows)}
)
{write_raw_entry(call)}"""


def write_raw_entry(call: AnyCall) -> str:
    """The row of one call."""
    return f"""INSERT INTO raw_entry (member, epoch, n, act, call, answer, hash)
VALUES ('desk-:client_id', :run, :n, 1, {quote_json(call)}, '{{"n": :n}}', sha256('a'));
"""
