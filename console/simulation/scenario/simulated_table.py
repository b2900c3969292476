"""A whole table, simulated: what people do to it, and what they then see."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from msgspec import UNSET

from console.rules.acts import Act, Cleared, CoupVoid
from console.rules.codes import CLEARED_BY_TWO, Duty, Refusal
from console.rules.game_modules import panel_lights
from console.rules.observation import Observation, ShownOutputs, observe_table
from console.rules.round import Transition
from console.rules.round.card_outputs import rail_orders
from console.rules.structs import replace
from console.service.table_service import TableService
from console.simulation.cabinet import PhysicallyImpossible, SimulatedCabinet
from console.simulation.scenario.acts import (
    AtSeats,
    BurnCards,
    CabinetAct,
    CardAct,
    Clear,
    DrawCards,
    DrawCutCard,
    FillDisk,
    LinkedAct,
    LoadDeck,
    LoadShoe,
    MakeDeclaration,
    MoveCable,
    MoveDoor,
    MoveInspector,
    PassOverShuffle,
    Power,
    Press,
    PressGreen,
    SeatVerb,
    TakePackets,
    TurnKey,
    UnloadDeck,
    Wait,
)
from console.simulation.scenario.simulated_machine import SimulatedMachine
from console.texts.table_texts import DUTIES
from devices.roles import DISPLAY_COLUMNS

AFTER_ACT_MS = 50
"""Each act is followed by 50 ms."""

PRESSED_MS = 25
"""How long of these 50 ms a button is held down, however late a busy computer is."""

READY_MS = 5000
"""Within this time every link of a sound cabinet is up."""


def card_hands(cabinet: SimulatedCabinet, act: CardAct) -> Iterator[Callable[[], object]]:
    """The calls that an act stands for, in order."""
    match act:
        case LoadDeck():
            yield partial(cabinet.shuffler.load_deck, act.back, act.cards)
        case TakePackets():
            yield from [cabinet.take_packet] * act.packets
        case UnloadDeck():
            yield cabinet.shuffler.unload_deck
        case PassOverShuffle():
            yield cabinet.shuffler.drum.pass_over
        case LoadShoe():
            yield partial(cabinet.shoe.load, act.cards)
        case BurnCards():
            yield partial(cabinet.shoe.burn, act.cards)
        case DrawCards(place=None):
            for card in act.cards:
                yield partial(cabinet.shoe.draw, card.name if card else None)
        case DrawCards():
            for card in act.cards:
                if card is not None and act.place is not None:
                    yield partial(cabinet.reading_shoe.draw_to, act.place, card.name)
        case DrawCutCard():
            yield cabinet.shoe.cut_card


class SimulatedTable:
    """A cabinet and its controller: does the acts of a scenario, and observes the result."""

    def __init__(self, machine: SimulatedMachine) -> None:
        self._machine = machine
        self._cabinet = machine.cabinet
        self._refused: Refusal | None = None
        self._powered = True
        self.performing = asyncio.Lock()
        """Held while an act is done in real time: one at a time, from whatever source."""
        self.service = self._start()

    def wait_for_devices(self) -> None:
        """Let time pass until every link of the cabinet is up."""
        for _ in range(READY_MS // AFTER_ACT_MS):
            if self.service.all_devices_up:
                break
            self._machine.pass_time(AFTER_ACT_MS)
        if self._machine.rehearsal is not None:
            self._machine.pass_time(AFTER_ACT_MS)  # the display shows what the centre answered

    def is_ready(self) -> bool:
        """Whether every link is up, all is on record, and the display shows it."""
        service = self.service
        if not service.all_devices_up or not service.at_rest:
            return False
        first, second = service.display.lines
        return self._cabinet.display.lines() == (
            first.ljust(DISPLAY_COLUMNS),
            second.ljust(DISPLAY_COLUMNS),
        )

    def shows_lamps(self) -> bool:
        """Whether the lamps show what is on record; a dead one never does."""
        state, cabinet = self.service.state, self._cabinet
        lights = panel_lights(state, self.service.rules)
        slots = cabinet.slot_lamps()
        return (
            (not slots or tuple(slots.values()) == rail_orders(state).lamps)
            and tuple(cabinet.panel.seat_leds().values()) == lights.seats
            and cabinet.panel.combination_lamps() == lights.combinations
        )

    def is_settled(self) -> bool:
        """Whether all that was done is on record, and shown."""
        return not self._powered or self.service.at_rest

    def do(self, act: CabinetAct) -> None:
        """Do an act and let its time pass."""
        for ms in self.perform(act):
            self._machine.pass_time(ms)

    def perform(self, act: CabinetAct) -> Iterator[int]:
        """Do an act step by step; yields the milliseconds that must pass after each step.

        An act that is physically impossible does nothing.
        """
        if isinstance(act, Wait):
            yield act.ms
            return
        self._refused = None
        if isinstance(act, AtSeats):
            for seat in act.seats:
                self._at_seat(act.verb, seat)
                yield AFTER_ACT_MS
        elif isinstance(act, CardAct):
            for once in card_hands(self._cabinet, act):
                with suppress(PhysicallyImpossible):
                    once()
                yield AFTER_ACT_MS
        elif isinstance(act, Press):
            self._cabinet.panel.hold(act.button)
            yield PRESSED_MS
            self._cabinet.panel.release(act.button)
            yield AFTER_ACT_MS - PRESSED_MS
        else:
            if isinstance(act, LinkedAct) and self._machine.rehearsal is not None:
                self._machine.rehearsal.perform(act)
            else:
                self._do_once(act)
            yield AFTER_ACT_MS

    def observe(self) -> Observation:
        """The table now."""
        cabinet = self._cabinet
        shown = ShownOutputs(
            slots=cabinet.slot_lamps(),
            seats=cabinet.panel.seat_leds(),
            lamps=cabinet.panel.combination_lamps(),
            display=cabinet.display.lines(),
            green=cabinet.green_light(),
            ready_light=cabinet.ready_light(),
        )
        service = self.service
        now = service.clock.now()
        seen = observe_table(service.state, service.rules, shown, self._refused, now)
        rehearsal = self._machine.rehearsal
        return seen if rehearsal is None else replace(seen, centre=rehearsal.centre.reading)

    def _at_seat(self, verb: SeatVerb, seat: int) -> None:
        with suppress(PhysicallyImpossible):
            rail = self._cabinet.rail
            match verb:
                case SeatVerb.TOKEN:
                    rail.put_token(seat)
                case SeatVerb.TAKE:
                    rail.take_token(seat)
                case SeatVerb.COVER:
                    rail.cover(seat)
                case SeatVerb.UNCOVER:
                    rail.uncover(seat)
                case SeatVerb.JAM | SeatVerb.UNJAM:
                    rail.jam(seat, verb is SeatVerb.JAM)

    def _do_once(self, act: CabinetAct) -> None:
        cabinet = self._cabinet
        match act:
            case PressGreen():
                cabinet.shuffler.press_green()
            case TurnKey():
                cabinet.turn_key(act.position)
            case MoveInspector():
                cabinet.inspector(act.here)
            case MoveDoor():
                cabinet.move_door(act.door, opened=act.opened)
            case Power():
                self._switch_power(act.on)
            case MoveCable(plugged=True):
                cabinet.plug(act.device)
            case MoveCable():
                cabinet.unplug(act.device)
            case FillDisk():
                self._machine.disk.full = act.full
            case MakeDeclaration():
                self._report(replace(act.declaration, who=self._name(Duty.FLOOR_MANAGER)))
                if isinstance(act.declaration, CoupVoid) and self.service.rules.game.reads_coup:
                    cabinet.reading_shoe.end_coup()  # the croupier ends it at the shoe, too
            case Clear():
                second = self._name(Duty.CASHIER) if act.fault in CLEARED_BY_TWO else UNSET
                self._report(Cleared(act.fault, self._name(Duty.FLOOR_MANAGER), second=second))

    def _name(self, duty: Duty) -> str:
        """Who has the duty on record: nobody is enrolled for a scenario's acts."""
        return DUTIES[duty].in_(self._machine.plan.language)

    def _report(self, act: Act) -> None:
        if self._powered:
            self.service.report(act)

    def _switch_power(self, on: bool) -> None:
        if on == self._powered:
            return
        self._powered = on
        if on:
            self._cabinet.restore_power()
            self.service = self._start()
        else:
            self._cabinet.cut_power()
            self._machine.kill_controller()

    def _start(self) -> TableService:
        service = self._machine.start_controller()
        service.watchers.append(self._watch)
        return service

    def _watch(self, _act: Act, step: Transition) -> None:
        if step.refusal is not None:
            self._refused = step.refusal
