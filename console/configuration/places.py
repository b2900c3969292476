"""Where a table's local line is: a Unix socket named `line`."""

import os
from pathlib import Path

from console.configuration.sections import Configuration, Kind

SOCKET = "line"

TABLE_FILE = "table.toml"
"""The configuration of a simulated table, in the simulation's folder."""

RUNTIME_FOLDER = Path("/run/banco")
"""The service's, made by systemd."""

LONGEST_PATH = 107
"""Bytes of a Unix socket's path."""


class LineUnusable(OSError):
    """The local line cannot be opened; the text says where, and why."""


def line_of(configuration: Configuration | None) -> Path:
    """The socket of the table so configured; None: of a simulation without a configuration."""
    if configuration is None:
        return simulation_folder() / SOCKET
    if configuration.kind is Kind.PRODUCTION:
        return line_of_this_machine()
    return Path(configuration.ledger.folder) / SOCKET


def line_of_this_machine() -> Path:
    """The socket of the real table that this machine runs.

    Within its unit systemd names the folder, of which the first one is the service's own.
    """
    told = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
    return (Path(told) if told else RUNTIME_FOLDER) / SOCKET


def simulation_folder() -> Path:
    """Where a simulation without a configuration keeps its cabinet and its ledger."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "banco" / "simulation"


def simulated_table() -> Path | None:
    """The configuration of the table that lies in the simulation's folder; None: there is none.

    It is the training table's (docs/training.md): who has started it once, goes on with it.
    """
    file = simulation_folder() / TABLE_FILE
    return file if file.exists() else None


def fitting(path: Path) -> Path:
    """The path, if a socket can be there. Raises LineUnusable."""
    length = len(os.fsencode(path))
    if length > LONGEST_PATH:
        raise LineUnusable(
            f"{path}: the local line's socket cannot be there: {length} bytes, and a socket's path "
            f"has at most {LONGEST_PATH}; keep the table in a folder with a shorter name"
        )
    return path
