"""A table's process at a board built from docs/reference/wire-protocol.md alone, and rounds played
there.
"""

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from jackpot.ledger.ledger import read_records, verify
from jackpot.money.accounts import Reason
from tests.console.running_table import RunningTable, Seen, configuration, running
from tests.console.service.independent_rail import INVITE, ON, IndependentRail, Wire, good_wire

EVERYWHERE = {1, 2, 3, 4, 5, 6, 7}


class IndependentRailTable:
    """A folder with a ledger, and a rail that stays powered whatever becomes of the table."""

    def __init__(self, folder: Path, rail: IndependentRail) -> None:
        self.folder = folder
        self.rail = rail
        port = f'driver = "board"\nport = "{rail.link}"\nprotocol = 1'
        self.file = configuration(folder / "bench.toml", kind="bench", rail=port)

    def table(self) -> AbstractAsyncContextManager[RunningTable]:
        """The table's process."""
        return running(self.folder, "--config", self.file)

    def settle(self) -> None:
        """Every token in the tray stands in the ledger, once, under its seat."""
        stakes = [
            transaction.identity
            for record in read_records(self.folder / "ledger")
            for transaction in record.transactions
            if transaction.reason is Reason.STAKE
        ]
        assert Counter(f"/seat-{seat}/stake" for seat in self.rail.tray) == Counter(
            identity[identity.index("/seat") :] for identity in stakes
        )
        assert len(set(stakes)) == len(stakes)
        assert verify(self.folder / "ledger").problems == ()


@asynccontextmanager
async def rail_table(
    folder: Path, wire: Wire = good_wire, *, version: int = 1
) -> AsyncIterator[IndependentRailTable]:
    rail = IndependentRail(folder / "rail", wire, version=version)
    try:
        yield IndependentRailTable(folder, rail)
    finally:
        rail.close()


@asynccontextmanager
async def play_and_settle(
    folder: Path, wire: Wire = good_wire
) -> AsyncIterator[tuple[RunningTable, IndependentRail]]:
    """A table at this rail; when it has ended its ledger is held against the tray."""
    async with rail_table(folder, wire) as at:
        async with at.table() as table:
            yield table, at.rail
        at.settle()


def phase(name: str, *faults: str) -> Callable[[Seen], bool]:
    return lambda seen: (seen["phase"], seen["faults"]) == (name, [*faults])


async def press(table: RunningTable, button: str) -> None:
    """Press it, and again after a bad wire has had the rail lost, while it was refused."""
    while (answer := await table.do(f"press {button}"))["refused"] == "LOCKED":
        await table.until(lambda seen: not seen["faults"])
    assert answer["refused"] is None


async def bet(table: RunningTable, rail: IndependentRail, *seats: int) -> None:
    """The next round; tokens are put in, and COIN IN is pressed."""
    await press(table, "game_over")
    await table.until(lambda _: rail.lamps(INVITE, ON) == EVERYWHERE)
    rail.put(*seats)
    await table.until(lambda _: rail.lamps(ON) == {*seats})
    await press(table, "coin_in")


async def play(table: RunningTable, rail: IndependentRail, *seats: int) -> Seen:
    """A round up to PLAYING."""
    await bet(table, rail, *seats)
    answer = await table.until(phase("PLAYING"))
    await table.until(lambda _: rail.lamps(ON) == {*seats} and not rail.slots)
    return answer


async def win(table: RunningTable, combination: str, key: str) -> Seen:
    """An award, paid."""
    await table.do(f"press {combination}", f"key {key}", "press jpot")
    await table.until(lambda seen: seen["phase"] == "AWARDING")
    await table.do("key r")
    return await table.until(lambda seen: seen["phase"] == "PLAYING")
