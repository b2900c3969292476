"""A damaged file of the cabinet is refused by name, or is a state in which the cabinet runs."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from devices.sim.memory import CabinetMemory
from tests.devices.shoe_table import ShoeTable
from tests.devices.shuffler_table import ShufflerTable
from tests.devices.table import Table
from tests.mutated.mutations import mutate

SAMPLE = 150
RUNS_S = 0.3
STRANGE: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 8, 255, 256, 65_535, 65_536, 2**31, 2**32, 10**19, 10**400, 1.5),
    *(float("inf"), "", "R", "KH", "xx", "\u0663", [], [7], [[0, 0]], {}, {"rail": "0"}),
)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each place of a JSON value: what holds it, and its key or index there."""
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield value, key
        yield from places(value[key])


def damage(text: str, random: Random) -> str:
    """The file with one value that is another, none, or double; or with its text damaged."""
    if random.random() < 0.3:
        return mutate(text, random)
    content = json.loads(text)
    holder, key = random.choice(list(places(content)))
    match random.randrange(4):
        case 0:
            del holder[key]
        case 1:
            holder[key] = [holder[key], holder[key]]
        case _:
            holder[key] = random.choice(STRANGE)
    return json.dumps(content)


CABINETS: tuple[Callable[[CabinetMemory], Table | ShufflerTable | ShoeTable], ...] = (
    lambda memory: Table("slot", memory=memory),
    lambda memory: Table("cctalk", memory=memory),
    lambda memory: ShufflerTable(memory=memory),
    lambda memory: ShoeTable("counting", memory=memory),
    lambda memory: ShoeTable("reading", memory=memory),
)


def start_cabinets(memory: CabinetMemory) -> None:
    """Each device with this memory, its power cut once."""
    for make in CABINETS:
        table = make(memory)
        if isinstance(table, Table):
            table.start_rail()
        else:
            table.start()
        table.run(RUNS_S)
        table.cabinet.cut_power()
        table.cabinet.restore_power()
        table.run(RUNS_S)
        table.close()


@pytest.fixture
def whole_file(tmp_path: Path) -> str:
    """The file of a cabinet in which something has happened."""
    file = tmp_path / "cabinet.json"
    table = Table("slot", memory=CabinetMemory(file))
    table.start_rail()
    table.cabinet.rail.put_token(3)
    table.run()
    table.close()
    return file.read_text("utf-8")


def test_a_damaged_file_is_refused_by_name_or_the_cabinet_runs(
    whole_file: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    random = Random(pytestconfig.getoption("hypothesis_seed"))
    file = tmp_path / "cabinet.json"
    refusals: list[str] = []
    for number in range(SAMPLE):
        damaged = damage(whole_file, random).encode("utf-8", "surrogatepass")
        file.write_bytes(damaged if number % 10 else damaged + b"\xff")
        try:
            CabinetMemory(file).load()
        except OSError as error:
            refusals.append(str(error))
        else:
            start_cabinets(CabinetMemory(file))
    assert SAMPLE // 4 < len(refusals) < SAMPLE
    for refusal in refusals:
        assert refusal.startswith(f"{file} is no cabinet's memory: ")
        assert len(refusal) < 2 * len(str(file)) + 300


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("tray", 65_536),
        ("drops", [0] * 6),
        ("drops", [-1] * 7),
        ("tokens", [8]),
        ("chute", 10**18),
        ("boot", 2**32),
        ("tray", 10**19),
        ("acceptors", []),
        ("keys", {"rail": "no key"}),
        ("tray_tokens", float("inf")),
    ],
)
def test_a_value_that_no_board_has_is_refused(
    key: str, value: object, whole_file: str, tmp_path: Path
) -> None:
    file = tmp_path / "cabinet.json"
    file.write_text(json.dumps(json.loads(whole_file) | {key: value}), "utf-8")
    with pytest.raises(OSError, match=r"cabinet\.json is no cabinet's memory"):
        CabinetMemory(file).load()
