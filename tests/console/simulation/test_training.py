"""`banco run --sim --fault N`: what is started, what is written, and what is refused."""

import asyncio
import subprocess
from pathlib import Path

import pytest

from console.configuration.adopted import read_adopted
from console.configuration.file import load_configuration
from console.configuration.named_files import FileUnusable
from console.configuration.overrides import Override, read_overrides, render_overrides
from console.configuration.places import TABLE_FILE
from console.simulation.cabinet import prepare_training_table
from tests.console.running_table import (
    BANCO,
    ENVIRONMENT,
    configuration,
    running,
)
from tests.console.test_run import PRODUCTION
from tests.deadlines import DEADLINE_S


def refusal_of(*arguments: str | Path, state: Path | None = None) -> str:
    """What it says when it does not start."""
    ended = subprocess.run(
        [*BANCO, "run", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        env={**ENVIRONMENT, **({"XDG_STATE_HOME": str(state)} if state else {})},
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "Traceback" not in ended.stderr
    return ended.stderr


def test_a_fault_is_prepared_without_a_word_about_it(tmp_path: Path) -> None:
    async def night() -> None:
        file = configuration(tmp_path / "sim.toml")
        async with running(tmp_path, "--sim", "--config", file, "--fault", "2") as table:
            seen = await table.until(lambda seen: seen["faults"] != [])
            assert seen["faults"] == ["DISPLAY_LOST"]
            assert seen["display"] == ["", ""]

    asyncio.run(night())
    assert "prepared" not in (tmp_path / "complaints").read_text()


def test_what_is_exchanged_is_in_order_at_the_next_start(tmp_path: Path) -> None:
    async def night() -> None:
        file = configuration(tmp_path / "sim.toml")
        async with running(tmp_path, "--sim", "--config", file, "--fault", "3") as table:
            await table.until(lambda seen: seen["faults"] == ["KEY_FAULT"])
        async with running(tmp_path, "--sim", "--config", file) as table:
            await table.until(lambda seen: seen["faults"] == [])

    asyncio.run(night())


def test_without_a_configuration_one_is_written_and_kept(tmp_path: Path) -> None:
    table = prepare_training_table(None, tmp_path / "new", fault=1)
    assert table == tmp_path / "new" / TABLE_FILE
    written = load_configuration(table)
    assert written.plan().table == "simulated"
    assert written.ledger.folder == str(tmp_path / "new")
    table.write_text(table.read_text().replace('"simulated"\ngame', '"mine"\ngame'))
    assert prepare_training_table(None, tmp_path / "new", fault=1) == table
    assert load_configuration(table).table == "mine"


def test_the_wrong_setting_keeps_the_table_from_its_start_and_is_named(tmp_path: Path) -> None:
    message = refusal_of("--sim", "--json", "--fault", "5", state=tmp_path)
    folder = tmp_path / "banco" / "simulation"
    assert f"{folder}/settings.toml: money.base: '5.000,00' is not an amount" in message
    # Started again, also without naming the fault, the file is as wrong as before.
    assert "money.base: '5.000,00' is not an amount" in refusal_of(
        "--sim", "--json", state=tmp_path
    )
    with pytest.raises(FileUnusable, match=r"money\.base"):
        read_adopted(folder / TABLE_FILE)
    (folder / "settings.toml").unlink()
    assert read_adopted(folder / TABLE_FILE).in_force.table == "simulated"


def test_the_wrong_setting_stands_beside_those_that_were_there(tmp_path: Path) -> None:
    file = configuration(tmp_path / "sim.toml")
    there = Override("5.00", "anna")
    (tmp_path / "settings.toml").write_text(render_overrides({"money.token": there}))
    prepare_training_table(file, tmp_path, fault=5)
    written = read_overrides(tmp_path / "settings.toml")
    assert written == {"money.token": there, "money.base": Override("5.000,00")}


@pytest.mark.parametrize("fault", [1, 5])
def test_nothing_of_a_real_table_is_touched(tmp_path: Path, fault: int) -> None:
    ledger = tmp_path / "ledger"
    ledger.mkdir()
    file = tmp_path / "table.toml"
    file.write_text(PRODUCTION.replace("/var/lib/banco", str(ledger)), "utf-8")
    assert "only a simulation" in refusal_of("--sim", "--config", file, "--fault", str(fault))
    assert list(ledger.iterdir()) == []
    assert sorted(tmp_path.iterdir()) == [ledger, file]


def test_a_fault_without_a_simulation_is_refused(tmp_path: Path) -> None:
    file = configuration(tmp_path / "sim.toml")
    assert "--sim" in refusal_of("--config", file, "--fault", "1")


def test_a_fault_of_a_part_that_is_not_there_is_refused(tmp_path: Path) -> None:
    file = configuration(tmp_path / "sim.toml", game="tre-card-stud", rail_kind="sensor")
    assert "this rail has no gates" in refusal_of(
        "--sim", "--json", "--config", file, "--fault", "6"
    )


@pytest.mark.parametrize("number", ["0", "11", "x"])
def test_there_are_ten(number: str) -> None:
    assert "--fault" in refusal_of("--sim", "--fault", number)
