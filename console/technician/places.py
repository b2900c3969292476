"""Finds the table's files, named by the command line or by the table itself."""

from pathlib import Path

from console.configuration.file import ConfigurationErrors, load_configuration
from console.technician.command import TechnicianSession
from console.texts.technician import session_texts
from jackpot.failures import Unavailable

DATABASE = "ledger.db"


class Unreadable(Unavailable):
    """A file of the table cannot be read. The text says which, and why."""


def find_ledger_folder(session: TechnicianSession) -> Path:
    """Return the ledger's folder. Raises Unreadable if it is not known."""
    folder = session.ledger
    if folder is None and session.status is not None and session.status.ledger:
        folder = Path(session.status.ledger)
    if folder is None and session.configuration is not None:
        folder = _find_configured_ledger(session.configuration)
    if folder is None:
        raise Unreadable(
            session.words(
                session_texts.LEDGER_FOLDER_NOT_KNOWN,
            )
        )
    within = folder / "ledger"  # a simulation's folder contains the ledger's
    return within if not (folder / DATABASE).exists() and (within / DATABASE).exists() else folder


def find_configuration(session: TechnicianSession) -> Path:
    """Return the table's configuration file. Raises Unreadable if it is not known."""
    file = session.configuration if session.status is None or not session.simulated else None
    if file is None and session.status is not None and session.status.configuration:
        file = Path(session.status.configuration)
    if file is not None:
        return file
    if session.status is not None:
        raise Unreadable(
            session.words(
                session_texts.TABLE_RUNS_WITHOUT_CONFIGURATION,
            )
        )
    raise Unreadable(
        session.words(
            session_texts.CONFIGURATION_NOT_READ_END,
        )
    )


def _find_configured_ledger(file: Path) -> Path:
    """Return the ledger's folder from a configuration. Raises Unreadable."""
    try:
        return Path(load_configuration(file).ledger.folder)
    except ConfigurationErrors as error:
        raise Unreadable(str(error)) from error
