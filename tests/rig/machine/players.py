"""Croupier and players: from any phase they do what leads to the end of the round."""

from random import Random

from devices.roles import SEATS, Button, KeyPosition
from tests.rig.machine.table import Status, Table

FLUSH = Button.COMBINATION_5


class Players:
    """They act by what the table shows; `random` decides where there is a choice."""

    def __init__(self, table: Table, random: Random) -> None:
        self._table, self._random = table, random
        self._paid_in_round = 0

    async def act(self, status: Status) -> str:
        """Do the next thing; what it was."""
        match status["phase"]:
            case "BETTING":
                return await self._bet(status)
            case "COLLECTING":
                await self._table.press(Button.COIN_IN)
                return "COIN IN again"
            case "PLAYING":
                return await self._play(status)
            case "AWARDING":
                return await self._pay(status)
            case _:
                return await self._open()

    async def _open(self) -> str:
        await self._table.turn_key(KeyPosition.R)
        await self._table.press(Button.GAME_OVER)
        return "GAME OVER"

    async def _bet(self, status: Status) -> str:
        if "token" in status["seats"].values():
            await self._table.press(Button.COIN_IN)
            return "COIN IN"
        free = [seat for seat in SEATS if seat not in self._table.boards.state.tokens]
        seats = self._random.sample(free, self._random.randint(1, 4))
        for seat in seats:
            self._table.boards.rail.put_token(seat)
        return f"tokens {sorted(seats)}"

    async def _pay(self, status: Status) -> str:
        """Turning the key back pays; one that a start found at R is turned there once more."""
        position = KeyPosition.JPL if status["key"] == KeyPosition.R.value else KeyPosition.R
        if position is KeyPosition.R:
            self._paid_in_round = status["round"]
        await self._table.turn_key(position)
        return f"key {position.value}"

    async def _play(self, status: Status) -> str:
        if status["round"] == self._paid_in_round or "accepted" not in status["seats"].values():
            return await self._open()
        if not status["choice"]:
            await self._table.press(FLUSH)
            return "FLUSH"
        if status["key"] != KeyPosition.JPL.value:
            await self._table.turn_key(KeyPosition.JPL)
            return "key JPL"
        await self._table.press(Button.JPOT)
        return "JPOT"
