"""PostgreSQL 15 becomes 17 under Patroni: docs/how-to/upgrade-patroni.md is typed."""

from tests.console.link.failover.centre_page import UPGRADE_PATRONI_PAGE
from tests.console.link.failover.house_of_machines import TABLE, TWO_OPERATORS, wait_until
from tests.console.link.failover.patroni_faults import (
    OTHER_TABLES,
    SERVERS,
    SETTLED_S,
    PatroniHouse,
    lose_postmaster,
    set_up_patroni,
    suffer,
)
from tests.console.link.failover.upgraded_by_page import VERSION_AND_TIMELINE, install_17

LEADER, PARTNER, THIRD = SERVERS


def upgrade_under_patroni() -> dict[str, float]:
    """All of the page, while tables wait; then a fault. Raises AssertionError."""
    with set_up_patroni() as house:
        with house.house.play((TABLE, *OTHER_TABLES)):
            raise_timeline(house)
            before = upgrade(house)
            house.house.until_answered()
            after = len(house.house.answered) - before
            suffered = suffer(house, "postmaster")
            assert suffered.lost == 0, "lost by a fault after the upgrade"
            primary = house.wait_until_whole()
        return {"answered before": before, "after": after, "dark s": suffered.dark_s,
                "all": house.house.check_all_once(primary)}  # fmt: skip


def raise_timeline(house: PatroniHouse) -> None:
    """Promote the partner, and the first leader again: the tables know a later timeline than 1."""
    assert house.wait_until_whole() == LEADER
    house.house.machines[THIRD].cut_power()
    promote_standby(house, LEADER, PARTNER)
    promote_standby(house, PARTNER, LEADER)
    house.switch_on(THIRD)
    assert house.wait_until_whole() == LEADER
    house.house.until_answered()
    assert house.house.read(LEADER, VERSION_AND_TIMELINE) == [["15", "3"]]


def promote_standby(house: PatroniHouse, primary: str, standby: str) -> None:
    """It is the only one; once Patroni has written that it may, the primary's PostgreSQL dies."""
    wait_until(lambda: house.may_be_promoted(standby), "it is in sync", SETTLED_S)
    lose_postmaster(house, primary)
    wait_until(lambda: house.find_primaries() == [standby], "it is promoted", SETTLED_S)


def upgrade(house: PatroniHouse) -> int:
    """To 17, back to 15, and again; how many calls were answered before. Raises AssertionError."""
    for server in SERVERS:
        install_17(house.house.machines[server])
    house.type_section("The programs", page=UPGRADE_PATRONI_PAGE)
    upgrade_leader(house)
    house.type_section("The way back", page=UPGRADE_PATRONI_PAGE)
    assert house.wait_until_whole() == LEADER
    assert house.house.read(LEADER, VERSION_AND_TIMELINE)[0][0] == "15"
    house.house.until_answered()
    before = upgrade_leader(house)
    house.type_section("Two operators record it", TWO_OPERATORS, UPGRADE_PATRONI_PAGE)
    assert len(house.house.answered) == before, "a table was answered that is kept out"
    house.type_section("The tables", page=UPGRADE_PATRONI_PAGE)
    return before


def upgrade_leader(house: PatroniHouse) -> int:
    """Until 17 runs, and no table is let in; how many calls are answered."""
    house.type_section("The servers end", page=UPGRADE_PATRONI_PAGE)
    before = len(house.house.answered)
    house.type_section("The leader is upgraded", page=UPGRADE_PATRONI_PAGE)
    house.house.check_nothing_lost(LEADER)
    assert house.wait_until_whole() == LEADER
    assert house.house.read(LEADER, VERSION_AND_TIMELINE)[0][0] == "17"
    return before
