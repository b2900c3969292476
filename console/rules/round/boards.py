"""Boards that answer: enrolled ones are believed, others are not.

docs/reference/rules.md, section 13.
"""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET, UnsetType

from console.rules.board_marks import (
    BoardEnrolled,
    BoardMarks,
    BoardsExpected,
    FirstSight,
    kinds_of,
    names_of,
    serials_of,
)
from console.rules.codes import NOTICES, Fault, Refusal
from console.rules.release_marks import ReleaseMarks
from console.rules.round.draft import Draft
from console.rules.round.shoe import on_reports_missed
from console.rules.round.tokens import forget_rail, hold_tokens, shut_driven_gates
from console.rules.structs import replace
from devices.boards import BoardFound, BoardImage, Boards, are_proved
from devices.card_reports import ReportsMissed, ShoeSeen, ShufflerSeen
from devices.device import Device
from devices.roles import RailSeen

WHOLE_STATES = (RailSeen, ShufflerSeen, ShoeSeen)
"""Reports of a board's whole state, its notices included."""


def on_boards_expected(draft: Draft, act: BoardsExpected) -> None:
    """From now on only enrolled boards are believed."""
    if isinstance(draft.boards, BoardMarks) or draft.locked:
        draft.no_effect()
    else:
        draft.boards = BoardMarks(act.first_sight)


def on_board_found(draft: Draft, act: BoardFound) -> None:
    """The boards of a device have answered: enrolled, seen for the first time, or foreign."""
    marks = draft.boards
    if not isinstance(marks, BoardMarks):
        return
    device, boards = act.device, act.boards
    draft.boards = marks = replace(marks, found={**marks.found, device.value: boards})
    enrolled, proved = marks.enrolled.get(device.value), are_proved(boards)
    if proved and enrolled is not None and names_of(enrolled) == names_of(boards):
        draft.boards = replace(marks, foreign=marks.foreign - {device.value})
    elif proved and marks.first_sight is not FirstSight.REFUSE and _is_first(enrolled, boards):
        asked = {device.value} if marks.first_sight is FirstSight.ASK else set()
        _enrol(draft, marks, device, marks.asked | asked)
    else:
        draft.boards = replace(marks, foreign=marks.foreign | {device.value})
        draft.decide(
            "board-changed",
            device=device.value,
            serial=serials_of(boards),
            enrolled=serials_of(enrolled or ()) or None,
        )
        draft.raise_fault(Fault.BOARD_CHANGED)
        if device is Device.RAIL:
            _leave_rail(draft)


def on_board_image(draft: Draft, act: BoardImage) -> None:
    """At a table that runs a release, boards run the images that the release lists."""
    marks = draft.release
    if not isinstance(marks, ReleaseMarks) or marks.images.get(act.device.value) == act:
        draft.no_effect()
        return
    draft.release = marks = replace(marks, images={**marks.images, act.device.value: act})
    if act.image != marks.boards.get(act.kind, act.image):
        draft.release = replace(marks, problem=f"image of the {act.kind} {act.serial}: {act.image}")
        draft.raise_fault(Fault.PROGRAM_CHANGED)


def _is_first(enrolled: Boards | None, boards: Boards) -> bool:
    """Whether no board of this kind is enrolled: another kind of rail was configured."""
    return enrolled is None or kinds_of(enrolled) != kinds_of(boards)


def _leave_rail(draft: Draft) -> None:
    """Nothing is known of the slots; gates stay closed until COIN IN."""
    hold_tokens(draft)
    shut_driven_gates(draft)
    forget_rail(draft)


def _enrol(draft: Draft, marks: BoardMarks, device: Device, asked: frozenset[str]) -> None:
    boards = marks.found[device.value]
    draft.boards = replace(
        marks,
        enrolled={**marks.enrolled, device.value: boards},
        asked=asked,
        foreign=marks.foreign - {device.value},
    )
    draft.decide("board-enrolled", device=device.value, serial=serials_of(boards))


def on_board_enrolled(draft: Draft, act: BoardEnrolled) -> None:
    """The technician, the key at S, enrols the boards that answer for a device.

    From then on a board where none is enrolled is refused. The counters of an exchanged rail prove
    nothing about the time before.
    """
    marks = draft.boards
    if not draft.key_is_at_s:
        draft.refuse(Refusal.NOT_IN_SERVICE)
    elif draft.locked:
        draft.refuse(Refusal.LOCKED)
    elif not isinstance(marks, BoardMarks) or marks.found.get(act.device.value) != act.boards:
        draft.no_effect()
    else:
        was_foreign = marks.is_foreign(act.device)
        if marks.first_sight is FirstSight.ASK:
            marks = replace(marks, first_sight=FirstSight.REFUSE)
        _enrol(draft, marks, act.device, marks.asked - {act.device.value})
        if was_foreign:
            _begin_anew(draft, act.device)
        if not marks.foreign - {act.device.value}:
            draft.clear_fault(Fault.BOARD_CHANGED)


def _begin_anew(draft: Draft, device: Device) -> None:
    """The device counts from its next report on."""
    if device is Device.RAIL:
        draft.rail = replace(draft.rail, seen=None, known=False)
        if draft.seats.swallowed is not None:
            draft.raise_fault(Fault.TOKENS_UNKNOWN)
    elif device is Device.SHUFFLER and draft.deck.seen is not None:
        draft.deck = replace(draft.deck, seen=replace(draft.deck.seen, presses=UNSET))
    elif device is Device.SHOE and draft.rules.game.reads_coup:
        on_reports_missed(draft, ReportsMissed())


def if_believed(device: Device, take: Callable[[Draft, Any], None]) -> Callable[[Draft, Any], None]:
    """Take a report of the device only if its boards are enrolled."""

    def take_if_believed(draft: Draft, act: Any) -> None:
        if isinstance(draft.boards, BoardMarks) and not draft.boards.believes(device):
            draft.no_effect()
        else:
            take(draft, act)
            if isinstance(act, WHOLE_STATES):
                _judge_notices(draft, device, act.notices)

    return take_if_believed


def _judge_notices(draft: Draft, device: Device, notices: frozenset[int] | UnsetType) -> None:
    """Raise and clear the faults of what the device's board says is wrong with itself."""
    present = frozenset[int]() if notices is UNSET else notices
    for (of, number), fault in NOTICES.items():
        if of is device and not draft.locked:
            draft.set_fault(fault, number in present)


def forget_found(draft: Draft) -> None:
    """Nobody has answered yet: nothing is believed."""
    if isinstance(draft.boards, BoardMarks):
        draft.boards = replace(draft.boards, found={}, foreign=frozenset())


def is_foreign(draft: Draft) -> bool:
    """Whether a board answers that is not enrolled."""
    return isinstance(draft.boards, BoardMarks) and bool(draft.boards.foreign)
