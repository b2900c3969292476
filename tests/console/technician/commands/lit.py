"""Which lamps of the cabinet are lit."""

from devices.roles import Lamp
from tests.console.technician.commands.visit import Visit


def slots_lit(seen: Visit) -> dict[int, Lamp]:
    return {seat: lamp for seat, lamp in seen.cabinet.slot_lamps().items() if lamp is not Lamp.DARK}


def leds_lit(seen: Visit) -> dict[int, Lamp]:
    return {seat: lamp for seat, lamp in seen.cabinet.seat_leds().items() if lamp is not Lamp.DARK}


def combinations_lit(seen: Visit) -> list[int]:
    return [at for at, lit in enumerate(seen.cabinet.combination_lamps(), 1) if lit]
