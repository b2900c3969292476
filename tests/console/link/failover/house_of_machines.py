"""A house whose machines are set up as docs/how-to/centre.md says, by its very blocks."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import msgspec

from tests.console.link.failover.centre_page import PAGE, find_blocks
from tests.console.link.failover.linked_house import (
    ENTRIES,
    STAKES,
    Answers,
    Entries,
    check_all_once,
    check_kept,
    find_lost,
)
from tests.console.link.failover.machines import ROOT, Machine, run_machines
from tests.console.link.failover.playing_tables import Answered
from tests.open_folder import make_open_folder

TABLE = "table-3"
"""The page's own; the others are as it."""

AUTHORITY = "house"
FLOOR = "floor"
"""Where the tables are."""

SPARE = "spare"
"""For a drill."""

CONFIGURATION = ROOT / "docs/tables/caribbean-stud.toml"
PASSWORD = "correct horse battery staple"
AFTER_INSTALLATION = "pg_createcluster 15 main"
"""What Debian's package does when it is installed."""

WITHIN_S = 120.0
LOOK_AGAIN_S = 0.1


class House:
    """Its machines, and what its tables were answered."""

    def __init__(self, machines: dict[str, Machine], servers: Sequence[str]) -> None:
        self.machines = machines
        self.servers = tuple(servers)
        self.tables: list[str] = []
        self.answered: list[Answered] = []
        self._tables_end = threading.Event()

    def type_section(self, section: str, answers: str = "", page: Path = PAGE) -> None:
        """Type all its blocks. Raises CommandFailed."""
        for machine, block in find_blocks(section, self.machines, page):
            self.machines[machine].type_in(block.text, block.user, answers)

    def read(self, server: str, query: str, database: str = "banco") -> list[list[str]]:
        """The rows of an answer, as the superuser sees them. Raises CommandFailed."""
        typed = f'psql -X -AtF "|" {database} <<"END"\n{query}\nEND'
        lines = self.machines[server].type_in(typed, "postgres").splitlines()
        return [line.split("|") for line in lines]

    def add_table(self, name: str) -> None:
        """Let another table in, as the page lets in its own. Not for the page's own table."""
        for section in ("Certificates", "The jackpot"):
            for machine, block in find_blocks(section, self.machines):
                mine = [line for line in block.text.splitlines() if "join" in line]
                text = "\n".join(mine) if section == "The jackpot" else block.text
                if TABLE in text:
                    self.machines[machine].type_in(text.replace(TABLE, name), block.user)

    @contextmanager
    def play(self, tables: Sequence[str]) -> Iterator[None]:
        """The tables stake until the block ends; each has then a last token answered."""
        self.tables = list(tables)
        hosts = " ".join(f"{one}.casino.example" for one in self.servers)
        typed = (
            f"cd {ROOT} && exec {sys.executable} -m tests.console.link.failover.playing_tables "
            f"{' '.join(tables)} --hosts {hosts} --folder /media/stick"
        )
        process = subprocess.Popen(
            self.machines[FLOOR].command(typed),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        reading = threading.Thread(target=self._read_answers, args=(process,))
        reading.start()
        try:
            yield
            assert process.stdin is not None
            process.stdin.close()
            assert process.wait(WITHIN_S) == 0
        finally:
            process.kill()
            process.wait()
            reading.join()

    def _read_answers(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self.answered.append(msgspec.json.decode(line, type=Answered))

    def until_answered(self, times: int = 20) -> float:
        """Wait until each table is answered so often from now on; seconds to the last's first."""
        began, before = time.monotonic(), len(self.answered)

        def firsts() -> list[float]:
            since = self.answered[before:]
            ats = {name: [one.at for one in since if one.table == name] for name in self.tables}
            return [min(at) for at in ats.values() if len(at) >= times]

        wait_until(lambda: len(firsts()) == len(self.tables), "every table is answered")
        return max(firsts()) - began

    def find_darkness(self, since: float) -> float:
        """The longest time without an answer at a table, in seconds, from that instant on."""
        longest = 0.0
        for name in self.tables:
            ats = sorted(one.at for one in self.answered if one.table == name)
            pairs = pairwise(ats)
            longest = max([longest, *(later - one for one, later in pairs if later > since)])
        return longest

    def answers(self) -> Answers:
        """What each table was answered so far."""
        answered = list(self.answered)
        return {
            name: {one.n: one.hash for one in answered if one.table == name} for name in self.tables
        }

    def find_lost(self, server: str) -> list[str]:
        """The calls that were answered, and are not there as they were answered."""
        answers = self.answers()
        return find_lost(self._read_entries(server), answers)

    def check_nothing_lost(self, server: str) -> int:
        """All that was answered is there as it was answered; how many. Raises AssertionError."""
        answers = self.answers()
        check_kept(self._read_entries(server), answers)
        return sum(map(len, answers.values()))

    def check_all_once(self, server: str) -> int:
        """The same when the tables have ended: nothing else is there, and each token once."""
        answers = self.answers()
        stakes = {member: int(tokens) for member, tokens in self.read(server, STAKES)}
        check_all_once(self._read_entries(server), stakes, answers)
        return sum(map(len, answers.values()))

    def _read_entries(self, server: str) -> Entries:
        return {(member, int(n)): digest for member, n, digest in self.read(server, ENTRIES)}


def wait_until(holds: Callable[[], bool], what: str, within_s: float = WITHIN_S) -> None:
    """Look again and again. Raises AssertionError if it does not come true."""
    deadline = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < deadline, f"not within {within_s:g} s: {what}"
        threading.Event().wait(LOOK_AGAIN_S)


@contextmanager
def run_house(servers: Sequence[str]) -> Iterator[House]:
    """Bare machines, each as after the installation of its packages."""
    with (
        make_open_folder() as folder,
        run_machines(folder, (*servers, AUTHORITY, FLOOR, SPARE)) as machines,
    ):
        house = House(machines, servers)
        for server in servers:
            machines[server].type_in(AFTER_INSTALLATION)
            machines[server].place("etc/banco/table.toml", CONFIGURATION)
        machines[FLOOR].type_in(
            "printf '%s\\n' " + " ".join(
                f"'{machines[one].address} {one}.casino.example'" for one in servers
            ) + " >> /etc/hosts"
        )  # fmt: skip
        yield house


@contextmanager
def set_up_house(servers: Sequence[str]) -> Iterator[House]:
    """The page from its beginning until its table may play."""
    with run_house(servers) as house:
        for section in (
            "The programs", "Certificates", "The files, the same on every server",
            "The first primary", "A standby", "The first backup",
        ):  # fmt: skip
            house.type_section(section)
        house.type_section("The jackpot", PASSWORDS)
        yield house


PASSWORDS = f"{PASSWORD}\n{PASSWORD}\n"
"""What each operator types twice."""

TWO_OPERATORS = f"{PASSWORD}\ny\n{PASSWORD}\ny\n"
"""What both type when they are asked."""
