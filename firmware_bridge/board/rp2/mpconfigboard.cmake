# The boards of docs/how-to/board.md are a Raspberry Pi Pico with this frozen in.
set(PICO_BOARD "pico")
set(PICO_PLATFORM "rp2040")
if(NOT MICROPY_FROZEN_MANIFEST)
    set(MICROPY_FROZEN_MANIFEST ${MICROPY_BOARD_DIR}/manifest.py)
endif()
