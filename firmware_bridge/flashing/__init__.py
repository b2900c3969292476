"""Writing the firmware to a board: images, the chip's boot drive, the board's first answer."""
