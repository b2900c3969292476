"""Settings of money on the line: a technician proposes, a cashier confirms, within the limits."""

from pathlib import Path

import pytest

from console.configuration.overrides import OVERRIDES_FILE
from console.line.requests import ChangeSetting, Done, LogOut, No
from console.rules.codes import Duty
from console.rules.structs import replace
from tests.console.line.handled_table import PINS
from tests.console.line.test_settings_changes import (
    by_both,
    change_money,
    changes,
    desk_with_file,
)

ALONE = ChangeSetting("money.base", "99999999.00", really=True)
TO_SIX = change_money("money.base", "6000.00")


def test_a_technician_alone_sets_no_base(tmp_path: Path) -> None:
    """The audit's own attempt: one PIN, and a base of 99,999,999.00."""
    with desk_with_file(tmp_path) as rig:
        assert rig.refusal_of(ALONE) == "WRONG_VALUE"
        assert rig.refusal_of(replace(ALONE, value="6000.00")) == "WRONG_VALUE"
        assert changes(rig) == []
        assert not (tmp_path / OVERRIDES_FILE).exists()


def test_two_set_none_above_the_limit(tmp_path: Path) -> None:
    with desk_with_file(tmp_path) as rig:
        answer = rig.ask_now(change_money("money.base", "99999999.00"))
        assert isinstance(answer, No)
        assert answer.code == "WRONG_VALUE"
        assert "money.base: 99999999.00; at most 100000.00" in answer.why
        assert changes(rig) == []
        assert "entered" not in rig.kinds_on_record, "the second PIN was not even asked for"


def test_both_are_on_record_and_the_second_only_for_this(tmp_path: Path) -> None:
    with desk_with_file(tmp_path) as rig:
        assert isinstance(rig.ask_now(TO_SIX), Done)
        rig.play("wait 50ms")
        assert rig.kinds_on_record[-3:] == ["entered", "setting-changed", "left"]
        assert changes(rig) == [by_both("money.base", "5000.00", "6000.00")]
        assert rig.refusal_of(replace(TO_SIX, value="7000.00", pin="")) == "WRONG_PIN"


@pytest.mark.parametrize(
    ("second", "pin", "code"),
    [
        ("verdi", PINS["rossi"], "WRONG_PIN"),
        ("nobody", PINS["verdi"], "WRONG_PIN"),
        ("bianchi", PINS["bianchi"], "NOT_YOUR_DUTY"),
        ("rossi", PINS["rossi"], "WRONG_VALUE"),
        (" ROSSI ", PINS["rossi"], "WRONG_VALUE"),
        ("", "", "WRONG_VALUE"),
    ],
)
def test_the_second_is_another_person_and_a_cashier(
    second: str, pin: str, code: str, tmp_path: Path
) -> None:
    with desk_with_file(tmp_path) as rig:
        rig.enter("rossi", Duty.TECHNICIAN, Duty.CASHIER)
        assert rig.refusal_of(replace(TO_SIX, second=second, pin=pin)) == code
        rig.play("wait 50ms")
        assert changes(rig) == []
        assert not (tmp_path / OVERRIDES_FILE).exists()


def test_a_cashier_alone_sets_nothing(tmp_path: Path) -> None:
    with desk_with_file(tmp_path) as rig:
        rig.enter("verdi", Duty.CASHIER)
        request = replace(TO_SIX, second="rossi", pin=PINS["rossi"])
        assert rig.refusal_of(request) == "NOT_YOUR_DUTY"
        rig.ask_now(LogOut())
        assert rig.refusal_of(TO_SIX) == "NOT_ENTERED"
        assert changes(rig) == []


def test_other_settings_need_no_second(tmp_path: Path) -> None:
    with desk_with_file(tmp_path) as rig:
        assert isinstance(rig.ask_now(ChangeSetting("language", "en", really=True)), Done)
        assert changes(rig) == [{"who": "rossi", "key": "language", "value": "en", "before": "it"}]
