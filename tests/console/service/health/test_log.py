"""The log as systemd's journal, a file and a terminal get it; a reader that stalls holds nobody."""

import asyncio
import logging
import os
import re
import select
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from console.service.health.log import WAITING_LINES, LogHandler, is_journal, keep_log
from console.service.health.log_ring import LINES, LogLine, LogRing
from tests.console.running_table import configuration, running, start
from tests.deadlines import DEADLINE_S

log = logging.getLogger("test.journal")


class Pipe:
    """What a log is written into, and its other end."""

    def __init__(self, named: Path | None = None) -> None:
        if named is None:
            self.read_end, self.write_end = os.pipe()
        else:
            self.read_end = os.open(named, os.O_RDONLY | os.O_NONBLOCK)
            self.write_end = os.open(named, os.O_WRONLY)

    @property
    def journal_stream(self) -> str:
        """What systemd says in JOURNAL_STREAM when this is its journal."""
        status = os.fstat(self.write_end)
        return f"{status.st_dev}:{status.st_ino}"

    def lines(self, number: int) -> list[str]:
        """So many lines, as they come."""
        text = b""
        while text.count(b"\n") < number:
            ready, _, _ = select.select([self.read_end], [], [], DEADLINE_S)
            assert ready, f"only {text!r} came"
            text += os.read(self.read_end, 65536)
        return text.decode().splitlines()

    def fill(self) -> None:
        """Nobody reads any more: the pipe holds all it can."""
        os.set_blocking(self.write_end, False)
        block = b"x" * 65536
        while block:
            try:
                os.write(self.write_end, block)
            except BlockingIOError:
                block = block[: len(block) // 2]
        os.set_blocking(self.write_end, True)

    def close(self) -> None:
        os.close(self.read_end)
        os.close(self.write_end)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    with closing(Pipe()) as made:
        yield made


@contextmanager
def as_journal(pipe: Pipe) -> Iterator[LogHandler]:
    with keep_log(pipe.write_end, {"JOURNAL_STREAM": pipe.journal_stream}) as journal:
        yield journal


def test_the_journal_gets_each_lines_priority_and_no_time(pipe: Pipe) -> None:
    with as_journal(pipe):
        log.critical("the ledger is corrupt")
        log.error("the disk is %s", "slow")
        log.warning("seat %d: odd", 3)
        log.info("all is well")
        log.debug("nobody wants to know")
        logging.getLogger("other").error("the last one")
    assert pipe.lines(5) == [
        "<2>test.journal: the ledger is corrupt",
        "<3>test.journal: the disk is slow",
        "<4>test.journal: seat 3: odd",
        "<6>test.journal: all is well",
        "<3>other: the last one",
    ]


def test_every_line_of_a_traceback_has_its_priority(pipe: Pipe) -> None:
    with as_journal(pipe):
        try:
            raise OSError("no such disk")
        except OSError:
            log.exception("it failed")
    lines = pipe.lines(4)
    assert lines[0] == "<3>test.journal: it failed"
    assert lines[1] == "<3>Traceback (most recent call last):"
    assert lines[-1] == "<3>OSError: no such disk"
    assert all(line.startswith("<3>") for line in lines)


def test_elsewhere_lines_are_plain(pipe: Pipe) -> None:
    with keep_log(pipe.write_end, {"JOURNAL_STREAM": "1:2"}) as journal:
        log.warning("the disk is slow")
        assert journal.format_text("as it is", logging.ERROR) == "as it is"
    assert pipe.lines(1) == ["WARNING test.journal: the disk is slow"]


def test_only_the_stream_that_systemd_names_is_the_journal(pipe: Pipe) -> None:
    with closing(Pipe()) as other:
        named = {"JOURNAL_STREAM": pipe.journal_stream}
        assert is_journal(pipe.write_end, named)
        assert not is_journal(other.write_end, named)
        assert not is_journal(pipe.write_end, {})


def test_the_same_line_is_written_ten_times_and_then_counted(pipe: Pipe) -> None:
    with as_journal(pipe) as journal:
        for number in range(25):
            log.error("the disk has failed %d times", number)
        log.error("another line")
        lines = pipe.lines(11)
        assert lines[9] == "<3>test.journal: the disk has failed 9 times"
        assert lines[10] == "<3>test.journal: another line"
        assert len(journal.ring.last(LINES)) == 11
    # What was left out is told when the half minute is over, or when the log ends before.
    assert pipe.lines(1) == ["<3>15 more like this were left out: the disk has failed 0 times"]


def test_what_is_critical_is_never_left_out(pipe: Pipe) -> None:
    with as_journal(pipe):
        for _ in range(25):
            log.critical("LEDGER_FAULT")
    assert pipe.lines(25) == ["<2>test.journal: LEDGER_FAULT"] * 25


def test_a_line_that_cannot_be_made_is_told_and_ends_nothing(pipe: Pipe) -> None:
    wrong = logging.LogRecord(
        "test.journal", logging.ERROR, __file__, 1, "%d seats", ("seven",), None
    )
    with as_journal(pipe) as journal:
        journal.handle(wrong)  # not logged: pytest's own handler would raise
        log.error("the next line")
    lines = pipe.lines(2)
    assert lines[0].startswith("<3>test.journal: a line cannot be made of '%d seats'")
    assert lines[1] == "<3>test.journal: the next line"


def test_a_reader_that_stalls_holds_nobody_and_what_is_lost_is_counted(pipe: Pipe) -> None:
    pipe.fill()
    loop = asyncio.new_event_loop()
    with as_journal(pipe) as journal, closing(loop):
        began = loop.time()
        for _ in range(WAITING_LINES + 501):
            log.critical("LEDGER_FAULT")
        assert (
            loop.time() - began < DEADLINE_S / 2
        )  # whoever waited for the reader would wait for ever
        assert journal.lines_lost in (500, 501)  # one may be in the writer's hand
        assert len(journal.ring.last(10_000)) == LINES
        os.read(pipe.read_end, 1 << 20)
        lines = pipe.lines(WAITING_LINES)
        assert f"{journal.lines_lost} log lines were lost" in lines


def test_a_stalled_reader_does_not_keep_the_process_from_its_end(pipe: Pipe) -> None:
    pipe.fill()
    loop = asyncio.new_event_loop()
    began = loop.time()
    with as_journal(pipe) as journal, closing(loop):
        log.error("nobody hears this")
    assert loop.time() - began < DEADLINE_S / 2
    assert journal.lines_lost >= 1


def test_nobody_reads_any_more() -> None:
    with closing(Pipe()) as other, as_journal(other) as journal:
        os.dup2(os.open(os.devnull, os.O_RDONLY), other.read_end)
        for _ in range(5):
            log.error("into nothing")
        until_lost(journal, 5)
        assert [line.text for line in journal.ring.last(1)] == ["test.journal: into nothing"]


def until_lost(journal: LogHandler, lines: int) -> None:
    loop = asyncio.new_event_loop()

    async def wait() -> None:
        async with asyncio.timeout(DEADLINE_S):
            while journal.lines_lost < lines:
                await asyncio.sleep(0.01)

    with closing(loop):
        loop.run_until_complete(wait())


def test_the_last_lines_are_kept(pipe: Pipe) -> None:
    with as_journal(pipe) as journal:
        log.warning("first\nand second")
        log.info("third")
        first, second, third = journal.ring.last(50)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", first.wall)
    assert (first.level, first.text) == ("WARNING", "test.journal: first")
    assert (second.level, second.text) == ("WARNING", "and second")
    assert (third.level, third.text) == ("INFO", "test.journal: third")


def test_a_text_of_any_length_takes_only_so_much_room(pipe: Pipe) -> None:
    with as_journal(pipe) as journal:
        log.error("%s", "x" * 1_000_000)
        (line,) = journal.ring.last(5)
        assert len(line.text) < 10_000


def test_the_ring_is_bounded_and_gives_as_many_as_are_asked_for() -> None:
    ring = LogRing()
    for number in range(LINES + 10):
        ring.add(LogLine("", "INFO", str(number)))
    assert [line.text for line in ring.last(2)] == [str(LINES + 8), str(LINES + 9)]
    assert len(ring.last(10_000)) == LINES
    assert ring.last(0) == ()


def test_a_root_logger_is_left_as_it_was(pipe: Pipe) -> None:
    root = logging.getLogger()
    before = (root.level, list(root.handlers))
    with as_journal(pipe):
        assert root.level == logging.INFO
    assert (root.level, list(root.handlers)) == before


# A table that runs


def test_a_table_under_systemd_writes_to_its_journal(tmp_path: Path) -> None:
    """What it complains of is a file here; systemd's JOURNAL_STREAM names it just the same."""
    complaints = tmp_path / "complaints"
    complaints.touch()
    status = complaints.stat()
    stream = {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"}

    async def lock_table() -> None:
        file = configuration(tmp_path / "sim.toml")
        async with running(tmp_path, "--sim", "--config", file, environment=stream) as table:
            await table.do("disk full", "press game_over")
            await table.until(lambda seen: seen["faults"] == ["LEDGER_FAULT"])

    asyncio.run(lock_table())
    assert re.search(
        r"^<2>console\.service\.table_service: LEDGER_FAULT: ", complaints.read_text(), re.MULTILINE
    )


def test_a_start_that_is_refused_is_an_error_in_the_journal(tmp_path: Path) -> None:
    complaints = tmp_path / "complaints"
    complaints.touch()
    status = complaints.stat()
    stream = {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"}

    async def start_with_mistake() -> None:
        file = tmp_path / "wrong.toml"
        file.write_text("kind = 1")
        table = await start(tmp_path, "--sim", "--config", file, environment=stream)
        assert await table.wait_for_end() == 2

    asyncio.run(start_with_mistake())
    assert complaints.read_text().startswith(f"<3>{tmp_path}/wrong.toml: ")


def test_a_table_whose_log_nobody_takes_plays_on(tmp_path: Path) -> None:
    """What it complains of goes into a pipe that is full."""
    complaints = tmp_path / "complaints"
    os.mkfifo(complaints)

    async def night(pipe: Pipe) -> None:
        file = configuration(tmp_path / "sim.toml")
        async with running(tmp_path, "--sim", "--config", file) as table:
            pipe.fill()
            await table.do("press game_over", "token 3", "press coin_in")
            await table.until(lambda seen: (seen["phase"], seen["seats"]) == IN_PLAY)
            await table.do("disk full", "press jpot")
            await table.until(lambda seen: seen["faults"] == ["LEDGER_FAULT"])

    with closing(Pipe(complaints)) as pipe:
        asyncio.run(night(pipe))


IN_PLAY = ("PLAYING", {"3": "ON"})
