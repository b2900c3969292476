"""The socket: lines in turn, what is no line, who is cut off, and where the socket may be."""

import asyncio
import json
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from console.line.local_line import IDLE_S, MOST_CONNECTIONS, MOST_OF_ONE_USER, SLOW_S
from console.line.requests import LONGEST_LINE
from console.line.socket import open_socket
from jackpot.failures import Unavailable
from tests.console.line.handled_table import PINS
from tests.console.line.served_table import Caller, open_sockets, serve_table
from tests.open_folder import make_open_folder

STATUS = '{"ask":"status"}'
ROSSI = json.dumps({"ask": "enter", "name": "rossi", "pin": PINS["rossi"]})
LAMP_1 = '{"ask":"drive","drive":{"slots":["ON","DARK","DARK","DARK","DARK","DARK","DARK"]}}'


def test_each_line_has_its_answer_in_turn(tmp_path: Path) -> None:
    with serve_table(tmp_path) as table:

        async def scenario() -> None:
            caller = await table.caller()
            await caller.send(STATUS, '{"ask":"inputs"}', "nonsense", STATUS)
            answer = [(await caller.receive())["answer"] for _ in range(4)]
            assert answer == ["status", "inputs", "no", "status"]

        table.rig.run(scenario())


def test_a_line_may_come_in_pieces(tmp_path: Path) -> None:
    with serve_table(tmp_path) as table:

        async def scenario() -> None:
            caller = await table.caller()
            for byte in STATUS.encode():
                caller.writer.write(bytes([byte]))
                await caller.writer.drain()
            assert (await caller.ask(""))["answer"] == "status"

        table.rig.run(scenario())


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "no JSON, it ends too early"),
        ("status", "no JSON, wrong at byte 0"),
        ("[]", "write a section, not a list"),
        ("{}", "ask is missing"),
        ('{"ask":"money"}', "ask: cannot be 'money'"),
        ('{"ask":"status","colour":1}', "there is no key colour"),
        ('{"ask":"log","lines":"all"}', "lines: write a whole number, not text in quotes"),
        ('{"ask":"clear","fault":"BROKEN"}', "cannot be 'BROKEN'"),
        ('{"ask":"drive","drive":{"gates":[9]}}', "gates are those of seats"),
        ('{"ask":"drive","drive":{"slots":["ON"]}}', "there are 7 seats"),
        ('{"ask":"drive","drive":{"display":{"lines":["perché",""]}}}', "ASCII"),
        (b"\xff\xfe\x00", ""),
        ('{"ask":"enter","name":"\\ud800","pin":"1"}', ""),
        ("[" * 30_000, ""),
        ('{"a":' + "[" * 30_000, "nested"),
        ('{"a":' * 10_000, "nested"),
    ],
)
def test_what_is_not_understood_is_told_and_the_line_goes_on(
    line: str | bytes, why: str, tmp_path: Path
) -> None:
    with serve_table(tmp_path) as table:

        async def scenario() -> None:
            caller = await table.caller()
            answer = await caller.ask(line)
            assert (answer["answer"], answer["code"]) == ("no", "NOT_UNDERSTOOD")
            assert why in answer["why"]
            assert (await caller.ask(STATUS))["answer"] == "status"

        table.rig.run(scenario())


def test_a_line_that_is_too_long_ends_the_connection(tmp_path: Path) -> None:
    with serve_table(tmp_path) as table:

        async def scenario() -> None:
            longest = STATUS + " " * (LONGEST_LINE - len(STATUS))
            caller = await table.caller()
            assert (await caller.ask(longest))["answer"] == "status"
            assert (await caller.ask(longest + " "))["code"] == "TOO_LONG"
            assert await caller.receive() == {}

        table.rig.run(scenario())


# Who is entered, by connection


def test_each_connection_has_its_own_person(tmp_path: Path) -> None:
    with serve_table(tmp_path) as table:

        async def scenario() -> None:
            one, other = await table.caller(), await table.caller()
            assert (await one.ask(ROSSI))["answer"] == "person"
            assert (await one.ask(STATUS))["person"] == "rossi"
            assert (await other.ask(STATUS))["person"] == ""

        table.rig.run(scenario())


def test_a_connection_that_ends_lets_go_of_what_it_drives(tmp_path: Path) -> None:
    with serve_table(tmp_path) as table:
        table.rig.play("key S")

        async def drive() -> Caller:
            caller = await table.caller()
            await caller.ask(ROSSI)
            assert (await caller.ask(LAMP_1))["answer"] == "done"
            return caller

        caller = table.rig.run(drive())
        table.rig.play("wait 50ms", "expect slots 1")
        caller.hang_up()
        table.rig.play("wait 50ms", "expect slots none")
        assert table.rig.table.records[-1].body["act"] == {
            "who": "rossi",
            "why": "the connection ended",
        }


def test_the_service_s_end_is_everybody_s(tmp_path: Path) -> None:
    with serve_table(tmp_path) as table:
        table.rig.play("key S")
        caller = table.rig.run(table.caller())
        table.rig.run(caller.ask(ROSSI))
        table.rig.run(caller.ask(LAMP_1))
        table.rig.run(table.server.close())
        assert table.rig.run(caller.receive()) == {}
        assert table.rig.kinds_on_record[-2:] == ["driven", "left"]
        assert not table.path.exists()


# Bounds


def test_more_connections_than_there_may_be_are_sent_away(tmp_path: Path) -> None:
    with serve_table(tmp_path) as table:

        async def scenario() -> None:
            callers = [await table.caller() for _ in range(MOST_OF_ONE_USER)]
            for caller in callers:
                assert (await caller.ask(STATUS))["answer"] == "status"
            late = await table.caller()
            assert (await late.receive())["code"] == "BUSY"
            assert await late.receive() == {}
            callers[3].hang_up()
            await callers[3].wait_closed()
            again = await table.caller()
            assert (await again.ask(STATUS))["answer"] == "status"

        table.rig.run(scenario())


def test_idle_connections_keep_nobody_out(tmp_path: Path) -> None:
    """The quietest gives way, but not one on which somebody has entered"""
    with serve_table(tmp_path) as table:
        callers = [table.rig.run(table.caller()) for _ in range(MOST_OF_ONE_USER)]
        first, second, *_ = callers
        assert table.rig.run(first.ask(ROSSI))["answer"] == "person"
        table.rig.play("wait 3s")
        technician = table.rig.run(table.caller())
        assert table.rig.run(technician.ask(STATUS))["answer"] == "status"
        assert table.rig.run(second.receive()) == {}
        assert table.rig.run(first.ask(STATUS))["person"] == "rossi"


@contextmanager
def act_as(uid: int) -> Iterator[None]:
    """Whoever connects meanwhile is this user, for the kernel."""
    os.seteuid(uid)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes somebody else")
def test_one_user_who_never_pauses_keeps_no_other_out() -> None:
    with make_open_folder() as folder, serve_table(folder) as table:
        table.path.chmod(0o666)
        with act_as(64_004):
            busy = [table.rig.run(table.caller()) for _ in range(MOST_OF_ONE_USER)]
        for _ in range(3):
            table.rig.play("wait 1s")
            for caller in busy:
                assert table.rig.run(caller.ask(STATUS))["answer"] == "status"
        with act_as(64_004):
            late = table.rig.run(table.caller())
        assert table.rig.run(late.receive())["code"] == "BUSY"
        with act_as(64_005):
            technician = table.rig.run(table.caller())
        assert table.rig.run(technician.ask(ROSSI))["answer"] == "person"
        entered = table.rig.table.records[-1].body["act"]
        assert entered == {"who": "rossi", "duties": ["technician"], "uid": 64_005}


def test_a_connection_without_a_request_ends_after_an_hour(tmp_path: Path) -> None:
    with serve_table(tmp_path) as table:
        caller = table.rig.run(table.caller())
        table.rig.play("wait 59m")
        assert table.rig.run(caller.ask(STATUS))["answer"] == "status"
        caller.writer.write(b'{"ask":')  # it is the whole line that counts
        table.rig.play("wait 59m")
        assert not caller.reader.at_eof()
        began = table.rig.table.machine.loop.time()
        assert table.rig.run(asyncio.wait_for(caller.receive(), IDLE_S)) == {}
        assert table.rig.table.machine.loop.time() - began == pytest.approx(60, abs=1)


def test_who_does_not_read_is_cut_off_and_everybody_else_is_answered(tmp_path: Path) -> None:
    with serve_table(tmp_path) as table:
        deaf = socket.socket(socket.AF_UNIX)
        deaf.connect(str(table.path))
        deaf.setblocking(False)
        sent = flood(deaf)
        assert sent > 1000
        for _ in range(100):
            table.rig.play("wait 1s")
            sent += flood(deaf)
        caller = table.rig.run(table.caller())
        assert table.rig.run(caller.ask(STATUS))["answer"] == "status"
        table.rig.play(f"wait {2 * SLOW_S:.0f}s")
        with pytest.raises(BrokenPipeError):
            deaf.send(b"\n")
        deaf.close()


def flood(deaf: socket.socket) -> int:
    """As many requests as it takes; how many that was."""
    count = 0
    while True:
        try:
            count += deaf.send(f"{STATUS}\n".encode())
        except (BlockingIOError, BrokenPipeError):
            return count


def test_nothing_is_left_open(tmp_path: Path) -> None:
    with serve_table(tmp_path) as table:
        before = open_sockets()

        async def come_and_go() -> None:
            for _ in range(3 * MOST_CONNECTIONS):
                caller = await table.caller()
                await caller.ask(STATUS)
                caller.hang_up()
                await caller.wait_closed()

        table.rig.run(come_and_go())
        table.rig.play("wait 1s")
        assert open_sockets() == before


# Where the socket is


def test_the_socket_is_for_owner_and_group(tmp_path: Path) -> None:
    with serve_table(tmp_path) as table:
        assert stat.S_IMODE(table.path.stat().st_mode) == 0o660


def test_what_a_killed_process_has_left_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "line"
    dead = open_socket(path)
    dead.close()
    assert path.is_socket()
    open_socket(path).close()


def test_a_socket_that_somebody_serves_is_left_to_him(tmp_path: Path) -> None:
    path = tmp_path / "line"
    with open_socket(path), pytest.raises(Unavailable, match="another process serves it"):
        open_socket(path)
    assert path.is_socket()


@pytest.mark.parametrize("kind", ["file", "folder", "dangling link"])
def test_what_is_no_socket_is_left_alone(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "line"
    if kind == "file":
        path.write_text("mine")
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(tmp_path / "nowhere")
    with pytest.raises(Unavailable, match="the path is not a socket"):
        open_socket(path)
    assert path.is_symlink() or path.exists()


def test_a_path_that_no_socket_can_have_is_told(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 100)
    folder.mkdir()
    with pytest.raises(Unavailable, match="at most 107"):
        open_socket(folder / "line")
    with pytest.raises(Unavailable, match=r"cannot be opened: .*No such file"):
        open_socket(tmp_path / "none" / "line")
