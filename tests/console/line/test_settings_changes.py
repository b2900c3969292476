"""Settings changed on the line: tried, put on record, written for the next start."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from console.configuration import whole_file
from console.configuration.adopted import read_adopted
from console.configuration.overrides import OVERRIDES_FILE
from console.line.handler import HandlerParts
from console.line.requests import (
    AskSettings,
    ChangeSetting,
    Done,
    No,
    SettingsView,
    SettingView,
)
from console.line.settings_changes import WrittenSettings
from console.rules.codes import Duty
from tests.console.line.handled_table import PINS, HandledTable, open_handled_table
from tests.console.running_table import configuration


def change_money(key: str, value: str) -> ChangeSetting:
    """Rossi's request with Verdi's PIN."""
    return ChangeSetting(key, value, "verdi", PINS["verdi"], really=True)


TO_FIVE = change_money("money.token", "5.00")


LINK = '[link]\njackpot = "stud"\nhosts = ["127.0.0.1:5432"]\n'


@contextmanager
def desk_with_file(folder: Path, more: str = "") -> Iterator[HandledTable]:
    """A table in SERVICE with a configuration file, and Rossi, a technician, at its handler.

    `more` stands at the file's end.
    """
    file = configuration(folder / "table.toml")
    file.write_text(file.read_text("utf-8") + more, "utf-8")
    table = read_adopted(file)
    settings = WrittenSettings(table.file, table.in_force, table.adopted)
    with open_handled_table(folder, parts=HandlerParts(settings=settings)) as rig:
        rig.play("key S")
        rig.enter("rossi", Duty.TECHNICIAN)
        yield rig


def read_settings(rig: HandledTable) -> dict[str, SettingView]:
    answer = rig.ask_now(AskSettings())
    assert isinstance(answer, SettingsView)
    return {one.key: one for one in answer.settings}


def changes(rig: HandledTable) -> list[object]:
    """What stands on record of changed settings, without how they were typed."""
    acts = [record.body["act"] for record in rig.table.records if record.kind == "setting-changed"]
    return [
        {key: one for key, one in act.items() if key != "typed"}
        for act in acts
        if isinstance(act, Mapping)
    ]


def by_rossi(key: str, before: str, value: str) -> dict[str, str]:
    return {"who": "rossi", "key": key, "value": value, "before": before}


def by_both(key: str, before: str, value: str) -> dict[str, str]:
    return {**by_rossi(key, before, value), "second": "verdi"}


def test_every_key_is_told_and_which_may_be_changed(tmp_path: Path) -> None:
    with desk_with_file(tmp_path) as rig:
        settings = read_settings(rig)
        assert settings["money.token"] == SettingView(
            "money.token", "2.00", "", changeable=True, second=Duty.CASHIER
        )
        assert settings["rail.kind"] == SettingView("rail.kind", "slot")
        assert settings["panel.lines.coin_in"].value == "4"
        assert settings["panel.lines.seats"].value == "17 18 22 23 24 25 27"
        assert {key for key, one in settings.items() if one.changeable} == {
            "language",
            "money.token",
            "money.to_jackpot",
            "money.to_reserve",
            "money.base",
            "panel.settle_ms",
        }


def test_a_change_is_tried_first_and_nothing_is_written(tmp_path: Path) -> None:
    with desk_with_file(tmp_path) as rig:
        kinds = rig.kinds_on_record
        would = rig.ask_now(ChangeSetting("money.token", "5.00"))
        assert isinstance(would, Done)
        assert would.decisions == (
            {
                "decision": "setting-changed",
                "key": "money.token",
                "before": "2.00",
                "value": "5.00",
            },
        )
        assert rig.kinds_on_record == kinds
        assert not (tmp_path / OVERRIDES_FILE).exists()
        assert rig.ask_now(TO_FIVE) == would


def test_a_change_is_on_record_and_in_force_from_the_next_start(tmp_path: Path) -> None:
    with desk_with_file(tmp_path) as rig:
        rig.ask_now(TO_FIVE)
        assert changes(rig) == [by_both("money.token", "2.00", "5.00")]
        assert read_settings(rig)["money.token"] == SettingView(
            "money.token", "2.00", "5.00", changeable=True, second=Duty.CASHIER
        )
        assert read_adopted(tmp_path / "table.toml").in_force.money.token == "5.00"
        written = (tmp_path / OVERRIDES_FILE).read_text("utf-8")
        assert 'who = "rossi"\nsecond = "verdi"' in written
        assert 'when = "2000-01-01T' in written
        rig.ask_now(ChangeSetting("language", "en", really=True))
        assert {"money.token", "language"} <= {
            key for key, one in read_settings(rig).items() if one.next
        }


def test_a_change_of_a_change_and_back_to_what_the_file_says(tmp_path: Path) -> None:
    with desk_with_file(tmp_path) as rig:
        rig.ask_now(TO_FIVE)
        rig.ask_now(change_money("money.token", "3.00"))
        rig.ask_now(change_money("money.token", ""))
        assert changes(rig) == [
            by_both("money.token", "2.00", "5.00"),
            by_both("money.token", "5.00", "3.00"),
            by_both("money.token", "3.00", "2.00"),
        ]
        assert "money.token" not in (tmp_path / OVERRIDES_FILE).read_text("utf-8")
        assert read_settings(rig)["money.token"].next == ""


def test_what_is_so_already_is_not_changed(tmp_path: Path) -> None:
    with desk_with_file(tmp_path) as rig:
        answer = rig.ask_now(ChangeSetting("money.token", "2.00", really=True))
        assert isinstance(answer, Done)
        assert answer.outcome == "no effect"
        assert changes(rig) == []
        assert not (tmp_path / OVERRIDES_FILE).exists()


@pytest.mark.parametrize(
    ("key", "value", "code", "why"),
    [
        ("money.token", "2,00", "WRONG_VALUE", "settings.toml: money.token: '2,00'"),
        ("money.to_jackpot", "95", "WRONG_VALUE", "with to_jackpot it makes 105 %"),
        ("panel.settle_ms", "50", "WRONG_VALUE", "it must be 0 to 20"),
        ("money.tokne", "2.00", "NO_SUCH_SETTING", "there are panel.settle_ms, language,"),
        ("table", "cs-2", "CANNOT", "can only be changed by root, in "),
        ("rail.serials", "1 2 3 4 5 6 7", "CANNOT", "can only be changed by root"),
    ],
)
def test_a_wrong_change_says_what_would_be_right(
    key: str, value: str, code: str, why: str, tmp_path: Path
) -> None:
    with desk_with_file(tmp_path) as rig:
        for really in (False, True):
            answer = rig.ask_now(ChangeSetting(key, value, really=really))
            assert isinstance(answer, No)
            assert answer.code == code
            assert why in answer.why
        assert changes(rig) == []


def test_the_money_of_a_linked_table_is_changed_at_the_centre(tmp_path: Path) -> None:
    """LINK 3.9.1"""
    with desk_with_file(tmp_path, LINK) as rig:
        for key in ("money.token", "money.to_jackpot", "money.to_reserve", "money.base"):
            assert rig.refusal_of(ChangeSetting(key, "5.00", really=True)) == "LINKED"
            assert not read_settings(rig)[key].changeable
        assert isinstance(rig.ask_now(ChangeSetting("language", "en", really=True)), Done)
        assert changes(rig) == [by_rossi("language", "it", "en")]


def test_settings_are_changed_with_the_key_at_s_alone(tmp_path: Path) -> None:
    with desk_with_file(tmp_path) as rig:
        rig.play("key R")  # ends the login, too
        rig.enter()
        assert rig.refusal_of(TO_FIVE) == "NOT_IN_SERVICE"
        assert changes(rig) == []


def test_nothing_is_written_that_cannot_be_put_on_record(tmp_path: Path) -> None:
    with desk_with_file(tmp_path) as rig:
        rig.play("disk full", "press JPOT", "expect fault LEDGER_FAULT")
        assert rig.refusal_of(TO_FIVE) == "LOCKED"
        assert not (tmp_path / OVERRIDES_FILE).exists()
        rig.play("disk ok", "clear LEDGER_FAULT", "expect fault none")
        assert changes(rig) == []


def test_a_ledger_that_fails_at_the_change_itself_leaves_the_file_alone(tmp_path: Path) -> None:
    with desk_with_file(tmp_path) as rig:
        rig.play("disk full")
        assert rig.refusal_of(TO_FIVE) == "LOCKED"
        assert not (tmp_path / OVERRIDES_FILE).exists()
        rig.play("expect fault LEDGER_FAULT")


def test_a_file_that_cannot_be_written_is_put_right_on_record(tmp_path: Path) -> None:
    (tmp_path / f".{OVERRIDES_FILE}.new").mkdir()
    with desk_with_file(tmp_path) as rig:
        assert rig.refusal_of(TO_FIVE) == "CANNOT"
        assert changes(rig) == [
            by_both("money.token", "2.00", "5.00"),
            by_both("money.token", "5.00", "2.00"),
        ]
        assert read_settings(rig)["money.token"].next == ""


def test_a_file_whose_folder_is_not_synced_is_in_place_and_stays_on_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_synced(folder: Path) -> None:
        raise OSError(5, "Input/output error", str(folder))

    with desk_with_file(tmp_path) as rig:
        monkeypatch.setattr(whole_file, "sync_folder", not_synced)
        assert rig.refusal_of(TO_FIVE) == "CANNOT"
        assert changes(rig) == [by_both("money.token", "2.00", "5.00")]
        assert read_settings(rig)["money.token"].next == "5.00"
    assert read_adopted(tmp_path / "table.toml").in_force.money.token == "5.00"


def test_a_file_that_was_damaged_meanwhile_is_told_and_left_alone(tmp_path: Path) -> None:
    with desk_with_file(tmp_path) as rig:
        (tmp_path / OVERRIDES_FILE).write_text("]]")
        assert rig.refusal_of(TO_FIVE) == "WRONG_VALUE"
        assert (tmp_path / OVERRIDES_FILE).read_text() == "]]"
        assert changes(rig) == []
