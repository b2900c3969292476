"""What a start imports: the heavy parts wait until they are asked for.

A module of ours costs 0.2 to 0.5 ms, on a Raspberry Pi four to eight times as much.
"""

import os
import subprocess
import sys
from pathlib import Path

from tests.deadlines import DEADLINE_S
from tests.house.sources import PACKAGES, ROOT

HEAVY = {"asyncio", "gpiozero", "lgpio", "RPi", "serial", "serial_asyncio", "sqlite3"}
NEVER = {
    *("aiohttp", "apsw", "cryptography", "fpdf", "lgpio", "prometheus_client", "prompt_toolkit"),
    "psycopg",
}
"""What no table needs before its first lamp."""

MOST_OF_OURS = 285
"""Modules of ours: more than that is a package that should have waited."""

OTHER_ROOMS = ("console.link", "console.office", "console.technician", "console.web")

MOST_EXPRESSIONS_OF_OURS = 16
"""Regular expressions that a start compiles, 0.1 to 0.3 ms each. `re` keeps a text that is given
to it compiled: what is asked of a mistake, or of a person's typing, waits until then."""

LIST_WHAT_CAME_IN = "import sys, {modules}; print(*sys.modules)"
RUN = "import sys; from console.__main__ import main; sys.exit(main())"
IMPORTED = "import time:"
COUNT_EXPRESSIONS = """
import re._compiler, sys
compile_one = re._compiler.compile

def note(*given):
    frame = sys._getframe(1)
    while frame.f_globals["__name__"].partition(".")[0] == "re":
        frame = frame.f_back
    print("compiled:", frame.f_globals["__name__"], file=sys.stderr)
    return compile_one(*given)

re._compiler.compile = note
"""


def came_in(modules: str) -> set[str]:
    """Every module that comes in with these."""
    code = LIST_WHAT_CAME_IN.format(modules=modules)
    return set(run("-c", code).stdout.split())


def came_in_until_the_end(*arguments: str, folder: Path) -> set[str]:
    """Every module that is imported while `banco` does this."""
    environment = {**os.environ, "XDG_STATE_HOME": str(folder)}
    listing = run("-X", "importtime", "-c", RUN, *arguments, environment=environment).stderr
    lines = (line for line in listing.splitlines() if line.startswith(IMPORTED))
    return {line.rpartition("|")[2].strip() for line in lines}


def run(
    *arguments: str, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        check=True,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        cwd=ROOT,
        env=environment,
        timeout=DEADLINE_S,
    )


def ours(modules: set[str]) -> set[str]:
    return {module for module in modules if module.partition(".")[0] in PACKAGES}


def test_the_command_line_starts_light() -> None:
    modules = came_in("console.command_line.main")
    assert "console.command_line.main" in modules
    assert HEAVY.intersection(modules) == set()
    assert len(ours(modules)) <= 20


def test_a_simulated_table_imports_what_its_first_line_needs(tmp_path: Path) -> None:
    modules = came_in_until_the_end("run", "--sim", folder=tmp_path)
    assert "console.simulation.terminal.pipe" in modules
    assert len(ours(modules)) <= MOST_OF_OURS
    assert NEVER.intersection(modules) == set()
    assert [module for module in modules if module.startswith(OTHER_ROOMS)] == []


def test_a_start_compiles_few_regular_expressions(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    listing = run("-c", COUNT_EXPRESSIONS + RUN, "run", "--sim", environment=environment).stderr
    lines = (line for line in listing.splitlines() if line.startswith("compiled:"))
    modules = [line.split()[1] for line in lines]
    assert "tomllib._re" in modules
    assert len([module for module in modules if ours({module})]) <= MOST_EXPRESSIONS_OF_OURS


def test_a_real_table_imports_nothing_of_a_simulation() -> None:
    modules = came_in("console.run")
    assert len(ours(modules)) <= MOST_OF_OURS
    assert NEVER.intersection(modules) == set()
    strange = (*OTHER_ROOMS, "console.simulation", "devices.sim")
    assert [module for module in modules if module.startswith(strange)] == []


def test_a_linked_table_leaves_the_driver_to_its_couriers() -> None:
    modules = came_in("console.run, console.link.link_device, console.link.clock_device")
    assert NEVER.intersection(modules) == set()
