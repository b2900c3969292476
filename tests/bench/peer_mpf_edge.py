"""Contender: the Mission Pinball Framework, from a switch hit to a coil's pulse.

Its virtual platform; the switch's event goes through its event queue to its coil player. Logging
is off, as in its production mode. `s_one` pulses one coil, `s_seven` seven.
"""

import asyncio
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
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


def main(switch: str) -> None:
    """Measure as often as asked."""
    number, last_coil = NUMBERS[switch]
    with TemporaryDirectory() as folder:
        asyncio.set_event_loop(asyncio.new_event_loop())
        machine = machine_in(Path(folder))
        loop = machine.clock.loop

        def turn(state: int) -> None:
            # As a platform's own thread would: its switches change on the machine's loop.
            loop.call_soon_threadsafe(
                machine.switch_controller.process_switch_by_num,
                number,
                state,
                machine.default_platform,
            )

        hand = Hand(lambda _: turn(1), lambda _: turn(0))
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
    main(sys.argv[1])
