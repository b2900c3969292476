"""Logs what a technician looks for beside the faults: logins, devices, starts.

Each kind of line has a logging call of its own, because the log limits each call separately: a
loose cable must not hide a login.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from console.rules.acts import Act, Cleared, Entered, EntryRefused, Left, PinTooOld
from console.rules.codes import LEDGER_FAULTS
from console.rules.round import Transition
from console.rules.round.draft import ActOutcome
from console.service.table_service import TableService
from devices.card_reports import ShoeSeen, ShufflerSeen
from devices.device import Device
from devices.roles import DeviceLost, DeviceUp, FloodBegan, FloodOver, RailSeen

log = logging.getLogger(__name__)


class TableLog:
    """Follows one service from its start on; `title` names program and table."""

    def __init__(self, service: TableService, title: str) -> None:
        seen = service.state.rail.seen
        self._boots: dict[Device, int] = {Device.RAIL: seen.boot} if seen is not None else {}
        self._writers: Mapping[type[Act], Callable[[Any, Transition], None]] = {
            DeviceLost: _log_device_lost,
            DeviceUp: _log_device_up,
            FloodBegan: _log_flood,
            FloodOver: _log_flood_over,
            RailSeen: lambda act, _: self._board(Device.RAIL, act.boot),
            ShufflerSeen: lambda act, _: self._board(Device.SHUFFLER, act.boot),
            ShoeSeen: lambda act, _: self._board(Device.SHOE, act.boot),
            Entered: _log_entry,
            EntryRefused: _log_refused_entry,
            PinTooOld: _log_old_pin,
            Left: _log_leaving,
            Cleared: _log_clearing,
        }
        log.info("the service has started: boot %d, %s", service.table_ledger.boot, title)
        service.watchers.append(self._on_act)

    def _on_act(self, act: Act, step: Transition) -> None:
        if type(act) in self._writers:
            self._writers[type(act)](act, step)
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


def _log_device_lost(act: DeviceLost, _: Transition) -> None:
    log.info("%s is lost: %s", act.device.value, act.why)


def _log_device_up(act: DeviceUp, _: Transition) -> None:
    log.info("%s is there", act.device.value)


def _log_flood(act: FloodBegan, _: Transition) -> None:
    log.warning("%s: too many reports, only the newest are taken", act.device.value)


def _log_flood_over(act: FloodOver, _: Transition) -> None:
    log.info("%s: reports as usual again, %d were left out", act.device.value, act.left_out)


def _log_entry(act: Entered, _: Transition) -> None:
    duties = ", ".join(duty.value for duty in act.duties)
    log.info("%s has entered (%s)%s", act.who, duties, _name_user(act.uid))


def _log_refused_entry(act: EntryRefused, _: Transition) -> None:
    log.warning("%s: wrong PIN (%d)%s", act.who, act.wrong, _name_user(act.uid))


def _log_old_pin(act: PinTooOld, _: Transition) -> None:
    log.warning("%s: the PIN is too old%s", act.who, _name_user(act.uid))


def _log_leaving(act: Left, _: Transition) -> None:
    log.info("%s has left: %s", act.who, act.why)


def _log_clearing(act: Cleared, step: Transition) -> None:
    if step.outcome is ActOutcome.DONE:
        unlocked = act.fault in LEDGER_FAULTS and not step.state.locked
        log.info(
            "%s has cleared %s%s",
            act.who,
            act.fault.value,
            "; the table is unlocked" if unlocked else "",
        )


def _name_user(uid: int | None) -> str:
    """The user at the other end of a socket; nothing where there is none."""
    return "" if uid is None else f", user id {uid}"
