"""What is offered at the prompt can be typed, and what can be typed is in the help."""

import pytest

from console.rules.games import GAMES
from console.rules.poker_settings import Form, PokerHouse, PokerSettings
from console.simulation.scenario.acts import CABINET_ACTS, CARD_ACTS, Vocabulary
from console.simulation.scenario.script import parse_line
from console.simulation.terminal.guide import COMMANDS, complete_line, help_of
from console.texts.declarations.lines import list_declarations

STUD = Vocabulary.of("caribbean-stud")
PUNTO_BANCO = Vocabulary.of("mini-punto-banco")
BLACK_JACK = Vocabulary.of("black-jack")
POKER = Vocabulary.of("texas-holdem", poker=PokerSettings())
TOURNAMENT = Vocabulary.of("texas-holdem", poker=PokerSettings(form=Form.TOURNAMENT))
PRESTIGE = Vocabulary.of("texas-holdem", poker=PokerSettings(PokerHouse.PRESTIGE))

CARDS = {
    "caribbean-stud": {"deck", "packet"},
    "tre-card-stud": {"deck", "packet"},
    "ultimate-texas-holdem": {"deck", "packet"},
    "mini-punto-banco": {"deck", "packet", "shoe", "draw", "cut-card"},
    "black-jack": {"shoe", "draw", "cut-card"},
    "texas-holdem": {"deck"},
}
"""The verbs about cards that each table understands."""


@pytest.mark.parametrize(
    ("begun", "further", "choices"),
    [
        ("pr", "ess ", ["press"]),
        ("press g", "AME_OVER ", ["GAME_OVER"]),
        ("PRESS F", "", ["FOUR_OF_A_KIND", "FULL_HOUSE", "FLUSH"]),
        ("press fl", "USH ", ["FLUSH"]),
        ("key jp", "", ["JPL", "JPH"]),
        ("key R ", "", []),
        ("token 1 3 ", "", ["2", "4", "5", "6", "7"]),
        ("clear token_", "STUCK ", ["TOKEN_STUCK"]),
        ("declare hand-void 3 ", "returned ", ["returned"]),
        ("expect refused WR", "ONG_", ["WRONG_KEY", "WRONG_STREET"]),
        ("dance ", "", []),
    ],
)
def test_a_line_begun_goes_on(begun: str, further: str, choices: list[str]) -> None:
    assert complete_line(begun, STUD) == (further, choices)


@pytest.mark.parametrize(
    ("begun", "vocabulary", "further", "choices"),
    [
        ("deck lo", STUD, "ad ", ["load"]),
        ("deck load r", STUD, "ed ", ["red"]),
        ("packet ", STUD, "take ", ["take"]),
        ("shoe ", STUD, "", ["load", "burn"]),
        ("shoe b", BLACK_JACK, "urn ", ["burn"]),
        ("draw ", BLACK_JACK, "", []),
        ("draw t", PUNTO_BANCO, "o ", ["to"]),
        ("draw to b", PUNTO_BANCO, "ANCO ", ["BANCO"]),
        ("cut", PUNTO_BANCO, "-card ", ["cut-card"]),
        ("cut", STUD, "", []),
        ("declare coup-w", PUNTO_BANCO, "ithout-stakes ", ["coup-without-stakes"]),
        ("declare coup", STUD, "", []),
        ("expect shuffler F", STUD, "AULT ", ["FAULT"]),
        ("expect result e", PUNTO_BANCO, "GALITE ", ["EGALITE"]),
        ("expect points ", PUNTO_BANCO, "", []),
    ],
)
def test_a_line_about_cards_goes_on_where_there_are_such(
    begun: str, vocabulary: Vocabulary, further: str, choices: list[str]
) -> None:
    assert complete_line(begun, vocabulary) == (further, choices)


def completions_of(begun: str, vocabulary: Vocabulary, depth: int = 4) -> list[str]:
    """Every line that Tab alone can lead to."""
    _, words = complete_line(begun, vocabulary)
    lines = [begun + word for word in words]
    if depth == 1:
        return lines
    return lines + [
        line for each in lines for line in completions_of(f"{each} ", vocabulary, depth - 1)
    ]


@pytest.mark.parametrize("game", GAMES)
def test_every_verb_leads_to_lines_that_are_understood(game: str) -> None:
    vocabulary = Vocabulary.of(game)
    understood = set()
    for line in completions_of("", vocabulary):
        try:
            parse_line(line, vocabulary)
        except ValueError:
            continue
        understood.add(line.split()[0])
    rail = {"token", "take", "cover", "uncover", "jam", "unjam"}
    no_rail = set() if GAMES[game].progressive else rail
    assert understood == {*CABINET_ACTS, "expect", *CARDS[game]} - no_rail
    assert (
        set(complete_line("", vocabulary)[1]) - {*CABINET_ACTS, "expect", *COMMANDS} == CARDS[game]
    )


ROUNDS = {"hand-void", "round-void", "last-hands", "tray"}
SHOE = {"shoe-replaced", "coup-void", "coup-without-stakes", "card-annulled"}
POKER_TABLE = {"round-void", "last-hands", "players", "board-corrected", "change", "time"}
CASH = POKER_TABLE | {"boards", "rake", "rake-cap", "drop"}
CLOCKED = {
    "clock",
    "hand-for-hand",
    "go",
    "break",
    "match-new",
    "prior-level",
    "jackpot-hit",
    "entries",
}


@pytest.mark.parametrize(
    ("vocabulary", "offered"),
    [
        (STUD, ROUNDS | {"deck-replaced", "award-verified"}),
        (PUNTO_BANCO, {"round-void", "last-hands", "deck-replaced"} | SHOE),
        (BLACK_JACK, {"last-hands"} | SHOE),
        (POKER, CASH),
        (PRESTIGE, CASH - {"rake-cap"} | {"half-rake"}),
        (TOURNAMENT, POKER_TABLE | CLOCKED),
    ],
    ids=lambda value: getattr(value, "game", ""),
)
def test_each_table_is_offered_its_own_declarations(
    vocabulary: Vocabulary, offered: set[str]
) -> None:
    assert set(complete_line("declare ", vocabulary)[1]) == offered


def test_what_follows_a_declaration_is_offered() -> None:
    assert complete_line("declare hand-for", TOURNAMENT) == ("-hand ", ["hand-for-hand"])
    assert complete_line("declare clock s", TOURNAMENT) == ("", ["start", "stop", "set"])
    assert complete_line("press ri", POKER) == ("VER ", ["RIVER"])
    for words in ("boards ", "half-rake ", "players ", "rake ", "time "):
        for line in completions_of(f"declare {words}", PRESTIGE, depth=1):
            parse_line(line, PRESTIGE)


def test_no_verb_is_offered_a_word_it_does_not_understand() -> None:
    for verb in ("press", "key", "token", "inspector", "power", "plug", "unplug", "disk", "clear"):
        for line in completions_of(f"{verb} ", STUD, depth=1):
            parse_line(line, STUD)


def test_the_help_names_every_act() -> None:
    acts = (*CABINET_ACTS, *CARD_ACTS, *list_declarations(STUD.fitted))
    assert [word for word in (*acts, "expect", "quit") if word not in help_of(STUD)] == []
    assert set(COMMANDS) <= set(complete_line("", STUD)[1])


def test_the_help_of_a_poker_table_names_its_buttons_and_declarations() -> None:
    legends = [name for names in GAMES["texas-holdem"].legends for name in names[:1]]
    declared = list_declarations(POKER.fitted, POKER.poker)
    words = (*declared, *legends, "FEWER", "MORE")
    assert [word for word in words if word not in help_of(POKER)] == []


@pytest.mark.parametrize("vocabulary", [STUD, PUNTO_BANCO, BLACK_JACK, POKER, PRESTIGE, TOURNAMENT])
def test_the_help_fits_a_terminal_of_24_rows_and_80_columns(vocabulary: Vocabulary) -> None:
    lines = help_of(vocabulary).splitlines()
    assert len(lines) <= 22
    assert max(map(len, lines)) <= 78
