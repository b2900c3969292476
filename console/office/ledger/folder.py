"""Where the ledger lies in the folder that was named."""

import os
from pathlib import Path

from jackpot.schema import FILE


def ledger_in(folder: Path) -> Path:
    """The folder itself, or what is in it: a simulation's folder holds its cabinet, too."""
    inner = folder / "ledger"
    there = os.path.exists(folder / FILE)  # false, too, where nobody may look: that is told later
    return inner if not there and os.path.isdir(inner) else folder
