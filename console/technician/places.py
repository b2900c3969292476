"""Where the table's files lie, as the command line or the table itself says."""

from pathlib import Path

from console.configuration.file import ConfigurationErrors, load_configuration
from console.technician.command import TechnicianSession

DATABASE = "ledger.db"


class Unreadable(Exception):
    """A file of the table cannot be read from here; the text says which, and why."""


def find_ledger_folder(session: TechnicianSession) -> Path:
    """The ledger's folder. Raises Unreadable where nobody has said which it is."""
    told = session.ledger
    if told is None and session.status is not None and session.status.ledger:
        told = Path(session.status.ledger)
    if told is None and session.configuration is not None:
        told = _find_configured_ledger(session.configuration)
    if told is None:
        raise Unreadable(
            session.words(
                "la cartella del registro non è nota: avviare con --ledger",
                "the ledger's folder is not known: start with --ledger",
            )
        )
    within = told / "ledger"  # a simulation's folder holds its cabinet, too
    return within if not (told / DATABASE).exists() and (within / DATABASE).exists() else told


def find_configuration(session: TechnicianSession) -> Path:
    """The table's configuration. Raises Unreadable where nobody has said which it is."""
    told = session.configuration if session.status is None or not session.simulated else None
    if told is None and session.status is not None and session.status.configuration:
        told = Path(session.status.configuration)
    if told is not None:
        return told
    if session.status is not None:
        raise Unreadable(
            session.words(
                "questo tavolo gira senza file di configurazione",
                "this table runs without a configuration file",
            )
        )
    raise Unreadable(
        session.words(
            "la configurazione non è stata letta: finire, e avviare banco diag --config FILE",
            "the configuration was not read: end, and start banco diag --config FILE",
        )
    )


def _find_configured_ledger(file: Path) -> Path:
    """The ledger's folder in a configuration. Raises Unreadable."""
    try:
        return Path(load_configuration(file).ledger.folder)
    except ConfigurationErrors as error:
        raise Unreadable(str(error)) from error
