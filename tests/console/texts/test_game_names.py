"""Every game has a name that people read, and four cards each make it Omaha, everywhere."""

from pathlib import Path

import pytest

from console.line.requests import AskStatus, Status
from console.rules.games import GAMES, OMAHA
from console.technician.commands.status import render_status
from console.texts.language import Language
from console.texts.table_texts import GAME_NAMES
from tests.console.line.handled_table import open_handled_table


def test_every_game_has_a_name() -> None:
    assert set(GAME_NAMES) == {*GAMES, OMAHA}


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        (("game texas-holdem", "hole 4"), "omaha"),
        (("game texas-holdem", "hole 4", "shuffler deck"), "omaha"),
        (("game texas-holdem", "hole 2"), "texas-holdem"),
        (("game black-jack",), "black-jack"),
    ],
)
@pytest.mark.parametrize("language", Language)
def test_the_line_names_what_is_played(
    settings: tuple[str, ...], name: str, language: Language, tmp_path: Path
) -> None:
    with open_handled_table(tmp_path, *settings) as rig:
        status = rig.ask_now(AskStatus())
        assert isinstance(status, Status)
        assert (status.game, status.known_as) == (settings[0].split()[1], name)
        title = render_status(status, language)[0]
        assert title.split()[-1] == name
