"""The report of `selftest`: on record, read back, on a slip."""

from pathlib import Path

from console.line.client import Unreachable
from console.line.requests import AnyAnswer, AnyRequest
from console.texts.language import Language
from devices.roles import Button, KeyPosition
from tests.console.technician.commands.robot_technician import RobotTechnician
from tests.console.technician.commands.selftest_records import SLIP, report_in
from tests.console.technician.commands.technician_bench import open_bench

WIDEST = 79


def test_the_report_is_read_back_from_the_ledger_as_it_was_printed(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.rail.kill_sensor(3)
        printed = report_in(RobotTechnician(bench).run("selftest"))
        again = report_in(bench.type_command("selftest show"))
        assert printed[2:] == again[2:]  # the second line has the time of day
        assert again[0] == "SELF-TEST simulated"
        assert again[1].endswith("  rossi")
        assert again[3] == "45 parts: 1 FAIL, 0 not tested"
        assert again[5].startswith("FAIL seat 3")
        assert len(printed) > 45


def test_it_fits_a_slip_of_40_columns_in_both_languages(tmp_path: Path) -> None:
    with open_bench(tmp_path, "inspector fitted") as bench:
        bench.cabinet.panel.weld(KeyPosition.JPL)
        bench.cabinet.panel.weld(Button.COMBINATION_2)
        bench.cabinet.rail.kill_lamp(5)
        printed = report_in(RobotTechnician(bench).run("selftest"))
        bench.session.language = Language.IT
        italian = report_in(bench.type_command("collaudo mostra"), "COLLAUDO")
        for line in printed + italian:
            assert len(line) <= SLIP
        assert "GUASTO chiave" in "\n".join(italian)
        assert "sempre chiuso: JPL" in "\n".join(italian)
        assert bench.printed.isascii()
        assert max(map(len, bench.printed.splitlines())) <= WIDEST


class NoService:
    """The service does not run."""

    async def ask(self, request: AnyRequest) -> AnyAnswer:
        raise Unreachable(f"nobody answers {type(request).__name__}")


def test_it_is_read_also_when_the_service_does_not_run(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        RobotTechnician(bench).run("selftest program")
        bench.session.table = NoService()
        assert "ok   program  version" in bench.type_command("selftest show")
        assert "No service" in bench.type_command("selftest") or "service" in bench.printed


def test_there_may_be_none(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        assert "no self-test is on record" in bench.type_command("selftest show")


def test_the_newest_one_is_shown(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        RobotTechnician(bench).run("selftest program")
        RobotTechnician(bench).run("selftest ledger")
        printed = bench.type_command("selftest show")
        assert "ok   ledger" in printed
        assert "ok   program" not in printed
