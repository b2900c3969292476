"""Opens a room for newcomers: python -m console.simulation.room (`make room`.

docs/how-to/room.md).
"""

import asyncio
import os
import signal
import sys
import tempfile
import termios
import tty
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from console.service.supervision.command_parser import CommandParser, whole_number
from console.service.supervision.process_end import describe_failure
from console.simulation.room.room import NAME, PIN, SimulatedRoom, open_room
from console.simulation.room.room_table import PlayingTable
from jackpot.failures import Failure

ENDED = ""
"""The input has ended."""


DONE, UNUSABLE = 0, 2
QUIT = ("q", ENDED)

HELP = """
  p  pull the primary's plug          s  pull the standby's plug
  o  promote the standby              b  put the servers' plugs back
  1 to {tables}  choose a table (now {chosen})
  c  pull its cable, or plug it in    w  cut its power, or switch it on
  ?  these lines                      q  end everything
"""


@asynccontextmanager
async def read_keys() -> AsyncIterator[asyncio.Queue[str]]:
    """The keys that are pressed, in order; the terminal is as before after the block."""
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor) if os.isatty(descriptor) else None
    keys: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def read() -> None:
        data = os.read(descriptor, 64)
        if not data:
            loop.remove_reader(descriptor)
            keys.put_nowait(ENDED)
        for key in data.decode("ascii", "replace"):
            keys.put_nowait(key)

    if before is not None:
        tty.setcbreak(descriptor)
    loop.add_reader(descriptor, read)
    try:
        yield keys
    finally:
        loop.remove_reader(descriptor)
        if before is not None:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def main() -> int:
    """The exit status."""
    parser = CommandParser(prog="make room", description="Open a room of linked tables.")
    parser.add_argument(
        "--playing", type=whole_number, default=4, help="tables that play by themselves (4)"
    )
    parser.add_argument(
        "--by-hand", type=whole_number, default=1, help="tables to play in the browser (1)"
    )
    options = parser.parse_args()
    try:
        asyncio.run(run_room(options.playing, options.by_hand))
    except (Failure, OSError) as error:
        print(f"not opened: {describe_failure(error)}", file=sys.stderr)
        return UNUSABLE
    return DONE


async def run_room(playing: int, by_hand: int) -> None:
    """Open it until somebody ends it. Raises Unavailable, OSError."""
    keys_task = asyncio.current_task()
    assert keys_task is not None
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, keys_task.cancel)
    with tempfile.TemporaryDirectory(prefix="banco-room-") as folder:
        try:
            async with open_room(Path(folder), playing=playing, by_hand=by_hand, say=say) as room:
                print_addresses(room)
                await RoomTerminal(room).run()
                say("ending everything ...")
        except asyncio.CancelledError:
            say("ended")


def say(text: str) -> None:
    """Print it at once."""
    print(text, flush=True)


def print_addresses(room: SimulatedRoom) -> None:
    """Where a browser finds everything."""
    say(f"\n  sign       {room.url}/sign")
    say(f"  overview   {room.url}/room   name {NAME}, PIN {PIN}")
    for table in room.tables:
        if table.url is not None:
            say(f"  {table.name:<10} {table.url}   to play by hand")
    others = ", ".join(table.name for table in room.tables if table.url is None)
    say(f"  playing by themselves: {others or 'none'}")


class RoomTerminal:
    """Does what the keys say."""

    def __init__(self, room: SimulatedRoom) -> None:
        self._room = room
        self._chosen = room.tables[0]

    async def run(self) -> None:
        """Until `q`, or the input's end."""
        self._print_help()
        async with read_keys() as keys:
            while (key := await keys.get()) not in QUIT:
                try:
                    await self._do(key)
                except (Failure, TimeoutError) as error:
                    say(f"  not done: {error}")

    async def _do(self, key: str) -> None:
        room, table = self._room, self._chosen
        match key:
            case "p":
                await asyncio.to_thread(room.pull_primary)
                say(f"  {room.pair.primary.name}, the primary, is off")
            case "s":
                await asyncio.to_thread(room.pull_standby)
                say(f"  {room.pair.standby.name}, the standby, is off")
            case "o":
                await asyncio.to_thread(room.promote)
                say(f"  {room.pair.primary.name} is the primary now; b puts the other one back")
            case "b":
                await asyncio.to_thread(room.put_back)
                say(f"  {room.pair.primary.name} and its standby {room.pair.standby.name} run")
            case "c":
                change_cable(table)
            case "w":
                await table.switch(power=not table.has_power)
                say(f"  {table.name}: power {'on' if table.has_power else 'off'}")
            case "?":
                self._print_help()
            case _ if key.isdigit() and 0 < int(key) <= len(room.tables):
                self._chosen = room.tables[int(key) - 1]
                say(f"  {self._chosen.name} is chosen")

    def _print_help(self) -> None:
        say(HELP.format(tables=len(self._room.tables), chosen=self._chosen.name))


def change_cable(table: PlayingTable) -> None:
    """Pull its cable, or plug it in."""
    if table.cable.plugged:
        table.cable.pull()
    else:
        table.cable.plug()
    say(f"  {table.name}: cable {'plugged in' if table.cable.plugged else 'pulled'}")


if __name__ == "__main__":
    sys.exit(main())
