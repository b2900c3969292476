"""What the catalogue says to do, done at a table: it comes to what is written there."""

from pathlib import Path

import pytest

from console.line.requests import AskInputs, AskStatus, Inputs, Status
from console.rules.codes import Phase, Refusal
from console.texts.catalogue.entries import catalogue
from console.texts.catalogue.findings import FindingCode
from console.texts.language import Language
from devices.roles import Button
from tests.console.line.handled_table import HandledTable, open_handled_table
from tests.console.technician.commands.technician_bench import open_bench

TO_PLAYING = ("press GAME_OVER", "token 1", "press COIN_IN", "wait 3s")


def findings(rig: HandledTable) -> list[tuple[str, str]]:
    status = rig.ask_now(AskStatus())
    assert isinstance(status, Status)
    return [(one.code, one.where) for one in status.findings]


def read_display(rig: HandledTable) -> str:
    return rig.table.state.shown_phase.value


@pytest.mark.parametrize("refusal", [Refusal.ALREADY_OPEN, Refusal.NOT_IN_SERVICE])
def test_a_table_in_play_is_closed_as_the_refusals_say(tmp_path: Path, refusal: Refusal) -> None:
    entry = catalogue().refusal(refusal)
    assert "(PAUSED): in PLAYING press GAME OVER" in entry.in_(Language.EN).do
    assert "COIN IN without tokens. Then key to S" in entry.in_(Language.EN).do
    assert "COIN IN senza gettoni. Poi chiave in S" in entry.in_(Language.IT).do
    with open_handled_table(tmp_path) as rig:
        rig.play(*TO_PLAYING, "key S")
        assert read_display(rig) == Phase.PLAYING.value, "refused"
        rig.play("key R", "press GAME_OVER", "press COIN_IN", "key S", "wait 1s")
        assert read_display(rig) == Phase.SERVICE.value


def test_every_lamp_lit_finds_the_dead_ones(tmp_path: Path) -> None:
    assert "`lamp all`" in catalogue().finding(FindingCode.LAMP_DEAD).in_(Language.EN).check[0]
    with open_bench(tmp_path) as seen:
        for seat in (2, 7):
            seen.cabinet.rail.kill_lamp(seat)
        seen.wait(2)
        assert findings(seen.rig) == []
        seen.type_command("lamp all")
        seen.wait(2)
        assert findings(seen.rig) == [("LAMP_DEAD", "seat 2"), ("LAMP_DEAD", "seat 7")]


def test_a_button_stuck_in_the_panel_opens_with_its_plug_and_is_noticed_10_s_after_it(
    tmp_path: Path,
) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.table.machine.cabinet.panel.stick(Button.GAME_OVER)
        rig.play("wait 12s")
        assert findings(rig) == [("BUTTON_HELD", "GAME_OVER")]
        rig.play("unplug panel", "wait 1s")
        inputs = rig.ask_now(AskInputs())
        assert isinstance(inputs, Inputs)
        assert {one.name: one.closed for one in inputs.inputs}["GAME_OVER"] is False
        rig.play("plug panel", "wait 9s")
        assert findings(rig) == [], "not yet"
        rig.play("wait 2s")
        assert findings(rig) == [("BUTTON_HELD", "GAME_OVER")]
