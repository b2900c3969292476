"""Each change of the list of people is on record, by whomever it was made."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from console.line.access.people import (
    MOST_CHANGES,
    add_change,
    changes_beside,
    load_people,
    read_changes,
)
from console.line.watches import LOOK_EVERY_S, PeopleWatch
from console.office.enrol import PeopleFile, change_own_pin, enrol, erase, remove
from console.rules.acts import PeopleChange
from console.rules.codes import Duty
from console.rules.replay import replay
from console.rules.structs import replace
from jackpot.failures import Damaged
from tests.console.line.access.login_bench import PIN, WRONG
from tests.console.line.access.login_bench import enrol as write_people
from tests.console.table import Table, table_in

LOOKS = f"wait {2 * LOOK_EVERY_S + 1:.0f}s"
NEW = "739151"


@pytest.fixture
def people(tmp_path: Path) -> Path:
    return tmp_path / "people.toml"


@pytest.fixture
def table(tmp_path: Path, people: Path) -> Iterator[Table]:
    with table_in(tmp_path / "table") as table:
        watch = PeopleWatch(table.machine.loop, people)
        table.machine.followers.append(watch.follow)
        watch.follow(table.simulated_table.service)
        table.play("wait 50ms")
        yield table
        watch.follow(None)


def give(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def changes(table: Table) -> list[tuple[object, object, object]]:
    """What is on record: change, by whom, whom."""
    found = []
    for record in table.records:
        act = record.body.get("act")
        if record.kind == "people-changed" and isinstance(act, dict):
            found.append((act["change"], act["by"], act["whom"]))
    return found


def test_each_change_is_on_record_once(
    table: Table, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUDO_UID", "1001")
    file = PeopleFile(people, simulated=False)
    give(monkeypatch, PIN, PIN)
    assert enrol(file, "anna", (Duty.TECHNICIAN,)) == 0
    anna = load_people(people)["anna"].number
    table.play(LOOKS)
    give(monkeypatch, PIN, NEW, NEW)
    assert change_own_pin(file, "anna") == 0
    give(monkeypatch, WRONG, WRONG)
    assert enrol(file, "anna", ()) == 0
    table.play("power off")
    assert remove(file, "anna") == 0
    assert erase(file, "anna") == 0
    table.play("power on", LOOKS, LOOKS)
    assert changes(table) == [
        ("enrolled", "uid 1001", anna),
        ("own-pin", anna, anna),
        ("new-pin", "uid 1001", anna),
        ("removed", "uid 1001", anna),
        ("erased", "uid 1001", anna),
    ]
    assert [one.problem for one in replay(table.records) if one.problem] == []
    assert PIN not in repr([record.body for record in table.records])


def test_a_list_changed_by_hand_is_on_record(
    table: Table, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(monkeypatch, PIN, PIN)
    assert enrol(PeopleFile(people, simulated=False), "anna", (Duty.CASHIER,)) == 0
    table.play(LOOKS)
    write_people(people, "mallory")
    table.play(LOOKS, LOOKS)
    assert [change for change, _, _ in changes(table)] == ["enrolled", "by-hand"]


def test_a_list_from_before_is_not_on_record(table: Table, people: Path) -> None:
    write_people(people, "anna")
    table.play(LOOKS, LOOKS)
    assert changes(table) == []


def test_a_locked_table_puts_it_on_record_afterwards(
    table: Table, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.play("disk full", "press GAME_OVER", "expect fault LEDGER_FAULT")
    give(monkeypatch, PIN, PIN)
    assert enrol(PeopleFile(people, simulated=False), "anna", (Duty.CASHIER,)) == 0
    table.play(LOOKS, "disk ok", "key S", "clear LEDGER_FAULT", LOOKS)
    assert [change for change, _, _ in changes(table)] == ["enrolled"]


@pytest.mark.parametrize(
    ("damaged", "why"),
    [
        (b"\x00" * 40, "no JSON"),
        (b'{"change":"enrolled","by":"ui', "no JSON, it ends too early"),
        (b'{"change":"enrolled"}', "by is missing"),
        (b'{"change":"enrolled","by":"\xff"}', "'utf-8' codec can't decode byte 0xff"),
        (b'{"x":' + b"[" * 100_000, "maximum recursion depth exceeded"),
    ],
    ids=["zeros", "cut", "incomplete", "no UTF-8", "deep"],
)
def test_a_damaged_file_of_changes_is_logged_once_and_the_table_goes_on(
    damaged: bytes,
    why: str,
    table: Table,
    people: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    give(monkeypatch, PIN, PIN)
    assert enrol(PeopleFile(people, simulated=False), "anna", (Duty.CASHIER,)) == 0
    table.play(LOOKS)
    file = changes_beside(people)
    sound = file.read_bytes()
    for _ in range(2):
        file.write_bytes(sound + damaged + b"\n")
        table.play(LOOKS, "power off", "power on", LOOKS, LOOKS)
        file.write_bytes(sound)
        table.play(LOOKS)
    logged = [one.getMessage() for one in caplog.records if "cannot be read" in one.getMessage()]
    start = f"changes of the people cannot be read: {file}, line 2: {why}"
    assert [one[: len(start)] for one in logged] == [start] * 2
    assert [change for change, _, _ in changes(table)] == ["enrolled"]


def test_a_command_writes_a_damaged_file_of_changes_anew(people: Path) -> None:
    changes_beside(people).write_bytes(b"{\n")
    with pytest.raises(Damaged, match=r"people-changes\.jsonl, line 1: no JSON, it ends too early"):
        read_changes(people)
    add_change(people, PeopleChange.NEW_PIN, "uid 1001", "10000001", (Duty.CASHIER,))
    assert [one.by for one in read_changes(people)] == ["uid 1001"]


def test_the_file_of_changes_is_bounded(people: Path) -> None:
    for _ in range(MOST_CHANGES + 5):
        add_change(people, PeopleChange.NEW_PIN, "uid 1001", "10000001", (Duty.CASHIER,))
    kept = [one.number for one in read_changes(people)]
    assert len(kept) == MOST_CHANGES
    assert kept == sorted(set(kept))
    add_change(people, PeopleChange.REMOVED, "uid 1001", "10000001", (Duty.CASHIER,))
    assert [one.number for one in read_changes(people)][:-1] == kept[1:]


def test_a_clock_that_is_behind_the_file_gives_no_number_again(people: Path) -> None:
    add_change(people, PeopleChange.NEW_PIN, "uid 1001", "10000001", (Duty.CASHIER,))
    (first,) = read_changes(people)
    later = replace(first, number=first.number + 1_000_000_000)
    changes_beside(people).write_bytes(msgspec.json.encode(later) + b"\n")
    add_change(people, PeopleChange.REMOVED, "uid 1001", "10000001", (Duty.CASHIER,))
    assert [one.number for one in read_changes(people)] == [later.number, later.number + 1]


def lose(file: Path, _: bytes) -> None:
    file.unlink()


def damage(file: Path, _: bytes) -> None:
    file.write_bytes(b"\x00" * 100)


def put_back(file: Path, old_copy: bytes) -> None:
    file.write_bytes(old_copy)


@pytest.mark.parametrize("befall", [lose, damage, put_back])
@pytest.mark.parametrize("powered", [True, False])
def test_who_changed_the_list_is_on_record_after_the_file_of_changes_was_lost(
    powered: bool,
    befall: Callable[[Path, bytes], None],
    table: Table,
    people: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Damaged, or an old copy, is the same. Nothing is on record twice."""
    monkeypatch.setenv("SUDO_UID", "1001")
    list_file, changes_file = PeopleFile(people, simulated=False), changes_beside(people)
    numbers, old_copy = {}, b""
    for name in ("anna", "bea", "carlo"):
        give(monkeypatch, PIN, PIN)
        assert enrol(list_file, name, (Duty.CASHIER,)) == 0
        numbers[name] = load_people(people)[name].number
        old_copy = old_copy or changes_file.read_bytes()
    table.play(LOOKS)
    befall(changes_file, old_copy)
    table.play(LOOKS, *([] if powered else ["power off"]))
    assert remove(list_file, "anna") == 0
    give(monkeypatch, PIN, NEW, NEW)
    assert change_own_pin(list_file, "bea") == 0
    table.play(*([] if powered else ["power on"]), LOOKS)
    assert remove(list_file, "carlo") == 0
    table.play(LOOKS, LOOKS)
    assert changes(table) == [
        *(("enrolled", "uid 1001", numbers[name]) for name in ("anna", "bea", "carlo")),
        ("removed", "uid 1001", numbers["anna"]),
        ("own-pin", numbers["bea"], numbers["bea"]),
        ("removed", "uid 1001", numbers["carlo"]),
    ]
    assert [one.problem for one in replay(table.records) if one.problem] == []
