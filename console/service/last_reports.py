"""What the cabinet's devices reported last, and which of them are there."""

from collections.abc import Collection, Mapping

from console.rules.acts import Act
from devices.card_reports import ShoeSeen, ShufflerSeen
from devices.device import Device
from devices.roles import LinkLost, LinkUp, RailSeen

SEEN_OF: Mapping[type[Act], Device] = {
    RailSeen: Device.RAIL,
    ShufflerSeen: Device.SHUFFLER,
    ShoeSeen: Device.SHOE,
}
"""Reports that say all their device knows: the last one is read again by a mended table."""


def says_all_of(newer: Act, older: Act) -> bool:
    """Whether nothing is lost when only the newer of two reports of a device is read."""
    match newer, older:
        case RailSeen(), RailSeen():
            return (newer.boot, newer.occupied) == (older.boot, older.occupied)
        case ShoeSeen(), ShoeSeen():
            return (newer.boot, newer.loads) == (older.boot, older.loads)
        case ShufflerSeen(), ShufflerSeen():
            return newer.hand == older.hand and newer.preparing is older.preparing
    return False


class LastHeard:
    """Listens to every report of the devices."""

    def __init__(self) -> None:
        self._links: set[Device] = set()
        self._seen: dict[Device, Act] = {}

    def take(self, act: Act) -> None:
        """A device has reported; other acts say nothing of one."""
        if isinstance(act, LinkUp):
            self._links.add(act.device)
        elif isinstance(act, LinkLost):
            self._links.discard(act.device)
            self._seen.pop(act.device, None)
        elif type(act) in SEEN_OF:
            self._seen[SEEN_OF[type(act)]] = act

    def links(self, devices: Collection[Device]) -> dict[Device, bool]:
        """Each of the devices, and whether it is there."""
        return {device: device in self._links for device in Device if device in devices}

    def seen(self) -> list[Act]:
        """The last report of each device that is there and says all it knows."""
        return list(self._seen.values())
