"""What the record of a poker table says of the time that passes, in both languages."""

from pathlib import Path

from console.texts.language import Language
from console.texts.record_texts import act_words
from console.texts.table_texts import TableNames
from tests.console.table import Table, table_in

TOURNAMENT = ("game texas-holdem", "form tournament", "house prestige")


def read_times(table: Table, language: Language) -> list[str]:
    """Each record that time alone made, in words; equal ones that follow each other once."""
    texts: list[str] = []
    for record in table.records:
        text = act_words(record, language, TableNames("texas-holdem"))
        if record.kind == "time" and text not in texts[-1:]:
            texts.append(text)
    return texts


def test_a_record_says_what_time_has_ended(tmp_path: Path) -> None:
    steps = ("level 25s 100/200", "break 65s", "level 10m 200/400")
    with table_in(tmp_path, *TOURNAMENT, *steps) as table:
        table.play("press GAME_OVER", "press MORE", "wait 3s", "declare clock start")
        table.play("press HAND", "wait 25s", "press TIME", "wait 31s", "press GAME_OVER")
        table.play("wait 1m", "expect level 2")
        english = read_times(table, Language.EN)
        italian = read_times(table, Language.IT)
    assert english == [
        "players no longer on the display",
        "clock: 00:15 left",
        "clock: 00:05 left",
        "level over",
        "clock: 00:55 left",
        "clock: 00:45 left",
        "clock: 00:35 left",
        "time call over",
        "clock: 00:25 left",
        "clock: 00:15 left",
        "clock: 00:05 left",
        "break over",
        "clock: 09:50 left",
        "clock: 09:40 left",
        "a minute after the hand",
    ]
    assert italian[0] == "giocatori non più sul display"
    assert italian[1] == "orologio: restano 00:15"
    assert italian[3] == "livello finito"
    assert italian[7] == "fine del tempo chiamato"
    assert italian[11] == "pausa finita"
    assert italian[-1] == "passato un minuto dalla mano"
