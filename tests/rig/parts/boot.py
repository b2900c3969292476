"""The first power-on: the service starts by itself, before the adapters' drivers are loaded."""

from random import Random

from tests.rig.machine.table import Table


async def boot(table: Table, _: Random) -> None:
    """Power on; what starts is what the package has installed and enabled."""
    took = await table.guest.boot()
    table.report.hold("Debian boots", True, f"after {took:.1f} s")
    table.report.note("power on to the rig's hand, s", took)
    await table.wait_for_service()
    await table.hold_first_start()
    await table.wait_for_strangers()
    await table.enrol_boards()
    await table.hold_proofs()
    table.report.note("power on to all devices, processor's s", table.guest.processor_s)
    status = await table.wait_for_phase("PAUSED")
    table.report.hold("the first opening is on record", status["accounts"]["jackpot"] == "10000.00")
