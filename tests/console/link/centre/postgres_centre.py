"""A centre on a real server, with one jackpot, as tests see it."""

import json
from collections.abc import Collection, Mapping
from typing import Any, Protocol, Self

import msgspec
from psycopg import Connection, sql

from console.link.centre.membership import (
    admit_member,
    ask_to_leave,
    create_jackpot,
    read_entries,
    read_known,
)
from console.link.centre.postgres_calls import PostgresCalls
from console.link.rejoin_list import KnownMember, MemberEntry, RejoinList
from console.rules.link import Change, Terms, Tie
from jackpot.money.accounts import Balances
from jackpot.money.amounts import Cents
from tests.console.link.centre.database_pool import SUPERUSER
from tests.console.link.linked_table import MONEY, TERMS

JACKPOT = "stud"


class CentreDatabase(Protocol):
    """A database with the schema."""

    def connect(self, user: str) -> Connection:
        """The role's connection, in autocommit."""

    def dsn(self, user: str) -> str:
        """How libpq reaches it."""


class PostgresCentre:
    """A database with the schema, and the jackpot "stud" in it."""

    def __init__(self, database: CentreDatabase) -> None:
        self._database = database
        self.superuser = self.connect(SUPERUSER)

    def begin(
        self,
        terms: Terms = TERMS,
        opening: Cents = MONEY.opening,
        base: Cents = MONEY.base,
        tie: Tie = Tie.SPLIT,
    ) -> Self:
        """Begin the jackpot."""
        create_jackpot(self.superuser, JACKPOT, terms, base, opening, tie.value)
        return self

    @property
    def reading(self) -> Cents:
        """The jackpot, in whole cents."""
        return Cents(self.one("SELECT link.read_jackpot(%s)", JACKPOT))

    @property
    def total(self) -> Balances:
        """The jackpot's accounts: the centre's own and all its members'."""
        query = "SELECT to_jsonb(link.sum_balances(%s))"
        return Balances.from_dict(self.one(query, JACKPOT))

    def member(self, name: str) -> PostgresCalls:
        """The way of a table that operators let in, and that has not joined yet."""
        if not self.one("SELECT count(*) FROM link.member WHERE name = %s", name):
            admit_member(self.superuser, name, JACKPOT)
        return PostgresCalls(self.connect(name))

    def changes(self, name: str, act: int) -> tuple[Change, ...]:
        """The member's changes of the acts after this one."""
        query = (
            "SELECT coalesce(jsonb_agg(to_jsonb(c) ORDER BY act), '[]') FROM link.change AS c "
            "WHERE member = %s AND act > %s"
        )
        return msgspec.convert(self.one(query, name, act), tuple[Change, ...])

    def save(self) -> None:
        """Keep a copy of every row."""
        for name in self.tables():
            copy = sql.SQL("DROP TABLE IF EXISTS {0}; CREATE TEMP TABLE {0} AS TABLE {1}")
            query = copy.format(sql.Identifier(f"saved_{name}"), sql.Identifier("link", name))
            self.superuser.execute(query)

    def set_back(self, _saved: None) -> None:
        """Put back the rows that were kept, as a replica, which is asked by no trigger."""
        with self.superuser.transaction():
            self.superuser.execute("SET LOCAL session_replication_role = replica")
            for name in self.tables():
                put_back = sql.SQL(
                    "DELETE FROM {0}; INSERT INTO {0} OVERRIDING SYSTEM VALUE SELECT * FROM {1}"
                ).format(sql.Identifier("link", name), sql.Identifier(f"saved_{name}"))
                self.superuser.execute(put_back)

    def tables(self) -> list[str]:
        """The schema's tables."""
        query = (
            "SELECT relname FROM pg_class "
            "WHERE relkind = 'r' AND relnamespace = 'link'::regnamespace"
        )
        return [name for (name,) in self.superuser.execute(query).fetchall()]

    def promote(self) -> None:
        """One server alone cannot be promoted: from now on it says a later timeline."""
        timeline: int = self.one("SELECT link.read_timeline()")
        self.superuser.execute(
            sql.SQL(
                "CREATE OR REPLACE FUNCTION link.read_timeline() RETURNS integer "
                "LANGUAGE sql VOLATILE AS $$ SELECT {} $$"
            ).format(sql.Literal(timeline + 1))
        )

    def approve(self, what: str, arguments: Mapping[str, Any]) -> str | None:
        """Two operators do this, by the name of its command; why not, or None."""
        for operator in ("olga", "piero"):
            self.make_role(operator, "link_operator")
        asked = json.dumps(arguments)
        query = "SELECT link.propose(%s, %s, %s::jsonb)"
        proposed = self.connect("olga").execute(query, (JACKPOT, what, asked)).fetchone()
        assert proposed is not None
        query = "SELECT link.approve(%s, %s, %s::jsonb)"
        row = self.connect("piero").execute(query, (proposed[0], what, asked)).fetchone()
        assert row is not None
        refusal: str | None = row[0]
        return refusal

    def settle(self, terms: Terms) -> str | None:
        """Two operators make these the terms of all tables; why not, or None."""
        builtins = msgspec.to_builtins(terms, str_keys=True)
        return self.approve("settings", {"terms": builtins, "base": MONEY.base, "tie": "split"})

    def recover(self, without: Collection[str] = ()) -> None:
        """Two operators say so."""
        assert self.approve("recover", {"without": sorted(without)}) is None

    def stranger(self, name: str) -> PostgresCalls:
        """The way of one whom nobody let in: it has the role of a member, and no row."""
        self.make_role(name, "link_member")
        return PostgresCalls(self.connect(name))

    def admit(self, name: str) -> None:
        """Let a table join; again, after it has left. Raises psycopg.Error for a member."""
        admit_member(self.superuser, name, JACKPOT)

    def ask_to_leave(self, name: str) -> None:
        """An operator asks a table to leave. Raises psycopg.Error for one that is no member."""
        self.make_role("olga", "link_operator")
        ask_to_leave(self.connect("olga"), name)

    def entries(self, name: str) -> list[MemberEntry]:
        """All that the centre has of a member."""
        return read_entries(self.superuser, name)

    def know(self, name: str) -> KnownMember:
        """What it knows of a member's journal."""
        return read_known(self.superuser, name)

    def rejoin(self, name: str, listed: RejoinList) -> str | None:
        """Two operators let the table with this ledger rejoin; why not, or None."""
        return self.approve("rejoin", {"member": name} | msgspec.to_builtins(listed))

    def make_role(self, name: str, group: str) -> None:
        """A role that may log in, of this group; roles are the server's, and stay."""
        if not self.one("SELECT count(*) FROM pg_roles WHERE rolname = %s", name):
            query = sql.SQL("CREATE ROLE {} LOGIN IN ROLE {}")
            self.superuser.execute(query.format(sql.Identifier(name), sql.Identifier(group)))

    def connect(self, user: str) -> Connection:
        """The connection of this role."""
        return self._database.connect(user)

    def dsn(self, user: str) -> str:
        """How libpq reaches it, as `--centre` takes it."""
        return self._database.dsn(user)

    def add_silent_members(self, count: int) -> None:
        """Members of the jackpot that never call: `other-1` and so on."""
        for rows in (
            "INSERT INTO link.member (name, jackpot_id, joined) "
            "SELECT 'other-' || n, %(of)s, true FROM generate_series(1, %(count)s) AS n",
            "INSERT INTO link.member_balance (member, jackpot_id) "
            "SELECT 'other-' || n, %(of)s FROM generate_series(1, %(count)s) AS n",
        ):
            self.superuser.execute(rows.encode(), {"of": JACKPOT, "count": count})

    def one(self, query: str, *arguments: object) -> Any:
        """The first column of the query's only row."""
        row = self.superuser.execute(query.encode(), arguments).fetchone()
        assert row is not None, query
        return row[0]
