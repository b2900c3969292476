"""A technician's laptop at the diagnostics port."""

import asyncio
import re

from tests.rig.machine.guest import Guest

PROMPT = "banco>"
GREETINGS, GREETING_S = 20, 3.0
"""Enter, until somebody answers: the line takes a moment to open its port."""
ANSWER_S = 30.0
COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Laptop:
    """What is typed on it, and what its screen shows."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def type(self, words: str, until: str, seconds: float = ANSWER_S) -> str:
        """Type a command; what came until these words did, or until nothing came for so long."""
        self._writer.write(words.encode() + b"\r")
        seen = text = ""
        while until not in text:
            try:
                data = await asyncio.wait_for(self._reader.read(4096), seconds)
            except TimeoutError:
                break
            if not data:
                break
            seen += data.decode("utf-8", "replace")
            text = COLOURS.sub("", seen)
        return text

    async def greet(self) -> None:
        """Press Enter until the line answers."""
        for _ in range(GREETINGS):
            if PROMPT in await self.type("", PROMPT, GREETING_S):
                break

    def unplug(self) -> None:
        """Take it away."""
        self._writer.close()


async def plug_laptop(guest: Guest) -> Laptop:
    """Plug it in: its adapter is in its socket from now on."""
    path = str(guest.folder / "diagnostics")
    return Laptop(*await asyncio.open_unix_connection(path, limit=1 << 20))
