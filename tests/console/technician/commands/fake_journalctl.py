"""A fake journalctl, first on the path."""

import os
from pathlib import Path

import pytest


def install_journalctl(script: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install this shell script as journalctl; return the file."""
    program = folder / "bin" / "journalctl"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return program
