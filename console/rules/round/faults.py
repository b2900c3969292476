"""Starts, lost devices, and faults that a technician clears.

docs/reference/rules.md, section 7.
"""

from msgspec import UNSET, UnsetType

from console.rules.acts import Adopted, Cleared, CounterpartChanged, Reopened, Started
from console.rules.codes import (
    CLEARED_BY_TECHNICIAN,
    CLEARED_BY_TWO,
    LEDGER_FAULTS,
    LOST,
    Fault,
    Refusal,
)
from console.rules.release_marks import ProgramChanged, ReleaseMarks
from console.rules.round.boards import forget_found, is_foreign
from console.rules.round.doors import forget_doors
from console.rules.round.draft import Draft
from console.rules.round.driving import stop_driving
from console.rules.round.tokens import (
    fit_rail,
    forget_rail,
    forgive_gap,
    hold_tokens,
    note_occupied,
)
from console.rules.settings import NextJackpot, join_written
from console.rules.state import NONE, ConfigurationMarks
from console.rules.structs import replace
from devices.device import Device
from devices.panel_reports import ContactSteady, ContactUnsteady
from devices.roles import DeviceLost, DeviceUp
from jackpot.money import movements
from jackpot.money.amounts import Cents, to_units


def on_started(draft: Draft, act: Started) -> None:
    """After a power cut phase, seats, choice and award are unchanged.

    Gates stay closed until COIN IN.
    """
    hold_tokens(draft)
    forget_rail(draft)
    forget_found(draft)
    forget_doors(draft)
    fit_rail(draft)
    draft.key = None
    draft.inspector = False
    draft.notice = None
    draft.clear_fault(Fault.CONTACT_UNSTEADY)  # the panel begins to count anew
    _note_release(draft, act)
    _judge_configuration(draft, act)


def _judge_configuration(draft: Draft, act: Started) -> None:
    """Another configuration than the one that two people have acknowledged is a fault.

    Also one that no longer asks for it: who writes the file could write that, too.
    """
    marks = draft.configuration
    if marks is UNSET and act.acknowledge is not True:
        return
    known = marks.acknowledged if isinstance(marks, ConfigurationMarks) else ""
    now = act.configuration if isinstance(act.configuration, str) else ""
    draft.configuration = ConfigurationMarks(now, known)
    draft.set_fault(Fault.CONFIGURATION_CHANGED, now != known)


def _note_release(draft: Draft, act: Started) -> None:
    """A table that has run a release runs nothing else, and not one of another key unasked."""
    before, found = draft.release, act.release
    if isinstance(found, UnsetType):
        if isinstance(before, ReleaseMarks):
            draft.release = replace(before, problem="this program is no release")
            draft.raise_fault(Fault.PROGRAM_CHANGED)
        return
    known = before if isinstance(before, ReleaseMarks) else ReleaseMarks(found.key)
    draft.release = known.after(found)
    if found.problem or draft.release.key != known.key:
        draft.raise_fault(Fault.PROGRAM_CHANGED)


def on_program_changed(draft: Draft, act: ProgramChanged) -> None:
    """What runs may have read a changed file: the fault stays until another start finds none."""
    known = draft.release if isinstance(draft.release, ReleaseMarks) else ReleaseMarks("")
    draft.release = replace(known, problem=act.why)
    draft.raise_fault(Fault.PROGRAM_CHANGED)


def on_adopted(draft: Draft, act: Adopted) -> None:
    """Other settings are in force; with the first ones the house opens the table's own jackpot."""
    if draft.locked:
        draft.no_effect()  # they come into force with the record of the repair
        return
    before = draft.settings
    own = draft.rules.game.progressive and not isinstance(draft.rules.link, str)
    if before is None and own:
        opening = movements.opening(draft.rules.money)
        draft.move(replace(opening, identity=f"{draft.rules.table}/{opening.identity}"))
    if before is not None and act.keeps_tokens is True:
        _keep_tokens(draft, before.money.token, act.settings.money.token)
    draft.settings = replace(act.settings, version=before.version + 1 if before else 1)
    waiting = draft.next_jackpot
    if isinstance(waiting, NextJackpot) and waiting.won:
        draft.written = join_written(draft.written, waiting.written)
        draft.next_jackpot = NextJackpot(())


def _keep_tokens(draft: Draft, before: Cents, now: Cents) -> None:
    """Move the tray's mark: what was taken since the last count is as many tokens as before."""
    tokens = (draft.tray_mark - draft.balances.tray) // to_units(before)
    draft.tray_mark = draft.balances.tray + tokens * to_units(now)


def on_reopened(draft: Draft, act: Reopened) -> None:
    """The journal's state again, with what the locked table knows about its parts.

    Awaited tokens are held: their counters show which have dropped, the others wait for COIN IN.
    """
    hold_tokens(draft)
    forget_found(draft)
    fit_rail(draft)
    draft.service = True
    draft.key = act.key
    draft.inspector = act.inspector
    draft.faults = act.faults
    stop_driving(draft)
    seats = draft.seats
    draft.seats = replace(
        draft.seats,
        changed=seats.changed | (act.changed & seats.accepted),
        unfree=(seats.unfree - act.freed) | act.unfree,
        reminded=seats.reminded - act.freed,
        freed=NONE,
        unproved=seats.unproved | act.unproved,
    )
    note_occupied(draft, (seats.occupied - act.freed) | act.occupied)
    forget_rail(draft)


def on_device_lost(draft: Draft, act: DeviceLost) -> None:
    """A device is silent, or was disconnected."""
    if act.device is Device.RAIL:
        forget_rail(draft)
    elif act.device is Device.PANEL:
        draft.key = None
        draft.clear_fault(Fault.KEY_FAULT)  # an unplugged panel has no key that could be faulty
    draft.raise_fault(LOST[act.device])


def on_device_up(draft: Draft, act: DeviceUp) -> None:
    """A device is back: it has reported, and its outputs are written again."""
    draft.clear_fault(LOST[act.device])


def on_contact_unsteady(draft: Draft, _act: ContactUnsteady) -> None:
    """A contact of the panel flaps."""
    draft.raise_fault(Fault.CONTACT_UNSTEADY)


def on_contact_steady(draft: Draft, act: ContactSteady) -> None:
    """A contact of the panel has rested; the fault stands while another one flaps."""
    if not act.unsteady:
        draft.clear_fault(Fault.CONTACT_UNSTEADY)


def on_counterpart_changed(draft: Draft, _act: CounterpartChanged) -> None:
    """Second copy or seal is missing, older, or another one: nobody's word stands beside ours."""
    draft.raise_fault(Fault.COUNTERPART_CHANGED)


def on_cleared(draft: Draft, act: Cleared) -> None:
    """A latched fault is declared repaired, in SERVICE.

    For a ledger fault the service has opened and verified the ledger before this act.
    """
    if not draft.key_is_at_s:
        draft.refuse(Refusal.NOT_IN_SERVICE)
    elif draft.locked and act.fault not in LEDGER_FAULTS:
        draft.refuse(Refusal.LOCKED)
    elif not _may_clear(draft, act):
        draft.refuse(Refusal.NOT_CLEARABLE)
    elif _holds_still(draft, act):
        draft.refuse(Refusal.STILL_FAULTY)
    else:
        if act.fault is Fault.TRAY_COUNT:
            forgive_gap(draft)
        elif act.fault is Fault.CONFIGURATION_CHANGED:
            _acknowledge_configuration(draft)
        draft.clear_fault(act.fault)


def _acknowledge_configuration(draft: Draft) -> None:
    marks = draft.configuration
    if isinstance(marks, ConfigurationMarks):
        draft.configuration = ConfigurationMarks(marks.now, marks.now)
        draft.decide("configuration-acknowledged", sha256=marks.now)


def _may_clear(draft: Draft, act: Cleared) -> bool:
    """Whether this fault stands, and is cleared by people, as many as this."""
    if act.fault in CLEARED_BY_TWO and act.second in (UNSET, "", act.who):
        return False
    return act.fault in draft.faults and act.fault in CLEARED_BY_TECHNICIAN


def _holds_still(draft: Draft, act: Cleared) -> bool:
    """Whether the ledger is not mended, the program was found changed, or a board is foreign."""
    if act.fault is Fault.BOARD_CHANGED:
        return is_foreign(draft)
    if act.fault is Fault.PROGRAM_CHANGED:
        return isinstance(draft.release, ReleaseMarks) and draft.release.problem != ""
    return act.fault in LEDGER_FAULTS and not act.mended
