"""A flapping contact of the panel: bounded on record, counted, a fault of it, nothing lost."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from console.line.fault_history import FaultHistory
from console.rules.codes import Fault
from devices.change_flow import REST_S
from devices.contact_steadiness import BURST, REFILL_S, ContactSteadiness
from devices.device import Device
from devices.panel_reports import ContactUnsteady
from devices.roles import Button, ButtonPressed, KeyPosition
from devices.sim.cabinet import SimulatedCabinet
from jackpot.ledger.ledger import verify
from tests.console.table import OPEN, Table, table_in

Change = Callable[[SimulatedCabinet, bool], None]


def press(cabinet: SimulatedCabinet, down: bool) -> None:
    (cabinet.panel.hold if down else cabinet.panel.release)(Button.COIN_IN)


def turn(cabinet: SimulatedCabinet, away: bool) -> None:
    cabinet.turn_key(KeyPosition.JPL if away else KeyPosition.R)


def come_and_go(cabinet: SimulatedCabinet, here: bool) -> None:
    cabinet.inspector(here)


def pull(cabinet: SimulatedCabinet, out: bool) -> None:
    (cabinet.unplug if out else cabinet.plug)(Device.PANEL)


CONTACTS: dict[str, tuple[Change, float, int]] = {
    "COIN_IN": (press, 0.016, 5),
    "key": (turn, 0.030, 5),
    "inspector": (come_and_go, 0.025, 5),
    "plug": (pull, 0.250, 125),
}
"""How each flaps, how quickly, and after how many seconds it is unsteady."""


class FlappingContact:
    """A contact that closes and opens every so many seconds."""

    def __init__(self, table: Table, contact: str) -> None:
        self._cabinet, self._loop = table.machine.cabinet, table.machine.loop
        self._change, self._every_s, _ = CONTACTS[contact]
        self._closed, self._going_on = False, True
        self._again()

    def _again(self) -> None:
        if self._going_on:
            self._closed = not self._closed
            self._change(self._cabinet, self._closed)
            self._loop.call_later(self._every_s, self._again)

    def end(self) -> None:
        """It rests, open."""
        self._going_on = False
        self._change(self._cabinet, False)


def count_records(table: Table) -> int:
    return table.simulated_table.service.table_ledger.newest


@pytest.mark.parametrize("contact", CONTACTS)
def test_the_journal_is_bounded_while_it_flaps_and_it_is_a_fault_until_it_rests(
    contact: str, tmp_path: Path
) -> None:
    """It was one record for each press: 1,882 in 30 s."""
    with table_in(tmp_path, "inspector fitted") as table:
        history = FaultHistory(table.simulated_table.service)
        before = count_records(table)
        flapping = FlappingContact(table, contact)
        after_s = CONTACTS[contact][2]
        table.play(f"wait {after_s}s")
        bounded = count_records(table)
        records_each = 4 if contact == "plug" else 1  # device-lost, key-found, inspector, device-up
        assert bounded - before <= (BURST + after_s / REFILL_S) * records_each + 6
        (detail,) = (f.detail for f in history.list_present() if f.fault is Fault.CONTACT_UNSTEADY)
        assert detail == contact
        table.play("wait 20s")
        assert count_records(table) == bounded, "as long as it flaps, nothing more"
        flapping.end()
        table.play(f"wait {REST_S:.0f}s", "wait 300ms", "expect fault none")
        (steady,) = (record for record in table.records if record.kind == "contact-steady")
        act = steady.body["act"]
        assert isinstance(act, dict)
        assert act["contact"] == contact
        assert act["left_out"] > 20
        assert table.state.key is KeyPosition.R
        assert not table.state.inspector
        assert verify(table.machine.disk.folder).problems == ()


def test_every_press_is_on_record_or_counted(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        for _ in range(300):
            table.machine.cabinet.panel.press(Button.GAME_OVER)
            table.play("wait 60ms")
        table.play("wait 11s")
        kinds = [record.kind for record in table.records]
        (steady,) = (record for record in table.records if record.kind == "contact-steady")
        act = steady.body["act"]
        assert isinstance(act, dict)
        assert kinds.count("button") + act["left_out"] == 300


def test_a_croupier_who_counts_chips_is_not_cut_off(tmp_path: Path) -> None:
    """8 presses a second for 5 s, again at once, and so on a little later."""
    with table_in(tmp_path) as table:
        presses = 0
        for pause in (2, 35, 35, 35, 35):
            for _ in range(40):
                table.machine.cabinet.panel.press(Button.COMBINATION_1)
                table.play("wait 125ms")
                presses += 1
            table.play(f"wait {pause}s", "expect fault none")
        assert [record.kind for record in table.records].count("button") == presses


def test_the_others_work_meanwhile(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*OPEN, "token 1", "press COIN_IN", "press FLUSH", "key JPL", "press JPOT")
        table.play("expect phase AWARDING")
        unsteady = FlappingContact(table, "COIN_IN")
        table.play("wait 5s", "expect fault CONTACT_UNSTEADY", "key R", "expect phase PLAYING")
        table.play("press GAME_OVER", "expect phase BETTING")
        unsteady.end()


def test_a_key_that_rests_is_found_and_not_turned(tmp_path: Path) -> None:
    """R ends SERVICE, or pays an award, only when it was turned there."""
    with table_in(tmp_path) as table:
        for _ in range(BURST):
            table.play("key S", "wait 40ms", "key JPL", "wait 40ms")
        table.play("expect fault CONTACT_UNSTEADY", "expect phase SERVICE", "key R", "wait 9s")
        assert Fault.KEY_FAULT in table.state.faults
        assert table.state.key is None
        table.play("wait 2s", "expect fault none", "expect phase SERVICE")
        assert [record.kind for record in table.records][-2:] == ["contact-steady", "key-found"]
        table.play("key JPL", "key R", "expect phase PAUSED")


def test_a_power_cut_forgets_it_and_counts_anew(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        contact = FlappingContact(table, "COIN_IN")
        table.play("wait 5s", "expect fault CONTACT_UNSTEADY")
        contact.end()
        table.play("power off", "power on", "wait 1s", "expect fault none")


def test_the_fault_of_a_contact_that_rests_while_locked_does_not_come_back(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        contact = FlappingContact(table, "COIN_IN")
        table.play("wait 5s", "expect fault CONTACT_UNSTEADY", "disk full")
        contact.end()
        table.play("wait 11s", "key S", "wait 1s", "disk ok", "clear LEDGER_FAULT")
        table.play("key R", "expect fault none")


@given(some.lists(some.floats(0.01, 4.0), min_size=1, max_size=300))
def test_presses_are_bounded_and_counted(pauses: list[float]) -> None:
    """However a button flaps: as many presses as the bucket has, and the rest is a number."""
    steadiness, now, passed = ContactSteadiness({"JPOT"}), 0.0, 0
    for pause in pauses:
        now += pause
        believed = steadiness.take("JPOT", ButtonPressed(Button.JPOT), now)
        passed += ButtonPressed(Button.JPOT) in believed
        if any(isinstance(event, ContactUnsteady) for event in believed):
            assert steadiness.unsteady == ("JPOT",)
    assert passed <= BURST + now / REFILL_S
    left_out = steadiness.trust("JPOT").left_out if steadiness.unsteady else 0
    assert passed + left_out == len(pauses)
    assert steadiness.unsteady == ()
