"""Where no prize file is named, a table writes the records of 0.1.0, byte for byte."""

from pathlib import Path

import pytest

from console.rules.link import Tie
from console.simulation.scenario.script import parse_scenario
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from tests.console.table import Table

ROUND = (
    *("wait 5s", "press GAME_OVER", "token 1 3 6", "press COIN_IN", "wait 3s"),
    *("press {combination}", "key JPL", "press JPOT", "press JPOT", "key R"),
    *("press GAME_OVER", "press COIN_IN"),
)
COMBINATIONS = {"caribbean-stud": "FLUSH", "tre-card-stud": "THREE_OF_A_KIND"}
LAST_HASHES = {
    ("caribbean-stud", ""): "4201a6524ff0507254df8099589318ffffd2ea6aefa24b3960743706169665f2",
    ("caribbean-stud", "stud"): "f99534483fec4c42d53efdd2ef3ef502e10b9f60bd65c9ac11bb725d23a57585",
    ("tre-card-stud", ""): "9b3179f6611a96e0176b411d1187f5ac02a759bb005e8ae36166519a838d0b41",
    ("tre-card-stud", "stud"): "d3bdd357abec073f86004cf52c08720c469b672c96a959123b634ee6fa479ccd",
}
"""Of the last record that the tree of 0.1.0 writes; a record's hash covers all before it."""


@pytest.mark.parametrize(("game", "link"), LAST_HASHES)
def test_a_round_without_a_prize_file_has_the_records_of_the_first_release(
    game: str, link: str, tmp_path: Path
) -> None:
    """PRIZES 1.7"""
    settings = [f"set game {game}", *([f"set link {link}"] if link else [])]
    plan = parse_scenario("\n".join(settings), "test").plan
    tie = Tie.SPLIT if link else None
    with machine_in_virtual_time(plan, tmp_path, rehearsed=tie) as machine:
        table = Table(plan, machine)
        table.play(*(line.format(combination=COMBINATIONS[game]) for line in ROUND))
        assert table.records[-1].hash == LAST_HASHES[game, link]
