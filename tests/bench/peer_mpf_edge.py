"""Contender: the Mission Pinball Framework, from a switch hit to a coil's pulse.

Its virtual platform; the switch's event goes through its event queue to its coil player. Logging
is off, as in its production mode. `s_one` pulses one coil, `s_seven` seven. With `recorded` each
press is first a row of a database, written in a thread of its own and not synced, as ours without
syncs: the coils come after it.
"""

import asyncio
import shutil
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from threading import Thread
from time import perf_counter
from typing import Any

from mpf.core.config_loader import YamlMultifileConfigLoader
from mpf.core.machine import MachineController

from tests.bench.contenders import serve
from tests.bench.hand import Hand

CONFIG = Path(__file__).with_name("mpf_machine.yaml")
NUMBERS = {"s_one": ("1", "c_1"), "s_seven": ("2", "c_7")}
OPTIONS = {
    "bcp": False,
    "force_assets_load": False,
    "force_platform": False,
    "platform_integration_test": False,
    "production": True,
    "text_ui": False,
}


def machine_in(folder: Path) -> Any:
    """A machine, initialised."""
    (folder / "config").mkdir()
    shutil.copy(CONFIG, folder / "config" / "config.yaml")
    loader = YamlMultifileConfigLoader(str(folder), ["config.yaml"], False, False)
    machine = MachineController(OPTIONS, loader.load_mpf_config())
    if not machine.initialize_mpf():
        raise RuntimeError("the machine does not start")
    return machine


class RecordThread:
    """Writes a bare row for each press in its one thread, then calls on the loop what follows."""

    def __init__(self, loop: asyncio.AbstractEventLoop, file: Path) -> None:
        self._loop = loop
        self._file = file
        self._due: SimpleQueue[Callable[[], None]] = SimpleQueue()
        Thread(target=self._run, daemon=True).start()

    def record(self, then: Callable[[], None]) -> None:
        """Write a row; `then` is called on the loop when it is committed."""
        self._due.put(then)

    def _run(self) -> None:
        with closing(sqlite3.connect(self._file, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("CREATE TABLE press (number INTEGER PRIMARY KEY, text TEXT)")
            while True:
                then = self._due.get()
                connection.execute("INSERT INTO press (text) VALUES ('a press')")
                self._loop.call_soon_threadsafe(then)


def main(switch: str, how: str) -> None:
    """Measure as often as asked."""
    number, last_coil = NUMBERS[switch]
    with TemporaryDirectory() as folder:
        asyncio.set_event_loop(asyncio.new_event_loop())
        machine = machine_in(Path(folder))
        loop = machine.clock.loop
        change = machine.switch_controller.process_switch_by_num
        close = partial(change, number, 1, machine.default_platform)
        release = partial(change, number, 0, machine.default_platform)
        press = close
        if how == "recorded":
            press = partial(RecordThread(loop, Path(folder) / "record.db").record, close)

        # As a platform's own thread would: its switches change on the machine's loop.
        hand = Hand(
            lambda _: loop.call_soon_threadsafe(press),
            lambda _: loop.call_soon_threadsafe(release),
        )
        watch(machine.coils[last_coil].hw_driver, hand)

        loop.run_until_complete(serve(hand.answer))


def watch(driver: Any, hand: Hand) -> None:
    """Tell the hand when the coil is pulsed."""
    pulse = driver.pulse

    def pulse_and_tell(settings: Any) -> None:
        pulse(settings)
        hand.on_effect(perf_counter())

    driver.pulse = pulse_and_tell


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if sys.argv[2:] else "")
