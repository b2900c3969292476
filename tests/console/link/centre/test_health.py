"""What the primary tells the alarms, and what a house tells it (docs/how-to/alarms.md)."""

import pytest
from psycopg.errors import CheckViolation, InsufficientPrivilege, RaiseException

from console.link.centre.room_reading import (
    HouseObservation,
    ObservedKind,
    observe,
    read_replication,
)
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centres import seat_table

BACKUP = HouseObservation(ObservedKind.BACKUP, "centre", 1_764_000_000_000)


def test_the_last_word_of_a_subject_is_kept(postgres: PostgresCentre) -> None:
    postgres.make_role("room", "link_reader")
    reader = postgres.connect("room")
    later = HouseObservation(ObservedKind.BACKUP, "centre", BACKUP.value + 1)
    disk = HouseObservation(ObservedKind.DISK, "db1:/var/lib/postgresql", 40)
    for one in (BACKUP, disk, later):
        observe(reader, one)
    assert read_replication(reader).health.observations == (later, disk)


def test_a_slot_says_how_much_it_may_still_hold_back(postgres: PostgresCentre) -> None:
    superuser = postgres.superuser
    superuser.execute("SELECT pg_create_physical_replication_slot('away', true)")
    try:
        (slot,) = read_replication(superuser).health.slots
    finally:
        superuser.execute("SELECT pg_drop_replication_slot('away')")
    assert (slot.slot, slot.active, slot.left) == ("away", False, None)  # no limit is set here


def test_a_table_tells_nothing_and_reads_nothing(postgres: PostgresCentre) -> None:
    """The alarms are the house's (LINK 2.3)"""
    seat_table(postgres, "a")
    member = postgres.connect("a")
    for query in ("SELECT link.observe('disk', 'a', 1)", "SELECT link.read_health()"):
        with pytest.raises(InsufficientPrivilege):
            member.execute(query.encode())


def test_what_is_told_is_bounded(postgres: PostgresCentre) -> None:
    superuser = postgres.superuser
    with pytest.raises(CheckViolation):
        superuser.execute("SELECT link.observe('weather', 'centre', 1)")
    with pytest.raises(CheckViolation):
        superuser.execute("SELECT link.observe('disk', repeat('a', 121), 1)")
    superuser.execute(
        "INSERT INTO link.observation SELECT 'disk', n::text, 1 FROM generate_series(1, 5000) AS n"
    )
    with pytest.raises(RaiseException, match="no more than 5000"):
        superuser.execute("SELECT link.observe('disk', 'one more', 1)")


def test_at_the_bound_a_known_subject_is_told_and_an_old_one_makes_room(
    postgres: PostgresCentre,
) -> None:
    superuser = postgres.superuser
    superuser.execute(
        "INSERT INTO link.observation SELECT 'disk', n::text, 1 FROM generate_series(1, 5000) AS n"
    )
    superuser.execute("SELECT link.observe('disk', '1', 2)")
    assert postgres.one("SELECT value FROM link.observation WHERE subject = '1'") == 2
    superuser.execute(
        "UPDATE link.observation SET at = at - interval '31 days' WHERE subject = '2'"
    )
    superuser.execute("SELECT link.observe('disk', 'one more', 1)")
    assert postgres.one("SELECT count(*) FROM link.observation") == 5000
    assert postgres.one("SELECT count(*) FROM link.observation WHERE subject = '2'") == 0
