"""What a counting shoe's board counts since the last load."""

import pytest

from firmware_bridge.board.shoe import NOT_YET, ShoeBoard


def test_a_shoe_counts_cards_and_the_cut_card() -> None:
    shoe = ShoeBoard(1)
    shoe.count_load(312)
    for _ in range(3):
        shoe.count_draw()
    shoe.note_cut_card()
    shoe.count_draw()
    assert (shoe.draws, shoe.cut_after) == (4, 3)
    shoe.count_load(312)
    assert (shoe.draws, shoe.cut_after) == (0, NOT_YET)
    with pytest.raises(ValueError, match="65535 cards cannot be counted: at most 65534"):
        shoe.count_load(65535)
