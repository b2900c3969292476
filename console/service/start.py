"""The state a table starts from: the journal's, locked where needed.

docs/reference/rules.md, section 7.
"""

import logging
from collections.abc import Iterator

from msgspec import UNSET, UnsetType

from console.configuration.table_plan import FoundSettings
from console.rules import records
from console.rules.acts import Act, Adopted, Started
from console.rules.board_marks import BoardMarks, BoardsExpected, FirstSight
from console.rules.codes import Fault, Phase
from console.rules.link_state import LinkState
from console.rules.release_marks import ReleaseFound
from console.rules.settings import Settings, SettingsFound, Written, join_written
from console.rules.state import TableState
from console.rules.structs import replace
from console.service.table_ledger import TableLedger
from jackpot.failures import Damaged, LedgerInUse, LedgerUnavailable, Refused
from jackpot.ledger.lock_file import Lock

log = logging.getLogger(__name__)

_NOT_LOCKED = Lock(fault="", why="", since="")


class StartRefused(Refused):
    """The table cannot start as it is configured; the text says why and what to do.

    `in_play`: what a round in play began with, under which it can start. `on_record`: what
    settings.toml must hold for it to start; `due`: because the jackpot is won.
    """

    def __init__(
        self,
        why: str,
        *,
        in_play: Settings | None = None,
        on_record: Written | None = None,
        due: bool = False,
    ) -> None:
        super().__init__(why)
        self.in_play, self.on_record, self.due = in_play, on_record, due


def _name(written: Written) -> str:
    return ", ".join(f"{key} = {value}" for key, value in written) or "nothing"


def state_at_start(
    table_ledger: TableLedger, settings: Settings, wall: str, found: FoundSettings | None = None
) -> TableState:
    """Open the ledger and return its state; locked, if the ledger or its lock file says so.

    Raises StartRefused where another process runs this table, where settings.toml is not as on
    record, where settings are due, or where others are asked for than the round in play began with.
    """
    try:
        state = records.restore_recovered(table_ledger.open())
    except LedgerInUse as error:
        raise StartRefused(str(error)) from error
    except Damaged as error:
        return _lock_now(table_ledger, Fault.LEDGER_CORRUPT, str(error), wall)
    except LedgerUnavailable as error:
        return _lock_now(table_ledger, Fault.LEDGER_FAULT, str(error), wall)
    check_settings(state, settings, found)
    if found is not None and state.due_settings is not None and not _has_due(state, found):
        due = _list_due(state, found)
        why = f"the jackpot is won: from now on {_name(due)}"
        raise StartRefused(why, on_record=due, due=True)
    return _apply_kept_lock(state, table_ledger, wall)


def list_first_acts(
    state: TableState,
    settings: Settings,
    found: FoundSettings | None,
    release: ReleaseFound | UnsetType = UNSET,
    *,
    simulated: bool,
) -> Iterator[Act]:
    """The first acts of a service that starts from this state.

    What settings.toml holds is one, if no record has it yet or if it was not believed.
    """
    asks = found is not None and found.acknowledge
    yield Started(UNSET if found is None else found.sha256, release, True if asks else UNSET)
    if state.locked:
        return
    if found is not None and state.written is UNSET:
        yield SettingsFound(found.written, taken=True)
    elif found is not None and found.refused is not None:
        yield SettingsFound(found.refused, taken=False)
    yield from list_changes(state, settings, found, simulated=simulated)


def list_changes(
    state: TableState, settings: Settings, found: FoundSettings | None, *, simulated: bool
) -> list[Act]:
    """What comes into force where a table goes on from this state."""
    acts: list[Act] = []
    if not isinstance(state.boards, BoardMarks):
        acts.append(BoardsExpected(_first_sight(state, simulated=simulated)))
    if not settings.same_as(state.settings) or _has_due(state, found):
        before = state.settings
        revalued = before is not None and before.money.token != settings.money.token
        acts.append(Adopted(settings, keeps_tokens=True if revalued else UNSET))
    return acts


def check_kind(state: TableState, *, simulated: bool) -> None:
    """Raise StartRefused for a simulation on a real table's ledger, and for the reverse.

    Nobody staked a simulation's tokens, and nobody enrolled its boards.
    """
    if not isinstance(state.boards, BoardMarks):
        return
    is_simulations = state.boards.first_sight is FirstSight.ENROL
    if simulated and not is_simulations:
        raise StartRefused("this ledger is a real table's: no simulation goes on with it")
    if is_simulations and not simulated:
        raise StartRefused(
            "this ledger is a simulation's: a real table begins its own, in another folder"
        )


def check_settings(state: TableState, settings: Settings, found: FoundSettings | None) -> None:
    """Raise StartRefused for another table's ledger, and for other settings in mid-round.

    Also for settings of the line that are not on record.
    """
    _check_written(state, found)
    in_force = state.settings
    if in_force is None or settings.same_as(in_force):
        return
    if in_force.table != settings.table:
        raise StartRefused(
            f"this ledger is that of table {in_force.table!r}, not of {settings.table!r}; "
            "each table has its own folder"
        )
    if in_force.link is not UNSET and settings.link != in_force.link:
        _check_left(state, settings, in_force.link)
    if state.phase is not Phase.PAUSED:
        raise StartRefused(
            f"a round is in play ({state.phase.value}) under other settings ({in_force}); "
            f"start with those and pause the table before changing them to {settings}",
            in_play=in_force,
        )


def _check_written(state: TableState, found: FoundSettings | None) -> None:
    """Raise StartRefused for others than on record.

    What this table can no longer have on the line does not count.
    """
    if found is None or isinstance(state.written, UnsetType):
        return
    on_record = _keep_changeable(state.written, found)
    if on_record != found.written and not _has_due(state, found):
        right = on_record if state.due_settings is None else _list_due(state, found)
        raise StartRefused(
            f"settings.toml is not as it was written on the technician's line: it holds "
            f"{_name(found.written)}; on record is {_name(right)}",
            on_record=right,
        )


def _keep_changeable(written: Written, found: FoundSettings) -> Written:
    return tuple(one for one in written if one[0] in found.changeable)


def _list_due(state: TableState, found: FoundSettings) -> Written:
    """What settings.toml must hold once the due settings count."""
    return _keep_changeable(join_written(state.written, state.due_settings or ()), found)


def _has_due(state: TableState, found: FoundSettings | None) -> bool:
    """Whether settings.toml holds what is due."""
    if found is None or state.due_settings is None:
        return False
    return found.written == _list_due(state, found)


def _check_left(state: TableState, settings: Settings, jackpot: str) -> None:
    """Raise StartRefused for a table that has not left its linked jackpot."""
    if not isinstance(state.link, LinkState) or state.link.left is None:
        raise StartRefused(
            f"this table has joined the linked jackpot {jackpot!r}, which holds its money; before "
            "it plays for another one or its own it must leave it: start it with [link] in its "
            f"configuration, ask it at the centre with `banco link leave {settings.table}`, and "
            "pause it"
        )
    if settings.link is not UNSET:
        raise StartRefused(
            f"this table has left the linked jackpot {jackpot!r}; before it joins another one, "
            "start it once without [link] in its configuration"
        )


def _lock_now(table_ledger: TableLedger, fault: Fault, why: str, wall: str) -> TableState:
    log.critical("%s: %s", fault.value, why)
    before = table_ledger.find_lock()
    if before is None or not before.since:
        _keep_lock(
            table_ledger, replace(before or _NOT_LOCKED, fault=fault.value, why=why, since=wall)
        )
    return TableState(faults=(fault,), service=before is not None and before.service)


def _apply_kept_lock(state: TableState, table_ledger: TableLedger, wall: str) -> TableState:
    lock = table_ledger.find_lock()
    if lock is None:
        return state
    log.critical("locked since %s: %s", lock.since or wall, lock.why)
    if not lock.since:
        _keep_lock(table_ledger, replace(lock, since=wall))
    return replace(_with_fault(state, Fault(lock.fault)), service=lock.service)


def _keep_lock(table_ledger: TableLedger, lock: Lock) -> None:
    """Write the lock file if the disk takes it; it was missing or unreadable."""
    table_ledger.note_lock(lock)
    try:
        table_ledger.keep_lock(lock)
    except OSError as error:
        log.critical("the lock file cannot be written: %s", error)


def _with_fault(state: TableState, fault: Fault) -> TableState:
    return replace(state, faults=(*state.faults, fault))


def _first_sight(state: TableState, *, simulated: bool) -> FirstSight:
    """A table whose ledger began before there was enrolment is not stopped: it asks."""
    if simulated:
        return FirstSight.ENROL
    return FirstSight.ASK if state.settings else FirstSight.REFUSE
