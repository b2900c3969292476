"""Which lamps of the cabinet are lit."""

from devices.roles import Lamp
from tests.console.technician.commands.technician_bench import TechnicianBench


def slots_lit(bench: TechnicianBench) -> dict[int, Lamp]:
    return {
        seat: lamp for seat, lamp in bench.cabinet.slot_lamps().items() if lamp is not Lamp.DARK
    }


def leds_lit(bench: TechnicianBench) -> dict[int, Lamp]:
    return {
        seat: lamp
        for seat, lamp in bench.cabinet.panel.seat_leds().items()
        if lamp is not Lamp.DARK
    }


def combinations_lit(bench: TechnicianBench) -> list[int]:
    return [at for at, lit in enumerate(bench.cabinet.panel.combination_lamps(), 1) if lit]
