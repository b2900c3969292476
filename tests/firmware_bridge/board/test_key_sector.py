"""The board's key survives power that goes at any byte, or gives way to none: never to another."""

from contextlib import suppress

import pytest

from firmware_bridge.board.boot_number import PAGES
from firmware_bridge.board.key_sector import read_key, write_key
from tests.firmware_bridge.board.chip_flash import ChipFlash, PowerCut

SECTOR = 0


def key(number: int) -> bytes:
    return bytes([number]) * 16


def test_a_new_board_has_no_key() -> None:
    assert read_key(ChipFlash(), SECTOR) is None


def test_the_last_key_counts_through_erasures() -> None:
    flash = ChipFlash()
    for number in range(3 * PAGES):
        write_key(flash, key(number), SECTOR)
        assert read_key(flash, SECTOR) == key(number)
    assert flash.erased == 2


@pytest.mark.parametrize("cut", [1, 2, 5, 6, 21, 22, 25, 26, 200, 255])
@pytest.mark.parametrize("before", [0, 1, 7, PAGES - 1])
def test_power_that_goes_while_a_key_is_written_leaves_the_one_before(
    before: int, cut: int
) -> None:
    flash = ChipFlash(seed=cut)
    for number in range(before):
        write_key(flash, key(number), SECTOR)
    flash.left = cut
    with suppress(PowerCut):
        write_key(flash, key(99), SECTOR)
    flash.left = None
    old = key(before - 1) if before else None
    assert read_key(flash, SECTOR) in (old, key(99))
    write_key(flash, key(100), SECTOR)
    assert read_key(flash, SECTOR) == key(100)


@pytest.mark.parametrize("cut", [1, 300, 4095, 4096, 4100, 4200])
def test_power_that_goes_while_the_sector_is_erased_leaves_a_known_key_or_none(cut: int) -> None:
    flash = ChipFlash(seed=cut)
    known = [key(number) for number in range(PAGES)]
    for each in known:
        write_key(flash, each, SECTOR)
    flash.left = cut
    with suppress(PowerCut):
        write_key(flash, key(99), SECTOR)
    flash.left = None
    assert read_key(flash, SECTOR) in (None, *known, key(99))
    write_key(flash, key(100), SECTOR)
    assert read_key(flash, SECTOR) == key(100)


def test_a_worn_out_page_keeps_the_key_before() -> None:
    flash = ChipFlash()
    write_key(flash, key(1), SECTOR)
    flash.worn = set(range(256, 512))
    write_key(flash, key(2), SECTOR)
    assert read_key(flash, SECTOR) == key(1)
