"""`banco run --sim` as a process, its line, and `banco declare` beside it."""

import asyncio
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from console.configuration.overrides import OVERRIDES_FILE
from console.configuration.places import SOCKET
from console.line.access.people import Enrolled, save_people
from console.line.access.pins import Cost, hash_pin
from console.line.client import LineClient
from console.line.requests import (
    AnyAnswer,
    AnyRequest,
    AskLog,
    AskSettings,
    AskStatus,
    ChangeSetting,
    Done,
    Enter,
    Log,
    No,
    Restart,
    SettingsView,
    Status,
)
from console.rules.codes import Duty
from console.service.supervision.main_loop import RESTART
from jackpot.ledger.ledger import read_records
from tests.console.running_table import (
    BANCO,
    ENVIRONMENT,
    RunningTable,
    configuration,
    running,
    start,
)
from tests.deadlines import DEADLINE_S

PIN = "271828"
ROSSI = Enter("rossi", PIN)
TO_FIVE = ChangeSetting("money.token", "5.00", "verdi", PIN, really=True)


def enrol(folder: Path) -> Path:
    """A configuration; at its table Rossi may do everything but money, which Verdi confirms."""
    both = (Duty.TECHNICIAN, Duty.FLOOR_MANAGER)
    cheap = hash_pin(PIN, Cost(n=2, r=1, p=1))
    verdi = Enrolled((Duty.CASHIER,), cheap)
    save_people(folder / "people.toml", {"rossi": Enrolled(both, cheap), "verdi": verdi})
    return configuration(folder / "table.toml")


@asynccontextmanager
async def with_line(file: Path) -> AsyncIterator[tuple[RunningTable, LineClient]]:
    """The table runs, and somebody has its line."""
    async with running(file.parent, "--sim", "--config", file) as table:
        line = LineClient(file.parent / SOCKET)
        try:
            yield table, line
        finally:
            line.close()


async def status(line: LineClient) -> Status:
    shown = await line.ask(AskStatus())
    assert isinstance(shown, Status), shown
    return shown


async def request_done(line: LineClient, request: AnyRequest) -> Done:
    answer = await line.ask(request)
    assert isinstance(answer, Done), answer
    return answer


def code(answer: AnyAnswer) -> str:
    assert isinstance(answer, No), answer
    return answer.code


async def run_declare(*words: str, typed: str, file: Path) -> tuple[int, str, str]:
    """`banco declare WORDS`: its exit status, what it says, what it complains of."""
    process = await asyncio.create_subprocess_exec(
        *BANCO,
        "declare",
        *words,
        "--config",
        str(file),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=ENVIRONMENT,
    )
    async with asyncio.timeout(DEADLINE_S):
        text, complaints = await process.communicate(typed.encode())
    assert process.returncode is not None
    return process.returncode, text.decode(), complaints.decode()


def test_the_line_is_there_while_the_table_runs(tmp_path: Path) -> None:
    file = enrol(tmp_path)
    socket = tmp_path / SOCKET

    async def night() -> None:
        async with with_line(file) as (table, line):
            assert stat.S_IMODE(socket.stat().st_mode) == 0o660
            shown = await status(line)
            assert (shown.simulated, shown.table, shown.boot) == (
                True,
                "cs-1",
                1,
            )
            assert (shown.configuration, shown.ledger) == (
                str(file),
                str(tmp_path / "ledger"),
            )
            assert shown.health["commits"] > 0
            assert isinstance(await line.ask(AskLog(5)), Log)
            await table.kill()
        assert socket.is_socket()
        async with with_line(file) as (table, line):  # what was killed has left it
            assert (await status(line)).boot == 2
            table.say("quit")
            assert await table.wait_for_end() == 0
        assert not socket.exists()

    asyncio.run(night())


def test_a_power_cut_brings_another_service_and_the_line_stays(tmp_path: Path) -> None:
    file = enrol(tmp_path)

    async def night() -> None:
        async with with_line(file) as (table, line):
            await line.ask(ROSSI)
            assert (await status(line)).person == "rossi"
            await table.do("power off")
            assert code(await line.ask(AskStatus())) == "NO_POWER"
            assert code(await line.ask(ROSSI)) == "NO_POWER"
            await table.do("power on", "wait 1s")
            shown = await status(line)
            assert (shown.boot, shown.person) == (2, "")

    asyncio.run(night())


def test_a_setting_is_written_and_a_restart_adopts_it(tmp_path: Path) -> None:
    file = enrol(tmp_path)

    async def night() -> None:
        async with with_line(file) as (table, line):
            await line.ask(ROSSI)
            await table.do("key s")
            await request_done(line, TO_FIVE)
            await request_done(line, ChangeSetting("language", "en", really=True))
            assert (await status(line)).settings_version == 1
            await request_done(line, Restart())
            assert await table.process.wait() == RESTART
            await table.wait_for_end()
            assert "Traceback" not in table.complaints.read_text("utf-8")
        async with with_line(file) as (table, line):
            shown = await status(line)
            assert (shown.settings_version, shown.language) == (2, "en")
            settings = await line.ask(AskSettings())
            assert isinstance(settings, SettingsView)
            token = {one.key: one for one in settings.settings}["money.token"]
            assert (token.value, token.next) == ("5.00", "")
            await table.do("key jpl", "key r", "press game_over", "token 3", "press coin_in")
            await table.until(lambda seen: seen["jackpot"] == "10003.50")

    asyncio.run(night())
    names = [record.body["act"] for record in read_records(tmp_path / "ledger", kind="left")]
    assert names == [{"who": "verdi", "why": "left"}, {"who": "rossi", "why": "restart"}]


def test_power_that_goes_in_a_round_finds_the_amounts_it_began_with(tmp_path: Path) -> None:
    """A setting written before must not leave the table dark: it waits until it is paused."""
    file = enrol(tmp_path)

    async def night() -> None:
        async with with_line(file) as (table, line):
            await line.ask(ROSSI)
            await table.do("key s")
            await request_done(line, TO_FIVE)
            await table.do("key r", "press game_over", "token 3", "press coin_in")
            await table.until(lambda seen: seen["jackpot"] == "10001.40")
            await table.kill()
        async with with_line(file) as (table, line):
            assert table.first["phase"] == "PLAYING"
            settings = await line.ask(AskSettings())
            assert isinstance(settings, SettingsView)
            token = {one.key: one for one in settings.settings}["money.token"]
            assert (settings.version, token.value, token.next) == (1, "2.00", "5.00")
            await table.until_complained("waits until the table is paused")
            await table.do("press game_over", "press coin_in")
            await table.until(lambda seen: seen["phase"] == "PAUSED")
        async with with_line(file) as (_, line):
            assert (await status(line)).settings_version == 2

    asyncio.run(night())


async def run_refused_start(file: Path) -> str:
    """What a start that is refused says."""
    table = await start(file.parent, "--sim", "--config", file)
    assert await table.wait_for_end() == 2
    printed = table.complaints.read_text("utf-8")
    assert "Traceback" not in printed
    return printed


def test_a_table_does_not_start_without_its_line(tmp_path: Path) -> None:
    file = enrol(tmp_path)
    (tmp_path / SOCKET).mkdir()
    assert f"{tmp_path / SOCKET}: the local line cannot be opened" in asyncio.run(
        run_refused_start(file)
    )
    assert not (tmp_path / "ledger" / "ledger.db").exists()
    deep = tmp_path / ("x" * 90)
    deep.mkdir()
    assert "at most 107" in asyncio.run(run_refused_start(configuration(deep / "table.toml")))


def test_a_damaged_setting_is_told_by_file_and_key(tmp_path: Path) -> None:
    file = enrol(tmp_path)
    written = tmp_path / OVERRIDES_FILE
    written.write_text('["money.token"]\nvalue = "five"\n')
    assert f"{written}: money.token: 'five'" in asyncio.run(run_refused_start(file))


# banco declare


def test_a_declaration_is_shown_asked_once_and_done(tmp_path: Path) -> None:
    file = enrol(tmp_path)

    async def night() -> None:
        async with with_line(file) as (table, _):
            await table.do("press game_over", "token 3", "press coin_in")
            await table.until(lambda seen: seen["phase"] == "PLAYING")
            words = ("hand-void", "3", "returned", "--as", "rossi", "--language", "en")
            status, answer, _ = await run_declare(*words, typed=f"{PIN}\nn\n", file=file)
            assert status == 1
            assert "jackpot   10001.40 -> 10000.00" in answer
            assert "on record" not in answer
            status, answer, _ = await run_declare(*words, typed=f"{PIN}\ny\n", file=file)
            assert status == 0
            assert answer.count("jackpot   10001.40 -> 10000.00") == 2
            assert "Done, it is on record." in answer
            snapshot = await table.do("wait 1ms")
            assert (snapshot["jackpot"], snapshot["seats"]) == ("10000.00", {})
            status, _, complaint = await run_declare(*words, typed=f"{PIN}\ny\n", file=file)
            assert (status, "SEAT_NOT_PLAYING" in complaint) == (1, True)

    asyncio.run(night())
    acts = [record.body["act"] for record in read_records(tmp_path / "ledger", kind="hand-void")]
    assert acts == [{"seat": 3, "returned": True, "who": "rossi"}]


def test_a_declaration_in_the_table_s_language_without_asking(tmp_path: Path) -> None:
    file = enrol(tmp_path)

    async def night() -> None:
        async with with_line(file):
            given = f"rossi\n{PIN}\n"  # the name is asked for
            status, text, _ = await run_declare("last-hands", "3", "--yes", typed=given, file=file)
            assert (status, "Fatto, è nel registro." in text) == (0, True)

    asyncio.run(night())


def test_what_stands_against_a_declaration(tmp_path: Path) -> None:
    file = enrol(tmp_path)

    async def night() -> None:
        words = ("last-hands", "3", "--as", "rossi", "--yes")
        status, _, complaint = await run_declare(*words, typed=f"{PIN}\n", file=file)
        assert (status, "there is no such socket" in complaint) == (2, True)
        status, _, complaint = await run_declare("last-hands", "many", typed="", file=file)
        assert (status, "N is a whole number from 1 to 99" in complaint) == (2, True)
        status, _, complaint = await run_declare(*words, typed="", file=tmp_path / "none.toml")
        assert (status, "none.toml" in complaint) == (2, True)
        async with with_line(file) as (table, _):
            status, _, complaint = await run_declare(*words, typed="000000\n", file=file)
            assert (status, "WRONG_PIN" in complaint) == (1, True)
            await table.do("power off")
            status, _, complaint = await run_declare(*words, typed=f"{PIN}\n", file=file)
            assert (status, "NO_POWER" in complaint) == (1, True)

    asyncio.run(night())
