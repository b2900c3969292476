"""What a technician types in some minutes, mistakes and all, key by key; without completion."""

from collections.abc import Sequence

from tests.console.technician.terminal.typist import (
    BACKSPACE,
    CTRL_U,
    CTRL_W,
    DELETE,
    DOWN,
    END,
    HOME,
    LEFT,
    UP,
)

WORD_LEFT = "\x1bb"

SESSION: Sequence[Sequence[str]] = (
    (*"status",),
    (*"lmp 3", *[LEFT] * 4, "a", END, *" alert", *[BACKSPACE] * 5, *"on"),
    (UP, HOME, *[DELETE] * 4, *"watch", END, CTRL_W, *"key"),
    (*[UP] * 3, *[DOWN] * 2, CTRL_U, *"rail frames 12"),
    (*"declare hand-void 3 retrned", *[LEFT] * 4, "u", *[WORD_LEFT] * 2, DELETE, "5", END),
    (UP, *[BACKSPACE] * 8, "4"),
    (*"faults",),
)
"""Lines, each ended by Enter, which is none of the keys that are counted."""
