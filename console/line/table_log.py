"""What a technician looks for in the log beside the faults: who came, which device, which start.

Each kind of line is written in its own place: the log's limit counts by place, and a cable that
is loose must not hide who has entered.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from console.rules.acts import Act, Cleared, Entered, EntryRefused, Left
from console.rules.codes import LEDGER_FAULTS
from console.rules.round import Transition
from console.rules.round.draft import ActOutcome
from console.service.table_service import TableService
from devices.card_reports import ShoeSeen, ShufflerSeen
from devices.device import Device
from devices.roles import FloodBegan, FloodOver, LinkLost, LinkUp, RailSeen

log = logging.getLogger(__name__)


class TableLog:
    """Follows one service from its start on; `whose` names program and table."""

    def __init__(self, service: TableService, whose: str) -> None:
        seen = service.state.rail.seen
        self._boots: dict[Device, int] = {Device.RAIL: seen.boot} if seen is not None else {}
        self._tells: Mapping[type[Act], Callable[[Any, Transition], None]] = {
            LinkLost: _lost,
            LinkUp: _there,
            FloodBegan: _flood,
            FloodOver: _flood_over,
            RailSeen: lambda act, _: self._board(Device.RAIL, act.boot),
            ShufflerSeen: lambda act, _: self._board(Device.SHUFFLER, act.boot),
            ShoeSeen: lambda act, _: self._board(Device.SHOE, act.boot),
            Entered: _entered,
            EntryRefused: _not_entered,
            Left: _left,
            Cleared: _cleared,
        }
        log.info("the service has started: boot %d, %s", service.table_ledger.boot, whose)
        service.watchers.append(self._look)

    def _look(self, act: Act, step: Transition) -> None:
        if type(act) in self._tells:
            self._tells[type(act)](act, step)
        for decision in step.decisions:
            if decision.what == "service-begun":
                log.info("SERVICE has begun, underneath is %s", decision.facts["phase"])
            elif decision.what == "service-ended":
                log.info("SERVICE has ended: %s", decision.facts["phase"])

    def _board(self, device: Device, boot: int) -> None:
        before = self._boots.get(device, boot)
        self._boots[device] = boot
        if boot != before:
            log.warning("%s: its board has restarted (boot %d)", device.value, boot)


def _lost(act: LinkLost, _: Transition) -> None:
    log.info("%s is lost: %s", act.device.value, act.why)


def _there(act: LinkUp, _: Transition) -> None:
    log.info("%s is there", act.device.value)


def _flood(act: FloodBegan, _: Transition) -> None:
    log.warning("%s: too many reports, only the newest are taken", act.device.value)


def _flood_over(act: FloodOver, _: Transition) -> None:
    log.info("%s: reports as usual again, %d were left out", act.device.value, act.left_out)


def _entered(act: Entered, _: Transition) -> None:
    log.info("%s has entered (%s)", act.who, ", ".join(duty.value for duty in act.duties))


def _not_entered(act: EntryRefused, _: Transition) -> None:
    log.warning("%s: wrong PIN (%d)", act.who, act.wrong)


def _left(act: Left, _: Transition) -> None:
    log.info("%s has left: %s", act.who, act.why)


def _cleared(act: Cleared, step: Transition) -> None:
    if step.outcome is ActOutcome.DONE:
        unlocked = act.fault in LEDGER_FAULTS and not step.state.locked
        log.info(
            "%s has cleared %s%s",
            act.who,
            act.fault.value,
            "; the table is unlocked" if unlocked else "",
        )
