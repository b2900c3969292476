#define MICROPY_HW_BOARD_NAME "banco board"

// The last four sectors: the board's key, its kind, and two for the boot number (kind_record.py).
#define MICROPY_HW_FLASH_STORAGE_BYTES (4 * 4096)

// The USB socket is for flashing alone: no prompt at which somebody could open a gate.
#define MICROPY_HW_ENABLE_USBDEV (0)

// Without a prompt there is nothing to copy it to.
#define MICROPY_PY_OS_DUPTERM (0)
