"""`about`: versions, machine and folders, with the service and without."""

import platform
from pathlib import Path

from console.technician.commands.about import describe_machine
from devices.sim.virtual_time import VirtualLoop
from tests.console.technician.commands.command_line import (
    IT,
    absent_service,
    line_in,
    line_to,
)


def test_about_tells_versions_machine_and_places(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        shown = line.type_command("about")
        joined = "".join(shown.split())
    assert "(Apache-2.0)" in shown
    assert f"Python    {platform.python_version()}\n" in shown
    assert "service   test, up " in shown
    assert ", ledger opening 1\n" in shown
    assert f"ledger{line.session.status.ledger if line.session.status else '?'}" in joined
    assert platform.node() in shown
    assert "signed    nothing: the table has no key\n" in shown


def test_about_without_a_service_tells_what_is_known(loop: VirtualLoop) -> None:
    with line_to(loop, absent_service(), ledger=Path("a-ledger"), language=IT) as line:
        shown = line.type_command("informazioni")
    assert "servizio  - (no-such-line: " in shown
    assert "registro  a-ledger\n" in shown
    assert "config    ?\n" in shown


def test_a_raspberry_pi_says_which_it_is(tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.write_text("Raspberry Pi 4 Model B Rev 1.5\0")
    assert "Raspberry Pi 4 Model B Rev 1.5, Linux" in describe_machine(model)
    assert platform.machine() in describe_machine(tmp_path / "none")
