"""Whoever leaves the line amid a question leaves nothing behind: no connection, no second try."""

import asyncio
from pathlib import Path

from console.line.client import LineClient
from console.line.requests import AnyAnswer, AskStatus

DEADLINE_S = 60.0


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
        asking = [asyncio.create_task(answered(client)) for _ in range(3)]
        async with asyncio.timeout(DEADLINE_S):
            await asked.wait()
            client.leave()
            await gone.wait()
            await asyncio.wait(asking)
        assert all(task.cancelled() for task in asking)
        assert len(lines) == 1
        server.close()

    asyncio.run(test())


async def answered(client: LineClient) -> AnyAnswer:
    return await client.ask(AskStatus())
