"""The prompt under the picture, with a keyboard of ours and in virtual time."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput, Output
from prompt_toolkit.output.vt100 import Vt100_Output

from console.configuration.table_plan import TablePlan
from console.rules.codes import Fault, Phase
from console.rules.poker_settings import Form, PokerHouse, PokerSettings
from console.simulation.scenario.acts import Vocabulary
from console.simulation.scenario.simulated_machine import SimulatedMachine, machine_in_virtual_time
from console.simulation.scenario.simulated_table import SimulatedTable
from console.simulation.terminal.screen import run_screen

pytestmark = pytest.mark.sampled(of=2)

STUD = TablePlan()
POKER = TablePlan(
    "p", "texas-holdem", rail=None, poker=PokerSettings(PokerHouse.PRESTIGE, Form.TOURNAMENT)
)

UP, CTRL_C, CTRL_D = "\x1b[A", "\x03", "\x04"


class ScreenSession:
    """Somebody sits at the screen."""

    def __init__(self, machine: SimulatedMachine, keyboard: PipeInput) -> None:
        self.simulated_table = SimulatedTable(machine)
        self._machine = machine
        self._keyboard = keyboard
        vocabulary = Vocabulary.of(machine.plan.game, poker=machine.plan.poker or None)
        self.screen = machine.loop.create_task(
            run_screen(self.simulated_table, vocabulary, machine)
        )
        self.type("")

    def phase(self) -> Phase:
        return self.simulated_table.observe().phase

    def type(self, text: str, wait_ms: int = 1000) -> None:
        self._keyboard.send_text(text)
        self._machine.pass_time(wait_ms)


@contextmanager
def sat(
    folder: Path, output: Output | None = None, plan: TablePlan = STUD
) -> Iterator[ScreenSession]:
    with (
        machine_in_virtual_time(plan, folder) as machine,
        create_pipe_input() as keyboard,
        create_app_session(input=keyboard, output=output or DummyOutput()),
    ):
        session = ScreenSession(machine, keyboard)
        yield session
        session.screen.cancel()
        machine.pass_time(100)
        assert session.screen.done()


@pytest.fixture
def session(tmp_path: Path) -> Iterator[ScreenSession]:
    with sat(tmp_path) as session:
        yield session


def test_what_is_typed_is_done_in_order(session: ScreenSession) -> None:
    session.type("press GAME_OVER\rtoken 1 3\rpress COIN_IN\rpress GAME\r")
    assert session.phase() is Phase.PLAYING
    assert set(session.simulated_table.observe().seats) == {1, 3}


def test_typing_goes_on_while_an_act_takes_its_time(session: ScreenSession) -> None:
    session.type("wait 5s\rpress GAME_OVER\r", 4000)
    assert session.phase() is Phase.PAUSED
    session.type("token 4\r", 2000)
    assert session.phase() is Phase.BETTING
    assert session.simulated_table.observe().slots[4].value == "ON"


def test_tab_completes_and_up_recalls(session: ScreenSession) -> None:
    session.type("pr\tgam\t\r")
    assert session.phase() is Phase.BETTING
    session.type("press COIN_IN\r")
    assert session.phase() is Phase.PAUSED
    session.type(f"{UP}{UP}\r")
    assert session.phase() is Phase.BETTING


@pytest.mark.parametrize("rows", [24, 12])
def test_a_long_answer_is_shown_from_its_beginning(rows: int, tmp_path: Path) -> None:
    written = RecordedStream()
    output = Vt100_Output(written, lambda: Size(rows=rows, columns=80), enable_cpr=False)
    with sat(tmp_path, output) as session:
        session.type("dance\r")
        shown = written.getvalue()
    assert "dance" in shown
    assert "no act 'dance'" in shown
    assert "link, elsewhere" in shown


@pytest.mark.parametrize("leaving", ["quit\r", "QUIT\r", CTRL_D, "half a line" + CTRL_D])
def test_leaving(session: ScreenSession, leaving: str) -> None:
    session.type("wait 1h\r")
    assert not session.screen.done()
    session.type(leaving)
    assert session.screen.result() == 0


def test_ctrl_c_ends_a_wait_and_nothing_else(session: ScreenSession) -> None:
    session.type("press GAME_OVER\rwait 1h\rtoken 4\r")
    assert "4" not in lying(session)
    session.type(CTRL_C)
    assert not session.screen.done()
    assert session.phase() is Phase.BETTING
    assert lying(session) == {"4"}
    session.type("press COIN_IN\r")
    assert session.phase() is Phase.PLAYING


def lying(session: ScreenSession) -> set[str]:
    """The seats whose slot lamp says that a token is in."""
    slots = session.simulated_table.observe().slots
    return {str(seat) for seat, lamp in slots.items() if lamp.value == "ON"}


def test_ctrl_c_empties_a_line_that_is_being_typed(session: ScreenSession) -> None:
    session.type(f"press COIN{CTRL_C}press GAME_OVER\r")
    assert session.phase() is Phase.BETTING


def test_ctrl_c_twice_leaves_where_there_is_nothing_to_end(session: ScreenSession) -> None:
    session.type(CTRL_C)
    assert not session.screen.done()
    session.type("press GAME_OVER\r")
    session.type(CTRL_C)
    assert not session.screen.done()
    session.type(CTRL_C)
    assert session.screen.result() == 0


def test_who_hits_ctrl_c_twice_to_end_a_wait_has_not_left(session: ScreenSession) -> None:
    session.type("wait 1h\r")
    session.type(CTRL_C + CTRL_C)
    assert not session.screen.done()


class RecordedStream(StringIO):
    """What a terminal is sent."""

    encoding = "utf-8"
    pieces = 0

    def write(self, text: str) -> int:
        self.pieces += 1
        return super().write(text)

    def fileno(self) -> int:
        return 1


@pytest.mark.parametrize(
    "lines",
    ["", "wait 1h\r", "press GAME_OVER\rtoken 1 2 3 4 5 6 7\rpress COIN_IN\r"],
)
def test_nothing_is_written_while_nothing_changes(lines: str, tmp_path: Path) -> None:
    written = RecordedStream()
    output = Vt100_Output(written, lambda: Size(rows=30, columns=100), enable_cpr=False)
    with sat(tmp_path, output) as session:
        session.type(lines, 5000)
        assert "CONSOLLE DEL CROUPIER" in written.getvalue()
        before = written.pieces
        session.type("", 60_000)
        assert written.pieces == before
        session.type(f"{CTRL_C}unplug rail\r", 3_000)
        assert "RAIL_LOST" in written.getvalue()


def test_lamps_that_blink_are_written_as_they_change(tmp_path: Path) -> None:
    """An inviting lamp changes every 1.2 s: no more is written"""
    written = RecordedStream()
    output = Vt100_Output(written, lambda: Size(rows=30, columns=100), enable_cpr=False)
    with sat(tmp_path, output) as session:
        session.type("press GAME_OVER\r", 5000)
        before = written.pieces
        session.type("", 60_000)
        assert 45 <= written.pieces - before <= 55


def test_a_poker_table_has_its_own_picture_from_the_start(tmp_path: Path) -> None:
    """Each second of the call of time is written, and nothing besides"""
    written = RecordedStream()
    output = Vt100_Output(written, lambda: Size(rows=30, columns=100), enable_cpr=False)
    with sat(tmp_path, output, POKER) as session:
        session.type("press GAME_OVER\rpress HAND\rpress TIME\r", 1000)
        assert "IN SOSPESO" not in written.getvalue()
        for legend in ("FEWER", "DEALER", "FLOP", "RIVER", "(D)", "F E R M O", "Tempo"):
            assert legend in written.getvalue()
        before = written.pieces
        session.type("", 20_000)
        assert 20 <= written.pieces - before <= 22


def test_lines_that_nobody_could_wait_for_are_not_taken(session: ScreenSession) -> None:
    session.type("wait 2s\r")
    session.type("press GAME_OVER\rpress COIN_IN\r" * 16 + "press GAME_OVER\r", 5_000)
    assert session.phase() is Phase.PAUSED  # the last of 33 was one too many
    session.type("press GAME_OVER\r")
    assert session.phase() is Phase.BETTING


def test_a_power_cut_is_survived(session: ScreenSession) -> None:
    session.type("press GAME_OVER\rpower off\r")
    session.type("power on\rtoken 2\rwait 3s\r", 5000)
    session.type("press COIN_IN\r")
    assert session.phase() is Phase.PLAYING


def test_a_full_screen_is_not_spoilt_by_the_log(tmp_path: Path) -> None:
    root, terminal = logging.getLogger(), StringIO()
    handler = logging.StreamHandler(terminal)
    root.addHandler(handler)
    with sat(tmp_path) as session:
        session.type("disk full\rpress GAME_OVER\r")
        assert session.simulated_table.observe().faults == (Fault.LEDGER_FAULT,)
        assert terminal.getvalue() == ""
    root.critical("after it")
    root.removeHandler(handler)
    assert terminal.getvalue() == "after it\n"


def test_what_cannot_be_done_ends_it(
    session: ScreenSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> Iterator[int]:
        raise RuntimeError("the cabinet is broken")

    monkeypatch.setattr(session.simulated_table, "perform", fail)
    session.type("key S\r")
    assert isinstance(session.screen.exception(), RuntimeError)
