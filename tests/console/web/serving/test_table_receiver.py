"""What the pages' process knows of the table: also that nobody tells it anything any more."""

import asyncio
from pathlib import Path

import pytest

from console.web.messages import ActAnswer, Heartbeat, TableSnapshot, encode_message
from console.web.serving.table_receiver import TableReceiver
from console.web.table_pages import snapshot_of_table
from tests.console.table import table_in
from tests.console.web.supervised import opening_of
from tests.deadlines import DEADLINE_S


class RecordingListener:
    """What a listener hears, in order."""

    def __init__(self, receiver: TableReceiver) -> None:
        self.notes: list[str] = []
        self._news = asyncio.Event()
        receiver.on_snapshot.append(lambda snapshot: self.note(str(snapshot.seen["phase"])))
        receiver.on_heartbeat.append(lambda: self.note("heartbeat"))
        receiver.on_lost.append(lambda: self.note("lost"))
        receiver.on_answer.append(lambda answer: self.note(answer.line))

    def note(self, what: str) -> None:
        self.notes.append(what)
        self._news.set()

    async def until(self, what: str) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while what not in self.notes:
                self._news.clear()
                await self._news.wait()


@pytest.fixture
def snapshot(tmp_path: Path) -> TableSnapshot:
    with table_in(tmp_path / "table") as table:
        table.play("press GAME_OVER")
        return snapshot_of_table(table.simulated_table.service)


def test_who_is_silent_is_lost_and_whatever_he_then_says_shows_the_table_again(
    tmp_path: Path, snapshot: TableSnapshot
) -> None:
    async def listen() -> list[str]:
        receiver, pipe = TableReceiver(opening_of(tmp_path)), asyncio.StreamReader()
        heard = RecordingListener(receiver)
        listening = asyncio.create_task(receiver.listen(pipe))
        pipe.feed_data(encode_message(snapshot) + encode_message(Heartbeat()))
        await heard.until("lost")
        pipe.feed_data(encode_message(ActAnswer(1, "press JPOT")))
        await heard.until("press JPOT")
        pipe.feed_eof()
        await listening
        return heard.notes

    assert asyncio.run(listen()) == ["BETTING", "heartbeat", "lost", "BETTING", "press JPOT"]


def test_what_a_service_would_never_say_ends_it(tmp_path: Path) -> None:
    async def listen(line: bytes) -> None:
        receiver, pipe = TableReceiver(opening_of(tmp_path)), asyncio.StreamReader()
        pipe.feed_data(line)
        pipe.feed_eof()
        await receiver.listen(pipe)

    asyncio.run(listen(encode_message(Heartbeat())))
    for line in (b"hello\n", b"{}\n", encode_message(opening_of(tmp_path))):
        with pytest.raises(ValueError, match=r"Invalid|JSON|opening|missing"):
            asyncio.run(listen(line))
