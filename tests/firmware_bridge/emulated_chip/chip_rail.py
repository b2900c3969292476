"""The slot rail's image on an emulated RP2040, with the project's own host. `make chip` runs it."""

from collections.abc import Callable, Iterator

import pytest

from devices.roles import Lamp, RailOrders
from firmware_bridge.board import pins
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.flashing.images import image_digest
from tests.firmware_bridge.emulated_chip.chip import EmulatedChip
from tests.firmware_bridge.emulated_chip.chip_table import IMAGE, Table

GATE_3, GATE_5 = pins.GATES[2], pins.GATES[4]


@pytest.fixture
def table() -> Iterator[Table]:
    with EmulatedChip(IMAGE) as chip:
        table = Table(chip)
        print(f"power to session {table.session_ms} ms")
        yield table
        table.close()


def test_a_token_goes_its_way(table: Table) -> None:
    assert table.rail.session.identity is not None
    assert table.rail.session.identity.kind == BoardKind.SLOT_RAIL
    table.rail.show(RailOrders((Lamp.INVITE,) * 7))
    table.loop.run_for(0.1)

    table.chip.set_shifted(pins.SHIFT_SEATS + 2, 0)
    edge_ms = table.wait_for(lambda: 3 in table.seen.occupied)
    gate_ms = table.open_gate(3, turn=1)
    assert [table.chip.state(lamp) for lamp in pins.LAMPS] == ["High"] * 7
    table.chip.set_shifted(pins.SHIFT_SEATS + 2, 1)
    table.chip.set_drop(3, 1)
    shut_ms = table.wait_for(lambda: table.chip.state(GATE_3) == "Low")
    table.chip.set_drop(3, 0)
    table.wait_for(lambda: table.seen.drops[2] == 1)
    table.chip.set_shifted(pins.SHIFT_TRAY, 1)
    table.loop.run_for(0.01)
    table.chip.set_shifted(pins.SHIFT_TRAY, 0)
    table.wait_for(lambda: table.seen.tray == 1)
    print(f"sensor to host {edge_ms} ms, order to gate {gate_ms} ms, drop to shut {shut_ms} ms")
    assert (edge_ms < 30, gate_ms < 20, shut_ms < 15) == (True, True, True)
    assert table.rail.session.statistics.received.bad == 0


def test_the_board_says_what_its_flash_holds(table: Table) -> None:
    read_ms = table.wait_for(lambda: table.images != [], seconds=20)
    assert table.images == [image_digest(IMAGE.read_bytes())]
    print(f"flash read {read_ms} ms after the session, longest pass {max(table.chip.passes)} us")


def test_every_seat_has_its_own_lines(table: Table) -> None:
    def try_seat(seat: int) -> None:
        table.chip.set_shifted(pins.SHIFT_SEATS + seat - 1, 0)
        table.wait_for(lambda: table.seen.occupied == {seat})
        table.chip.set_shifted(pins.SHIFT_SEATS + seat - 1, 1)
        table.open_gate(seat, turn=seat)
        assert [line for line in pins.GATES if table.chip.state(line) == "High"] == [
            pins.GATES[seat - 1]
        ]
        table.chip.set_drop(seat, 1)
        table.loop.run_for(0.01)
        table.chip.set_drop(seat, 0)
        table.wait_for(lambda: table.seen.drops[seat - 1] == 1)

    for seat in range(1, 8):
        try_seat(seat)
    assert table.seen.drops == (1,) * 7
    lamps = [Lamp.DARK, Lamp.ON, Lamp.DARK, Lamp.DARK, Lamp.ON, Lamp.DARK, Lamp.ON]
    table.rail.show(RailOrders(tuple(lamps)))
    wanted = ["High" if lamp is Lamp.ON else "Low" for lamp in lamps]
    table.wait_for(lambda: [table.chip.state(line) for line in pins.LAMPS] == wanted)


def test_a_silent_host_shuts_the_gate(table: Table) -> None:
    table.open_gate(5, turn=1)
    table.loop.run_for(0.5)
    assert table.chip.state(GATE_5) == "High"
    table.rail.close()
    ms = table.wait_for(lambda: table.chip.state(GATE_5) == "Low")
    print(f"silence to shut {500 + ms} ms at most")
    table.loop.run_for(0.002)  # the lamps are written after the gates, in the same pass
    assert [table.chip.state(line) for line in pins.LAMPS] == ["Low"] * 7
    assert table.chip.resets == 0


def test_a_program_that_hangs_shuts_the_gate_and_starts_anew(table: Table) -> None:
    table.open_gate(5, turn=1)
    boot = table.boot
    table.chip.hang()
    ms = table.wait_for(lambda: table.chip.state(GATE_5) != "High")
    print(f"hang to shut {ms} ms")
    assert ms <= 500
    assert table.chip.state(GATE_5) == "InputPullDown"
    assert table.chip.resets == 1
    up_ms = table.wait_for(lambda: table.is_up and table.boot != boot)
    print(f"reset to session {up_ms} ms")
    assert table.boot == boot + 1
    assert table.chip.state(GATE_5) == "Low"


def test_a_program_that_ends_before_its_loop_starts_anew() -> None:
    with EmulatedChip(IMAGE) as chip:
        ms = run_until(chip, 1000, lambda: chip.state(pins.GATES[-1]) == "Low")
        chip.hang()
        reset_ms = run_until(chip, ms + 3100, lambda: chip.resets == 1)
        print(f"begun after {ms} ms, reset {reset_ms - ms} ms later")
        run_until(chip, reset_ms + 1000, lambda: chip.state(pins.GATES[-1]) == "Low")


def run_until(chip: EmulatedChip, latest_ms: int, true: Callable[[], bool]) -> int:
    """The chip's millisecond at which it is true."""
    start_ms = chip.now_ms
    for ms in range(start_ms + 1, latest_ms):
        chip.run_until(ms)
        if true():
            return ms
    raise AssertionError(f"not within {latest_ms - start_ms} ms")


def test_dead_lamps_are_reported(table: Table) -> None:
    table.rail.show(RailOrders((Lamp.DARK,) * 7))
    table.loop.run_for(0.1)
    assert table.seen.dead_lamps == frozenset()
    table.chip.set_shifted(pins.SHIFT_LAMPS + 4, 0)
    table.wait_for(lambda: table.seen.dead_lamps == {5})
    table.rail.show(RailOrders((Lamp.ON,) * 7))
    table.loop.run_for(0.1)
    assert table.seen.dead_lamps == {5}
    table.rail.show(RailOrders((Lamp.INVITE,) * 7))
    table.chip.set_shifted(pins.SHIFT_LAMPS + 4, 1)
    table.wait_for(lambda: table.seen.dead_lamps == frozenset())


def test_a_broken_drop_wire_is_no_token_and_is_reported(table: Table) -> None:
    table.chip.set_drop(2, 1)
    table.wait_for(lambda: table.seen.notices == frozenset({1}))
    assert table.seen.drops == (0,) * 7


def test_each_boot_has_the_next_number(table: Table) -> None:
    boot = table.boot
    assert [table.boot_anew() for _ in range(3)] == [boot + 1, boot + 2, boot + 3]


@pytest.mark.parametrize("cut", [1, 3, 6, 9, 100, 256])
def test_power_cut_in_the_boot_numbers_page_repeats_no_number(table: Table, cut: int) -> None:
    boot = table.boot
    table.cut_power_in_the_boot(cut)
    assert table.boot_anew() > boot


def test_power_cut_while_a_sector_is_erased_repeats_no_number(table: Table) -> None:
    first = table.boot
    for pages in range(2, 17):
        table.fill_page(pages)
    for cut in (5, 2000, 4096, 4099):
        table.cut_power_in_the_boot(cut)
    table.loop.run_for(5)  # so many boots are a restless line: the host waits until it is quiet
    assert table.boot_anew() == first + 16
