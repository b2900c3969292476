"""What two people wrote for the next jackpot waits until this one is won (decision 0013)."""

import asyncio
from pathlib import Path

import pytest

from console.configuration.adopted import read_adopted
from console.configuration.overrides import read_overrides, write_overrides
from console.line.requests import ChangeSetting, Done
from console.rules.settings import NextJackpot
from console.rules.structs import replace
from console.service.start import StartRefused
from console.service.supervision.main_loop import RESTART
from tests.console.line.handled_table import HandledTable
from tests.console.line.test_settings_changes import by_both, change_money, changes, read_settings
from tests.console.running_table import configuration, running
from tests.console.service.test_settings_on_record import desk, machine_with, read_findings
from tests.console.table import Table

WINS_ALL = ("press ROYAL_FLUSH", "key JPH", "press JPOT", "key R")


def for_next(key: str, value: str) -> ChangeSetting:
    return replace(change_money(key, value), next_jackpot=True)


def write_for_next(rig: HandledTable, **values: str) -> None:
    for key, value in values.items():
        answer = rig.ask_now(for_next(f"money.{key}", value))
        assert isinstance(answer, Done), answer
        assert answer.outcome == "done"


def win(rig: HandledTable) -> None:
    """A round whose one player wins the whole jackpot, up to the key back in R."""
    rig.play("key R", "press GAME_OVER", "token 3", "press COIN_IN", *WINS_ALL)


def start_due(file: Path) -> None:
    """As `banco run` does: what is due is laid over, written, and started with."""
    with machine_with(file) as machine, pytest.raises(StartRefused, match="is won") as raised:
        machine.start_controller()
    assert raised.value.due
    assert raised.value.on_record is not None
    held = read_adopted(file).with_settings_on_record(raised.value.on_record)
    write_overrides(held.adopted, held.overrides)


def test_it_waits_through_rounds_starts_and_lesser_awards(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    with desk(file) as rig:
        write_for_next(rig, token="5.00", base="6000.00")
        rig.play("key R", "press GAME_OVER", "token 3", "press COIN_IN")
        rig.play("press FLUSH", "key JPL", "press JPOT", "key R", "press GAME_OVER")
        rig.play("press COIN_IN", "expect phase PAUSED")
    with desk(file) as rig:
        settings = rig.table.state.settings
        assert settings is not None
        assert (settings.version, settings.money.token, settings.money.base) == (1, 200, 500000)
        assert read_settings(rig)["money.token"].next_jackpot == "5.00"
        assert rig.table.state.next_jackpot == NextJackpot(
            (("money.base", "6000.00"), ("money.token", "5.00"))
        )


def test_it_counts_once_the_jackpot_is_won_and_the_round_over(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    with desk(file) as rig:
        write_for_next(rig, token="5.00", base="6000.00")
        win(rig)
        rig.play("expect phase PLAYING", "expect jackpot 6000.00")
        assert not rig.table.state.due_settings, "the round is still this jackpot's"
        rig.play("press GAME_OVER", "expect phase PAUSED", "press GAME_OVER")
        rig.play("expect refused SETTINGS_DUE", "expect phase PAUSED")
        assert rig.table.state.due_settings
    start_due(file)
    with desk(file) as rig:
        state = rig.table.state
        assert state.settings is not None
        assert (state.settings.version, state.settings.money.token) == (2, 500)
        assert state.written == (("money.base", "6000.00"), ("money.token", "5.00"))
        assert state.next_jackpot == NextJackpot(())
        rig.play("key R", "press GAME_OVER", "token 1", "press COIN_IN", "expect jackpot 6003.50")
    assert len(read_findings(tmp_path)) == 1, "the first start's"


def test_a_token_of_the_won_round_goes_back_as_it_came(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    with desk(file) as rig:
        write_for_next(rig, token="5.00", base="6000.00")
        rig.play("key R", "press GAME_OVER", "token 3", "token 4", "press COIN_IN", *WINS_ALL)
        rig.play("declare hand-void 4 returned", "expect jackpot 5998.60")


@pytest.mark.parametrize("written", [False, True], ids=["before", "after the file was written"])
def test_a_kill_while_it_takes_force_loses_nothing(written: bool, tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    with desk(file) as rig:
        write_for_next(rig, base="6000.00")
        win(rig)
        rig.play("press GAME_OVER")
    if written:
        start_due(file)  # and the process is killed
    else:
        with machine_with(file) as machine, pytest.raises(StartRefused, match="is won"):
            machine.start_controller()
        start_due(file)
    for _ in range(2):
        with desk(file) as rig:
            assert rig.table.state.settings is not None
            assert rig.table.state.settings.version == 2
            assert rig.table.state.settings.money.base == 600000


def test_a_cut_before_the_round_is_over_keeps_its_terms(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    with desk(file) as rig:
        write_for_next(rig, token="5.00")
        win(rig)
    with machine_with(file) as machine:
        table = Table(machine.plan, machine)
        table.play("expect phase PLAYING", "press GAME_OVER", "expect phase PAUSED")
        assert table.state.settings is not None
        assert table.state.settings.money.token == 200
    start_due(file)


def test_a_file_changed_meanwhile_is_found_out_as_ever(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    with desk(file) as rig:
        write_for_next(rig, base="6000.00")
        win(rig)
        rig.play("press GAME_OVER")
    adopted = read_adopted(file)
    held = adopted.with_settings_on_record((("money.base", "9000.00"),))
    write_overrides(held.adopted, held.overrides)
    with machine_with(file) as machine, pytest.raises(StartRefused) as raised:
        machine.start_controller()
    assert (raised.value.on_record, raised.value.due) == ((("money.base", "6000.00"),), False)


def test_it_is_taken_back_or_written_anew_by_two_people(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    with desk(file) as rig:
        write_for_next(rig, base="6000.00")
        write_for_next(rig, base="7000.00")
        rig.ask_now(for_next("money.base", ""))
        assert rig.table.state.next_jackpot == NextJackpot(())
        steps = (("5000.00", "6000.00"), ("6000.00", "7000.00"), ("7000.00", "5000.00"))
        assert changes(rig) == [
            {**by_both("money.base", *step), "next_jackpot": True} for step in steps
        ]
    assert not (tmp_path / "settings.toml").exists()


def test_what_came_into_force_otherwise_meanwhile_waits_no_more(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    with desk(file) as rig:
        write_for_next(rig, base="6000.00")
        rig.ask_now(change_money("money.base", "6000.00"))
    with desk(file) as rig:
        win(rig)
        rig.play("press GAME_OVER")
    with desk(file) as rig:
        assert rig.table.state.due_settings is None
        rig.play("key R", "press GAME_OVER", "expect phase BETTING")


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("language", "en", "CANNOT"),
        ("money.token", "2,00", "WRONG_VALUE"),
        ("money.to_jackpot", "95", "WRONG_VALUE"),
    ],
)
def test_what_cannot_wait_is_refused(key: str, value: str, code: str, tmp_path: Path) -> None:
    with desk(configuration(tmp_path / "table.toml")) as rig:
        assert rig.refusal_of(for_next(key, value)) == code


def test_one_person_does_not_suffice(tmp_path: Path) -> None:
    with desk(configuration(tmp_path / "table.toml")) as rig:
        alone = ChangeSetting("money.base", "6000.00", really=True, next_jackpot=True)
        assert rig.refusal_of(alone) == "WRONG_VALUE"
        assert not isinstance(rig.table.state.next_jackpot, NextJackpot)


def test_what_counts_at_once_must_fit_what_waits(tmp_path: Path) -> None:
    """Else the table could not start after its jackpot was won."""
    with desk(configuration(tmp_path / "table.toml")) as rig:
        write_for_next(rig, to_jackpot="85")
        assert rig.refusal_of(change_money("money.to_reserve", "20")) == "WRONG_VALUE"


def test_after_the_win_nothing_more_is_added(tmp_path: Path) -> None:
    with desk(configuration(tmp_path / "table.toml")) as rig:
        write_for_next(rig, base="6000.00")
        win(rig)
        rig.play("press GAME_OVER", "key S")
        rig.enter("rossi")
        assert rig.refusal_of(for_next("money.token", "5.00")) == "CANNOT"


def test_the_process_starts_anew_by_itself(tmp_path: Path) -> None:
    file = configuration(tmp_path / "table.toml")
    with desk(file) as rig:
        write_for_next(rig, token="5.00", base="6000.00")
        rig.play("key R")

    async def night() -> None:
        async with running(tmp_path, "--sim", "--config", file) as table:
            await table.do("press game_over", "token 3", "press coin_in", *WINS_ALL)
            await table.until(lambda seen: seen["jackpot"] == "6000.00")
            table.say("press game_over")
            assert await table.wait_for_end() == RESTART
        async with running(tmp_path, "--sim", "--config", file) as table:
            await table.do("press game_over", "token 3", "press coin_in")
            await table.until(lambda seen: seen["jackpot"] == "6003.50")
            table.say("quit")
            assert await table.wait_for_end() == 0
            assert "is not as it was written" not in table.complaints.read_text("utf-8")

    asyncio.run(night())
    assert read_overrides(tmp_path / "settings.toml")["money.base"].value == "6000.00"
