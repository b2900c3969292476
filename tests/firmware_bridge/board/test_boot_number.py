"""The boot number never repeats, whenever the power goes; on flash that keeps its bits low."""

from contextlib import suppress

import pytest

from firmware_bridge.board.boot_number import PAGE_SIZE, SECTORS, take_boot_number
from tests.firmware_bridge.board.chip_flash import SECTOR_SIZE, ChipFlash, PowerCut

FIRST = 1000


def test_a_new_board_begins_with_the_number_it_is_given() -> None:
    assert take_boot_number(ChipFlash(), FIRST) == FIRST


def test_every_boot_has_the_next_number_through_both_sectors() -> None:
    flash = ChipFlash()
    assert [take_boot_number(flash, 7) for _ in range(100)] == list(range(7, 107))


def test_thirty_two_boots_erase_each_sector_once() -> None:
    flash = ChipFlash()
    for _ in range(32 * 10):
        take_boot_number(flash, FIRST)
    assert flash.erased == 2 * 10


@pytest.mark.parametrize("boots", [0, 1, 15, 16, 31])
def test_power_that_goes_at_any_byte_repeats_no_number(boots: int) -> None:
    for cut in (*range(1, 10), 255, 256, 257, 2000, 4095, 4096, 4097, 4100, 4352, 4353):
        flash = ChipFlash(seed=cut)
        used = [take_boot_number(flash, FIRST) for _ in range(boots)]
        for again in (cut, 2, cut):  # and again while it starts anew
            flash.left = again
            with suppress(PowerCut):
                used.append(take_boot_number(flash, FIRST))
        flash.left = None
        used += [take_boot_number(flash, FIRST) for _ in range(17)]
        assert used == sorted(set(used)), f"boots={boots}, cut after {cut} bytes: {used}"


def test_a_worn_page_is_passed_over() -> None:
    flash = ChipFlash()
    flash.worn = {SECTORS[0] * SECTOR_SIZE + 3 * PAGE_SIZE}
    used = [take_boot_number(flash, 0x100) for _ in range(6)]
    assert used == [0x100, 0x101, 0x102, 0x104, 0x105, 0x106]


def test_worn_out_sectors_are_an_error_not_an_old_number() -> None:
    flash = ChipFlash()
    flash.worn = set(range(4 * SECTOR_SIZE))
    with pytest.raises(OSError, match="worn out"):
        take_boot_number(flash, 0x100)
