"""`rake` on the technician's line: the same answers as `banco rake`, also without the service."""

from devices.sim.virtual_time import VirtualLoop
from tests.console.technician.commands.command_line import IT, absent_service, line_to


def test_it_reckons_without_the_service(loop: VirtualLoop) -> None:
    """POKER 18.20"""
    with line_to(loop, absent_service()) as line:
        assert line.type_command("rake --house sanremo 100 200 1000").splitlines()[1] == "5+10+15"
        assert "6+4" in line.type_command("rake --house prestige 6.50 200")


def test_what_cannot_be_reckoned_says_what_would_be_right(loop: VirtualLoop) -> None:
    with line_to(loop, absent_service(), language=IT) as line:
        assert "'dieci' is not an amount" in line.type_command("trattenuta --house sanremo dieci")
        assert "--house" in line.type_command("rake 100")
