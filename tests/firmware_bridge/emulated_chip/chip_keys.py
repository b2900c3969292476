"""Keys, jumper and proofs in the image on an emulated RP2040. `make chip` runs it."""

import os
from collections.abc import Callable, Iterator

import pytest

from devices.roles import Lamp, RailOrders
from firmware_bridge.board import pins
from firmware_bridge.board_session.framing import encode
from firmware_bridge.board_session.protocol import PROVED_VERSION, Hello
from firmware_bridge.board_session.session_key import BoardKey, SessionKey
from tests.firmware_bridge.emulated_chip.chip import EmulatedChip
from tests.firmware_bridge.emulated_chip.chip_table import IMAGE, Table

KEY = bytes(range(16))
OTHER_KEY = b"another key of 2"
PITCH_MS = 10
"""The closest tokens: one each 10 ms, which covers its sensor for 5 ms and leaves it free for 5."""

TOKENS = int(os.environ.get("TOKENS", "400")) // 8
"""Of these so many at each sensor. 1,000,000 take an hour of processor."""


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
    table.loop.run_for(1.5)
    assert not table.is_up
    table.chip.set_shifted(pins.SHIFT_JUMPER, 1)
    table.wait_for(lambda: table.is_up)
    table.chip.set_shifted(pins.SHIFT_JUMPER, 0)
    table.open_gate(3, turn=1)


def pass_tokens(table: Table, count: int, disturb: Callable[[int], None]) -> None:
    """Let tokens pass every sensor while something disturbs the board; each must be counted."""
    table.chip.passes.clear()
    table.chip.pass_tokens(count, PITCH_MS, PITCH_MS / 2)
    ms = 0
    while ms == 0 or table.chip.passing:
        disturb(ms % PITCH_MS)
        table.loop.run_for(0.001)
        ms += 1
    counted = (count & 0xFFFF,) * 7
    table.wait_for(lambda: (table.seen.drops, table.seen.tray) == (counted, count & 0xFFFF))
    print(f"{8 * count} tokens, longest pass {max(table.chip.passes)} us")
    assert table.chip.resets == 0


def change_orders(table: Table) -> Callable[[int], None]:
    return lambda ms: table.rail.show(RailOrders(((Lamp.ON, Lamp.DARK)[ms % 2],) * 7))


@pytest.mark.parametrize("slow", [1, 4])
def test_no_token_goes_by_unseen_while_the_orders_change(table: Table, slow: int) -> None:
    table.chip.slow_down(slow)
    pass_tokens(table, TOKENS, change_orders(table))


def test_no_token_goes_by_unseen_in_a_flood_of_hello(table: Table) -> None:
    def flood(ms: int) -> None:
        forged = Hello(ms, PROVED_VERSION, bytes([ms + 1]) * 8)
        table.board.receive(encode(forged.to_bytes()))

    pass_tokens(table, TOKENS, flood)
