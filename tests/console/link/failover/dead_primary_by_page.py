"""The page's house lives through a dead primary, its return, `alone`, and back."""

import time

from tests.console.link.failover.house_of_machines import (
    FLOOR,
    TABLE,
    TWO_OPERATORS,
    House,
    set_up_house,
    wait_until,
)

OLD, NEW = "db1", "db2"
IN_SYNC = (
    "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'quorum'"
)
BACKUPS = "pgbackrest --stanza=centre info | grep -cE '(full|diff) backup:'"
ALARMS = """
eval "$(grep ^CENTRE= /etc/cron.d/centre-alarms)"
sed -n 's/.* postgres  //p' /etc/cron.d/centre-alarms > commands
while read -r line; do eval "$line" || test $? = 1; done < commands
"""
OTHER_TABLES = ("table-1", "table-2")
CLOSED = (
    ("a table without a certificate", "host=db2 dbname=banco user=table-3 sslmode=require"),
    ("the superuser over the network", "service=centre host=db2 user=postgres"),
    ("a server as a table", "service=centre host=db2 dbname=banco user=table-3"),
)
REFUSED = (
    "no pg_hba.conf entry",
    "certificate authentication failed",
    "requires a valid client certificate",
)


def follow_page(servers: tuple[str, ...]) -> dict[str, float]:
    """All of the page; seconds, and what was answered. Raises AssertionError."""
    began = time.monotonic()
    with set_up_house(servers) as house:
        for name in OTHER_TABLES:
            house.add_table(name)
        check_closed(house)
        set_up = time.monotonic() - began
        with house.play((TABLE, *OTHER_TABLES)):
            house.until_answered()
            dark = lose_primary(house)
            come_back(house)
            house.check_nothing_lost(NEW)
            back_up(house)
            tell_alarms(house)
            house.type_section("A drill")
            house.until_answered()
            lose_all(house)
            house.until_answered()
        answered = house.check_all_once(OLD)
        house.type_section("A certificate is revoked")
        check_revoked(house)
    return {"servers": len(servers), "set up after s": set_up, "dark s": dark,
            "answered": answered}  # fmt: skip


def lose_primary(house: House) -> float:
    """The primary loses its power, and people do what the page says; seconds without an answer."""
    died = time.monotonic()
    house.machines[OLD].cut_power()
    house.type_section("The primary is dead")
    house.check_nothing_lost(NEW)
    if len(house.servers) == 2:
        house.type_section("One machine answers alone", TWO_OPERATORS)
    house.until_answered()
    house.machines[OLD].start()
    return house.find_darkness(died)


def come_back(house: House) -> None:
    """The old primary is a standby now, and what it does not acknowledge is not answered."""
    house.type_section("The old primary comes back")
    if len(house.servers) == 2:
        house.type_section("It answers alone no longer", TWO_OPERATORS)
    wait_until(lambda: count_in_sync(house, NEW) == len(house.servers) - 1, "db1 is in sync")
    assert house.read(NEW, "SHOW synchronous_standby_names") != [[""]]
    house.until_answered()


def back_up(house: House) -> None:
    """What cron starts at every server in the night: one of them is the primary."""
    nightly = "bash -c \"$(sed -n 's/.* postgres  //p' /etc/cron.d/centre-backup | tail -1)\""
    for server in house.servers:
        house.machines[server].type_in(f"{nightly} || test $? = 1", "postgres")
    (info,) = house.machines[NEW].type_in(BACKUPS, "postgres").split()
    assert info == "2", "the night has no backup"


def tell_alarms(house: House) -> None:
    """What cron starts, too; then nothing is left to see to.

    But for the tokens: this house's tables play faster than people can.
    """
    for server in house.servers:
        house.machines[server].type_in(ALARMS, "postgres")
    status = house.machines[NEW].type_in("banco link status --centre dbname=banco", "postgres")
    alarms = [line for line in status.splitlines() if line.startswith("alarm, ")]
    assert all("more than can be played" in line for line in alarms), status


def lose_all(house: House) -> None:
    """No server is left: a restore, a recovery, and standbys again."""
    for server in house.servers:
        house.machines[server].cut_power()
    for server in house.servers:
        house.machines[server].start()
    house.type_section("All servers are gone", TWO_OPERATORS)
    house.type_section("A standby")
    wait_until(lambda: count_in_sync(house, OLD) == len(house.servers) - 1, "all are in sync")


def count_in_sync(house: House, primary: str) -> int:
    """The standbys that an answer may wait for."""
    return int(house.read(primary, IN_SYNC)[0][0])


def check_closed(house: House) -> None:
    """Who is not named is refused."""
    for who, connection in CLOSED:
        typed = f'! psql "{connection}" -c "SELECT 1"'
        output = house.machines[OLD].type_in(typed, "postgres")
        assert any(words in output for words in REFUSED), f"{who}: {output}"


def check_revoked(house: House) -> None:
    """The stolen table comes in nowhere."""
    files = "sslcert=/media/stick/table-3.crt sslkey=/media/stick/table-3.key"
    for server in house.servers:
        connection = (
            f"host={server}.casino.example dbname=banco user=table-3 sslmode=require {files}"
        )
        output = house.machines[FLOOR].type_in(f'! psql "{connection}" -c "SELECT 1"')
        assert "certificate revoked" in output, output
