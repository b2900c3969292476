"""The boards and the display of a table in a process of their own, on pseudo-terminals.

It needs a folder for them, tells when they are there, and runs until its input ends.
"""

import asyncio
import sys
from pathlib import Path

from console.configuration.table_plan import TablePlan
from console.simulation.cabinet import cabinet_for
from devices.device import Device

DEVICES = (Device.RAIL, Device.SHUFFLER, Device.DISPLAY)


async def main(folder: Path) -> None:
    """Serve them."""
    cabinet = cabinet_for(asyncio.get_running_loop(), TablePlan())
    for device in DEVICES:
        cabinet.serve_pty(device, folder)
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    cabinet.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
