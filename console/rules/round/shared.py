"""What acts do at the table of every game."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET, UnsetType

from console.rules.acts import (
    Act,
    Begun,
    Cleared,
    CounterpartChanged,
    DeckReplaced,
    DoorOpened,
    Elapsed,
    Entered,
    EntryRefused,
    HeadAsked,
    HeadSigned,
    LastHands,
    Left,
    OutputsDriven,
    PeopleChanged,
    PinTooOld,
    Reopened,
    SelfTested,
    WallClockSet,
)
from console.rules.board_marks import BoardEnrolled, BoardsExpected
from console.rules.codes import Phase, Refusal
from console.rules.correction import Corrected
from console.rules.release_marks import ProgramChanged
from console.rules.round import (
    boards,
    decks,
    declarations,
    doors,
    driving,
    faults,
    key,
)
from console.rules.round.draft import Draft
from console.rules.settings import NextJackpot, SettingChanged, SettingsFound, change_written
from console.rules.state import PeopleMarks
from console.rules.structs import replace
from devices.boards import BoardFound, BoardImage
from devices.door_reports import DoorsSeen
from devices.panel_reports import ContactSteady, ContactUnsteady
from devices.roles import (
    DeviceLost,
    DeviceUp,
    FloodBegan,
    FloodOver,
    InspectorSeen,
    KeyFound,
    KeyUnreadable,
    SensorSteady,
)
from jackpot.money import movements
from jackpot.money.accounts import Account
from jackpot.money.amounts import to_units


def on_setting_changed(draft: Draft, act: SettingChanged) -> None:
    """Note what was written. Records of earlier versions lack it."""
    if draft.locked or isinstance(act.typed, UnsetType):
        return
    if act.next_jackpot is True:
        waiting = draft.next_jackpot or NextJackpot(())
        written = change_written(waiting.written, act.key, act.typed)
        draft.next_jackpot = replace(waiting, written=written)
        draft.decide("setting-waits", key=act.key, before=act.before, value=act.value)
    else:
        draft.written = change_written(draft.written or (), act.key, act.typed)


def on_settings_found(draft: Draft, act: SettingsFound) -> None:
    """Take what settings.toml holds, if no record has had it; otherwise it is only noted."""
    if draft.locked:
        draft.no_effect()
    elif act.taken and draft.written is UNSET:
        draft.written = act.written


def on_people_changed(draft: Draft, act: PeopleChanged) -> None:
    """Note the list of people as it is now."""
    if draft.locked:
        draft.no_effect()  # it is reported again
    else:
        draft.people = PeopleMarks(act.number, act.sha256)


IN_PLAY: Mapping[Phase, Refusal] = {
    Phase.BETTING: Refusal.ALREADY_OPEN,
    Phase.COLLECTING: Refusal.COLLECTING,
    Phase.PLAYING: Refusal.ALREADY_OPEN,
    Phase.AWARDING: Refusal.AWARD_PENDING,
}
"""Phases in which only the round's own tokens and awards may move what it is played for."""

NEVER_NEGATIVE = frozenset({Account.JACKPOT, Account.RESERVE})


def on_corrected(draft: Draft, act: Corrected) -> None:
    """Correct the accounts, such as the jackpot's meter: once for each number, the next.

    Between rounds, in any position of the key; the line has checked the two cashiers' PINs.
    """
    units = to_units(act.cents)
    if draft.phase in IN_PLAY:
        draft.refuse(IN_PLAY[draft.phase])
    elif act.number != draft.corrections + 1:
        draft.no_effect()
    elif act.source in NEVER_NEGATIVE and draft.balances.of(act.source) < units:
        draft.refuse(Refusal.NOT_COVERED)
    else:
        identity = f"{draft.rules.table}/correction-{act.number}"
        draft.move(movements.correction(identity, units, act.source, act.target))
        draft.corrections = act.number
        draft.decide(
            "corrected",
            number=act.number,
            source=act.source.value,
            target=act.target.value,
            cents=act.cents,
        )


def _set_inspector(draft: Draft, act: InspectorSeen) -> None:
    draft.inspector = act.present


def do_nothing(draft: Draft, _act: Any) -> None:
    """The act is none of this game."""
    draft.no_effect()


def record_only(_draft: Draft, _act: Any) -> None:
    """Record the act, which has only the consequences that every act has."""


def unless_play_locked(declare: Callable[[Draft, Any], None]) -> Callable[[Draft, Any], None]:
    """The same, refused while nothing is played."""

    def declare_unless_play_locked(draft: Draft, act: Any) -> None:
        if draft.play_locked:
            draft.refuse(Refusal.LOCKED)
        else:
            declare(draft, act)

    return declare_unless_play_locked


SHARED: Mapping[type[Act], Callable[[Draft, Any], None]] = {
    Begun: record_only,
    HeadSigned: record_only,
    HeadAsked: record_only,
    WallClockSet: record_only,
    SettingsFound: on_settings_found,
    Reopened: faults.on_reopened,
    Elapsed: record_only,
    KeyFound: key.on_key_found,
    KeyUnreadable: key.on_key_unreadable,
    InspectorSeen: _set_inspector,
    DeviceLost: faults.on_device_lost,
    DeviceUp: faults.on_device_up,
    FloodBegan: record_only,
    FloodOver: record_only,
    SensorSteady: record_only,
    ContactUnsteady: faults.on_contact_unsteady,
    ContactSteady: faults.on_contact_steady,
    CounterpartChanged: faults.on_counterpart_changed,
    ProgramChanged: faults.on_program_changed,
    BoardsExpected: boards.on_boards_expected,
    BoardFound: boards.on_board_found,
    BoardImage: boards.on_board_image,
    BoardEnrolled: boards.on_board_enrolled,
    DoorsSeen: doors.on_doors_seen,
    LastHands: unless_play_locked(declarations.on_last_hands),
    DoorOpened: unless_play_locked(doors.on_opened),
    Cleared: faults.on_cleared,
    DeckReplaced: unless_play_locked(decks.on_deck_replaced),
    Corrected: unless_play_locked(on_corrected),
    Entered: record_only,
    EntryRefused: record_only,
    PinTooOld: record_only,
    Left: record_only,
    OutputsDriven: driving.on_outputs_driven,
    SettingChanged: on_setting_changed,
    SelfTested: record_only,
    PeopleChanged: on_people_changed,
}
"""What is the same in every game."""
