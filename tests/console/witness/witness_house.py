"""A house's database that is a witness, and a table which it knows."""

import os
import re
import shutil
import signal
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from psycopg import Connection, sql

from console.database.addresses import DatabaseLogin, ServerAddress
from console.witness.administration import Admission, admit_table
from console.witness.entries import WitnessEntry
from console.witness.heads import WitnessHeads
from console.witness.outside import OutsideWitness
from jackpot.ledger.journal import Head
from jackpot.trust.head_signer import HeadSigner
from jackpot.trust.key_stores.file import FileStore, make_file_store
from jackpot.trust.seal import newest_noted
from jackpot.trust.signed_head import SignedHead
from tests.console.link.servers import Server
from tests.console.running_table import configuration
from tests.jackpot.money import an_evening, entry, open_ledger

HOST = "127.0.0.1"


class WitnessHouse:
    """The database, and its administrator's connection."""

    def __init__(self, server: Server, database: str, superuser: Connection) -> None:
        self.server = server
        self.database = database
        self.superuser = superuser

    def admit(
        self, table: str, key: str, head: Head | None = None, reason: str = "a new table"
    ) -> None:
        """Admit a table."""
        admit_table(self.superuser, Admission(table, key, reason, head))

    def call_as(self, role: str, port: int = 0) -> WitnessHeads:
        """The functions, as a table calls them; `port`: another than the server's own."""
        at = ServerAddress(HOST, port or self.server.port)
        return WitnessHeads(DatabaseLogin(self.database, role, None), [at])

    def make_stranger(self, table: str) -> None:
        """A table's role, without an admission."""
        query = "CREATE ROLE {} LOGIN IN ROLE witness_table"
        self.superuser.execute(sql.SQL(query).format(sql.Identifier(table)))

    def delete_entry(self, table: str, number: int) -> None:
        """Delete an entry, as an administrator can who turns the triggers off."""
        with self.superuser.transaction():
            self.superuser.execute("SET LOCAL session_replication_role = replica")
            self.superuser.execute(
                "DELETE FROM witness.entry WHERE table_name = %s AND number = %s", (table, number)
            )

    @contextmanager
    def stop_session(self, table: str) -> Iterator[None]:
        """The server's process that serves this table stands still, and the kernel answers."""
        query = "SELECT pid FROM pg_stat_activity WHERE usename = %s"
        pids = [row[0] for row in self.superuser.execute(query, (table,)).fetchall()]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)

    def entries(self, table: str) -> list[tuple[Any, ...]]:
        """Number, kind and record of a table's entries."""
        query = "SELECT number, kind, seq FROM witness.entry WHERE table_name = %s ORDER BY number"
        return self.superuser.execute(query, (table,)).fetchall()

    def refusals(self, table: str) -> list[str]:
        """What was refused to a table."""
        query = "SELECT code FROM witness.refusal WHERE table_name = %s ORDER BY number"
        return [row[0] for row in self.superuser.execute(query, (table,)).fetchall()]


class SignedTable:
    """A table with a key of its own, and a ledger of five records."""

    def __init__(self, house: WitnessHouse, name: str, folder: Path) -> None:
        self.house = house
        self.name = name
        self.ledger = folder / "ledger"
        self.key = folder / "key"
        self.seal = folder / "media" / "seal"
        self.seal.parent.mkdir()
        make_file_store(self.key)
        an_evening(self.ledger)
        self._played = count(1)
        self._closes = ExitStack()
        self.heads = self._closes.enter_context(closing(house.call_as(name)))

    @property
    def fingerprint(self) -> str:
        """Of its key."""
        return FileStore(self.key).public.fingerprint

    def write_configuration(self) -> Path:
        """A simulation's, with this witness."""
        file = configuration(self.ledger.with_name("table.toml"), table=self.name)
        folder = f'folder = "{self.ledger}"\nseal = "{self.seal}"'
        text = re.sub("^folder = .*$", folder, file.read_text("utf-8"), flags=re.MULTILINE)
        host, database = f"{HOST}:{self.house.server.port}", self.house.database
        text += f'[key]\nstore = "file"\nfolder = "{self.key}"\n'
        text += f'[witness]\nhosts = ["{host}"]\ndatabase = "{database}"\n'
        file.write_text(text, "utf-8")
        return file

    def signer(self) -> HeadSigner:
        """Signs as the table does after a start."""
        return HeadSigner(self.name, lambda: FileStore(self.key))

    def witness(self, port: int = 0) -> OutsideWitness:
        """The witness, as a start makes it."""
        heads = self._closes.enter_context(closing(self.house.call_as(self.name, port)))
        return OutsideWitness(lambda: heads, self.signer(), self.ledger, self.name)

    def play(self, rounds: int = 1) -> None:
        """Commit so many records, each one of its own."""
        with closing(open_ledger(self.ledger)) as ledger:
            for _ in range(rounds):
                ledger.commit([entry(played=next(self._played))])

    def follow(self) -> OutsideWitness:
        """A start: compare, and send the newest head."""
        witness = self.witness()
        witness.compare()
        witness.follow(newest_noted(self.ledger))
        return witness

    def head(self) -> SignedHead:
        """Its newest record, signed."""
        return self.signer().sign(newest_noted(self.ledger))

    def newest(self) -> WitnessEntry:
        """Its newest entry."""
        entry = self.heads.read_newest()
        assert entry is not None
        return entry

    def rename(self, name: str) -> None:
        """Be a table that may call, and that was not admitted."""
        self.house.make_stranger(name)
        self.name = name

    def renew_key(self) -> None:
        """Another key, as a new board or a thief's has it."""
        shutil.rmtree(self.key)
        make_file_store(self.key)

    def save(self, *folders: Path) -> None:
        """Copy these folders, as somebody copies a card."""
        for folder in folders:
            shutil.copytree(folder, folder.with_name(f"{folder.name}.saved"))

    def set_back(self, *folders: Path) -> None:
        """Put the copies in their place."""
        for folder in folders:
            shutil.rmtree(folder)
            shutil.copytree(folder.with_name(f"{folder.name}.saved"), folder)

    def close(self) -> None:
        """Close its connections."""
        self._closes.close()
