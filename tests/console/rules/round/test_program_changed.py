"""PROGRAM_CHANGED: nothing is played, it stays, and two people clear it once a start is right."""

import pytest
from msgspec import UNSET, UnsetType

from console.rules.acts import Cleared, Started
from console.rules.codes import Fault, Phase, Refusal
from console.rules.release_marks import (
    MOST_CHANGES,
    ProgramChanged,
    ReleaseFound,
    ReleaseMarks,
)
from console.rules.round import ActOutcome
from console.rules.round.card_outputs import rail_orders
from devices.boards import BoardImage
from devices.device import Device
from devices.roles import Button, ButtonPressed, DeviceUp, KeyMoved, KeyPosition, RailSeen
from tests.console.table import PureTable, rules_of

RIGHT = ReleaseFound("1.2.3", "d1", "the key", "21:00")
CHANGED = ReleaseFound("1.2.3", "d1", "the key", "22:00", "changed: console/run.py")
OTHER_KEY = ReleaseFound("1.2.3", "d2", "another key", "22:00")
BOTH = Cleared(Fault.PROGRAM_CHANGED, "anna", second="berta")
S, R = KeyMoved(KeyPosition.S), KeyMoved(KeyPosition.R)


def table_in(phase: Phase) -> PureTable:
    """A table of this release, in this phase."""
    table = PureTable.start(rules_of())
    table.do(Started(release=RIGHT), R, RailSeen(1, frozenset()), DeviceUp(Device.RAIL))
    if phase is not Phase.PAUSED:
        table.press(ButtonPressed(Button.GAME_OVER))
    if phase in (Phase.PLAYING, Phase.AWARDING):
        table.rail(1, 2)
        table.press(ButtonPressed(Button.COIN_IN))
        table.rail(drops={1: 1, 2: 1}, tray=2)
    if phase is Phase.AWARDING:
        table.press(ButtonPressed(Button.COMBINATION_5))
        table.do(KeyMoved(KeyPosition.JPL), ButtonPressed(Button.JPOT))
    assert table.state.phase is phase
    return table


PHASES = (Phase.PAUSED, Phase.BETTING, Phase.PLAYING, Phase.AWARDING)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("found", [Started(release=CHANGED), ProgramChanged("changed: a file")])
def test_nothing_is_played_in_any_phase(found: Started | ProgramChanged, phase: Phase) -> None:
    table = table_in(phase)
    before = table.state
    assert table.do(found).state.faults == (Fault.PROGRAM_CHANGED,)
    table.do(RailSeen(1, frozenset({1, 5})))
    for button in Button:
        assert table.press(ButtonPressed(button)).refusal is Refusal.LOCKED, button
    table.do(KeyMoved(KeyPosition.JPL), R)
    assert table.state.phase is phase
    assert (table.state.award, table.state.balances) == (before.award, before.balances)
    assert rail_orders(table.state).accepting == frozenset()


@pytest.mark.parametrize("phase", PHASES)
def test_it_stays_until_a_right_start_and_two_people(phase: Phase) -> None:
    table = table_in(phase)
    table.do(Started(release=CHANGED), S)
    assert table.do(BOTH).refusal is Refusal.STILL_FAULTY
    table.do(Started(release=RIGHT), S)
    assert table.state.faults == (Fault.PROGRAM_CHANGED,)
    for alone in (Cleared(Fault.PROGRAM_CHANGED, "anna"), Cleared(BOTH.fault, "a", second="a")):
        assert table.do(alone).refusal is Refusal.NOT_CLEARABLE
    assert table.do(BOTH).outcome is ActOutcome.DONE
    assert table.do(R).state.phase is phase
    assert not table.state.faults


def test_what_a_later_look_has_found_is_not_cleared_in_that_run() -> None:
    """The file may be right again: what runs has perhaps read the other one."""
    table = table_in(Phase.PAUSED)
    table.do(ProgramChanged("changed: console/run.py"), S)
    assert table.do(BOTH).refusal is Refusal.STILL_FAULTY
    table.do(Started(release=RIGHT), S)
    assert table.do(BOTH).outcome is ActOutcome.DONE


def test_another_key_is_asked_of_two_people_once() -> None:
    table = table_in(Phase.PAUSED)
    table.do(Started(release=OTHER_KEY), S)
    assert table.state.faults == (Fault.PROGRAM_CHANGED,)
    table.do(BOTH)
    assert table.do(Started(release=OTHER_KEY)).state.faults == ()
    assert table.do(Started(release=RIGHT)).state.faults == (Fault.PROGRAM_CHANGED,)


def test_a_table_that_has_run_a_release_runs_nothing_else() -> None:
    """A list that is removed with its folder, or a unit that starts a copy elsewhere."""
    table = table_in(Phase.PAUSED)
    assert table.do(Started()).state.faults == (Fault.PROGRAM_CHANGED,)
    table.do(S)
    assert table.do(BOTH).refusal is Refusal.STILL_FAULTY


def test_a_checkout_is_asked_nothing_and_has_no_marks() -> None:
    table = PureTable.start(rules_of())
    table.do(Started())
    assert (table.state.faults, table.state.release) == (
        (),
        PureTable.start(rules_of()).state.release,
    )
    assert not isinstance(table.state.release, ReleaseMarks)


def test_the_last_ten_changes_are_kept_and_a_restart_is_none() -> None:
    table = PureTable.start(rules_of())
    for number in range(13):
        found = ReleaseFound(f"1.{number}", f"digest {number}", "the key", f"day {number}")
        table.do(Started(release=found), Started(release=found))
    marks = table.state.release
    assert isinstance(marks, ReleaseMarks)
    assert len(marks.changes) == MOST_CHANGES
    assert [one.version for one in marks.changes] == [f"1.{number}" for number in range(3, 13)]
    assert marks.changes[-1].at == "day 12"
    table.do(Started(release=ReleaseFound("1.11", "digest 11", "the key", "day 13")))
    marks = table.state.release
    assert isinstance(marks, ReleaseMarks)
    assert [one.version for one in marks.changes[-2:]] == ["1.12", "1.11"], "going back is one, too"
    assert table.state.faults == ()


WITH_BOARDS = ReleaseFound("1.2.3", "d1", "the key", "21:00", boards={"slot rail": "aa"})
LISTED = BoardImage(Device.RAIL, "slot rail", "RAIL-007", "aa")
OTHER = BoardImage(Device.RAIL, "slot rail", "RAIL-007", "bb")


@pytest.mark.parametrize("phase", PHASES)
def test_a_board_with_another_image_than_the_release_lists_stops_the_table(phase: Phase) -> None:
    table = table_in(phase)
    table.do(Started(release=WITH_BOARDS), LISTED)
    assert table.state.faults == ()
    assert table.do(OTHER).state.faults == (Fault.PROGRAM_CHANGED,)
    marks = table.state.release
    assert isinstance(marks, ReleaseMarks)
    assert marks.problem == "image of the slot rail RAIL-007: bb"


def test_it_is_cleared_when_a_start_has_met_the_listed_image() -> None:
    table = table_in(Phase.PAUSED)
    table.do(Started(release=WITH_BOARDS), OTHER, LISTED, S)
    assert table.do(BOTH).refusal is Refusal.STILL_FAULTY, "flashed while the table runs"
    table.do(Started(release=WITH_BOARDS), OTHER, S)
    assert table.do(BOTH).refusal is Refusal.STILL_FAULTY, "the next start has met it again"
    table.do(Started(release=WITH_BOARDS), LISTED, S)
    assert table.do(BOTH).outcome is ActOutcome.DONE


@pytest.mark.parametrize("release", [RIGHT, UNSET], ids=["no images in the list", "no release"])
def test_without_a_listed_image_no_board_is_judged(release: ReleaseFound | UnsetType) -> None:
    table = PureTable.start(rules_of())
    table.do(Started(release=release), OTHER)
    assert table.state.faults == ()


def test_an_image_is_on_record_once_in_a_run() -> None:
    table = PureTable.start(rules_of())
    table.do(Started(release=WITH_BOARDS))
    assert table.do(LISTED).outcome is ActOutcome.DONE
    assert table.do(LISTED).outcome is ActOutcome.NO_EFFECT
    table.do(Started(release=WITH_BOARDS))
    assert table.do(LISTED).outcome is ActOutcome.DONE
