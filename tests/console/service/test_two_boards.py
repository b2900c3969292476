"""Two rail boards on one line: a present fault that names them, until one is taken away."""

from pathlib import Path

from console.texts.catalogue.findings import find
from devices.device import Device
from devices.roles import DeviceLost
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.memory_line import DeviceEnd
from tests.console.table import OPEN, Table, table_in
from tests.firmware_bridge.board_session.rig import SecondBoard
from tests.firmware_bridge.reference.rail_firmware import RailFirmware


def splice(table: Table) -> SecondBoard:
    end = table.machine.cabinet.rail.cable._end
    assert isinstance(end, DeviceEnd)
    other = RailFirmware(BoardKind.SLOT_RAIL, 0xB0070999, serial="RAIL-008")
    return SecondBoard(table.machine.loop, end, other)


def find_codes(table: Table) -> set[str]:
    return {
        finding.code
        for finding in find((), table.simulated_table.service.drivers.figures(), {}, {})
    }


def test_two_boards_are_a_lost_rail_for_as_long_as_both_speak(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*OPEN, "token 1 2", "press COIN_IN", "expect phase PLAYING")
        before = len(table.records)
        second = splice(table)
        table.play("wait 3s")
        for _ in range(20):
            table.play("expect fault RAIL_LOST", "wait 3s")
        assert "TWO_BOARDS" in find_codes(table)
        table.play("expect slots none", "press GAME_OVER", "expect refused LOCKED")
        assert len(table.records) - before < 20
        second.remove()
        table.play("wait 5s", "expect fault none", "expect seats 1 2", "expect jackpot 10002.80")
        assert "TWO_BOARDS" not in find_codes(table)
        table.play(*OPEN, "token 3", "press COIN_IN", "expect phase PLAYING", "expect seats 3")


def test_the_reason_names_them(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        heard: list[str] = []
        table.simulated_table.service.watchers.append(
            lambda act, _: heard.append(act.why) if isinstance(act, DeviceLost) else None
        )
        splice(table)
        table.play("wait 3s")
        assert heard == ["two boards answer on this line: RAIL-001 (kind 1) and RAIL-008 (kind 1)"]
        assert table.simulated_table.service.devices_up[Device.RAIL] is False
