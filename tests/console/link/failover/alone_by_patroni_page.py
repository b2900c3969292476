"""Two of three machines are gone for long, and come back: docs/how-to/patroni.md is typed."""

import threading
import time

from console.link.courier_messages import CALL_TIMEOUT_S
from tests.console.link.failover.house_of_machines import TABLE, TWO_OPERATORS, wait_until
from tests.console.link.failover.patroni_faults import (
    OTHER_TABLES,
    SERVERS,
    SETTLED_S,
    PatroniHouse,
    set_up_patroni,
    suffer,
)

LEFT = "db3"
"""Which machine of the page is left."""

SET_BY_HAND = """
SELECT count(*) FROM pg_file_settings
WHERE name = 'synchronous_standby_names' AND sourcefile LIKE '%.auto.conf'
"""


def follow_patroni_page() -> dict[str, float]:
    """All that the page says of `alone`; what was answered. Raises AssertionError."""
    with set_up_patroni() as house, house.house.play((TABLE, *OTHER_TABLES)):
        lost = lose_all_but(house, LEFT)
        house.type_section("Two machines are gone for long")
        check_silent(house)
        before, began = len(house.house.answered), time.monotonic()
        house.type_section("What is left answers alone", TWO_OPERATORS)
        house.house.until_answered()
        again_s = house.house.answered[before].at - began
        alone = house.house.check_nothing_lost(LEFT) - before
        come_back(house, lost)
        assert house.wait_until_whole() == LEFT
        house.house.until_answered()
        house.house.check_nothing_lost(LEFT)
        after = suffer(house, "machine")
        assert after.lost == 0, "answered alone, and lost with the machine that did"
        return {"answered alone": alone, "first answer after s": again_s, "lost": after.lost,
                "answered": len(house.house.answered)}  # fmt: skip


def lose_all_but(house: PatroniHouse, left: str) -> list[str]:
    """One machine after the other, so that the one that is left is in sync, or the primary."""
    primary = house.wait_until_whole()
    lost = sorted((one for one in SERVERS if one != left), key=lambda one: one == primary)
    for server in lost:
        house.house.until_answered()
        house.house.machines[server].cut_power()
    wait_until(lambda: house.find_primaries() == [], "what is left is read-only", SETTLED_S)
    return lost


def check_silent(house: PatroniHouse) -> None:
    """It is promoted, and answers nobody. Raises AssertionError."""
    assert house.find_primaries() == [LEFT]
    before = len(house.house.answered)
    threading.Event().wait(3 * CALL_TIMEOUT_S)
    assert len(house.house.answered) == before, "it answers alone, and nobody has said so"


def come_back(house: PatroniHouse, lost: list[str]) -> None:
    """The lost machines boot unplugged; the second step, at what is left, plugs them in."""
    for server in lost:
        house.house.machines[server].start()
        house.house.machines[server].pull_cable()
        house.boot(server)
    for machine, block in house.find_blocks("The way back from it"):
        if machine == LEFT:
            for server in lost:
                house.house.machines[server].plug_cable()
        house.type_block(machine, block, TWO_OPERATORS)
    for server in SERVERS:
        named = house.house.read(server, SET_BY_HAND)
        assert named == [["0"]], f"{server}: the list of standbys is not Patroni's"
