"""Three machines fail over by themselves: docs/how-to/patroni.md, with real Patroni and etcd.

There is no watchdog here: the package's `mode: required` is `off`. So a frozen agent leaves the old
primary answering until its lease ends, and each answer has the standby's word all the same.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random

from tests.console.link.failover.centre_page import PATRONI_PAGE, find_blocks
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

NO_WATCHDOG = "sed -i 's/  mode: required.*/  mode: \"off\"/' /etc/patroni/config.yml"
SITE = "/mnt/banco/.venv/patroni/lib/python3.*/site-packages"
AGENT = f"""
export LD_LIBRARY_PATH=/mnt/python/lib PYTHONPATH=$(echo {SITE}) PATH="$PATH:/usr/bin"
setsid /mnt/python/bin/python3 -P -m patroni /etc/patroni/config.yml \\
    > /var/log/postgresql/patroni.log 2>&1 < /dev/null &
"""
STORE = """
cd /
setsid runuser -u etcd -- etcd --config-file /etc/etcd/centre.yml \\
    > /var/log/etcd-$(hostname).log 2>&1 < /dev/null &
"""
FIND_AGENT = "pgrep -u postgres -f 'patroni /etc/patroni/config.yml' | head -1"
POSTMASTER = "head -1 /var/lib/postgresql/15/main/postmaster.pid"
STREAMS = "SELECT count(*), count(*) FILTER (WHERE sync_state = 'sync') FROM pg_stat_replication"
SETTLED_S = 240.0


class PatroniHouse:
    """The house, and who is its primary."""

    def __init__(self, house: House) -> None:
        self.house = house

    def run_agents(self, *servers: str) -> None:
        """Start etcd and Patroni, as systemd would."""
        for server in servers:
            self.house.machines[server].type_in(STORE)
        for server in servers:
            self.house.machines[server].type_in(AGENT, "postgres")

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
    return lambda: switch_on(house, primary)


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
        switch_on(house, primary)

    return repair


def lose_standby(house: PatroniHouse, primary: str) -> Callable[[], None]:
    """The machine of the standby that is in sync is lost."""
    standby = house.find_standby_in_sync(primary)
    house.house.machines[standby].cut_power()
    return lambda: switch_on(house, standby)


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
    "network": cut_network,
}


def switch_on(house: PatroniHouse, server: str) -> None:
    """Its machine boots, and its services with it."""
    house.house.machines[server].start()
    house.run_agents(server)


@contextmanager
def set_up_patroni() -> Iterator[PatroniHouse]:
    """From bare machines until the table may play."""
    with run_house(SERVERS) as bare:
        for section in ("The programs", "Certificates"):
            bare.type_section(section)
        type_page(bare, "Setting up")
        for server in SERVERS:
            bare.machines[server].type_in(NO_WATCHDOG)
        house = PatroniHouse(bare)
        for server in SERVERS:
            bare.machines[server].type_in(STORE)
        bare.machines["db1"].type_in(AGENT, "postgres")
        wait_until(lambda: house.find_primaries() == ["db1"], "db1 is the primary", SETTLED_S)
        for server in SERVERS[1:]:
            bare.machines[server].type_in(AGENT, "postgres")
        house.wait_until_whole()
        bare.type_section("The first backup")
        bare.type_section("The jackpot", PASSWORDS)
        for name in OTHER_TABLES:
            bare.add_table(name)
        yield house


def type_page(house: House, section: str, answers: str = "", only: Sequence[str] = ()) -> None:
    """Type a section of the page, with the package's examples where they are here."""
    for machine, block in find_blocks(section, house.machines, PATRONI_PAGE):
        if not only or machine in only:
            text = block.text.replace(*EXAMPLES)
            house.machines[machine].type_in(text, block.user, answers)


def fail_over(faults: int, chance: Random) -> dict[str, float]:
    """So many faults of each kind; the longest darkness of each. Raises AssertionError."""
    figures: dict[str, float] = {}
    with set_up_patroni() as house, house.house.play((TABLE, *OTHER_TABLES)):
        house.house.until_answered()
        order = [kind for kind in FAULTS for _ in range(faults)]
        chance.shuffle(order)
        for kind in order:
            dark = suffer(house, kind)
            figures[f"{kind}, dark s"] = max(dark, figures.get(f"{kind}, dark s", 0.0))
        lose_two(house)
        primary = house.wait_until_whole()
        house.house.until_answered()
        figures["answered"] = house.house.check_nothing_lost(primary)
    return {"faults of each kind": faults, "lost": 0, **figures}


def suffer(house: PatroniHouse, kind: str) -> float:
    """One fault, until every table is answered again by itself; then it is repaired."""
    primary = house.wait_until_whole()
    house.house.until_answered()
    began = time.monotonic()
    repair = FAULTS[kind](house, primary)
    house.house.until_answered()
    dark = house.house.find_darkness(began)
    repair()
    now = house.wait_until_whole()
    house.house.check_nothing_lost(now)
    return dark


def lose_two(house: PatroniHouse) -> None:
    """Two machines are lost: nothing is answered until one is back."""
    primary = house.wait_until_whole()
    others = [one for one in SERVERS if one != primary]
    for server in others:
        house.house.machines[server].cut_power()
    time_of_loss = time.monotonic()
    wait_until(lambda: house.find_primaries() == [], "what is left is read-only", SETTLED_S)
    late = [one for one in house.house.answered if one.at > time_of_loss + 5]
    assert not late, "one machine of three has answered"
    for server in others:
        switch_on(house, server)
