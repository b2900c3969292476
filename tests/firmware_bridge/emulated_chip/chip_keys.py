"""Keys, jumper and proofs in the image on an emulated RP2040. `make chip` runs it."""

from collections.abc import Callable, Iterator

import pytest

from devices.roles import Lamp, RailOrders
from devices.sim.virtual_time import advance
from firmware_bridge.board import pins
from firmware_bridge.board_session.framing import encode
from firmware_bridge.board_session.protocol import PROVED_VERSION, Hello
from firmware_bridge.board_session.session_key import BoardKey, SessionKey
from tests.firmware_bridge.emulated_chip.chip import EmulatedChip
from tests.firmware_bridge.emulated_chip.chip_table import IMAGE, Table

KEY = bytes(range(16))
OTHER_KEY = b"another key of 2"
TOKEN_MS = 10
"""So long a token covers its drop sensor, and so long after it the next one may come."""


@pytest.fixture
def key() -> SessionKey:
    return SessionKey(PROVED_VERSION)


@pytest.fixture
def table(key: SessionKey) -> Iterator[Table]:
    """A table whose board has been given its key."""
    with EmulatedChip(IMAGE) as chip:
        table = Table(chip, key)
        give_key(table, key, KEY)
        print(f"key sent to session {table.wait_for(lambda: table.is_up)} ms")
        assert key.board == BoardKey(table.strangers[0], KEY, confirmed=True)
        yield table
        table.close()


def give_key(table: Table, key: SessionKey, secret: bytes) -> None:
    key.change(BoardKey(table.strangers[0], secret))


def test_a_key_outlives_the_power_and_gives_way_to_another_by_the_jumper(
    table: Table, key: SessionKey
) -> None:
    boot = table.boot
    assert table.boot_anew() == boot + 1
    table.wait_for(lambda: table.is_up)
    give_key(table, key, OTHER_KEY)
    advance(table.loop, 1.5)
    assert not table.is_up
    table.chip.set_shifted(pins.SHIFT_JUMPER, 1)
    table.wait_for(lambda: table.is_up)
    table.chip.set_shifted(pins.SHIFT_JUMPER, 0)
    table.open_gate(3, turn=1)


def pass_tokens(table: Table, count: int, disturb: Callable[[int], None]) -> None:
    """Let tokens pass at seat 1; no pass of the loop may take as long as one."""
    table.chip.passes.clear()
    for level in (0, 1) * count:
        table.chip.set_drop(1, level)
        for ms in range(TOKEN_MS):
            disturb(ms)
            advance(table.loop, 0.001)
    longest = max(table.chip.passes)
    print(f"longest pass {longest} us")
    assert longest < TOKEN_MS * 1000
    table.wait_for(lambda: table.seen.drops[0] == count)
    assert table.chip.resets == 0


def test_no_token_goes_by_unseen_while_the_orders_change(table: Table) -> None:
    def change_orders(ms: int) -> None:
        table.rail.show(RailOrders(((Lamp.ON, Lamp.DARK)[ms % 2],) * 7))

    pass_tokens(table, 20, change_orders)


def test_no_token_goes_by_unseen_in_a_flood_of_hello(table: Table) -> None:
    def flood(ms: int) -> None:
        forged = Hello(ms, PROVED_VERSION, bytes([ms + 1]) * 8)
        table.board.receive(encode(forged.to_bytes()))

    pass_tokens(table, 20, flood)
