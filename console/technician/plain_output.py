"""Standard output as a terminal where nobody sits: `banco diag --sim status`."""

import shutil

from console.technician.talk import Interrupted
from console.texts.technician.session_texts import ASKS_SOMEBODY


class PlainOutput:
    """Prints whole lines; whoever is asked is not there."""

    @property
    def columns(self) -> int:
        """Of the terminal that it is written to; 80 without one."""
        return shutil.get_terminal_size().columns

    async def say(self, *lines: str) -> None:
        """Print whole lines, without pages."""
        for line in lines:
            print(line)

    async def ask(self, *_: object, **__: object) -> str:
        """Raise Interrupted."""
        raise Interrupted(ASKS_SOMEBODY)

    async def confirm(self, *_: object) -> bool | None:
        """Raise Interrupted."""
        raise Interrupted(ASKS_SOMEBODY)

    async def key(self, *_: object) -> str | None:
        """Raise Interrupted."""
        raise Interrupted(ASKS_SOMEBODY)

    async def forget_typed(self) -> None:
        """Nothing was typed."""

    async def pause(self, *_: object) -> None:
        """Raise Interrupted: what lasts is watched by somebody."""
        raise Interrupted(ASKS_SOMEBODY)

    def give_back(self, *_: object) -> None:
        """No key was read."""

    async def show(self, *_: object) -> None:
        """Raise Interrupted: a changing picture is for somebody who watches it."""
        raise Interrupted(ASKS_SOMEBODY)
