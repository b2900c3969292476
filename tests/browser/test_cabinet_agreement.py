"""The pill of the phase, the lamps and the sign say one thing, whatever is wrong with the table."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.cabinet import Cabinet
from tests.browser.conftest import Visits
from tests.browser.sign import Sign

pytestmark = pytest.mark.sampled(of=2)

OPEN, SUSPENDED = "Bets open", "Betting suspended"

FAULTS = {
    "KEY_FAULT": (("key between", "wait 700ms"), ("key R",), OPEN),
    "PANEL_LOST": (("unplug panel", "wait 1200ms"), ("plug panel",), OPEN),
    "DISPLAY_LOST": (("unplug display", "wait 1200ms"), ("plug display",), OPEN),
    "SHUFFLER_LOST": (("unplug shuffler", "wait 1200ms"), ("plug shuffler",), OPEN),
    "CARD_COUNT": (("deck load red 51", "deck ready", "wait 100ms"), ("deck unload",), OPEN),
    "RAIL_LOST": (("unplug rail", "wait 1200ms"), ("plug rail",), SUSPENDED),
    "LEDGER_FAULT": (("disk full", "press JPOT", "wait 200ms"), ("disk ok",), SUSPENDED),
}
"""What raises each in BETTING, what ends it, and what the sign says meanwhile.

The others come in another phase, or at another table: test_outputs.py has the lamps of all.
"""


def test_they_agree_under_each_fault(cabinet: Callable[..., Cabinet], visits: Visits) -> None:
    ours = cabinet("en").press("GAME_OVER").shows_phase("BETTING")
    sign = Sign.of(visits, ours.table)
    agree(ours, sign, OPEN)
    for fault, (acts, ends, says) in FAULTS.items():
        ours.table.do(*acts)
        ours.shows_fault(fault)
        agree(ours, sign, says)
        ours.table.do(*ends)
        if fault != "LEDGER_FAULT":
            ours.shows_fault("none")
    ours.table.do("key S", "clear LEDGER_FAULT", "wait 200ms")
    agree(ours, sign, "Table out of service")
    ours.table.do("power off")
    agree(ours, sign, "Table out of service")


def agree(ours: Cabinet, sign: Sign, says: str) -> None:
    """A player reads this on the sign; the cabinet's page has it in its pill, and its lamps."""
    expect(sign.page.locator("#betting")).to_have_text(says)
    pill = {OPEN: "Betting", SUSPENDED: SUSPENDED}.get(says, "")
    expect(ours.page.locator("#phase")).to_contain_text(pill)
    expect(ours.page.locator("#phase")).to_have_attribute(
        "data-suspended", "yes" if says == SUSPENDED else "no"
    )
    lit = ours.page.locator('.seat[data-lamp="INVITE"]')
    expect(lit).to_have_count(7 if says == OPEN else 0)
