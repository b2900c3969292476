#define MICROPY_HW_BOARD_NAME "banco board"

// The last three sectors: the board's kind, and two for the boot number (flash_layout.py).
#define MICROPY_HW_FLASH_STORAGE_BYTES (3 * 4096)

// The USB socket is for flashing alone: no prompt at which somebody could open a gate.
#define MICROPY_HW_ENABLE_USBDEV (0)

// Without a prompt there is nothing to copy it to.
#define MICROPY_PY_OS_DUPTERM (0)
