"""The shell: which command is meant, how each ends, and that the line goes on."""

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path

import pytest

from console.line.requests import AnyAnswer, AnyRequest, Status
from console.technician.command import Command, TechnicianSession, find_command
from console.technician.diag import PlainOutput
from console.technician.registry import COMMANDS
from console.technician.shell import answer_once, complete_line, run_shell
from console.technician.talk import Hung
from console.technician.terminal.terminal import Terminal
from console.texts.language import Language, Words
from console.texts.technician.command_texts import CommandTexts
from devices.sim.virtual_time import VirtualLoop
from jackpot.failures import Refused
from tests.console.technician.commands.command_line import (
    EN,
    IT,
    absent_service,
    line_in,
    line_to,
    too_long,
)
from tests.console.technician.terminal.typist import CTRL_C, TAB, UP, typist


def test_who_comes_for_the_first_time_is_told_where_to_begin(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        assert "status: begin here. help: the commands." in line.anna.screen.text
    with line_in(tmp_path / "it", language=IT) as line:
        assert "stato: da qui si comincia. aiuto: i comandi." in line.anna.screen.text


def test_a_command_is_known_by_either_name_and_by_its_beginning(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        for typed in ("status", "stato", "STATUS", "statu"):
            assert "phase     PAUSED  key R" in line.type_command(typed), typed


def test_a_beginning_of_several_names_them(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        shown = line.type_command("re")
        assert "which one: replay restart?" in shown


def test_an_unknown_command_names_the_nearest(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        assert "no command 'staus'. Perhaps: status" in line.type_command("staus")
        assert "no command 'xyzzy'. help lists them." in line.type_command("xyzzy")


@pytest.mark.sampled(of=2)
@pytest.mark.parametrize("language", Language)
def test_a_mistaken_line_is_answered_on_one_screen(language: Language, tmp_path: Path) -> None:
    with line_in(tmp_path, language=language) as line:
        for command in COMMANDS:
            line.anna.type(CTRL_C)
            shown = line.type_command(f"{command.names[0]} nonsense 1 2 3")
            assert len(shown.splitlines()) <= 22, shown
            assert too_long(shown, 80) == []


@pytest.mark.parametrize(
    ("words", "is_done", "shown"),
    [
        ("status", True, "phase     PAUSED  key R\n"),
        ("status now", False, "it takes no arguments\nusage: status\n"),
        ("staus", False, "no command 'staus'. Perhaps: status"),
        ("enter anna", False, "This command asks questions: type it after banco diag.\n"),
        ("exit", True, ""),
    ],
)
def test_a_command_is_answered_once_where_nobody_types(
    words: str, is_done: bool, shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with line_in(tmp_path) as line:
        line.session.talk = PlainOutput()
        loop = line.table.table.machine.loop
        assert loop.run_until_complete(answer_once(line.session, words.split())) is is_done
    output = capsys.readouterr().out
    assert shown in output
    assert shown or not output


def test_a_command_given_wrongly_is_told_its_usage(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        shown = line.type_command("status now")
        assert "it takes no arguments\nusage: status\n" in shown
    with line_in(tmp_path / "it", language=IT) as line:
        assert "uso: lingua it|en" in line.type_command("lingua fr")


def test_the_language_of_the_line_is_changed(tmp_path: Path) -> None:
    with line_in(tmp_path, language=IT) as line:
        assert "faults    none" in line.type_command("language en", "status")
        assert "guasti    nessuno" in line.type_command("lingua it", "stato")


def test_exit_ends_the_session(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.type_command("exit")
        assert not line.anna.is_served


def test_an_empty_line_does_nothing(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        assert line.type_command("").count("banco>") == 2
        assert line.anna.is_served


def test_a_silent_service_is_told_with_the_way_on(loop: VirtualLoop) -> None:
    with line_to(loop, absent_service()) as line:
        shown = line.type_command("faults")
        assert "The service does not answer: no-such-line: there is no such socket" in shown
        assert "Why: status" in shown
        assert "CARD_COUNT  fault" in line.type_command("faults card_count")


def command(name: str, run: object) -> Command:
    """A command of a test."""
    nothing = Words("", "")
    assert callable(run)
    return Command((name,), CommandTexts(nothing, nothing, Words("COSA", "WHAT")), name, run)


async def slip(_session: TechnicianSession, _words: Sequence[str]) -> None:
    raise LookupError("a mistake of ours")


async def endless(_session: TechnicianSession, _words: Sequence[str]) -> None:
    await asyncio.Event().wait()


async def misuse(_session: TechnicianSession, _words: Sequence[str]) -> None:
    raise Refused("so it goes")


async def ask(session: TechnicianSession, _words: Sequence[str]) -> None:
    await session.talk.say(f"heard {await session.talk.ask('what? ')!r}")


OURS = tuple(
    command(name, run)
    for name, run in (("slip", slip), ("endless", endless), ("misuse", misuse), ("asks", ask))
)


async def with_ours(terminal: Terminal) -> None:
    await run_shell(terminal, TechnicianSession(terminal, absent_service(), EN), OURS)


def test_a_mistake_of_ours_is_told_and_logged_and_the_line_goes_on(
    loop: VirtualLoop, caplog: pytest.LogCaptureFixture
) -> None:
    with typist(loop, with_ours) as anna:
        anna.type("slip\r")
        assert "internal error (slip): LookupError: a mistake of ours" in anna.read()
        (record,) = [one for one in caplog.records if one.levelno == logging.ERROR]
        assert record.exc_info is not None
        assert isinstance(record.exc_info[1], LookupError)
        anna.type("asks\r", "this\r")
        assert "heard 'this'" in anna.read()


def test_ctrl_c_ends_a_command_whatever_it_waits_for(loop: VirtualLoop) -> None:
    with typist(loop, with_ours) as anna:
        for name in ("endless", "asks"):
            anna.type(f"{name}\r")
            anna.read()
            anna.type(CTRL_C)
            anna.wait(2)
            shown = anna.read()
            assert "interrupted" in shown, name
            assert shown.rstrip().endswith("banco>"), name


def test_a_pulled_cable_ends_the_session_and_its_command(loop: VirtualLoop) -> None:
    ended: list[str] = []

    async def patient(_session: TechnicianSession, _words: Sequence[str]) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("put away")

    async def user(terminal: Terminal) -> None:
        await run_shell(
            terminal,
            TechnicianSession(terminal, absent_service(), EN),
            [command("patient", patient)],
        )

    def pull_cable() -> None:
        with typist(loop, user) as anna:
            anna.type("patient\r")
            assert anna.is_served
            anna.unplug()
            anna.wait(3)
            assert not anna.is_served

    with pytest.raises(Hung):
        pull_cable()
    assert ended == ["put away"]


def test_a_cable_pulled_at_a_question_is_no_mistake_of_ours(
    loop: VirtualLoop, caplog: pytest.LogCaptureFixture
) -> None:
    def pull_cable() -> None:
        with typist(loop, with_ours) as anna:
            anna.type("asks\r")
            anna.unplug()

    with pytest.raises(Hung):
        pull_cable()
    assert [one for one in caplog.records if one.levelno == logging.ERROR] == []


def test_a_whole_name_is_that_command_though_another_begins_with_it() -> None:
    nothing = CommandTexts(Words("", ""), Words("", ""))
    short, long = (
        Command(names, nothing, names[0], slip)
        for names in (("try", "prova"), ("approve", "provare"))
    )
    assert find_command("prova", [long, short], EN) is short
    assert find_command("provar", [long, short], EN) is long


def test_tab_completes_a_command_and_its_arguments(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.anna.type("sta", TAB)
        assert line.anna.screen.line.rstrip().endswith("> status")
        line.anna.type(CTRL_C, "declare hand-v", TAB)
        assert line.anna.screen.line.rstrip().endswith("> declare hand-void")


def test_completion_is_in_the_lines_language_and_in_the_other_if_need_be(tmp_path: Path) -> None:
    with line_in(tmp_path, language=IT) as line:
        assert complete_line(line.session, "gua") == ["guasti"]
        assert complete_line(line.session, "faul") == ["faults"]
        assert "mano" in complete_line(line.session, "")
        assert "round" not in complete_line(line.session, "")


def test_arguments_are_completed_from_what_the_table_told(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.play("unplug display", "wait 3s")
        line.anna.wait(2)
        assert complete_line(line.session, "faults ") == ["faults DISPLAY_LOST"]
        assert complete_line(line.session, "faults dis") == ["faults DISPLAY_LOST"]
        assert complete_line(line.session, "declare hand-void ") == [
            f"declare hand-void {seat}" for seat in range(1, 8)
        ]
        assert complete_line(line.session, "declare hand-void 3 ") == [
            "declare hand-void 3 returned"
        ]
        assert complete_line(line.session, "nonsense ") == []
        assert complete_line(line.session, "status ") == []


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (EN, "That looks like a PIN: type enter first."),
        (IT, "Sembra un PIN: prima digitare entra."),
    ],
)
def test_a_pin_typed_as_a_command_is_not_told_again(
    tmp_path: Path, language: Language, expected: str
) -> None:
    with line_in(tmp_path, language=language) as line:
        shown = line.type_command("482916")
        assert expected in shown
        assert shown.count("482916") == 1, "as it was typed"
        line.anna.type(UP)
        assert "482916" not in line.anna.read(), "nor is it kept"
        assert "12345" in line.type_command("12345").splitlines()[1]


class HangingService:
    """A service that takes requests and answers the first so many."""

    def __init__(self, table: AnyAnswer, answers: int) -> None:
        self.table = table
        self.answers = answers
        self.asked = 0

    async def ask(self, _request: AnyRequest) -> AnyAnswer:
        self.asked += 1
        if self.asked > self.answers:
            await asyncio.Event().wait()
        return self.table


def test_a_hung_service_does_not_hang_the_line(loop: VirtualLoop, tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        status = line.session.status
    assert isinstance(status, Status)
    service = HangingService(status, 2)
    with line_to(loop, service) as line:
        assert "simulated  PAUSED" in line.anna.screen.text
        line.anna.wait(20)
        assert "simulated  NO SERVICE (status)\nbanco>" in line.anna.screen.text
        assert service.asked == 3, "it is asked once, not again each second"
        assert "round" in line.type_command("help")
