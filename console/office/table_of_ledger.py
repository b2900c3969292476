"""The configuration of the table whose ledger a command is given."""

from pathlib import Path

from console.configuration.file import ConfigurationErrors, load_configuration
from console.configuration.places import ledger_in
from console.configuration.sections import Configuration, TableKind

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


def is_real_tables_machine() -> bool:
    """Whether a real table is installed here; also if its configuration cannot be read."""
    if not TABLE_FILE.exists():
        return False
    try:
        return load_configuration(TABLE_FILE).kind is TableKind.PRODUCTION
    except (ConfigurationErrors, OSError):
        return True
