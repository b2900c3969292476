"""A medium that is full where an export begins its file."""

from pathlib import Path
from typing import Any

import pytest

PART = ".part"
FULL = Path("/dev/full")


def fill_medium(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every write to a file that is being made fails, as on the kernel's full device."""
    opened = Path.open

    def open_on_full_medium(path: Path, mode: str = "r", *rest: Any, **named: Any) -> Any:
        if path.suffix != PART or "x" not in mode:
            return opened(path, mode, *rest, **named)
        path.touch(exist_ok=False)
        return opened(FULL, mode.replace("x", "w"), *rest, **named)

    monkeypatch.setattr(Path, "open", open_on_full_medium)
