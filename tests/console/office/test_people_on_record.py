"""A record names a person by number; the name is beside the ledger, until it is erased."""

import io
import json
from pathlib import Path

import pytest

from console.bordereau.nights import bordereau_of, newest_night
from console.command_line.main import main
from console.configuration.person_names import load_names, name_people
from console.line.access.people import load_people
from console.line.requests import Declare, Done, Enter, No, Person
from console.office.ledger.rounds import replay_round
from console.web.serving.supervisor.figures import Tallies
from console.web.serving.supervisor.reading_thread import Limit
from jackpot.ledger.ledger import read_records, verify
from tests.console.line.handled_table import HandledTable, open_handled_table

PIN, WRONG = "471108", "471109"
ONE_ROUND = ("press GAME_OVER", "press COIN_IN")
Capture = pytest.CaptureFixture[str]


class House:
    """A table whose people are enrolled by the command."""

    def __init__(self, rig: HandledTable, folder: Path, capsys: Capture) -> None:
        self.rig, self.people, self._capsys = rig, folder / "people.toml", capsys
        self.ledger = rig.table.machine.disk.folder

    def type(self, *words: str) -> str:
        """Give a command; what it printed."""
        self._capsys.readouterr()
        assert main([*words]) == 0
        return self._capsys.readouterr().out

    def enrol(self, *words: str) -> str:
        """Give `banco enrol` for this table's list."""
        return self.type("enrol", *words, "--file", str(self.people))

    def number_of(self, name: str) -> str:
        """The number of somebody who is enrolled."""
        return load_people(self.people)[name].number


@pytest.fixture
def house(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PIN}\n{PIN}\n"))
    with open_handled_table(tmp_path) as rig:
        house = House(rig, tmp_path, capsys)
        house.enrol("anna", "--duty", "floor-manager")
        rig.play(*ONE_ROUND)
        assert isinstance(rig.ask_now(Enter("anna", WRONG)), No)
        assert isinstance(rig.ask_now(Enter("nobody", WRONG)), No)
        assert isinstance(rig.ask_now(Enter("anna", PIN)), Person)
        assert isinstance(rig.ask_now(Declare("tray 0", really=True)), Done)
        yield house


def who_is_in(house: House) -> list[str]:
    """Who is in the records, in their order."""
    acts = [record.body.get("act") for record in read_records(house.ledger)]
    return [str(act["who"]) for act in acts if isinstance(act, dict) and "who" in act]


def test_no_record_holds_a_name(house: House) -> None:
    number = house.number_of("anna")
    assert who_is_in(house) == [number, "?", number, number]
    assert "anna" not in repr([record.body for record in read_records(house.ledger)])


def test_names_stand_where_people_read_until_they_are_erased(house: House) -> None:
    number = house.number_of("anna")
    before = [record.hash for record in read_records(house.ledger)]
    assert "by anna" in house.type("ledger", "show", str(house.ledger))
    house.enrol("--remove", "anna")
    assert "by anna" in house.type("ledger", "show", str(house.ledger))
    house.enrol("--erase", "anna")
    shown = house.type("ledger", "show", str(house.ledger))
    assert "anna" not in shown
    assert f"by {number}" in shown
    assert [record.hash for record in read_records(house.ledger)] == before
    assert not verify(house.ledger).problems


def test_json_stays_as_it_is_in_the_chain(house: House) -> None:
    lines = house.type("ledger", "show", "--json", str(house.ledger)).splitlines()
    acts = [json.loads(line).get("act", {}) for line in lines]
    assert house.number_of("anna") in [act.get("who") for act in acts]


@pytest.mark.parametrize("erased", [False, True])
def test_bordereau_replay_and_pages_name_people(house: House, erased: bool) -> None:
    number = house.number_of("anna")
    if erased:
        house.enrol("--remove", "anna")
        house.enrol("--erase", number)
    shown = number if erased else "anna"
    bordereau = bordereau_of(house.ledger, newest_night(house.ledger))
    assert [one.who for one in bordereau.trays] == [shown]
    steps = replay_round(house.ledger, 1)
    assert not [step.problem for step in steps if step.problem]
    acts = [step.record.body["act"] for step in steps if step.record.kind == "tray-counted"]
    assert [act["who"] for act in acts if isinstance(act, dict)] == [shown]
    tally, _ = Tallies().tally(house.ledger, newest_night(house.ledger), Limit(10_000))
    assert shown in [act.who for act in tally.happenings.people]


def test_a_number_is_never_given_twice(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when the same person is enrolled again, or the name was erased."""
    first = house.number_of("anna")
    house.enrol("--remove", "anna")
    house.enrol("--erase", "anna")
    drawn = iter([int(first) - 10_000_000, 5])
    monkeypatch.setattr("secrets.randbelow", lambda _: next(drawn))
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PIN}\n{PIN}\n"))
    house.enrol("anna", "--duty", "cashier")
    assert house.number_of("anna") == "10000005"
    assert load_names(house.people.with_name("people-names.toml"))[first] == ""


def test_a_record_with_a_name_of_before_stays_readable(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.enter("rossi")
        rig.play(*ONE_ROUND)
        assert isinstance(rig.ask_now(Declare("tray 0", really=True)), Done)
        records = list(name_people(rig.table.records, rig.table.machine.disk.folder))
    acts = [record.body["act"] for record in records if record.kind == "tray-counted"]
    assert [act["who"] for act in acts if isinstance(act, dict)] == ["rossi"]
