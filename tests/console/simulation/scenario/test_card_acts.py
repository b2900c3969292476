"""The scenarios' lines about cards: which game has which, and what is wrong with others.

See docs/reference/scenarios.md; the other lines have test_script.py.
"""

from pathlib import Path

import pytest

from console.rules.games import GAMES
from console.simulation.scenario.acts import (
    BurnCards,
    CardAct,
    DrawCards,
    DrawCutCard,
    LoadDeck,
    LoadShoe,
    PassOverShuffle,
    TakePackets,
    UnloadDeck,
    Vocabulary,
)
from console.simulation.scenario.play import FAILED, play
from console.simulation.scenario.script import parse_line, parse_scenario
from devices.card_reports import Back, Card, Place
from jackpot.failures import Refused
from tests.console.simulation.scenario.test_script import forms
from tests.console.table import table_in

pytestmark = pytest.mark.sampled(of=3)

STUD, TRE_CARD, ULTIMATE = "caribbean-stud", "tre-card-stud", "ultimate-texas-holdem"
PUNTO_BANCO, BLACK_JACK = "mini-punto-banco", "black-jack"

UNDERSTOOD: dict[str, tuple[str, ...]] = {
    """
deck load red | load blue | load red 51 | load blue 999 | unload
unplug shuffler
plug shuffler
""": (STUD, TRE_CARD, ULTIMATE, PUNTO_BANCO),
    "packet take | take 1 | take 8": (STUD, TRE_CARD, ULTIMATE, PUNTO_BANCO),
    """
shoe load | load 312 | load 8 | burn | burn 5 | burn 0
draw
draw AS | TD 9H 2C | as jd QH kc
cut-card
unplug shoe
plug shoe
""": (PUNTO_BANCO, BLACK_JACK),
    "draw to PUNTO 9H | to BANCO AS": (PUNTO_BANCO,),
    """
declare deck-replaced | coup-void | coup-without-stakes | card-annulled | shoe-replaced
clear CARD_COUNT | DECK_REPEATED | DRAW_ERROR
expect shuffler EMPTY | SHUFFLING | READY | DEALING | FAULT
expect green on | off
expect dealt 0 | 40
expect remaining 0 | 312
expect last-coup yes | no
expect next PUNTO | BANCO | none
expect result PUNTO | BANCO | EGALITE | VOID | none
expect points 0 0 | 7 4 | 9 9
expect fault SHUFFLER_LOST | SHOE_LOST | CARD_COUNT | DECK_REPEATED | DRAW_ERROR
""": tuple(GAMES),
}


@pytest.mark.parametrize(
    ("line", "games"),
    [(line, games) for text, games in UNDERSTOOD.items() for line in forms(text)],
)
def test_a_line_is_understood_at_the_tables_that_have_the_part(
    line: str, games: tuple[str, ...]
) -> None:
    for game in GAMES:
        for written in (line, line.upper(), f"\t{line.lower()}  # why"):
            text = f"set game {game}\n{written}\n"
            if game in games:
                parse_scenario(text, "a.scenario")
            else:
                with pytest.raises(Refused, match=r"^a\.scenario:2: "):
                    parse_scenario(text, "a.scenario")


@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("deck load red", LoadDeck(Back.RED)),
        ("deck load blue 51", LoadDeck(Back.BLUE, 51)),
        ("deck unload", UnloadDeck()),
        ("deck ready", PassOverShuffle()),
        ("shoe load", LoadShoe(312)),
        ("shoe load 14", LoadShoe(14)),
        ("shoe burn", BurnCards(5)),
        ("shoe burn 3", BurnCards(3)),
        ("draw", DrawCards((None,))),
        ("draw as TD 9h", DrawCards((Card("AS"), Card("TD"), Card("9H")))),
        ("draw to banco 2c", DrawCards((Card("2C"),), Place.BANCO)),
        ("draw to PUNTO KD", DrawCards((Card("KD"),), Place.PUNTO)),
        ("cut-card", DrawCutCard()),
    ],
)
def test_what_a_line_means(line: str, act: CardAct) -> None:
    assert parse_line(line, Vocabulary.of(PUNTO_BANCO)) == act


@pytest.mark.parametrize(("line", "packets"), [("packet take", 1), ("packet take 8", 8)])
def test_how_many_packets_are_taken(line: str, packets: int) -> None:
    assert parse_line(line, Vocabulary.of(STUD)) == TakePackets(packets)


@pytest.mark.parametrize(
    ("game", "line", "why"),
    [
        (STUD, "deck", "deck load red"),
        (STUD, "deck load", "deck load red"),
        (STUD, "deck load green", "a deck's back is one of red, blue"),
        (STUD, "deck load red many", "a number from 0 to 999; not 'many'"),
        (STUD, "deck load red 1000", "0 to 999"),
        (STUD, "deck load red -1", "0 to 999"),
        (STUD, "deck load red 52 52", "deck load red"),
        (STUD, "deck unload red", "deck unload"),
        (STUD, "deck shuffle", "deck load red"),
        (STUD, "packet", "packet take N"),
        (STUD, "packet take two", "0 to 999"),
        (STUD, "packet take 1 2", "packet take N"),
        (STUD, "packet give", "packet take"),
        (STUD, "shoe load", "caribbean-stud has no shoe"),
        (STUD, "draw AS", "caribbean-stud has no shoe"),
        (STUD, "cut-card", "caribbean-stud has no shoe"),
        (STUD, "unplug shoe", "caribbean-stud has no shoe"),
        (BLACK_JACK, "deck load red", "black-jack has no shuffler"),
        (BLACK_JACK, "packet take", "black-jack has no shuffler"),
        (BLACK_JACK, "unplug shuffler", "black-jack has no shuffler"),
        (BLACK_JACK, "draw to PUNTO AS", "the shoe of black-jack gives cards to no place"),
        (PUNTO_BANCO, "shoe", "shoe burn N"),
        (PUNTO_BANCO, "shoe load full", "0 to 999"),
        (PUNTO_BANCO, "shoe empty", "shoe load N"),
        (PUNTO_BANCO, "shoe burn 5 5", "shoe burn N"),
        (PUNTO_BANCO, "draw 10H", "as TD; not '10h'"),
        (PUNTO_BANCO, "draw 1H", "A23456789TJQK"),
        (PUNTO_BANCO, "draw AX", "SHDC"),
        (PUNTO_BANCO, "draw AS 5", "not '5'"),
        (PUNTO_BANCO, "draw to", "draw to PUNTO 9H"),
        (PUNTO_BANCO, "draw to PUNTO", "draw to PUNTO 9H"),
        (PUNTO_BANCO, "draw to EGALITE 9H", "a place is one of punto, banco"),
        (PUNTO_BANCO, "draw to PUNTO 9H 2S", "draw to PUNTO 9H"),
        (PUNTO_BANCO, "draw to PUNTO X", "as TD; not 'x'"),
        (PUNTO_BANCO, "cut-card now", "'cut-card' alone"),
        (PUNTO_BANCO, "declare coup-void now", "write 'declare coup-void' alone"),
        (PUNTO_BANCO, "declare shoe-changed", "shoe-replaced"),
        (STUD, "expect shuffler JAMMED", "empty, shuffling, ready, dealing, fault"),
        (STUD, "expect green", "on, off"),
        (STUD, "expect dealt", "expect dealt N"),
        (STUD, "expect dealt none", "expect dealt N"),
        (STUD, "expect dealt -1", "expect dealt N"),
        (PUNTO_BANCO, "expect remaining 1 2", "expect remaining N"),
        (PUNTO_BANCO, "expect last-coup maybe", "yes, no"),
        (PUNTO_BANCO, "expect next EGALITE", "punto, banco, none"),
        (PUNTO_BANCO, "expect result DRAW", "punto, banco, egalite, void, none"),
        (PUNTO_BANCO, "expect points", "such as 7 4"),
        (PUNTO_BANCO, "expect points 7", "such as 7 4"),
        (PUNTO_BANCO, "expect points 10 4", "such as 7 4"),
        (PUNTO_BANCO, "expect points 7 4 1", "such as 7 4"),
        (PUNTO_BANCO, "expect points seven 4", "such as 7 4"),
    ],
)
def test_what_is_not_understood_is_named_with_what_would_be_right(
    game: str, line: str, why: str
) -> None:
    with pytest.raises(Refused) as caught:
        parse_scenario(f"set game {game}\n\n{line}\n", "a.scenario")
    message = str(caught.value)
    assert message.startswith("a.scenario:3: ")
    assert why.lower() in message.lower()


@pytest.mark.parametrize(
    ("game", "line", "got"),
    [
        (STUD, "expect shuffler READY", "got EMPTY"),
        (STUD, "expect green off", "got on"),
        (STUD, "expect dealt 5", "got 0"),
        (PUNTO_BANCO, "expect remaining 312", "got 307"),
        (PUNTO_BANCO, "expect last-coup yes", "got no"),
        (PUNTO_BANCO, "expect next BANCO", "got PUNTO"),
        (PUNTO_BANCO, "expect result VOID", "got none"),
        (PUNTO_BANCO, "expect points 1 0", "got 0 0"),
    ],
)
def test_what_was_expected_and_what_was_got(
    game: str, line: str, got: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shoe = "shoe load\nshoe burn\n" if GAMES[game].shoe else ""
    file = tmp_path / "a.scenario"
    file.write_text(f"set game {game}\n{shoe}{line}\n", "utf-8")
    assert play([str(file)], as_json=False, real_time=False) == FAILED
    assert capsys.readouterr().err.endswith(f"expected {line.removeprefix('expect ')}, {got}\n")


def test_what_nobody_could_do_to_a_shoe_or_shuffler_does_nothing(tmp_path: Path) -> None:
    with table_in(tmp_path / "stud", f"game {STUD}") as table:
        table.play("packet take 3", "deck unload", "deck load red", "deck load blue")
        table.play("wait 3m", "expect shuffler READY", "expect dealt 0", "expect fault none")
        table.play("deck load red", "deck unload", "deck unload", "expect shuffler EMPTY")
        table.play("deck ready", "expect shuffler EMPTY")
    with table_in(tmp_path / "punto-banco", f"game {PUNTO_BANCO}") as table:
        table.play("draw", "shoe burn", "cut-card", "expect remaining 0", "expect last-coup no")
        table.play("shoe load 3", "shoe burn", "expect remaining 3", "draw AS AS AS AS")
        table.play("expect remaining 0", "expect result VOID")
        table.play("cut-card", "cut-card", "expect last-coup yes", "expect fault none")


def test_a_shuffle_is_passed_over_and_the_deck_behind_comes_next(tmp_path: Path) -> None:
    with table_in(tmp_path, f"game {STUD}") as table:
        table.play("deck load red 51", "deck load blue", "expect shuffler SHUFFLING")
        table.play("deck ready", "wait 100ms", "expect fault CARD_COUNT")  # still counted
        table.play("deck ready", "deck unload", "wait 1s", "expect shuffler READY")
        table.play("expect fault none")


@pytest.mark.parametrize(
    ("game", "line", "ms"),
    [(STUD, "packet take 3", 150), (PUNTO_BANCO, "draw AS TD 9H", 150), (PUNTO_BANCO, "draw", 50)],
)
def test_each_card_and_each_packet_has_its_own_50_ms(
    game: str, line: str, ms: int, tmp_path: Path
) -> None:
    with table_in(tmp_path, f"game {game}") as table:
        assert sum(table.simulated_table.perform(table.parse_act(line))) == ms
