"""`declare` and `clear`: what it would do, asked once, done, told; and entering on the way."""

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from console.line.access.login import PinLogin
from console.line.access.people import ANY_AGE, Enrolled, PinAge, save_people
from console.line.access.pins import hash_pin
from console.line.handler import HandlerParts
from console.rules.codes import Duty
from console.service.disk_thread import InlineDiskWriter
from console.simulation.scenario.simulated_machine import SimulatedMachine
from console.texts.declarations.lines import ROWS
from console.texts.language import Language
from tests.console.line.access.login_bench import CHEAP, PIN, WRONG
from tests.console.technician.commands.command_line import EN, FIRST_ROUND, IT, SERVICE, line_in
from tests.console.technician.terminal.typist import CTRL_C

GIVEN = date(2026, 9, 1)


def enrolling(
    folder: Path, age: PinAge = ANY_AGE, **people: tuple[Duty, ...]
) -> Callable[[SimulatedMachine], HandlerParts]:
    """A real door at which these people are enrolled, all with the same PIN."""
    folder.mkdir(parents=True, exist_ok=True)
    pin = hash_pin(PIN, CHEAP)
    enrolled = {who: Enrolled(what, pin, pin_since=GIVEN) for who, what in people.items()}
    save_people(folder / "people.toml", enrolled)

    def parts(machine: SimulatedMachine) -> HandlerParts:
        return HandlerParts(
            login=PinLogin(
                folder / "people.toml",
                folder / "wrong-pins.json",
                InlineDiskWriter(),
                lambda: round(machine.loop.time() * 1000),
                machine.loop.call_later,
                age,
            )
        )

    return parts


TECHNICIAN, MANAGER = (Duty.TECHNICIAN,), (Duty.FLOOR_MANAGER,)


def test_a_person_enters_and_leaves(tmp_path: Path) -> None:
    with line_in(tmp_path, parts=enrolling(tmp_path, anna=TECHNICIAN)) as line:
        shown = line.type_command("enter anna", PIN)
        assert PIN not in shown
        assert "anna has entered (technician), for 10 minutes.\n" in shown
        assert shown.endswith("\nanna>")
        shown = line.type_command("leave")
        assert "Nobody has entered.\n" in shown
        assert shown.endswith("\nbanco>")
        shown = line.type_command("enter", "Anna", PIN)
        assert "Name: Anna\nPIN: ******\nanna has entered" in shown


@pytest.mark.parametrize(
    ("language", "days", "says"),
    [
        (EN, 76, "The PIN of anna opens until 2026-11-30: change it with banco pin anna.\n"),
        (IT, 89, "Il PIN di anna vale fino al 2026-11-30: cambiarlo con banco pin anna.\n"),
        (EN, 91, "PIN_TOO_OLD: this PIN is too old: change it first (banco pin)\n"),
    ],
)
def test_a_pin_says_when_it_ends(language: Language, days: int, says: str, tmp_path: Path) -> None:
    age = PinAge(90, lambda: GIVEN + timedelta(days=days))
    with line_in(
        tmp_path, parts=enrolling(tmp_path, age, anna=TECHNICIAN), language=language
    ) as line:
        assert says in line.type_command("enter anna", PIN)
        newest = line.table.table.records[-1]
    assert newest.kind == ("entered" if days <= 90 else "pin-too-old")


def test_a_wrong_pin_is_told_with_its_wait(tmp_path: Path) -> None:
    with line_in(tmp_path, parts=enrolling(tmp_path, anna=TECHNICIAN), language=IT) as line:
        shown = [line.type_command("entra anna", WRONG) for _ in range(5)][-1]
        assert "PIN sbagliat" in shown
        assert "wait " in shown
        assert shown.endswith("\nbanco>")


def test_where_nobody_is_enrolled_it_says_so(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        assert "CANNOT: this table cannot do that\n  " in line.type_command("enter anna", PIN)


def test_nothing_typed_for_name_or_pin_enters_nobody(tmp_path: Path) -> None:
    with line_in(tmp_path, parts=enrolling(tmp_path, anna=TECHNICIAN)) as line:
        assert line.type_command("enter", "").endswith("\nbanco>")
        assert line.type_command("enter anna", "").endswith("\nbanco>")
        assert "the PIN is asked for, hidden" in line.type_command("enter anna 471108")


def test_a_declaration_offers_to_enter_shows_what_it_would_do_and_asks_once(tmp_path: Path) -> None:
    with line_in(tmp_path, parts=enrolling(tmp_path, carla=MANAGER)) as line:
        line.table.play(*FIRST_ROUND[:3])
        shown = line.type_command("declare hand-void 3 returned", "carla", PIN)
        assert "This needs a name and a PIN" in shown
        assert "This is what it would do:\n" in shown
        assert "  hand-void 3 returned: that seat's hand is void" in shown
        assert "          hand void 3\n" in shown
        assert "jackpot   10002.80 -> 10001.40\n" in shown
        assert "tray      -4.00 -> -2.00\n" in shown
        assert shown.rstrip().endswith("Declare it? (y: yes, Enter: no)")
        assert line.table.table.state.seats.void == frozenset(), "only shown so far"
        shown = line.type_command("y")
        assert "Done, it is on record.\n" in shown
        assert "jackpot   10002.80 -> 10001.40\n" in shown
        assert "phase     PLAYING\n" in shown
        assert line.table.table.state.seats.void == {3}
        (record,) = (one for one in line.table.table.records if one.kind == "hand-void")
        assert record.body["act"] == {"seat": 3, "returned": True, "who": "carla"}


@pytest.mark.parametrize("answers", [["n"], [""], ["maybe", "maybe"], ["maybe", "n"]])
def test_anything_but_yes_declares_nothing(answers: list[str], tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.enter("carla")
        assert "Nothing was done.\n" in line.type_command("declare last-hands 3", *answers)
        assert line.table.table.state.last_hands is None


def test_what_is_neither_yes_nor_no_is_asked_once_again(tmp_path: Path) -> None:
    with line_in(tmp_path, language=IT) as line:
        line.table.enter("carla")
        shown = line.type_command("dichiara last-hands 3", "carla", "s")
        assert "Dichiarare? (s: si', Invio: no) carla\n" in shown
        assert "Si' o no? (s: si', Invio: no) s\n" in shown
        assert line.table.table.state.last_hands is not None


def test_ctrl_c_at_the_question_declares_nothing(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.enter("carla")
        line.type_command("declare last-hands 3")
        line.anna.type(CTRL_C)
        line.anna.wait(2)
        assert "interrupted" in line.anna.read()
        assert line.table.table.state.last_hands is None


def test_si_is_yes_in_italian(tmp_path: Path) -> None:
    with line_in(tmp_path, language=IT) as line:
        line.table.enter("carla")
        shown = line.type_command("dichiara last-hands 3", "sì")
        assert "Fatto, è nel registro.".replace("è", "e'") in shown
        assert line.table.table.state.last_hands is not None


def test_a_declaration_that_is_refused_says_why_and_asks_nothing(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.enter("carla")
        shown = line.type_command("declare hand-void 3")
        assert "NO_HAND: no hand is played\n" in shown
        assert "Declare it?" not in shown


def test_a_declaration_is_the_floor_managers(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.enter("anna", Duty.TECHNICIAN)
        assert "NOT_YOUR_DUTY: not this person's duty" in line.type_command("declare last-hands 3")


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("declare", "what? hand-void, award-verified, round-void"),
        ("declare nothing", "no declaration 'nothing'; there are hand-void"),
        ("declare hand-void", "write 'declare hand-void SEAT [returned]'"),
        ("declare tray many", "write 'declare tray N'"),
    ],
)
def test_words_that_are_no_declaration(typed: str, answer: str, tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        shown = " ".join(line.type_command(typed).split())
        assert answer in shown
        assert "usage: declare DECLARATION" in shown


def test_every_declaration_is_explained(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        shown = line.type_command("help declare")
        for row in ROWS:
            assert f"\n  {row.usage}\n      {row.means.en}\n" in shown


def test_a_latched_fault_is_cleared_at_s_by_name(tmp_path: Path) -> None:
    with line_in(tmp_path, parts=enrolling(tmp_path, anna=TECHNICIAN)) as line:
        line.table.play("press GAME_OVER", "token 1", "jam 1", "press COIN_IN")
        line.table.play("power off", "unjam 1", "take 1", "power on", "wait 5s")
        assert "TRAY_COUNT" in line.type_command("status")
        shown = line.type_command("clear TRAY_COUNT", "y", "anna", PIN)
        assert "NOT_IN_SERVICE: this needs SERVICE, with the key at S\n" in shown
        line.table.play("press COIN_IN", "key S", "wait 1s")
        shown = line.type_command("clear tray_count", "y")
        assert (
            "Has the cause of TRAY_COUNT been removed? Clear it? (y: yes, Enter: no)\n> y\n"
            in shown
        )
        assert "Cleared, it is on record.\n          fault TRAY_COUNT cleared\n" in shown
        assert line.table.table.state.faults == ()
        (record,) = (
            one
            for one in line.table.table.records
            if one.kind == "cleared" and one.body["outcome"] == "done"
        )
        assert record.body["act"] == {"fault": "TRAY_COUNT", "who": "anna", "mended": False}


def test_a_fault_that_clears_by_itself_is_not_cleared(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play(*SERVICE, "unplug display", "wait 3s")
        line.table.enter("anna")
        shown = line.type_command("clear DISPLAY_LOST", "y")
        assert "NOT_CLEARABLE: the fault is not present, or clears by itself\n" in shown
        assert "Nothing was done." in line.type_command("clear DISPLAY_LOST", "n")


def test_clear_needs_a_code(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        shown = " ".join(line.type_command("clear everything").split())
        assert (
            "the technician clears ACCEPTOR_CHANGED, BOARD_CHANGED, CONFIGURATION_CHANGED" in shown
        )
