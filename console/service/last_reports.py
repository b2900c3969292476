"""The last report of each device, and which devices are connected."""

from collections.abc import Collection, Iterable, Mapping

from console.rules.acts import Act
from console.rules.board_marks import BoardEnrolled
from console.rules.round import Transition
from console.rules.round.draft import ActOutcome
from devices.boards import BoardFound
from devices.card_reports import ShoeSeen, ShufflerSeen
from devices.device import Device
from devices.roles import DeviceLost, DeviceUp, RailSeen

SEEN_OF: Mapping[type[Act], Device] = {
    RailSeen: Device.RAIL,
    ShufflerSeen: Device.SHUFFLER,
    ShoeSeen: Device.SHOE,
}
"""Reports with a device's whole state: a table that is unlocked applies the last one again."""


def makes_superfluous(newer: Act, older: Act) -> bool:
    """Whether the newer of two reports makes the older one superfluous."""
    match newer, older:
        case RailSeen(), RailSeen():
            return (newer.boot, newer.occupied) == (older.boot, older.occupied)
        case ShoeSeen(), ShoeSeen():
            return (newer.boot, newer.loads) == (older.boot, older.loads)
        case ShufflerSeen(), ShufflerSeen():
            same = newer.hand == older.hand and newer.preparing is older.preparing
            return same and newer.presses == older.presses
    return False


class LastReports:
    """Remembers whether each device is up, and the last whole report of each device."""

    def __init__(self) -> None:
        self._links: set[Device] = set()
        self._found: dict[Device, BoardFound] = {}
        self._seen: dict[Device, Act] = {}

    def note(self, act: Act) -> None:
        """Note an act, if it is a device's report."""
        if isinstance(act, DeviceUp):
            self._links.add(act.device)
        elif isinstance(act, DeviceLost):
            self._links.discard(act.device)
            self._found.pop(act.device, None)
            self._seen.pop(act.device, None)
        elif isinstance(act, BoardFound):
            self._found[act.device] = act
            self._seen.pop(act.device, None)  # another board may have reported it
        elif type(act) in SEEN_OF:
            self._seen[SEEN_OF[type(act)]] = act

    def devices_up(self, devices: Collection[Device]) -> dict[Device, bool]:
        """Each of the devices, and whether it is connected."""
        return {device: device in self._links for device in Device if device in devices}

    def reports(self, newer: Iterable[type[Act]]) -> list[Act]:
        """The boards and the last whole report of each connected device.

        Without reports of which `newer` ones wait: those are applied afterwards.
        """
        waiting = set(newer)
        seen = [act for act in self._seen.values() if type(act) not in waiting]
        return [*self._found.values(), *seen]

    def due_after(self, act: Act, step: Transition) -> list[Act]:
        """What a device has reported before it was enrolled by this act: it counts now."""
        if not isinstance(act, BoardEnrolled) or step.outcome is not ActOutcome.DONE:
            return []
        report = self._seen.get(act.device)
        return [] if report is None else [report]
