"""The ledger is read beside the event loop: bounded, with a deadline, for few at a time."""

import asyncio
import threading
from pathlib import Path

import pytest

from console.web.serving.supervisor.reading_thread import WAITING, Limit, ReadingThread
from jackpot.failures import LedgerUnavailable, Unavailable
from jackpot.ledger.ledger import newest_record
from tests.deadlines import DEADLINE_S


def test_the_loop_goes_on_while_a_disk_is_slow(tmp_path: Path) -> None:
    async def story() -> None:
        reading, free = ReadingThread(tmp_path), threading.Event()

        def slow(folder: Path, _: Limit) -> Path:
            assert free.wait(DEADLINE_S)
            return folder

        asked = asyncio.ensure_future(reading.ask(slow))
        for _ in range(100):
            await asyncio.sleep(0)
        assert not asked.done()
        free.set()
        assert await asked == tmp_path
        reading.close()

    asyncio.run(story())


def test_few_may_wait_and_the_others_are_told(tmp_path: Path) -> None:
    async def story() -> None:
        reading, free = ReadingThread(tmp_path), threading.Event()

        def slow(_: Path, __: Limit) -> bool:
            return free.wait(DEADLINE_S)

        asked = [asyncio.ensure_future(reading.ask(slow)) for _ in range(WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(TimeoutError, match="too many questions at a time"):
            await reading.ask(slow)
        free.set()
        assert await asyncio.gather(*asked) == [True] * WAITING
        assert await reading.ask(slow)
        reading.close()

    asyncio.run(story())


def test_a_reading_that_nobody_waits_for_any_more_ends(tmp_path: Path) -> None:
    async def story() -> None:
        reading, ended = ReadingThread(tmp_path, within_s=0.05), threading.Event()

        def endless(_: Path, limit: Limit) -> None:
            try:
                while True:
                    limit.step()
            except Unavailable:
                ended.set()
                raise

        with pytest.raises(TimeoutError):
            await reading.ask(endless)
        assert await asyncio.to_thread(ended.wait, DEADLINE_S)
        reading.close()

    asyncio.run(story())


def test_a_ledger_that_is_not_there_is_told_as_such(tmp_path: Path) -> None:
    async def story() -> None:
        reading = ReadingThread(tmp_path / "nowhere")
        with pytest.raises(LedgerUnavailable, match="cannot be read"):
            await reading.ask(lambda folder, _: newest_record(folder))
        reading.close()

    asyncio.run(story())
