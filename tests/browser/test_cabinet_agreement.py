"""The pill of the phase, the lamps and the sign say one thing, whatever is wrong with the table."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from console.rules.codes import Fault, Phase
from console.rules.observation import lit_lamps
from console.rules.round.card_outputs import rail_orders
from console.rules.state import TableState
from devices.roles import SEATS
from tests.browser.cabinet import Cabinet
from tests.browser.conftest import Visits
from tests.browser.sign import Sign, until

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

Each of them is raised at the table. The others come in another phase, or at another table.
"""

READ = """
() => [phase.textContent, phase.dataset.suspended,
  document.querySelectorAll('.seat[data-lamp="INVITE"]').length]
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


class Wire:
    """Between a table and one of its pages: the last message of a kind, and others like it."""

    def __init__(self, page: Page, path: str, kind: str) -> None:
        self._kind, self._held = kind, False
        self._last: dict[str, Any] = {}
        self._page: WebSocketRoute | None = None
        page.route_web_socket(path, self._connect)
        page.reload()

    def send(self, **facts: Any) -> None:
        """The last message with these facts in it; the table's own do not come any more."""
        assert self._page is not None
        self._held = True
        seen = {"seen": self._last["seen"] | facts.pop("seen")} if "seen" in facts else {}
        self._page.send(json.dumps(self._last | facts | seen))

    def _connect(self, page: WebSocketRoute) -> None:
        self._page = page
        page.connect_to_server().on_message(self._pass_on)

    def _pass_on(self, text: str | bytes) -> None:
        message = json.loads(text)
        if message["kind"] == self._kind:
            self._last = message
        if self._page is not None and not (self._held and message["kind"] == self._kind):
            self._page.send(text)


def test_they_agree_under_every_fault_that_there_is(
    cabinet: Callable[..., Cabinet], visits: Visits
) -> None:
    """Of states in which the rules have each fault: one page of each, and no fault is left out"""
    ours = cabinet("en").press("GAME_OVER").shows_phase("BETTING")
    sign = Sign.of(visits, ours.table)
    to_cabinet = Wire(ours.page, "**/live/cabinet", "snapshot")
    to_sign = Wire(sign.page, "**/live/sign", "jackpot")
    ours.shows_phase("BETTING")
    expect(sign.page.locator("#betting")).to_have_text(OPEN)
    for phase in (Phase.BETTING, Phase.PLAYING, Phase.PAUSED):
        for fault in Fault:
            state = TableState(phase=phase, faults=(fault,))
            slots = lit_lamps(dict(zip(SEATS, rail_orders(state).lamps, strict=True)))
            now = {"phase": phase.value, "faults": [fault.value]}
            lamps = {str(seat): lamp.value for seat, lamp in slots.items()}
            to_cabinet.send(takes_bets=state.takes_bets, seen=now | {"slots": lamps})
            to_sign.send(takes_bets=state.takes_bets, phase=phase.value)
            until(ours.page, f"news.textContent.includes({json.dumps(fault.value)})")
            betting = phase is Phase.BETTING
            says = OPEN if state.takes_bets else SUSPENDED if betting else ""
            sign.wait_until(f"betting.textContent.includes({json.dumps(says)})")
            pill, suspended, invited = ours.page.evaluate(READ)
            assert (pill == SUSPENDED) == (says == SUSPENDED) == (suspended == "yes"), fault
            assert (invited > 0) == state.takes_bets == (pill == "Betting"), (phase, fault)
