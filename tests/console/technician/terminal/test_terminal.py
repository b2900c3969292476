"""A terminal on a wire in memory, in virtual time: commands, questions, pages, pictures."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest

from console.technician.talk import Hung, Interrupted
from console.technician.terminal.session import IDLE_S, PAUSED_S, READS_NOTHING
from console.technician.terminal.terminal import Escapes, Size, Terminal
from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.line import LineUser
from tests.console.technician.terminal.session_keys import SESSION
from tests.console.technician.terminal.typed import (
    CTRL_C,
    CTRL_D,
    CTRL_Q,
    CTRL_S,
    DOWN,
    LEFT,
    UP,
    typist,
)

STATE = "cs-1 PAUSED key R"
LISTING = [f"line {number}" for number in range(1, 101)]


async def prompt() -> Sequence[str]:
    return (STATE, "banco> ")


def words(typed: str) -> Sequence[str]:
    return [word for word in ("status", "stop", "watch") if word.startswith(typed)]


async def parrot(terminal: Terminal) -> None:
    """Says each command again, until `exit`."""
    while (line := await terminal.command(prompt, words)) != "exit":
        await terminal.say(f"you said {line!r}")


Answers = list[object]


def noting(
    answers: Answers, *questions: Callable[[Terminal], Awaitable[object]]
) -> Callable[[Terminal], Awaitable[None]]:
    """A face that asks these one after another, and writes down what came of each."""

    async def face(terminal: Terminal) -> None:
        for question in questions:
            try:
                answers.append(await question(terminal))
            except (Interrupted, Hung) as error:
                answers.append(type(error))

    return face


# Commands


def test_commands_are_typed_and_answered(loop: VirtualLoop) -> None:
    with typist(loop, parrot) as anna:
        assert anna.screen.text == f"{STATE}\nbanco>"
        anna.types("sta\t\r")
        assert f"banco> status\nyou said 'status '\n{STATE}\nbanco>" in anna.screen.text
        anna.types("exit\r")
        assert not anna.is_served


def test_what_was_typed_comes_back_with_the_arrow(loop: VirtualLoop) -> None:
    with typist(loop, parrot) as anna:
        anna.types("watch key\r", "faults\r", UP, UP, LEFT, "e", "\r")
        assert "you said 'watch keey'" in anna.reads()
        anna.types(UP, UP, DOWN, "\r")
        assert anna.reads().count("you said 'watch keey'") == 1


def test_ctrl_c_empties_the_line_and_ctrl_d_ends_the_session(loop: VirtualLoop) -> None:
    with typist(loop, parrot) as anna:
        anna.types("declare round-void")
        anna.types(CTRL_C)
        assert anna.reads().endswith(f"banco> declare round-void^C\n{STATE}\nbanco>")
        anna.types("faults\r")
        assert "you said 'faults'" in anna.reads()
        anna.types(CTRL_D)
        assert not anna.is_served


def test_a_prompt_that_changes_is_printed_with_what_has_been_typed(loop: VirtualLoop) -> None:
    now = [STATE, "banco> "]

    async def changing() -> Sequence[str]:
        return tuple(now)

    with typist(loop, lambda terminal: terminal.command(changing, words)) as anna:
        anna.types("sta")
        now[0] = "cs-1 BETTING key R"
        anna.waits(1.5)
        assert anna.screen.text == f"{STATE}\ncs-1 BETTING key R\nbanco> sta"
        now[1] = "anna> "
        anna.waits(1.5)
        assert anna.screen.text == f"{STATE}\ncs-1 BETTING key R\nanna> sta"
        anna.types()
        anna.waits(60)
        assert anna.sent == b""
        anna.types("tus")
        assert anna.sent == b"tus"


def test_a_prompt_that_takes_its_time_does_not_hold_the_keys(loop: VirtualLoop) -> None:
    asked = 0

    async def slow() -> Sequence[str]:
        nonlocal asked
        asked += 1
        if asked > 1:
            await asyncio.sleep(10)
        return (STATE, "banco> ")

    with typist(loop, lambda terminal: terminal.command(slow, words)) as anna:
        anna.waits(2)
        anna.types("status")
        assert asked == 2
        assert anna.sent == b"status"


@pytest.mark.parametrize(("escapes", "average"), [(Escapes.ONCE_SENT, 3), (Escapes.NEVER, 5)])
def test_no_key_of_a_session_costs_40_bytes(
    loop: VirtualLoop, escapes: Escapes, average: float
) -> None:
    costs: list[int] = []
    with typist(loop, parrot, escapes=escapes) as anna:
        for keys in SESSION:
            for key in keys:
                anna.types(key)
                costs.append(len(anna.sent))
            anna.types("\r")
    assert "you said 'declare hand-void 5 returned'" in anna.screen.text
    assert max(costs) < 40
    assert sum(costs) / len(costs) < average


# Questions


def test_a_question_is_answered(loop: VirtualLoop) -> None:
    answers: Answers = []
    face = noting(answers, lambda t: t.ask("Name: "), lambda t: t.ask("PIN: ", hidden=True))
    with typist(loop, face) as anna:
        anna.types(" anna \r", "2580\r")
    assert answers == ["anna", "2580"]
    assert anna.screen.text == "Name:  anna\nPIN: ****\n"


def test_no_pin_is_ever_recalled(loop: VirtualLoop) -> None:
    async def face(terminal: Terminal) -> None:
        await terminal.ask("PIN: ", hidden=True)
        await parrot(terminal)

    with typist(loop, face) as anna:
        anna.types("x2580\r", "2580\r", "status\r", UP, UP, "\r")
        assert "x2580" not in anna.screen.text
        assert anna.screen.text.count("2580") == 2  # typed where it was visible, and said


@pytest.mark.parametrize("typed", ["enter rossi 584731", "enter rossi 58 47 31", "rossi584731"])
def test_a_pin_typed_behind_its_name_is_not_there_for_who_comes_next(
    typed: str, loop: VirtualLoop
) -> None:
    with typist(loop, parrot) as anna:
        anna.types("replay 12345\r", f"{typed}\r")
        anna.reads()
        anna.types(UP)
        assert "replay 12345" in anna.reads()


@pytest.mark.parametrize(
    ("typed", "confirmed"),
    [
        *(("y", True), ("YES", True), ("s", True), ("sì", True), ("Si", True)),
        *(("n", False), ("", False), ("NO", False), ("yess", None), ("2580", None)),
    ],
)
def test_what_confirms(loop: VirtualLoop, typed: str, confirmed: bool | None) -> None:
    answers: Answers = []
    with typist(loop, noting(answers, lambda t: t.confirm("Declare it?"))) as anna:
        anna.types(typed, "\r")
    assert answers == [confirmed]


def test_what_was_typed_before_the_question_does_not_confirm_it(loop: VirtualLoop) -> None:
    answers: Answers = []
    face = noting(answers, lambda _: asyncio.sleep(1), lambda t: t.confirm("Declare it?"))
    with typist(loop, face) as anna:
        anna.types("y\r")
        anna.waits(2)
        assert answers == [None]
        anna.types("y\r")
    assert answers == [None, True]


def test_what_is_typed_in_a_pause_is_kept(loop: VirtualLoop) -> None:
    answers: Answers = []
    face = noting(answers, lambda t: t.pause(2), lambda t: t.ask("Name: "))
    with typist(loop, face) as anna:
        anna.types("anna\r")
        anna.waits(1.5)
        assert answers == []
        anna.waits(1)
    assert answers == [None, "anna"]


def test_a_pause_may_be_ended(loop: VirtualLoop) -> None:
    answers: Answers = []
    with typist(loop, noting(answers, lambda t: t.pause(2))) as anna:
        anna.types(CTRL_C)
        assert answers == [Interrupted]


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D])
def test_a_question_may_be_left(loop: VirtualLoop, key: str) -> None:
    answers: Answers = []
    with typist(loop, noting(answers, lambda t: t.ask("Name: "))) as anna:
        anna.types(key)
        assert answers == [Interrupted]


def test_a_question_nobody_answers_is_left(loop: VirtualLoop) -> None:
    answers: Answers = []
    with typist(loop, noting(answers, lambda t: t.ask("Name: ", seconds=120))) as anna:
        anna.types("ann")
        anna.waits(119)
        assert answers == []
        anna.waits(1)
        assert answers == [Interrupted]


def test_a_question_longer_than_the_row_is_asked_above_it(loop: VirtualLoop) -> None:
    question = "why " * 20
    answers: Answers = []
    with typist(loop, noting(answers, lambda t: t.ask(question))) as anna:
        anna.types("because\r")
    assert anna.screen.text.endswith("> because\n")
    assert answers == ["because"]


def test_single_keys(loop: VirtualLoop) -> None:
    answers: Answers = []
    questions = [lambda t: t.key(1.0)] * 5
    with typist(loop, noting(answers, *questions)) as anna:
        anna.types("q", " ", "\r", "\x1b")
        anna.waits(2)
    assert answers == ["q", " ", "\r", "\x1b", None]


# Pages


def test_a_long_text_comes_a_page_at_a_time(loop: VirtualLoop) -> None:
    with typist(loop, lambda terminal: terminal.say(*LISTING)) as anna:
        assert anna.screen.text.endswith("line 22\n-- more --")
        anna.types("\r")
        assert anna.screen.text.endswith("line 23\n-- more --")
        anna.types(" ")
        assert anna.screen.text.endswith("line 45\n-- more --")
        for key in (LEFT, " ", " ", " "):
            anna.types(key)
        assert anna.screen.text.split() == " ".join(LISTING).split()


def test_a_page_is_as_high_as_the_terminal(loop: VirtualLoop) -> None:
    with typist(loop, lambda t: t.say(*LISTING), size=Size(80, 50)) as anna:
        assert anna.screen.text.endswith("line 48\n-- more --")
    narrow = Size(20, 24)
    with typist(loop, lambda t: t.say(*["x" * 30] * 50), size=narrow) as anna:
        assert anna.screen.text.count("x") == 11 * 30  # of two rows each


def test_q_ends_the_text_and_the_command(loop: VirtualLoop) -> None:
    for key in ("q", CTRL_C, "\x1b"):
        answers: Answers = []
        face = noting(answers, lambda t: t.say(*LISTING), lambda t: t.say("after"))
        with typist(loop, face) as anna:
            anna.types(key)
            assert answers == [Interrupted, None]
            assert ("more" in anna.screen.text) == (key == CTRL_C)
            assert anna.screen.text.endswith("after\n")


def test_what_is_typed_ahead_turns_no_page(loop: VirtualLoop) -> None:
    async def face(terminal: Terminal) -> None:
        await asyncio.sleep(1)
        await terminal.say(*LISTING)

    with typist(loop, face) as anna:
        anna.types("q   q")
        anna.waits(1)
        assert anna.screen.text.endswith("line 22\n-- more --")


def test_a_command_typed_at_the_question_ends_the_text_and_none_of_it_is_lost(
    loop: VirtualLoop,
) -> None:
    for keys in (("faults\r",), tuple("faults\r")):
        answers: Answers = []
        face = noting(answers, lambda t: t.say(*LISTING), lambda t: t.ask("banco> "))
        with typist(loop, face) as anna:
            anna.types(*keys)
            assert answers == [Interrupted, "faults"]
            assert anna.screen.text.endswith("line 22\nbanco> faults\n")


def test_a_command_typed_ahead_ends_a_long_text_too(loop: VirtualLoop) -> None:
    answers: Answers = []
    face = noting(
        answers,
        lambda _: asyncio.sleep(1),
        lambda t: t.say(*LISTING),
        lambda t: t.ask("banco> "),
    )
    with typist(loop, face) as anna:
        anna.types("\r q", "link\r")
        anna.waits(1)
        assert answers == [None, Interrupted, "link"]


def test_text_is_ascii_and_nothing_in_it_is_a_command_to_the_terminal(loop: VirtualLoop) -> None:
    text = "la chiave è in S: \x1b[2J 12 €\x07"
    with typist(loop, lambda terminal: terminal.say(text)) as anna:
        assert anna.screen.text == "la chiave e' in S: ?[2J 12 EUR?\n"


# Pictures


def frames(shown: list[Sequence[str]]) -> Callable[[Terminal], Awaitable[None]]:
    async def face(terminal: Terminal) -> None:
        while await terminal.key(0.5) != "q":
            await terminal.show(shown[-1])

    return face


def test_a_picture_changes_in_place_where_the_terminal_can(loop: VirtualLoop) -> None:
    shown: list[Sequence[str]] = [("COIN IN  up", "edges 0", "S  off")]
    with typist(loop, frames(shown)) as anna:
        anna.types(UP)
        anna.waits(1)
        assert anna.screen.text == "COIN IN  up\nedges 0\nS  off\n"
        anna.types()
        shown.append(("COIN IN  down", "edges 1", "S  off"))
        anna.waits(1)
        assert anna.screen.text == "COIN IN  down\nedges 1\nS  off\n"
        assert len(anna.sent) < 30
        assert anna.screen.row == 3


def test_without_escapes_what_changed_is_printed_below(loop: VirtualLoop) -> None:
    shown: list[Sequence[str]] = [("COIN IN  up", "S  off")]
    with typist(loop, frames(shown), escapes=Escapes.NEVER) as anna:
        anna.types(UP)
        anna.waits(1)
        shown.append(("COIN IN  down", "S  off"))
        anna.waits(2)
        assert anna.screen.text == "COIN IN  up\nS  off\nCOIN IN  down\n"


def test_a_picture_is_left_out_while_the_last_one_is_still_on_its_way(loop: VirtualLoop) -> None:
    """At 9600 baud a picture of 20 lines takes 1.6 s: two in three are left out."""
    taken = 0

    async def face(terminal: Terminal) -> None:
        nonlocal taken
        while taken < 100:
            taken += 1
            await terminal.show([f"{taken:03}" + "x" * 74 for _ in range(20)])
            await asyncio.sleep(0.5)

    with typist(loop, face, pace=960) as anna:
        anna.waits(40)
        assert taken > 70
        pictures = anna.screen.text.count("\n") / 20
        assert 15 < pictures < 26
        assert anna.terminal.session.waiting < 2000


# What happens at any time


def test_ctrl_c_ends_a_command_that_waits_for_something_else(loop: VirtualLoop) -> None:
    ended: list[str] = []

    async def hangs() -> None:
        try:
            await asyncio.sleep(1000)
        finally:
            ended.append("let go")

    async def face(terminal: Terminal) -> None:
        try:
            await terminal.attend(asyncio.ensure_future(hangs()))
        except Interrupted:
            ended.append("interrupted")

    with typist(loop, face) as anna:
        anna.waits(5)
        anna.types(CTRL_C)
        anna.waits(0.5)
        assert ended == ["let go", "interrupted"]
        assert anna.screen.text == "^C\n"


def test_a_command_that_heeds_ctrl_c_ends_as_it_likes(loop: VirtualLoop) -> None:
    said: list[str] = []

    async def heeds(terminal: Terminal) -> None:
        try:
            await terminal.key(1000)
        except Interrupted:
            said.append("heard")
        await asyncio.sleep(2)
        said.append("put away")

    async def face(terminal: Terminal) -> None:
        await terminal.attend(asyncio.ensure_future(heeds(terminal)))
        said.append("done")

    with typist(loop, face) as anna:
        anna.types(CTRL_C)
        anna.waits(3)
    assert said == ["heard", "put away", "done"]


def test_ctrl_c_throws_away_what_was_still_to_be_printed(loop: VirtualLoop) -> None:
    async def face(terminal: Terminal) -> None:
        terminal.session.notice(*["x" * 70] * 100)
        await parrot(terminal)

    with typist(loop, face, pace=960) as anna:
        assert anna.terminal.session.waiting > 6000
        anna.types(CTRL_C)
        anna.waits(0.3)
        assert anna.screen.text.endswith("banco>")
        assert anna.screen.text.count("x") < 1000


def test_output_is_paused_and_goes_on(loop: VirtualLoop) -> None:
    async def face(terminal: Terminal) -> None:
        for number in range(1000):
            await terminal.say(f"second {number}")
            await asyncio.sleep(1)
            await terminal.key(0)

    with typist(loop, face) as anna:
        anna.waits(3)
        anna.types(CTRL_S)
        before = anna.screen.text
        anna.waits(10)
        assert anna.screen.text == before
        anna.types(CTRL_Q)
        anna.waits(1)
        assert "second 12" in anna.screen.text
        for any_key in (" ", UP):
            anna.types(CTRL_S)
            anna.waits(5)
            before = anna.screen.text
            anna.types(any_key)
            anna.waits(1)
            assert len(anna.screen.text) > len(before)


def test_a_pause_that_was_noise_ends_by_itself(loop: VirtualLoop) -> None:
    with typist(loop, parrot) as anna:
        anna.types(CTRL_S)
        anna.terminal.session.put(b"hello")
        anna.waits(PAUSED_S - 1)
        assert "hello" not in anna.screen.text
        anna.waits(1)
        assert "hello" in anna.screen.text


def test_typing_ahead_is_bounded_and_a_bell_tells(loop: VirtualLoop) -> None:
    async def face(terminal: Terminal) -> None:
        await asyncio.sleep(5)
        await parrot(terminal)

    with typist(loop, face) as anna:
        anna.types("status\r" + "x" * 2000 + "\r")
        assert anna.screen.bells == 1
        anna.waits(6)
        assert "you said 'status'" in anna.screen.text
        anna.types(CTRL_C, "faults\r")
        assert "you said 'faults'" in anna.reads()


def test_half_an_hour_without_a_key_ends_the_session(loop: VirtualLoop) -> None:
    answers: Answers = []
    with typist(loop, noting(answers, lambda t: t.command(prompt, words))) as anna:
        anna.waits(IDLE_S - 10)
        anna.types("s")
        anna.waits(IDLE_S - 10)
        assert answers == []
        anna.waits(11)
        assert answers == [Hung]


def test_a_live_picture_ends_after_half_an_hour_too(loop: VirtualLoop) -> None:
    answers: Answers = []
    with typist(loop, noting(answers, frames([("x",)]))) as anna:
        anna.waits(IDLE_S + 1)
        assert answers == [Hung]


@pytest.mark.parametrize(
    "question",
    [
        lambda t: t.command(prompt, words),
        lambda t: t.ask("Name: "),
        lambda t: t.key(1000),
        lambda t: t.say(*LISTING),
        lambda t: t.attend(asyncio.ensure_future(asyncio.sleep(1000))),
    ],
)
def test_a_cable_pulled_ends_whatever_waits(
    loop: VirtualLoop, question: Callable[[Terminal], Awaitable[object]]
) -> None:
    answers: Answers = []
    with typist(loop, noting(answers, question)) as anna:
        anna.leaves()
        anna.waits(1)
        assert answers == [Hung]


def test_who_comes_back_begins_a_new_session(loop: VirtualLoop) -> None:
    ended: list[str] = []

    async def for_ever(terminal: Terminal) -> None:
        while True:
            try:
                await parrot(terminal)
            except Hung as hung:
                ended.append(str(hung))
            await terminal.session.visitor(at_once=False, greeting="banco - Enter")

    with typist(loop, for_ever) as anna:
        anna.types("half a comm")
        anna.leaves()
        assert ended == ["unplugged"]
        anna.wire.plug()
        anna.waits(1)
        assert anna.screen.line == ""
        assert "banco - Enter" in anna.reads()
        anna.types("\r")
        assert anna.screen.text.endswith(f"{STATE}\nbanco>")
        anna.types("status\r")
        assert "you said 'status'" in anna.screen.text


def test_escapes_are_sent_to_who_sends_them_and_forgotten_with_the_session(
    loop: VirtualLoop,
) -> None:
    async def for_ever(terminal: Terminal) -> None:
        while True:
            try:
                await parrot(terminal)
            except Hung:
                await terminal.session.visitor(at_once=True)

    with typist(loop, for_ever) as anna:
        anna.types("lamp 3 on", "\x01", "x")
        assert b"\x1b" not in anna.sent
        anna.types(LEFT, "x")
        assert b"\x1b[@" in anna.sent
        anna.leaves()
        anna.wire.plug()
        anna.waits(1)
        anna.types("lamp 3 on", "\x01", "x")
        assert b"\x1b" not in anna.sent


class Stuffed:
    """A port that is open, and takes nothing: a terminal that does not read."""

    def __init__(self) -> None:
        self.user: LineUser | None = None
        self.dropped: list[str] = []

    def start(self, user: LineUser) -> None:
        self.user = user
        user.line_up()

    def send(self, _: bytes) -> bool:
        return False

    def drop(self, why: str) -> None:
        self.dropped.append(why)

    def close(self) -> None:
        self.user = None


def test_a_terminal_that_stops_reading_is_given_up(loop: VirtualLoop) -> None:
    answers: Answers = []
    port = Stuffed()
    terminal = Terminal(loop, port)

    async def floods(terminal: Terminal) -> None:
        while True:
            await terminal.say("x" * 70)
            await terminal.show(["x" * 70])

    async def served() -> None:
        await terminal.session.visitor(at_once=True)
        await noting(answers, floods)(terminal)

    terminal.session.open()
    serving = loop.create_task(served())
    loop.run_for(29)
    assert answers == []
    assert 0 < terminal.session.waiting < 3000
    loop.run_for(2)
    assert answers == [Hung]
    assert port.dropped == [READS_NOTHING]
    assert terminal.session.waiting == 0
    terminal.session.close()
    assert serving.done()
