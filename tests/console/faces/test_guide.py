"""What is offered at the prompt can be typed, and what can be typed is in the help."""

import pytest

from console.deeds import DEEDS, Vocabulary
from console.faces.guide import COMMANDS, HELP, completed
from console.games import GAMES
from console.scenario import parse_line

STUD = Vocabulary.of("caribbean-stud")


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
        ("expect refused WR", "ONG_KEY ", ["WRONG_KEY"]),
        ("dance ", "", []),
    ],
)
def test_a_line_begun_goes_on(begun: str, further: str, choices: list[str]) -> None:
    assert completed(begun, STUD) == (further, choices)


def offered(begun: str, vocabulary: Vocabulary, depth: int = 4) -> list[str]:
    """Every line that Tab alone can lead to."""
    _, words = completed(begun, vocabulary)
    lines = [begun + word for word in words]
    if depth == 1:
        return lines
    return lines + [line for each in lines for line in offered(f"{each} ", vocabulary, depth - 1)]


@pytest.mark.parametrize("game", GAMES)
def test_every_verb_leads_to_lines_that_are_understood(game: str) -> None:
    vocabulary = Vocabulary.of(game)
    understood = set()
    for line in offered("", vocabulary):
        try:
            parse_line(line, vocabulary)
        except ValueError:
            continue
        understood.add(line.split()[0])
    rail = {"token", "take", "cover", "uncover", "jam", "unjam"}
    assert understood == {*DEEDS, "expect"} - (set() if GAMES[game].progressive else rail)


def test_no_verb_is_offered_a_word_it_does_not_understand() -> None:
    for verb in ("press", "key", "token", "inspector", "power", "plug", "unplug", "disk", "clear"):
        for line in offered(f"{verb} ", STUD, depth=1):
            parse_line(line, STUD)


def test_the_help_names_every_act() -> None:
    assert [verb for verb in (*DEEDS, "expect", "quit") if verb not in HELP] == []
    assert set(COMMANDS) <= set(completed("", STUD)[1])
