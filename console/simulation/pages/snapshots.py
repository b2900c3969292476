"""A snapshot of a simulated table: what it shows, and the state of its cabinet."""

import msgspec

from console.simulation.cabinet import SimulatedCabinet, SimulatedDisk
from console.simulation.scenario.cabinet_facts import facts_of
from console.simulation.scenario.simulated_table import SimulatedTable
from console.web.messages import TableSnapshot
from console.web.snapshots import snapshot_of


def snapshot_of_cabinet(
    simulated_table: SimulatedTable, cabinet: SimulatedCabinet, disk: SimulatedDisk
) -> TableSnapshot:
    """A snapshot that includes the state of the cabinet."""
    service = simulated_table.service
    facts = facts_of(cabinet, disk, service)
    snapshot = snapshot_of(service, simulated_table.observe(), facts.key)
    return msgspec.structs.replace(snapshot, powered=facts.powered, cabinet=facts.to_json())
