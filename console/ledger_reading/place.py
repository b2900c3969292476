"""Where the ledger lies in the folder that was named."""

from pathlib import Path

from jackpot.schema import FILE


def ledger_in(folder: Path) -> Path:
    """The folder itself, or what is in it: a simulation's folder holds its cabinet, too."""
    inner = folder / "ledger"
    return inner if not (folder / FILE).exists() and inner.is_dir() else folder
