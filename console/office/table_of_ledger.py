"""The configuration of the table whose ledger a command is given."""

from pathlib import Path

from console.configuration.file import load_configuration
from console.configuration.places import ledger_in
from console.configuration.sections import Configuration

TABLE_FILE = Path("/etc/banco/table.toml")


class OtherTable(Exception):
    """The configuration is of a table whose ledger lies elsewhere; the text says where."""


def configuration_of(folder: Path, file: Path | None) -> Configuration | None:
    """What `file` says, or this machine's own configuration, if it names this ledger's folder.

    Raises ConfigurationErrors; OtherTable if `file` names another folder.
    """
    if file is None and not TABLE_FILE.exists():
        return None
    configuration = load_configuration(file or TABLE_FILE)
    own = ledger_in(Path(configuration.ledger.folder))
    if own.resolve() == folder.resolve():
        return configuration
    if file is None:
        return None
    raise OtherTable(f"{file} is of the table whose ledger is in {own}, not in {folder}")
