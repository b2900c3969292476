"""A real Prometheus watches a primary and a standby; each alarm is raised by its real cause.

The room's alarms are the same. A disk is not filled here: the rule's figure is promtool's to try.
"""

import json
import os
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from console.database.connect import connect_to
from console.link.alarms import CentreAlarm
from console.link.centre.roles import RoleGroup, make_role
from console.link.centre.room_reading import HouseObservation, ObservedKind, observe
from console.link.centre.standbys import set_standbys
from console.office.link.centre import read_alarms
from console.simulation.room.postgres_server import NAMES, PostgresServer, ServerPair
from tests.console.link.failover.house_of_machines import wait_until
from tests.console.link.failover.linked_house import run_linked_house
from tests.console.link.light_member import LightMember
from tests.console.link.server_pair import freeze
from tests.deadlines import DEADLINE_S
from tests.free_port import free_port

MONITORING = Path(__file__).parents[4] / "systemd/monitoring"
TABLE = "table-1"
DAY_S = 86_400
NEVER_HERE = {CentreAlarm.DISK}
SETTINGS = {
    "archive_mode": "on",
    "archive_command": "true",
    "max_slot_wal_keep_size": "3GB",
    "wal_sender_timeout": "60s",  # a standby that stands still is behind before it is away
}


class Watch:
    """Prometheus, and the alarms that have been raised so far."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.raised: dict[str, float] = {}

    def read(self) -> set[str]:
        """The names of those that are raised now."""
        url = f"http://127.0.0.1:{self._port}/api/v1/alerts"
        with urllib.request.urlopen(url, timeout=5) as answer:
            alerts = json.load(answer)["data"]["alerts"]
        return {one["labels"]["alertname"] for one in alerts if one["state"] == "firing"}

    def expect(self, *alarms: CentreAlarm) -> None:
        """Wait until these are raised, whatever else is."""
        began = time.monotonic()
        names = {one.value for one in alarms}
        wait_until(lambda: names <= self.read(), f"{names} raised")
        self.raised |= {name: time.monotonic() - began for name in names}

    def expect_none_of(self, *alarms: CentreAlarm) -> None:
        """Wait until these have ended."""
        wait_until(lambda: not {one.value for one in alarms} & self.read(), f"{alarms} ended")


def raise_alarms() -> dict[str, float]:
    """Seconds from each cause to its alarm. Raises AssertionError."""
    with run_linked_house([TABLE], SETTINGS) as pair, watch_pair(pair) as watch:
        tell_well(pair)
        play_a_round(pair)
        watch.expect_none_of(*(one for one in CentreAlarm if one is not CentreAlarm.TABLES))
        watch.expect(CentreAlarm.TABLES)  # nobody has been heard there for a minute
        for cause in (end_certificate, forget_audit, break_archive, fill_slot):
            watch.expect(*cause(pair))
        with stop_standby(pair) as waits:
            watch.expect(CentreAlarm.LAG, CentreAlarm.WAITS)
            waits.kill()
        lose_standby(pair, watch)
        pair.standby.promote()
        watch.expect(CentreAlarm.PRIMARIES)
    assert set(watch.raised) == {one.value for one in CentreAlarm if one not in NEVER_HERE}
    return watch.raised


def tell_well(pair: ServerPair) -> None:
    """What a house tells its centre each night."""
    now = time.time()
    with connect_to(pair.primary.dsn()) as connection:
        for kind, at in ((ObservedKind.BACKUP, now), (ObservedKind.AUDIT, now),
                         (ObservedKind.CERTIFICATE, now + 90 * DAY_S)):  # fmt: skip
            observe(connection, HouseObservation(kind, "", round(at * 1000)))


def play_a_round(pair: ServerPair) -> None:
    """A table is heard, once."""
    member = LightMember(TABLE, (pair.primary.port,))
    member.ask(member.join)
    assert member.send()
    member.beat()
    member.close()


def end_certificate(pair: ServerPair) -> Sequence[CentreAlarm]:
    """One ends in ten days."""
    with connect_to(pair.primary.dsn()) as connection:
        at = round((time.time() + 10 * DAY_S) * 1000)
        observe(connection, HouseObservation(ObservedKind.CERTIFICATE, TABLE, at))
    return (CentreAlarm.CERTIFICATES,)


def forget_audit(pair: ServerPair) -> Sequence[CentreAlarm]:
    """The last audit found something, and the last backup is of the day before yesterday."""
    with connect_to(pair.primary.dsn()) as connection:
        observe(connection, HouseObservation(ObservedKind.AUDIT, "", 0))
        at = round((time.time() - 2 * DAY_S) * 1000)
        observe(connection, HouseObservation(ObservedKind.BACKUP, "", at))
    return CentreAlarm.AUDIT, CentreAlarm.BACKUP


def break_archive(pair: ServerPair) -> Sequence[CentreAlarm]:
    """The archive's disk is gone."""
    with connect_to(pair.primary.dsn()) as connection:
        connection.execute("ALTER SYSTEM SET archive_command = 'false'")
        connection.execute("SELECT pg_reload_conf()")
        connection.execute("SELECT pg_switch_wal()")
    return (CentreAlarm.ARCHIVE,)


def fill_slot(pair: ServerPair) -> Sequence[CentreAlarm]:
    """A slot may hold back less than 2 GB more."""
    with connect_to(pair.primary.dsn()) as connection:
        connection.execute("ALTER SYSTEM SET max_slot_wal_keep_size = '1GB'")
        connection.execute("SELECT pg_reload_conf()")
    return (CentreAlarm.SLOTS,)


@contextmanager
def stop_standby(pair: ServerPair) -> Iterator["subprocess.Popen[bytes]"]:
    """It stands still; meanwhile a commit waits for it."""
    words = ["psql", pair.primary.dsn(), "-c", "CREATE TABLE waits (); DROP TABLE waits"]
    with freeze(pair.standby):
        waiting = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield waiting
        finally:
            waiting.kill()
            waiting.wait(DEADLINE_S)


def lose_standby(pair: ServerPair, watch: Watch) -> None:
    """It ends, two operators say `alone`, and the room and `banco link status` say so, too."""
    pair.standby.stop()
    watch.expect(CentreAlarm.STANDBYS)
    with connect_to(pair.primary.dsn()) as superuser:
        assert CentreAlarm.STANDBYS in {one.code.alarm for one in read_alarms(superuser)}
        set_standbys(superuser, "")
        watch.expect(CentreAlarm.ALONE)
        seen = {one.code.alarm for one in read_alarms(superuser)}
        assert seen >= {CentreAlarm.ALONE, CentreAlarm.ARCHIVE, CentreAlarm.SLOTS}
        assert seen >= {CentreAlarm.AUDIT, CentreAlarm.BACKUP, CentreAlarm.CERTIFICATES}
    pair.standby.start()


@contextmanager
def watch_pair(pair: ServerPair) -> Iterator[Watch]:
    """Prometheus with the package's rules and queries, and an exporter at each server."""
    with connect_to(pair.primary.dsn()) as superuser:
        make_role(superuser, "monitor", RoleGroup.READER)
        superuser.execute("GRANT pg_monitor TO monitor")
    with ExitStack() as stack:
        servers = {one.name: one for one in (pair.primary, pair.standby)}
        ports = {name: stack.enter_context(run_exporter(servers[name])) for name in NAMES}
        folder = pair.primary.folder.parent / "prometheus"
        folder.mkdir()
        targets = [
            {"targets": [f"127.0.0.1:{port}"], "labels": {"instance": name}}
            for name, port in ports.items()
        ]
        configuration = {
            "global": {"scrape_interval": "2s", "evaluation_interval": "2s"},
            "rule_files": [str(MONITORING / "rules.yml")],
            "scrape_configs": [{"job_name": "centre", "static_configs": targets}],
        }
        file = folder / "prometheus.yml"
        file.write_text(json.dumps(configuration), "utf-8")
        port = free_port()
        stack.enter_context(run_program(
            "prometheus", f"--config.file={file}", f"--storage.tsdb.path={folder / 'data'}",
            f"--web.listen-address=127.0.0.1:{port}",
        ))  # fmt: skip
        watch = Watch(port)
        wait_until(lambda: answers(watch.read), "Prometheus answers")
        yield watch


def answers(read: Callable[[], object]) -> bool:
    """Whether it answers yet."""
    try:
        read()
    except OSError:
        return False
    return True


@contextmanager
def run_exporter(server: PostgresServer) -> Iterator[int]:
    """Its port."""
    port = free_port()
    source = f"postgresql://monitor@127.0.0.1:{server.port}/postgres?sslmode=disable"
    with run_program(
        "prometheus-postgres-exporter", f"--web.listen-address=127.0.0.1:{port}",
        f"--extend.query-path={MONITORING / 'queries.yaml'}", DATA_SOURCE_NAME=source,
    ):  # fmt: skip
        yield port


@contextmanager
def run_program(*words: str, **surroundings: str) -> Iterator[None]:
    """Until the block ends."""
    process = subprocess.Popen(
        words, env={**os.environ, **surroundings},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield
    finally:
        process.kill()
        process.wait()
