"""Three machines fail over by themselves: docs/how-to/patroni.md, with real Patroni and etcd.

There is no watchdog here: the package's `mode: required` is `off`. So a frozen agent leaves the old
primary answering until its lease ends, and each answer has the standby's word all the same.
"""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median

from msgspec import Struct

from console.link.courier_messages import CALL_TIMEOUT_S
from tests.console.link.failover.centre_page import PATRONI_PAGE, Block, find_blocks
from tests.console.link.failover.house_of_machines import (
    PASSWORDS,
    TABLE,
    House,
    run_house,
    wait_until,
)
from tests.console.link.failover.machines import CommandFailed

SERVERS = ("db1", "db2", "db3")
OTHER_TABLES = ("table-1", "table-2")
EXAMPLES = ("/usr/share/banco/patroni", "/mnt/banco/systemd/patroni")
"""Where the package has its examples, and where they are here."""

TO_CONFIGURATION = " > /etc/patroni/config.yml"
NO_WATCHDOG = (TO_CONFIGURATION, f" | sed 's/mode: required.*/mode: \"off\"/'{TO_CONFIGURATION}")
"""No machine here has a watchdog."""

LIBRARIES = "/mnt/banco/.venv/patroni/lib/python3.*/site-packages"
PATRONI = (
    f"env LD_LIBRARY_PATH=/mnt/python/lib PYTHONPATH=$(echo {LIBRARIES}) /mnt/python/bin/python3 -P"
)
FIND_AGENT = "pgrep -u postgres -f '[p]atroni /etc/patroni/config.yml' | head -1"
PATRONICTL = f"""#!/bin/sh
exec {PATRONI} -c 'from patroni.ctl import ctl; ctl()' "$@"
"""
SYSTEMCTL = f"""#!/bin/bash -e
start() {{
    user=$1 log=$2
    shift 2
    HOME=$(eval echo "~$user") && cd && export HOME
    setsid runuser -u "$user" -- "$@" > "$log" 2>&1 < /dev/null &
}}
case "$*" in
"enable --now etcd")
    start etcd /var/lib/etcd/log etcd --config-file /etc/etcd/centre.yml ;;
"enable --now patroni")
    start postgres /var/log/postgresql/patroni.log {PATRONI} -m patroni /etc/patroni/config.yml ;;
"disable --now patroni")
    kill "$({FIND_AGENT})"
    while test -n "$({FIND_AGENT})"; do sleep 0.1; done ;;
*)
    echo "systemctl $*: not here" >&2
    exit 1 ;;
esac
"""
"""What systemd does with the units of Debian's packages; it is in none of the machines."""

LIST = "patronictl -c /etc/patroni/config.yml list"
BOOT = "systemctl enable --now etcd\nsystemctl enable --now patroni"
POSTMASTER = "head -1 /var/lib/postgresql/*/main/postmaster.pid"
STREAMS = "SELECT count(*), count(*) FILTER (WHERE sync_state = 'sync') FROM pg_stat_replication"
SETTLED_S = 240.0


class PatroniHouse:
    """The house, and who is its primary."""

    def __init__(self, house: House) -> None:
        self.house = house

    def type_section(self, section: str, answers: str = "", page: Path = PATRONI_PAGE) -> None:
        """Type a section of the page."""
        for machine, block in find_blocks(section, self.house.machines, page):
            self.type_block(machine, block, answers)

    def find_blocks(self, section: str) -> Iterator[tuple[str, Block]]:
        """What is typed in a section of the page, machine by machine."""
        return find_blocks(section, self.house.machines, PATRONI_PAGE)

    def type_block(self, machine: str, block: Block, answers: str = "") -> None:
        """Type one, with the package's examples where they are here. Raises CommandFailed."""
        text = block.text.replace(*EXAMPLES).replace(*NO_WATCHDOG)
        self.house.machines[machine].type_in(text, block.user, answers)

    def boot(self, server: str) -> None:
        """What starts with a machine that has been switched on."""
        self.house.machines[server].type_in(BOOT)

    def switch_on(self, server: str) -> None:
        """Its machine boots, and its services with it."""
        self.house.machines[server].start()
        self.boot(server)

    def ask(self, server: str, query: str) -> list[str] | None:
        """A row; None: no server runs there, or its machine is off."""
        machine = self.house.machines[server]
        if not machine.is_on:
            return None
        try:
            return self.house.read(server, query, "postgres")[0]
        except CommandFailed:
            return None

    def find_primaries(self) -> list[str]:
        """Those that take writes."""
        query = "SELECT pg_is_in_recovery()"
        return [one for one in SERVERS if self.ask(one, query) == ["f"]]

    def find_standby_in_sync(self, primary: str) -> str:
        """Whom an answer waits for."""
        query = "SELECT application_name FROM pg_stat_replication WHERE sync_state = 'sync'"
        found = self.ask(primary, query)
        assert found is not None
        return found[0]

    def may_be_promoted(self, standby: str) -> bool:
        """Whether etcd has it as in sync, which PostgreSQL says a moment before."""
        listing = self.house.machines[standby].type_in(LIST)
        return re.search(rf"\b{standby} .*Sync Standby", listing) is not None

    def wait_until_whole(self) -> str:
        """One primary, both others stream, one of them in sync; the primary."""
        wait_until(self._is_whole, "a primary and two standbys, one in sync", SETTLED_S)
        return self.find_primaries()[0]

    def _is_whole(self) -> bool:
        primaries = self.find_primaries()
        return len(primaries) == 1 and self.ask(primaries[0], STREAMS) == ["2", "1"]


def lose_machine(house: PatroniHouse, primary: str) -> Callable[[], None]:
    """All of the primary's processes end with SIGKILL."""
    house.house.machines[primary].cut_power()
    return lambda: house.switch_on(primary)


def lose_postmaster(house: PatroniHouse, primary: str) -> Callable[[], None]:
    """PostgreSQL alone ends with SIGKILL."""
    house.house.machines[primary].type_in(f"kill -9 $({POSTMASTER})", "postgres")
    return lambda: None


def freeze_agent(house: PatroniHouse, primary: str) -> Callable[[], None]:
    """The primary's agent stands still, and its PostgreSQL goes on; then its machine is ended."""
    machine = house.house.machines[primary]
    machine.type_in(f"kill -STOP $({FIND_AGENT})", "postgres")
    wait_until(
        lambda: any(one != primary for one in house.find_primaries()),
        "another is promoted",
        SETTLED_S,
    )

    def repair() -> None:
        machine.cut_power()
        house.switch_on(primary)

    return repair


def lose_standby(house: PatroniHouse, primary: str) -> Callable[[], None]:
    """The machine of the standby that is in sync is lost."""
    standby = house.find_standby_in_sync(primary)
    house.house.machines[standby].cut_power()
    return lambda: house.switch_on(standby)


def lose_two(house: PatroniHouse, primary: str) -> Callable[[], None]:
    """Both other machines are lost: nothing is answered, and one comes back."""
    first, second = (one for one in SERVERS if one != primary)
    for server in (first, second):
        house.house.machines[server].cut_power()
    lost_at = time.monotonic()
    wait_until(lambda: house.find_primaries() == [], "what is left is read-only", SETTLED_S)
    late = [one for one in house.house.answered if one.at > lost_at + CALL_TIMEOUT_S]
    assert not late, "one machine of three has answered"
    house.switch_on(first)
    return lambda: house.switch_on(second)


def cut_network(house: PatroniHouse, primary: str) -> Callable[[], None]:
    """Nobody reaches the primary's machine, and it reaches nobody."""
    machine = house.house.machines[primary]
    machine.pull_cable()
    return machine.plug_cable


FAULTS = {
    "machine": lose_machine,
    "postmaster": lose_postmaster,
    "agent frozen": freeze_agent,
    "standby": lose_standby,
    "two machines": lose_two,
    "network": cut_network,
}


@contextmanager
def set_up_patroni() -> Iterator[PatroniHouse]:
    """From bare machines until the tables may play."""
    with run_house(SERVERS) as bare:
        for section in ("The programs", "Certificates"):
            bare.type_section(section)
        house = PatroniHouse(bare)
        for server in SERVERS:
            bare.machines[server].add_program("patronictl", PATRONICTL)
            bare.machines[server].add_program("systemctl", SYSTEMCTL)
        house.type_section("Setting up")
        house.wait_until_whole()
        bare.type_section("The first backup")
        bare.type_section("The jackpot", PASSWORDS)
        for name in OTHER_TABLES:
            bare.add_table(name)
        yield house


class Suffered(Struct, frozen=True):
    """What one fault did: calls answered until all is whole again, those lost, seconds dark."""

    kind: str
    answered: int
    lost: int
    dark_s: float


def fail_over(rounds: int, chance: Random) -> dict[str, float]:
    """Each kind of fault so many times, in any order; prints a table. Raises AssertionError."""
    order = [kind for kind in FAULTS for _ in range(rounds)]
    chance.shuffle(order)
    with set_up_patroni() as house, house.house.play((TABLE, *OTHER_TABLES)):
        suffered = [suffer(house, kind) for kind in order]
    print_table(suffered)
    lost = sum(one.lost for one in suffered)
    assert lost == 0, f"{lost} answered calls are lost"
    return {"faults": len(suffered), "answered": len(house.house.answered), "lost": lost}


def suffer(house: PatroniHouse, kind: str) -> Suffered:
    """One fault, until every table is answered again by itself; then it is repaired."""
    primary = house.wait_until_whole()
    house.house.until_answered()
    before, began = len(house.house.answered), time.monotonic()
    repair = FAULTS[kind](house, primary)
    house.house.until_answered()
    dark_s = house.house.find_darkness(began)
    repair()
    now = house.wait_until_whole()
    answered = len(house.house.answered) - before
    suffered = Suffered(kind, answered, len(house.house.find_lost(now)), dark_s)
    print(*write_row(kind, [suffered]), flush=True)
    return suffered


def print_table(suffered: Sequence[Suffered]) -> None:
    """One row for each kind of fault."""
    print("| fault | times | answered | lost | dark s, median | longest |")
    print("|---|---|---|---|---|---|")
    for kind in FAULTS:
        its = [one for one in suffered if one.kind == kind]
        print(f"| {' | '.join(write_row(kind, its))} |")


def write_row(kind: str, suffered: Sequence[Suffered]) -> list[str]:
    """The cells of one kind's row."""
    dark = [one.dark_s for one in suffered]
    answered = sum(one.answered for one in suffered)
    lost = sum(one.lost for one in suffered)
    return [kind, f"{len(dark)}", f"{answered}", f"{lost}", f"{median(dark):.1f}",
            f"{max(dark):.1f}"]  # fmt: skip
