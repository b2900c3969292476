"""The commands that try the cabinet: what their help shows can be typed, in either language."""

from pathlib import Path

import pytest

from console.technician.command import Command
from console.technician.commands import devices, drive, selftest, watch
from console.texts.language import Language
from tests.console.technician.commands.technician_bench import open_bench

COMMANDS = (*watch.COMMANDS, *drive.COMMANDS, *devices.COMMANDS, *selftest.COMMANDS)


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.names[0])
def test_the_example_of_its_help_is_understood(
    tmp_path: Path, command: Command, language: Language
) -> None:
    with open_bench(tmp_path, language=language) as bench:
        name = command.names[0 if language is Language.EN else -1]
        printed = bench.type_command(command.example.replace(command.names[0], name, 1))
        printed += bench.wait(4)
        assert name in command.names
        for complaint in ("usage:", "uso:", "internal error", "errore del programma"):
            assert complaint not in printed


@pytest.mark.parametrize("game", ["caribbean-stud", "tre-card-stud", "black-jack"])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.names[0])
def test_what_it_offers_to_complete_is_understood(
    tmp_path: Path, command: Command, game: str
) -> None:
    with open_bench(tmp_path, f"game {game}", "inspector fitted") as bench:
        for word in command.complete((), bench.session.status):
            printed = bench.type_command(f"{command.names[0]} {word}") + bench.wait(0.5)
            assert "no command" not in printed
            if word not in ("seat", "posto"):  # one word more is needed there
                assert "usage:" not in printed, word
            while not bench.at_the_prompt:
                bench.type("\x03")
