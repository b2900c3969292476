"""Starts, devices and the key at a linked table.

docs/reference/link-rules.md, sections 3.1 and 4.
"""

from console.rules.acts import Reopened, Started
from console.rules.codes import Fault, Refusal
from console.rules.round import faults, key
from console.rules.round.draft import Draft
from console.rules.round.linked.awards import turn_to_run
from console.rules.round.linked.opening import give_up_opening
from console.rules.round.linked.outbox import link_of
from console.rules.structs import replace
from devices.device import Device
from devices.roles import DeviceLost, DeviceUp, KeyMoved, KeyPosition


def on_started(draft: Draft, act: Started) -> None:
    """After a power cut: the link is lost until the centre answers; an opening is given up."""
    faults.on_started(draft, act)
    _distrust_link(draft)
    give_up_opening(draft)


def on_reopened(draft: Draft, act: Reopened) -> None:
    """The journal's state again: its link must be found again, too."""
    faults.on_reopened(draft, act)
    _distrust_link(draft)
    give_up_opening(draft)


def _distrust_link(draft: Draft) -> None:
    draft.link = replace(link_of(draft), welcomed=False)
    draft.raise_fault(Fault.LINK_LOST)


def on_device_lost(draft: Draft, act: DeviceLost) -> None:
    """A device is silent; if it is the link, an opening that was asked is refused."""
    faults.on_device_lost(draft, act)
    if act.device is Device.LINK:
        give_up_opening(draft)


def on_device_up(draft: Draft, act: DeviceUp) -> None:
    """A device is back. The link's faults clear with the next beat that finds nothing waiting."""
    if act.device is Device.LINK:
        draft.link = replace(link_of(draft), welcomed=True)
    else:
        faults.on_device_up(draft, act)


def on_key_moved(draft: Draft, act: KeyMoved) -> None:
    """The key: S is refused while COIN IN waits for its answer."""
    asked = link_of(draft).opening is not None and not draft.locked
    if asked and act.position is KeyPosition.S:
        draft.key = act.position
        draft.clear_fault(Fault.KEY_FAULT)
        draft.refuse(Refusal.LINK_ASKED)
    else:
        key.turn_key(draft, act, turn_to_run)
