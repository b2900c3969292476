"""PostgreSQL 15 becomes 17: docs/how-to/upgrade-postgresql.md is typed, with Debian's own."""

from tests.console.link.failover.centre_page import UPGRADE_PAGE, find_blocks
from tests.console.link.failover.dead_primary_by_page import OTHER_TABLES, count_in_sync
from tests.console.link.failover.house_of_machines import (
    TABLE,
    TWO_OPERATORS,
    House,
    set_up_house,
    wait_until,
)
from tests.console.link.failover.machines import Machine

SERVERS = ("db1", "db2")
PRIMARY = "db1"
AFTER_INSTALLATION = """
cd /mnt/banco/.venv/postgresql-17/system/usr
for folder in lib/postgresql share/postgresql; do
    mount -t overlay -o "lowerdir=$PWD/$folder:/usr/$folder" overlay "/usr/$folder"
done
mount --bind /mnt/bin/pgbackrest /usr/bin/pgbackrest
pg_createcluster 17 main
"""
PGBACKREST = """#!/bin/sh
exec /mnt/banco/.venv/postgresql-17/system/usr/bin/pgbackrest "$@"
"""
"""What Debian 13's packages have (tests/unpack_debian_13)."""

PROMOTE = """
pg_ctlcluster --mode=fast 15 main stop
touch /var/lib/postgresql/15/main/standby.signal
pg_ctlcluster 15 main start
pg_ctlcluster 15 main promote
"""
"""The tables then know a later timeline than an upgraded server's."""

VERSION_AND_TIMELINE = """
SELECT current_setting('server_version_num')::integer / 10000,
    ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer
"""


def upgrade_by_page() -> dict[str, float]:
    """All of the page, while tables wait; what was answered. Raises AssertionError."""
    with set_up_house(SERVERS) as house:
        for name in OTHER_TABLES:
            house.add_table(name)
        house.machines[PRIMARY].type_in(PROMOTE)
        with house.play((TABLE, *OTHER_TABLES)):
            house.until_answered()
            assert house.read(PRIMARY, VERSION_AND_TIMELINE) == [["15", "2"]]
            before = upgrade(house)
            house.until_answered()
            after = len(house.answered) - before
        assert house.read(PRIMARY, VERSION_AND_TIMELINE) == [["17", "1"]]
        return {"answered before": before, "after": after, "all": house.check_all_once(PRIMARY)}


def install_17(machine: Machine) -> None:
    """What Debian 13's packages bring, as after their installation."""
    machine.add_program("pgbackrest", PGBACKREST)
    machine.type_in(AFTER_INSTALLATION)


def upgrade(house: House) -> int:
    """From 15 to 17; how many calls were answered before. Raises AssertionError."""
    for server in SERVERS:
        install_17(house.machines[server])
    for section in ("The programs", "The servers end"):
        house.type_section(section, page=UPGRADE_PAGE)
    before = len(house.answered)
    house.type_section("The primary is upgraded", page=UPGRADE_PAGE)
    house.check_nothing_lost(PRIMARY)
    house.type_section("Two operators record it", TWO_OPERATORS, UPGRADE_PAGE)
    for machine, block in find_blocks("A standby", house.machines):
        text = block.text.replace("/15/", "/17/").replace(" 15 ", " 17 ")
        house.machines[machine].type_in(text, block.user)
    wait_until(lambda: count_in_sync(house, PRIMARY) == 1, "the standby is in sync")
    assert len(house.answered) == before, "a table was answered that is kept out"
    house.type_section("Standbys, and the tables", page=UPGRADE_PAGE)
    return before
