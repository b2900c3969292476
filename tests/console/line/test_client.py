"""The line as its client has it: asked in turn, connected again, and why there is no answer."""

import asyncio
import socket
from pathlib import Path

import pytest

from console.configuration.adopted import read_adopted
from console.line.act_reporter import ANSWER_S
from console.line.actions import SIGNED_WITHIN_S
from console.line.client import ACT_S, READ_S, LineClient, Unreachable
from console.line.handler import HandlerParts
from console.line.local_line import MOST_OF_ONE_USER, LineServer
from console.line.requests import (
    AnyAnswer,
    AnyRequest,
    AskStatus,
    Declare,
    Done,
    Enter,
    No,
    Person,
    Status,
)
from console.line.settings_changes import WrittenSettings
from console.line.socket import open_socket
from console.service.disk_thread import DEADLINE_S
from tests.console.line.handled_table import PINS, HandledTable, handler_of
from tests.console.line.served_table import ServedTable, serve_table
from tests.console.line.test_settings_changes import change_money
from tests.console.running_table import configuration
from tests.console.service.slow_disk import slow_table
from tests.deadlines import DEADLINE_S as TEST_DEADLINE_S

BIANCHI = Enter("bianchi", PINS["bianchi"])


def why(table: ServedTable, client: LineClient, request: AskStatus | Declare) -> str:
    with pytest.raises(Unreachable) as raised:
        table.rig.run(client.ask(request))
    return str(raised.value)


def test_requests_are_answered_in_turn_whoever_asks(tmp_path: Path) -> None:
    with serve_table(tmp_path) as table:
        client = LineClient(table.path)

        async def all_at_once() -> list[type]:
            declared = Declare("last-hands 3", really=True)
            asked: tuple[AnyRequest, ...] = (AskStatus(), BIANCHI, declared, AskStatus())
            return [type(kinds) for kinds in await asyncio.gather(*map(client.ask, asked))]

        kinds = table.rig.run(all_at_once())
        assert kinds[:2] == [Status, Person]
        assert kinds[3] is Status
        assert table.rig.kinds_on_record[-1] == "last-hands"
        client.close()


def test_a_service_started_again_is_found_again(tmp_path: Path) -> None:
    with serve_table(tmp_path) as table:
        client = LineClient(table.path)
        table.rig.run(client.ask(BIANCHI))
        table.rig.run(table.server.close())
        assert why(table, client, AskStatus()) == (
            f"{table.path}: there is no such socket: the service does not run, or not here"
        )
        again = LineServer(table.rig.table.machine.loop, table.rig.handler)
        again.open(table.path)
        status = table.rig.run(client.ask(AskStatus()))
        assert isinstance(status, Status)
        assert status.person == ""
        client.close()
        table.rig.run(again.close())


def test_who_looks_does_not_notice_a_restart_and_who_does_is_told(tmp_path: Path) -> None:
    with serve_table(tmp_path) as table:
        looks, does = LineClient(table.path), LineClient(table.path)
        table.rig.run(looks.ask(AskStatus()))
        table.rig.run(does.ask(BIANCHI))
        table.rig.run(table.server.close())
        again = LineServer(table.rig.table.machine.loop, table.rig.handler)
        again.open(table.path)
        assert isinstance(table.rig.run(looks.ask(AskStatus())), Status)
        declared = Declare("last-hands 3", really=True)
        assert why(table, does, declared).endswith(
            "the service has ended the connection; it may still be done"
        )
        answer = table.rig.run(does.ask(declared))
        assert isinstance(answer, No)
        assert answer.code == "NOT_ENTERED"
        looks.close()
        does.close()
        table.rig.run(again.close())


def test_a_hung_service_is_not_waited_for_without_end(tmp_path: Path) -> None:
    with serve_table(tmp_path) as table, open_socket(tmp_path / "hung"):
        client = LineClient(tmp_path / "hung")
        loop = table.rig.table.machine.loop
        for request, seconds in ((AskStatus(), READ_S), (Declare("round-void"), ACT_S)):
            began = loop.time()
            text = why(table, client, request)
            assert f"no answer within {seconds:.0f} s" in text
            assert ("it may still be done" in text) == isinstance(request, Declare)
            assert loop.time() - began == pytest.approx(seconds)


def test_no_request_takes_the_service_longer_than_its_client_waits() -> None:
    """The service's own bounds, one after the other."""
    enter = 2 * ANSWER_S  # the PIN, then its record
    change_of_money = DEADLINE_S + enter + DEADLINE_S + ANSWER_S + 2 * DEADLINE_S
    correction, head = enter + ANSWER_S, ANSWER_S + SIGNED_WITHIN_S
    assert max(change_of_money, correction, head) < ACT_S


def test_a_change_of_money_over_a_slow_disk_is_answered(tmp_path: Path) -> None:
    """The preview, the second login, the check, the record and the file: each waits for the disk"""
    adopted = read_adopted(configuration(tmp_path / "table.toml"))
    settings = WrittenSettings(adopted.file, adopted.in_force, adopted.adopted)
    with slow_table(tmp_path) as slow:
        handler = handler_of(slow.table.machine, HandlerParts(settings=settings), tmp_path)
        handler.follow(slow.table.simulated_table.service)
        run, server = HandledTable(slow.table, handler).run, LineServer(slow.loop, handler)
        server.open(tmp_path / "line")
        client = LineClient(tmp_path / "line")
        slow.table.play("key S")
        run(client.ask(Enter("rossi", PINS["rossi"])))
        slow.ledger.stalls.extend([DEADLINE_S - 0.1] * 5)
        began = slow.loop.time()
        assert isinstance(run(client.ask(change_money("money.base", "6000.00"))), Done)
        assert slow.loop.time() - began == pytest.approx(5 * (DEADLINE_S - 0.1), abs=1)
        client.close()
        run(server.close())


def test_why_nobody_can_be_reached(tmp_path: Path) -> None:
    with serve_table(tmp_path) as table:
        open_socket(tmp_path / "dead").close()
        assert "nobody serves it" in why(table, LineClient(tmp_path / "dead"), AskStatus())
        (tmp_path / "file").write_text("")
        assert why(table, LineClient(tmp_path / "file"), AskStatus())
        crowd = [socket.socket(socket.AF_UNIX) for _ in range(MOST_OF_ONE_USER)]
        for one in crowd:
            one.connect(str(table.path))
            table.rig.play("wait 10ms")
        assert f"has {MOST_OF_ONE_USER} connections already" in why(
            table, LineClient(table.path), AskStatus()
        )
        for one in crowd:
            one.close()


def test_who_is_interrupted_leaves_the_line_in_order(tmp_path: Path) -> None:
    with serve_table(tmp_path) as table:
        client = LineClient(table.path)

        async def interrupt() -> None:
            await client.ask(BIANCHI)
            asking = asyncio.ensure_future(client.ask(Declare("last-hands 3")))
            await asyncio.sleep(0.001)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            status = await client.ask(AskStatus())
            assert isinstance(status, Status)
            assert status.person == "bianchi"

        table.rig.run(interrupt())
        client.close()


def test_an_answer_that_is_none_is_told(tmp_path: Path) -> None:
    with serve_table(tmp_path) as table, open_socket(tmp_path / "odd") as odd:

        async def answers(line: bytes) -> str:
            loop = asyncio.get_running_loop()
            client = LineClient(tmp_path / "odd")
            asking = asyncio.ensure_future(client.ask(AskStatus()))
            connected, _ = await loop.sock_accept(odd)
            with connected:
                connected.send(line)
                connected.shutdown(socket.SHUT_WR)
                with pytest.raises(Unreachable) as raised:
                    await asking
            return str(raised.value)

        run = table.rig.run
        assert "JSON is malformed" in run(answers(b"hello\n"))
        assert "the service has ended the connection" in run(answers(b'{"answer":"no"'))
        assert "Invalid value 'poem'" in run(answers(b'{"answer":"poem"}\n'))


def test_what_is_still_being_asked_is_not_asked_again(tmp_path: Path) -> None:
    """A service that hangs up when it is left: a client that only looks would connect again."""

    async def test() -> None:
        lines: list[bytes] = []
        asked, gone = asyncio.Event(), asyncio.Event()

        async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while line := await reader.readline():
                lines.append(line)
                asked.set()
            writer.close()
            gone.set()

        server = await asyncio.start_unix_server(silent, tmp_path / "line")
        client = LineClient(tmp_path / "line")
        asking = [asyncio.create_task(ask_status(client)) for _ in range(3)]
        async with asyncio.timeout(TEST_DEADLINE_S):
            await asked.wait()
            client.leave()
            await gone.wait()
            await asyncio.wait(asking)
        assert all(task.cancelled() for task in asking)
        assert len(lines) == 1
        server.close()

    asyncio.run(test())


async def ask_status(client: LineClient) -> AnyAnswer:
    return await client.ask(AskStatus())
