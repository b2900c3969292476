"""A simulated table with a prepared fault: configuration and files (docs/how-to/training.md)."""

from pathlib import Path

from console.configuration.file import load_configuration
from console.configuration.overrides import (
    Override,
    overrides_file,
    read_overrides,
    render_overrides,
)
from console.configuration.places import TABLE_FILE
from console.configuration.sections import Configuration, TableKind
from console.simulation.cabinet import WRONG_SETTING
from jackpot.failures import Refused

TABLE = """# A simulated Caribbean Stud table, for training.

kind = "simulation"
table = "simulated"
game = "caribbean-stud"

[ledger]
folder = "{folder}"

[panel]
driver = "simulated"

[rail]
driver = "simulated"
kind = "slot"

[shuffler]
driver = "simulated"

[display]
driver = "simulated"
"""


def prepare_training_table(file: Path | None, folder: Path, fault: int) -> Path:
    """Prepare a fault; returns the configuration to start with.

    Without `file` a training table's configuration is written to `folder`, unless it is there.
    Raises FileUnusable, OSError, and Refused for a real table: nothing is written then.
    """
    if file is None:
        file = folder / TABLE_FILE
        if not file.exists():
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(TABLE.format(folder=folder), "utf-8")
    configuration = load_configuration(file)
    if configuration.kind is not TableKind.SIMULATION:
        raise Refused("only a simulation has prepared faults")
    if fault == WRONG_SETTING:
        _write_wrong_setting(configuration)
    return file


def _write_wrong_setting(configuration: Configuration) -> None:
    """A wrong amount in the line's settings file: an Italian comma, as if typed by hand."""
    written = overrides_file(configuration)
    overrides = {**read_overrides(written), "money.base": Override("5.000,00")}
    written.parent.mkdir(parents=True, exist_ok=True)
    written.write_text(render_overrides(overrides), "utf-8")
