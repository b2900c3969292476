"""The table whose ledger a command is given: name, configuration, whether it is a real one."""

from collections.abc import Iterable
from pathlib import Path

from console.configuration.file import load_configuration
from console.configuration.named_files import FileUnusable
from console.configuration.places import ledger_in
from console.configuration.sections import Configuration, TableKind
from console.line.access.people import PinAge
from console.rules.acts import KINDS, Adopted
from console.rules.board_marks import BoardMarks, BoardsExpected, FirstSight
from console.rules.records import SNAPSHOT, UnreadableRecord, act_of, restore_state, settings_in
from jackpot.failures import LedgerCorrupt, LedgerUnavailable, Refused
from jackpot.ledger.ledger import newest_record

TABLE_FILE = Path("/etc/banco/table.toml")


def configuration_of(folder: Path, file: Path | None) -> Configuration | None:
    """What `file` says, or this machine's own configuration, if it names this ledger's folder.

    No other file speaks for this machine's real table: it would not name what that ledger is held
    against. Raises FileUnusable; Refused if `file` names another folder.
    """
    here = load_configuration(TABLE_FILE) if TABLE_FILE.exists() else None
    own = here if here is not None and _folder_of(here).resolve() == folder.resolve() else None
    if file is None:
        return own
    if own is not None and own.kind is TableKind.PRODUCTION and not file.samefile(TABLE_FILE):
        raise Refused(
            f"the ledger in {folder} is this machine's table's: {TABLE_FILE} says how it is kept, "
            f"not {file}; leave --config out"
        )
    configuration = load_configuration(file)
    if _folder_of(configuration).resolve() == folder.resolve():
        return configuration
    raise Refused(
        f"{file} is of the table whose ledger is in {_folder_of(configuration)}, not in {folder}"
    )


def _folder_of(configuration: Configuration) -> Path:
    return ledger_in(Path(configuration.ledger.folder))


def is_real_tables_machine() -> bool:
    """Whether a real table is installed here; also if its configuration cannot be read."""
    if not TABLE_FILE.exists():
        return False
    try:
        return load_configuration(TABLE_FILE).kind is TableKind.PRODUCTION
    except (FileUnusable, OSError):
        return True


def enrols_by_two() -> bool:
    """Whether this machine's table wants a second person to enrol. Raises FileUnusable."""
    people = load_configuration(TABLE_FILE).people if TABLE_FILE.exists() else None
    return people is not None and people.enrol_by_two


def read_pin_age() -> PinAge:
    """How old a PIN may become at this machine's table. Raises FileUnusable."""
    return PinAge(load_configuration(TABLE_FILE).pin_age_days if TABLE_FILE.exists() else 0)


def is_real_tables_ledger(folders: Iterable[Path]) -> bool:
    """Whether one of these copies of a ledger says that a real table has begun it.

    It says so wherever it lies. A copy that cannot be read, or is no table's, says nothing.
    """
    return any(map(_is_begun_by_real_table, folders))


def _is_begun_by_real_table(folder: Path) -> bool:
    try:
        first_sight = _first_sight(folder)
    except (LedgerUnavailable, LedgerCorrupt, UnreadableRecord):
        return False
    return first_sight is not None and first_sight is not FirstSight.ENROL


def _first_sight(folder: Path) -> FirstSight | None:
    """What becomes of a board that is not enrolled: at a real table it is refused."""
    expected = newest_record(folder, kind=KINDS[BoardsExpected])
    act = act_of(expected.kind, expected.body) if expected is not None else None
    if isinstance(act, BoardsExpected):
        return act.first_sight
    snapshot = newest_record(folder, kind=SNAPSHOT)  # that record may be in the archive
    boards = restore_state(snapshot.body, ()).boards if snapshot is not None else None
    return boards.first_sight if isinstance(boards, BoardMarks) else None


def visible(text: str) -> str:
    """The text without control characters: the file may come from anybody."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def table_of(folder: Path) -> str:
    """The table's name in the newest settings; "" before the first settings."""
    adopted = newest_record(folder, kind=KINDS[Adopted])
    if adopted is not None:
        settings = settings_in(adopted.kind, adopted.body)
    else:  # they may be in the archive
        snapshot = newest_record(folder, kind=SNAPSHOT)
        settings = restore_state(snapshot.body, ()).settings if snapshot is not None else None
    return settings.table if settings else ""
