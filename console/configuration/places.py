"""Where a table's files lie: its local line (a Unix socket named `line`), its ledger."""

import os
from pathlib import Path

from console.configuration.sections import Configuration, TableKind
from jackpot.ledger.schema import FILE as LEDGER_FILE

SOCKET = "line"

TABLE_FILE = "table.toml"
"""The configuration of a simulated table, in the simulation's folder."""

PEOPLE_FILE = Path("/etc/banco/people.toml")
"""The people of a real table; a simulation has a file of this name in its folder."""

RUNTIME_FOLDER = Path("/run/banco")
"""The local line's folder at a real table, made by systemd-tmpfiles."""

PAGES_SOCKET = Path("/run/banco-web/pages")
"""The socket of a real table's service for the process that serves its pages."""


def line_of(configuration: Configuration | None) -> Path:
    """The socket of the table; None: of a simulation without a configuration file."""
    if configuration is None:
        return simulation_folder() / SOCKET
    if configuration.kind is TableKind.PRODUCTION:
        return line_of_this_machine()
    return Path(configuration.ledger.folder) / SOCKET


def line_of_this_machine() -> Path:
    """The socket of the real table that this machine runs."""
    return RUNTIME_FOLDER / SOCKET


def simulation_folder() -> Path:
    """Where a simulation without a configuration keeps its cabinet and its ledger."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "banco" / "simulation"


def find_simulated_table() -> Path | None:
    """The configuration in the simulation's folder; None: there is none.

    A training table writes it (docs/how-to/training.md), so that later starts go on with that
    table.
    """
    file = simulation_folder() / TABLE_FILE
    return file if file.exists() else None


def ledger_in(folder: Path) -> Path:
    """Where the ledger lies: in the folder itself, or in `ledger` in a simulation's folder."""
    inner = folder / "ledger"
    # False also without permission: opening the ledger reports that later
    there = os.path.exists(folder / LEDGER_FILE)
    return inner if not there and os.path.isdir(inner) else folder
