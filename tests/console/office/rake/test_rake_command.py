"""`banco rake`: its first line is the parts, and what cannot be reckoned ends with status 2."""

import json
import shlex

import pytest

from console.command_line.main import main

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ("--house sanremo 100 200 1000", "5+10+15"),
        ("--house prestige 6.50 200", "6+4"),
        ("--house prestige --half 132", "3"),
        ("--house prestige --shared 132", "6"),
        ("--house sanremo --shared 190", "0"),
        ("--house sanremo --no-flop 1000 20", "0+0"),
        ("--house sanremo --cap '2:10 5:20 7:30' --players 4 1000", "10"),
        ("--house san-marino 190", "5"),
        ("--house san-marino --rate 5 --fixed 2.00 --cap 15 100 100", "7+5"),
        ("--house sanremo 0", "0"),
    ],
)
def test_the_first_line_is_the_parts(words: str, parts: str, capsys: Capture) -> None:
    """POKER 18.20, 18.21"""
    assert main(["rake", *shlex.split(words)]) == 0
    assert capsys.readouterr().out == f"{parts}\n"


def test_as_json(capsys: Capture) -> None:
    assert main(["rake", "--house", "sanremo", "--json", "100", "200", "1000"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "house": "sanremo",
        "pots": ["100.00", "200.00", "1000.00"],
        "parts": [5, 10, 15],
        "rake": 30,
    }


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--house sanremo ten", "pot: 'ten' is not an amount"),
        ("--house sanremo -5", "pot: '-5' is not an amount"),
        ("--house sanremo 1.005", "pot: '1.005' is not an amount"),
        ("--house sanremo 1234567890", "pot: '1234567890' is too large"),
        ("--house lugano 100", "no house 'lugano'"),
        ("--house city 100", "no house 'city' with a cash game"),
        ("--house sanremo --rate 5 100", "san-marino only"),
        ("--house prestige --cap 30 100", "it is not set"),
        ("--house san-marino --half 100", "prestige only"),
        ("--house sanremo --cap '2:10 5:20' 100", "needs the number of players"),
        ("--house sanremo --players 12 100", "players: '12' is no number from 2 to 11"),
        ("--house san-marino --rate 101 100", "percentage"),
        ("--house sanremo", "the following arguments are required: POT"),
        ("100", "required: --house"),
    ],
)
def test_what_cannot_be_reckoned(words: str, why: str, capsys: Capture) -> None:
    """POKER 18.21"""
    try:
        status: object = main(["rake", *shlex.split(words)])
    except SystemExit as ended:
        status = ended.code
    caught = capsys.readouterr()
    assert (status, caught.out) == (2, "")
    assert why in caught.err
