"""What the catalogue says to do, done at a table: it comes to what is written there."""

from pathlib import Path

import pytest

from console.line.requests import AskInputs, AskStatus, Inputs, Status
from console.rules.codes import Phase, Refusal
from console.texts.catalogue.entries import catalogue
from console.texts.catalogue.findings import FindingCode
from console.texts.language import Language
from console.texts.record_texts import describe_decisions
from devices.card_reports import Back
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


def read_prepared(rig: HandledTable) -> Back | None:
    return rig.table.machine.cabinet.state.shuffler.prepared_back


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
        rig.table.machine.cabinet.panel.weld(Button.GAME_OVER)
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


def test_a_deck_stuck_in_the_shuffler_comes_out_as_its_finding_says(tmp_path: Path) -> None:
    entry = catalogue().finding(FindingCode.SHUFFLER_JAMMED)
    remedy = "Free the card, unload the deck with the machine's button, count 52, put it back."
    assert entry.in_(Language.EN).do.startswith(remedy)
    remedy = "Liberare la carta, scaricare il mazzo con il pulsante della macchina, contare 52"
    assert entry.in_(Language.IT).do.startswith(remedy)
    with open_handled_table(tmp_path, "game texas-holdem", "shuffler deck") as rig:
        cabinet = rig.table.machine.cabinet
        rig.play("deck load red", "deck load blue", "wait 3m", "press GAME_OVER")
        cabinet.shuffler.jam()
        rig.play("wait 1s", "press GREEN", "expect refused NO_DECK", "deck unload", "wait 5s")
        assert findings(rig) == [("SHUFFLER_JAMMED", "shuffler")]
        assert read_prepared(rig) is Back.RED, "it does not come out yet"
        rig.play("press HAND", "expect hand 1", "expect deck unknown")
        cabinet.shuffler.unjam()
        rig.play("deck unload", "wait 5s")
        assert findings(rig) == []
        assert read_prepared(rig) is Back.BLUE, "the red one is out"
        rig.play("deck load red", "wait 6m", "press GAME_OVER", "press GREEN", "expect hand 2")
        rig.play("expect deck blue", "wait 3m", "press GREEN", "expect hand 3", "expect deck red")


def test_the_record_of_a_jam_says_how_the_deck_comes_out(tmp_path: Path) -> None:
    with open_handled_table(tmp_path, "game texas-holdem", "shuffler deck") as rig:
        rig.play("deck load red", "wait 3m")
        rig.table.machine.cabinet.shuffler.jam()
        rig.play("wait 1s")
        records = list(rig.table.records)
    english, italian = (
        [text for record in records for text in describe_decisions(record, language)]
        for language in (Language.EN, Language.IT)
    )
    assert "JAMMED red: free the card, unload the deck, count it, put it back" in english
    assert "INCEPPATO rosso: liberare la carta, scaricare il mazzo, contarlo, rimetterlo" in italian
